"""Lamps on pins: they show without a screen what the table is waiting for."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from enum import Enum
from typing import Any, Final

from gpiozero import LED

from hardware.errors import PinError
from scoreboard.table.requests import TableStatus
from scoreboard.table.view import TableView

_LOG: Final = logging.getLogger(__name__)


class Lamp(Enum):
    """The meaning of a lamp; a setting maps pins to these."""

    READY = "ready"  # roll
    READING = "reading"  # the dice are at rest and being read
    CONFIRM = "confirm"  # the table waits for a press
    HURRY = "hurry"  # ten seconds are left of the turn
    KEEP_BUTTON = "keep_button"  # in an arcade button: pressing it would do something
    REROLL_BUTTON = "reroll_button"
    UNDO_BUTTON = "undo_button"


# What a view offers, and the lamp in the button for it
BUTTONS: Final = {"keep": Lamp.KEEP_BUTTON, "reroll": Lamp.REROLL_BUTTON, "undo": Lamp.UNDO_BUTTON}


def lit(view: TableView) -> frozenset[Lamp]:
    """The lamps that are lit for this view; none while nothing can be recorded."""
    if view.paused is not None:
        return frozenset()
    buttons = {lamp for button, lamp in BUTTONS.items() if getattr(view, button) is not None}
    return _awaited(view) | buttons


def _awaited(view: TableView) -> frozenset[Lamp]:
    """The one lamp for what the table waits for; none if it waits for no roll."""
    if view.stage in {"no game", "finished", "abandoned"}:
        return frozenset()
    if view.stage == "playing":
        hurry = view.clock is not None and view.clock.urgent
        return frozenset({Lamp.HURRY if hurry else Lamp.READY})
    waits = view.stage == "choosing" or view.proposal is not None
    if view.status is TableStatus.READING:
        return frozenset({Lamp.READING})
    return frozenset({Lamp.CONFIRM if waits else Lamp.READY})


class Lamps:
    """An Announcer that lights lamps on pins (numbered as BCM does).

    Wire each LED from its pin through 330 ohms to ground, then::

        lamps = Lamps({Lamp.READY: 23}, pins.factory)
        lamps.open()
        lamps.light(frozenset({Lamp.READY}))
        lamps.close()

    `factory` is gpiozero's. Call `open` before `announce`.
    """

    def __init__(self, pins: Mapping[Lamp, int], factory: Any) -> None:
        self._pins = dict(pins)
        self._factory = factory
        self._devices: dict[Lamp, Any] = {}

    def open(self) -> None:
        """Open the pins, with all lamps off. Raises PinError."""
        for lamp, pin in self._pins.items():
            try:
                self._devices[lamp] = LED(pin, pin_factory=self._factory)
            except Exception as error:  # lgpio's error shares no base class with the others
                self.close()
                raise PinError(
                    f"Pin {pin} cannot be the lamp {lamp.value} ({error}); name another one."
                ) from error

    def close(self) -> None:
        """Switch the lamps off and free the pins; a no-op if they are not open."""
        self.light(frozenset())
        while self._devices:
            self._devices.popitem()[1].close()

    def announce(self, view: TableView) -> None:
        """Light the lamps for this view. A failing lamp is logged and never stops play."""
        self.light(lit(view))

    def light(self, shining: frozenset[Lamp]) -> None:
        for lamp, device in self._devices.items():
            try:
                device.value = lamp in shining
            except Exception as error:  # noqa: BLE001 -- as above: play must go on without lamps
                _LOG.warning("the lamp %s on pin %d fails: %s", lamp.value, self._pins[lamp], error)
