"""The panel: what buttons, keys and lamps are where, and what holding two buttons means."""
# ruff: noqa: PLC0415 -- the pins' library is loaded where it is needed, as in the wiring

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from scoreboard.table.requests import Action, BothButtonsHeld, DeviceExpected, TableRequest
from web.shared.clocks import utc_now
from web.shared.settings import Settings

if TYPE_CHECKING:
    from hardware.lamps import Lamp
    from scoreboard.table.session import TableSession
    from web.table.people.devices import Pairing

AGREE_SECONDS: Final = 1.0
LET_IN_SECONDS: Final = 3.0


@dataclass(slots=True)
class PanelHolds:
    """The effect of KEEP and REROLL held down together on the real panel.

    After a second all agree to the result that waits at a tournament; without one, after three
    the next device that asks is let in.
    """

    session: TableSession
    post: Callable[[TableRequest], None]
    pairing: Pairing
    agreed: bool = False

    def agree(self, at: datetime) -> None:
        tournament = self.session.view.event
        results = () if tournament is None else tournament.results
        self.agreed = any(result.unsigned for result in results)
        self.post(BothButtonsHeld(at))

    def let_in(self, at: datetime) -> None:
        if not self.agreed:
            self.pairing.held()
            self.post(DeviceExpected(at))


def claim_pins(settings: Settings, factory: Any) -> None:
    """Take and free the pins of all buttons and lamps, to know at once. Raises PinError."""
    from hardware.buttons import Buttons, on_pins
    from hardware.lamps import Lamps

    with ExitStack() as taken:
        lamps = Lamps(lamp_pins(settings), factory)
        contacts = on_pins(button_pins(settings), factory)
        buttons = Buttons(contacts, lambda *_: None, clock=utc_now)
        for device in (lamps, buttons):
            device.open()
            taken.callback(device.close)


def button_pins(settings: Settings) -> dict[Action, int]:
    """The pin of each button."""
    return {action: getattr(settings.buttons, action.value) for action in Action}


def long_press(settings: Settings) -> float | None:
    """For how many seconds KEEP is held to be REROLL; None where it never is."""
    return settings.buttons.long_press_seconds if settings.buttons.one_button else None


def key_meanings(settings: Settings) -> dict[str, Action]:
    """What each key means, by its name."""
    return {
        key: action
        for action in Action
        for key in getattr(settings.buttons, f"{action.value}_keys")
    }


def lamp_pins(settings: Settings) -> dict[Lamp, int]:
    """The pin of each lamp that there is."""
    from hardware.lamps import Lamp

    return {lamp: pin for lamp in Lamp if (pin := getattr(settings.lamps, lamp.value))}
