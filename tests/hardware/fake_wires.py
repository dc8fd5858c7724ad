"""Wires to gpiozero's mock pins: presses as real contacts make them, on a fake clock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from gpiozero.pins.mock import MockFactory

from hardware.buttons import Buttons
from scoreboard.table.requests import Action
from tests.hardware.default_pins import BUTTON_PINS

EVENING = datetime(2026, 11, 21, 20, tzinfo=UTC)
CLEAN: Sequence[float] = ()
BOUNCES_MS: Sequence[Sequence[float]] = (
    (),
    (1.0, 1.2),
    (0.3, 2.1, 2.2, 7.9),
    (1, 2, 3, 4, 5, 6, 7, 8),
    (4.0, 8.0),
)


@dataclass
class Clock:
    """One time for both clocks: seconds since the start, and the time of day."""

    seconds: float = 50.0

    def monotonic(self) -> float:
        """Seconds that only `pass_on` moves."""
        return self.seconds

    def utc(self) -> datetime:
        """The time of day."""
        return EVENING + timedelta(seconds=self.seconds)


@dataclass
class Wires:
    """Buttons on mock pins, and hands that press them."""

    clock: Clock = field(default_factory=Clock)
    factory: MockFactory = field(default_factory=MockFactory)
    presses: list[tuple[Action, datetime]] = field(default_factory=list)
    holds: list[datetime] = field(default_factory=list)
    listener: Callable[[Action, datetime], object] = lambda _action, _at: None

    def __post_init__(self) -> None:
        self.buttons = Buttons(
            BUTTON_PINS,
            self.factory,
            self.heard,
            clock=self.clock.utc,
            monotonic=self.clock.monotonic,
            held=self.holds.append,
        )

    def heard(self, action: Action, at: datetime) -> None:
        """Remember a press, and hand it on."""
        self.presses.append((action, at))
        self.listener(action, at)

    def pin(self, action: Action) -> Any:
        """The mock pin of a button."""
        return self.factory.pin(BUTTON_PINS[action])

    def pass_on(self, seconds: float) -> None:
        """Let time pass, asking the buttons as their thread would."""
        end = self.clock.seconds + seconds
        while self.clock.seconds < end:
            wait = self.buttons.poll()
            self.clock.seconds = min(end, self.clock.seconds + (wait or seconds))
        self.buttons.poll()

    def press(
        self,
        action: Action,
        bounce_ms: Sequence[float] = CLEAN,
        *,
        hold_seconds: float = 0.12,
        rest_seconds: float = 0.4,
    ) -> None:
        """Press and let go, the contact bouncing at these milliseconds both times."""
        self.change(action, bounce_ms, closed=True)
        self.pass_on(hold_seconds)
        self.change(action, bounce_ms, closed=False)
        self.pass_on(rest_seconds)

    def change(self, action: Action, bounce_ms: Sequence[float], *, closed: bool) -> None:
        """Close or open a contact, which bounces an even number of times and then stays."""
        assert len(bounce_ms) % 2 == 0
        start, level = self.clock.seconds, closed
        self.drive(action, closed=level)
        for offset_ms in bounce_ms:
            self.clock.seconds, level = start + offset_ms / 1000, not level
            self.drive(action, closed=level)

    def drive(self, action: Action, *, closed: bool) -> None:
        """A closed contact pulls its pin to ground."""
        pin = self.pin(action)
        if closed:
            pin.drive_low()
        else:
            pin.drive_high()
