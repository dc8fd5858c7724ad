"""Whether there are pins to use."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from functools import partial
from pathlib import Path
from typing import NoReturn

import pytest
from gpiozero.pins.mock import MockFactory

from hardware.errors import PinError
from hardware.lamps import Lamps
from hardware.pins import Board, open_pins
from tests.hardware.fake_wires import LAMP_PINS, BusyFactory
from tests.patience import PATIENCE_SECONDS
from web.shared.settings import Settings
from web.table.play.panel import claim_pins

ROOT = Path(__file__).parents[2]
LOADING = """\
from gpiozero.exc import PinUnknownPi
from hardware.pins import load_factory
try:
    load_factory()
except PinUnknownPi:
    pass  # this machine is none: lgpio has been imported all the same
"""
# Stands for lgpio 0.2, whose import makes a named pipe in the folder that it finds itself in.
LGPIO = """\
import os
from pathlib import Path

SET_PULL_NONE = SET_PULL_UP = SET_PULL_DOWN = BOTH_EDGES = RISING_EDGE = FALLING_EDGE = 0
os.mkfifo(".lgd-nfy0")
Path(__file__).with_name("made").write_text(".lgd-nfy0")


def __getattr__(name):
    return lambda *_: 0
"""


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


@pytest.mark.parametrize("busy", [18, 27])
def test_a_pin_in_use_leaves_the_panel_on_the_page(tmp_path: Path, busy: int) -> None:
    """A pin that another program has ends no evening; where real pins are demanded it is told."""
    files = board(tmp_path)
    machine = Board(files.model, files.devices, lambda: BusyFactory(busy))
    pins = open_pins("auto", machine, claim=partial(claim_pins, Settings()))
    assert pins.simulated
    assert f"Pin {busy} cannot be" in pins.description
    assert "GPIO busy" in pins.description
    with pytest.raises(PinError, match="GPIO busy"):
        open_pins("real", machine, claim=partial(claim_pins, Settings()))


def test_claimed_pins_can_be_used(tmp_path: Path) -> None:
    """What was taken to see whether it is free is given back."""
    pins = open_pins("real", board(tmp_path), claim=partial(claim_pins, Settings()))
    lamps = Lamps(LAMP_PINS, pins.factory)
    lamps.open()
    lamps.close()


def test_lgpio_leaves_nothing_in_the_working_folder(tmp_path: Path) -> None:
    """Its pipe, made at its import wherever it stands, is made in a folder that goes again."""
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    (there / "lgpio.py").write_text(LGPIO)
    subprocess.run(
        [sys.executable, "-c", LOADING],
        cwd=here,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(there), str(ROOT)))},
        check=True,
        timeout=PATIENCE_SECONDS,
    )
    assert list(here.iterdir()) == []
    assert (there / "made").read_text() == ".lgd-nfy0"


def test_nobody_wants_pins(tmp_path: Path) -> None:
    """Simulated is simulated, also on a Pi."""
    assert open_pins("simulated", board(tmp_path)).simulated


def test_this_machine_is_looked_at_without_a_warning() -> None:
    """Gpiozero's own detection would warn on a machine without pins; ours does not."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert open_pins().description
