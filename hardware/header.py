"""The default pins of buttons and lamps, as BCM numbers.

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
