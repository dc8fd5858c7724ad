"""Default pins of buttons and lamps, as BCM numbers, and default keys of buttons.

They are in a module of their own, so that settings need no pin library.
"""

from typing import Final

KEEP: Final = 17
REROLL: Final = 27
UNDO: Final = 22

READY: Final = 23
READING: Final = 24
CONFIRM: Final = 25
HURRY: Final = 18

# Of keypads and keyboards; of presenters (next, back, and start or black screen); of Bluetooth
# remotes for cameras and music.
KEEP_KEYS: Final = (
    "KEY_K", "KEY_ENTER", "KEY_KPENTER", "KEY_PAGEDOWN", "KEY_VOLUMEUP", "KEY_PLAYPAUSE",
)  # fmt: skip
REROLL_KEYS: Final = (
    "KEY_R", "KEY_SPACE", "KEY_KPPLUS", "KEY_PAGEUP", "KEY_VOLUMEDOWN", "KEY_NEXTSONG",
)  # fmt: skip
UNDO_KEYS: Final = (
    "KEY_U", "KEY_BACKSPACE", "KEY_KPMINUS", "KEY_ESC", "KEY_F5", "KEY_B", "KEY_DOT",
    "KEY_PREVIOUSSONG",
)  # fmt: skip
