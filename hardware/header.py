"""Which pins of the header buttons and lamps use unless the settings say otherwise.

Numbers are BCM's. They stand apart from the devices, so that settings need no pin library.
"""

from typing import Final

KEEP: Final = 17
REROLL: Final = 27
UNDO: Final = 22

READY: Final = 23
READING: Final = 24
CONFIRM: Final = 25
HURRY: Final = 18
