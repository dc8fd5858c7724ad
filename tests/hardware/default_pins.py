"""The pins that buttons and lamps use unless the settings say otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hardware import header
from hardware.lamps import Lamp
from scoreboard.table.requests import Action

BUTTON_PINS: Final[Mapping[Action, int]] = {
    Action.KEEP: header.KEEP,
    Action.REROLL: header.REROLL,
    Action.UNDO: header.UNDO,
}
LAMP_PINS: Final[Mapping[Lamp, int]] = {
    Lamp.READY: header.READY,
    Lamp.READING: header.READING,
    Lamp.CONFIRM: header.CONFIRM,
    Lamp.HURRY: header.HURRY,
}
