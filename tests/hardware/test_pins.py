"""Whether there are pins to use."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import NoReturn

import pytest
from gpiozero.pins.mock import MockFactory

from hardware.errors import PinError
from hardware.pins import Board, open_pins


def board(tmp_path: Path, model: str | None = "Raspberry Pi 5 Model B\0", chips: int = 1) -> Board:
    """A machine's files, and mock pins behind them."""
    if model is not None:
        (tmp_path / "model").write_text(model)
    for number in range(chips):
        (tmp_path / f"gpiochip{number}").touch()
    return Board(tmp_path / "model", tmp_path, MockFactory)


@pytest.mark.parametrize("mode", ["auto", "real"])
def test_a_pi_has_pins(tmp_path: Path, mode: str) -> None:
    """On a Pi with its pin chip the factory is opened."""
    pins = open_pins("auto" if mode == "auto" else "real", board(tmp_path))
    assert isinstance(pins.factory, MockFactory)
    assert not pins.simulated
    assert pins.description == "the pins of this Raspberry Pi"


@pytest.mark.parametrize(
    ("model", "chips", "why"),
    [
        (None, 1, "this machine is no Raspberry Pi"),
        ("Pinebook Pro", 1, "this machine is no Raspberry Pi"),
        ("Raspberry Pi 4", 0, "no pins under /dev"),
    ],
)
def test_without_pins_the_page_stands_in(
    tmp_path: Path, model: str | None, chips: int, why: str
) -> None:
    """Any other machine gets the page's panel; where pins are demanded, one sentence."""
    machine = board(tmp_path, model, chips)
    pins = open_pins("auto", machine)
    assert pins.simulated
    assert why in pins.description
    assert "the page stands in" in pins.description
    with pytest.raises(PinError, match=why):
        open_pins("real", machine)


@pytest.mark.parametrize(
    ("fault", "cure"),
    [
        (ModuleNotFoundError("No module named 'lgpio'"), "sudo apt install python3-lgpio"),
        (PermissionError("can not open gpiochip"), "group gpio"),
        (RuntimeError("bad handle"), "group gpio"),
    ],
)
def test_pins_that_cannot_be_opened_name_a_cure(
    tmp_path: Path, fault: Exception, cure: str
) -> None:
    """A missing library or missing rights: the page stands in and says why."""

    def load() -> NoReturn:
        raise fault

    files = board(tmp_path)
    machine = Board(files.model, files.devices, load)
    assert cure in open_pins("auto", machine).description
    with pytest.raises(PinError, match=cure):
        open_pins("real", machine)


def test_nobody_wants_pins(tmp_path: Path) -> None:
    """Simulated is simulated, also on a Pi."""
    assert open_pins("simulated", board(tmp_path)).simulated


def test_this_machine_is_looked_at_without_a_warning() -> None:
    """Gpiozero's own detection would warn on a machine without pins; ours does not."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert open_pins().description
