"""Whether there are pins to use, decided once and said in words."""

from __future__ import annotations

import contextlib
import importlib
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from hardware.errors import PinError

PinMode = Literal["auto", "real", "simulated"]

_ON_PAGE: Final = "the button panel on the page stands in"


@dataclass(frozen=True, slots=True)
class Pins:
    """What buttons and lamps are connected to.

    `factory` is gpiozero's, to be handed to every device, None where there are no pins;
    `description` says for makers what was found.
    """

    factory: Any
    description: str

    @property
    def simulated(self) -> bool:
        """Whether the page's panel stands in for buttons and lamps."""
        return self.factory is None


def load_factory() -> Any:
    """The factory for the header's pins. gpiozero's own choice would try, and warn, in turn.

    On import, lgpio makes a named pipe in the working folder, which it needs by name no more once
    it is open: a folder of our own spares it a folder that cannot be written to.
    """
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        module = importlib.import_module("gpiozero.pins.lgpio")
    return module.LGPIOFactory()


@dataclass(frozen=True, slots=True)
class Board:
    """What the machine tells of its pins: its model, its pin chips, and how to open them."""

    model: Path = Path("/proc/device-tree/model")
    devices: Path = Path("/dev")
    load: Callable[[], Any] = field(default=load_factory)

    @property
    def missing(self) -> str | None:
        """Why this machine has no pins, None when it has."""
        if not self.model.exists() or "Raspberry Pi" not in self.model.read_text(errors="replace"):
            return "this machine is no Raspberry Pi"
        if not any(self.devices.glob("gpiochip*")):
            return "this Raspberry Pi shows no pins under /dev; update its system"
        return None


def open_pins(
    mode: PinMode = "auto",
    board: Board | None = None,
    *,
    claim: Callable[[Any], None] = lambda _factory: None,
) -> Pins:
    """Decide about the pins: real ones, or none.

    "auto" takes the header's pins where they can be used, "simulated" never, "real" always.
    `claim` is given the factory and raises a PinError when a pin that is needed is in use.

    Raises:
        PinError: real pins are wanted, and cannot be used.
    """
    if mode == "simulated":
        return Pins(None, f"no pins are wanted: {_ON_PAGE}")
    try:
        pins = _open_real(board or Board())
        claim(pins.factory)
    except PinError as error:
        if mode == "real":
            raise
        return Pins(None, f"{str(error).removesuffix('.')}: {_ON_PAGE}")
    return pins


def _open_real(board: Board) -> Pins:
    if board.missing is not None:
        raise PinError(board.missing)
    try:
        return Pins(board.load(), "the pins of this Raspberry Pi")
    except ImportError as error:
        raise PinError(
            f"the pins need lgpio ({error}); run: sudo apt install python3-lgpio"
        ) from error
    except Exception as error:  # lgpio's errors have no kind in common
        raise PinError(
            f"the pins cannot be opened ({error}); add this user to the group gpio"
        ) from error
