"""Decide once whether to use pins, and describe the result."""

from __future__ import annotations

import contextlib
import importlib
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from hardware.errors import PinError

PinMode = Literal["auto", "real", "simulated"]

_ON_PAGE: Final = "the button panel on the page stands in"


@dataclass(frozen=True, slots=True)
class Pins:
    """The pins for buttons and lamps.

    `factory` is gpiozero's, None if there are no pins; `description` is for makers.
    """

    factory: Any
    description: str

    @property
    def simulated(self) -> bool:
        """Whether the page's panel replaces buttons and lamps."""
        return self.factory is None


def load_factory() -> Any:
    """The factory for the header's pins. gpiozero's own search would try several, with warnings.

    On import, lgpio creates a named pipe in the working folder and no longer needs its name once it
    is open. A temporary folder avoids failing in a folder that is not writable.
    """
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        module = importlib.import_module("gpiozero.pins.lgpio")
    return module.LGPIOFactory()


@dataclass(frozen=True, slots=True)
class Board:
    """The machine's pins: its model, its pin chips, and how to open them."""

    model: Path = Path("/proc/device-tree/model")
    devices: Path = Path("/dev")
    load: Callable[[], Any] = load_factory

    def open(self) -> Pins:
        """Its real pins. Raises PinError, with the reason: this machine has none to be used."""
        if not self.model.exists() or "Raspberry Pi" not in self.model.read_text(errors="replace"):
            raise PinError("this machine is no Raspberry Pi")
        if not any(self.devices.glob("gpiochip*")):
            raise PinError("this Raspberry Pi shows no pins under /dev; update its system")
        try:
            return Pins(self.load(), "the pins of this Raspberry Pi")
        except ImportError as error:
            raise PinError(
                f"the pins need lgpio ({error}); run: sudo apt install python3-lgpio"
            ) from error
        except Exception as error:  # lgpio's errors share no base class
            raise PinError(
                f"the pins cannot be opened ({error}); add this user to the group gpio"
            ) from error


def open_pins(
    mode: PinMode = "auto",
    board: Board | None = None,
    *,
    claim: Callable[[Any], None] = lambda _factory: None,
) -> Pins:
    """Open real pins, or decide to use none.

    "auto" uses the header's pins if possible, "simulated" never, "real" always. `claim` gets the
    factory and raises PinError if a needed pin is in use. So does this if the mode is "real".
    """
    if mode == "simulated":
        return Pins(None, f"no pins are wanted: {_ON_PAGE}")
    try:
        pins = (board or Board()).open()
        claim(pins.factory)
    except PinError as error:
        if mode == "real":
            raise
        return Pins(None, f"{str(error).removesuffix('.')}: {_ON_PAGE}")
    return pins
