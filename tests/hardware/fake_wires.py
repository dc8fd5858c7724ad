"""Stand-ins for pins: the default ones, busy ones, and buttons whose contacts bounce."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from gpiozero.pins.mock import MockFactory, MockPin

from hardware.buttons import Buttons, on_pins
from hardware.lamps import Lamp
from scoreboard.table.requests import Action
from web.shared.settings import Settings
from web.table.play.panel import button_pins, lamp_pins

BUTTON_PINS: Final[Mapping[Action, int]] = button_pins(Settings())
LAMP_PINS: Final[Mapping[Lamp, int]] = lamp_pins(Settings())

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
        return EVENING + timedelta(seconds=self.seconds)


@dataclass
class Wires:
    """Buttons on mock pins, and hands that press them."""

    clock: Clock = field(default_factory=Clock)
    factory: MockFactory = field(default_factory=MockFactory)
    presses: list[tuple[Action, datetime]] = field(default_factory=list)
    holds: list[datetime] = field(default_factory=list)
    long_holds: list[datetime] = field(default_factory=list)
    listener: Callable[[Action, datetime], object] = lambda _action, _at: None
    long_press: float | None = None

    def __post_init__(self) -> None:
        self.buttons = Buttons(
            on_pins(BUTTON_PINS, self.factory),
            self.heard,
            clock=self.clock.utc,
            monotonic=self.clock.monotonic,
            holds={1.0: self.holds.append, 3.0: self.long_holds.append},
            long_press=self.long_press,
        )

    def heard(self, action: Action, at: datetime) -> None:
        self.presses.append((action, at))
        self.listener(action, at)

    def pin(self, action: Action) -> Any:
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


class LgpioError(Exception):
    """Stands for `lgpio.error`, which is neither an OSError nor one of gpiozero's errors."""


class BusyPin(MockPin):  # type: ignore[misc]  # gpiozero has no types
    """A pin that cannot be claimed while its factory holds it to be in use."""

    def __init__(self, factory: BusyFactory, info: Any) -> None:
        super().__init__(factory, info)
        if info.name == f"GPIO{factory.busy}":
            raise LgpioError("GPIO busy")

    def _set_state(self, value: Any) -> None:
        if self.factory.fails:
            raise LgpioError("bad handle")
        super()._set_state(value)


class BusyFactory(MockFactory):  # type: ignore[misc]  # gpiozero has no types
    """Pins of which `busy` belongs to another program; once `fails` is set none can be driven."""

    def __init__(self, busy: int | None = None) -> None:
        super().__init__(pin_class=BusyPin)
        self.busy = busy
        self.fails = False
