"""The drawings of the documentation are what their script draws, and it draws what is so."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree as ET

import pytest

from web.shared.settings import Settings
from web.table.play.panel import button_pins, lamp_pins

ROOT = Path(__file__).parent.parent
RECIPE = ROOT / "docs" / "recipes" / "buttons-and-lamps.md"


def script() -> ModuleType:
    """docs/draw_wiring.py."""
    path = ROOT / "docs" / "draw_wiring.py"
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["wiring.svg", "camera-arm.svg"])
def test_a_drawing_is_what_its_script_draws(name: str) -> None:
    """After a change of a pin or a lens: python docs/draw_wiring.py."""
    drawn = script().DRAWINGS[name]()
    ET.fromstring(drawn)  # noqa: S314 -- our own text; raises ParseError
    assert (ROOT / "docs" / "images" / name).read_text(encoding="utf-8") == drawn


def test_the_recipe_names_the_same_pins_as_the_drawing() -> None:
    """Its table says pin and place of every button and lamp that the header has."""
    drawn = script().wiring()
    rows = re.findall(r"^\| .+? \| (\d+) \| (\d+) \|", RECIPE.read_text("utf-8"), re.MULTILINE)
    pins = {*button_pins(Settings()).values(), *lamp_pins(Settings()).values()}
    assert {int(pin) for pin, _ in rows} == pins
    for pin, place in rows:
        assert f">GPIO{pin}, pin {place}<" in drawn


def test_a_lens_sees_more_from_higher_up() -> None:
    """66 degrees see 2 tan 33 degrees times the height: 1.3 of it."""
    field = script().field_mm
    assert field(100, "Camera Module 3") == pytest.approx(129.9, abs=0.05)
    assert field(200, "Camera Module 3") == 2 * field(100, "Camera Module 3")
