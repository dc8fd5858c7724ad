"""The parts to print can be printed, fit together, and fit a lens, a board and the header."""

from __future__ import annotations

import importlib
import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import cv2
import numpy as np
import pytest

from web.shared.settings import Settings
from web.table.play.panel import button_pins, lamp_pins

DOCS = Path(__file__).parent.parent / "docs"
NAMES = (
    "arm-foot",
    "arm-elbow",
    "arm-head",
    "tray-corner-2x-tongues",
    "tray-corner-2x-slots",
    "box-bottom",
    "box-lid",
)


@pytest.fixture(scope="module")
def parts() -> Iterator[ModuleType]:
    """docs/make_parts.py."""
    sys.path.insert(0, str(DOCS))
    yield importlib.import_module("make_parts")
    sys.path.remove(str(DOCS))


def rod(parts: ModuleType, diameter: float, x: float, y: float) -> Any:
    """Something to be pushed through a lid."""
    return parts.pin(diameter, 100, x, y, -50)


@pytest.mark.parametrize("name", NAMES)
def test_a_part_is_one_closed_body_that_lies_flat_and_fits_a_bed(
    parts: ModuleType, name: str
) -> None:
    made = parts.PARTS[name]()
    left, front, low, right, back, _ = made.bounding_box()
    assert len(made.decompose()) == 1
    assert made.volume() > 0
    assert low == pytest.approx(0, abs=1e-6)
    assert max(right - left, back - front) <= parts.BED


@pytest.mark.parametrize("name", NAMES)
def test_its_file_holds_all_of_it(parts: ModuleType, name: str, tmp_path: Path) -> None:
    """Read again as the format has it, its triangles enclose the same volume."""
    made, file = parts.PARTS[name](), tmp_path / "part.stl"
    parts.write_stl(made, file)
    held = file.read_bytes()
    (count,) = struct.unpack_from("<I", held, 80)
    assert len(held) == 84 + 50 * count
    numbers = [struct.unpack_from("<12f", held, 84 + 50 * each) for each in range(count)]
    facets = np.array(numbers).reshape(-1, 4, 3)
    one, two, three = (facets[:, place] for place in (1, 2, 3))
    volume = float(np.sum(one * np.cross(two, three)) / 6)
    assert volume == pytest.approx(made.volume(), rel=1e-4)
    outwards = np.cross(two - one, three - one)
    assert np.all(np.sum(outwards * facets[:, 0], axis=1) > 0)


def test_four_corners_are_a_tray(parts: ModuleType) -> None:
    """Tongues go into slots without touching, and inside is the room that was promised."""
    across, along = (each + 2 * parts.EDGE for each in parts.TRAY)
    tongues, slots = (parts.tray_corner(tongues=each) for each in (True, False))
    placed = [tongues, tongues.rotate((0, 0, 180)).translate((across, along, 0))]
    placed += [
        slots.translate((across, 0, 0)),
        slots.rotate((0, 0, 180)).translate((0, along, 0)),
    ]
    for number, one in enumerate(placed):
        for other in placed[number + 1 :]:
            assert (one ^ other).volume() == pytest.approx(0, abs=1)
    whole = sum(placed[1:], placed[0])
    assert whole.bounding_box()[3:] == pytest.approx((across, along, parts.RIM))
    room = parts.block(*parts.TRAY, parts.RIM).translate((across / 2, along / 2, parts.WALL))
    assert (whole ^ room).volume() == pytest.approx(0, abs=1)


def test_buttons_and_lamps_go_through_the_lid_in_the_pins_order(parts: ModuleType) -> None:
    """As many as there are pins; left and right as seen from above, when the lid is turned over."""
    lid, places = parts.box_lid().rotate((0, 180, 0)), parts.places()
    assert set(places) == {*parts.BUTTONS, *parts.LAMPS}
    assert len(places) == len(button_pins(Settings())) + len(lamp_pins(Settings()))
    for x, y, wide in places.values():
        assert (lid ^ rod(parts, wide - 0.2, x, y)).volume() == pytest.approx(0, abs=1e-6)
        assert (lid ^ rod(parts, wide + 1, x, y)).volume() > 0
    for row in (parts.BUTTONS, parts.LAMPS):
        order = [name for _, name in parts.in_order(row)]
        assert order == sorted(row, key=lambda name: places[name][0])


def test_lid_buttons_and_pi_share_the_box(parts: ModuleType) -> None:
    """The lid closes; and below a button is no Pi, however deep it is."""
    bottom, (_, width, height) = parts.box_bottom(), parts.BOX
    lid = parts.box_lid().rotate((180, 0, 0)).translate((0, 0, height + 2 * parts.WALL))
    assert (bottom ^ lid).volume() == pytest.approx(0, abs=1)
    board_front = width / 2 - 2 - parts.PI[1]
    assert all(y + wide / 2 < board_front for _, y, wide in parts.places().values() if wide > 10)


def test_a_camera_s_screws_and_lens_go_through_the_head(parts: ModuleType) -> None:
    """Between either pair of screws there is room for the lens."""
    head, (across, along) = parts.head(), parts.CAMERA_HOLES
    for side in (-1, 1):
        assert (head ^ rod(parts, 2, side * across / 2, along / 2)).volume() == 0
        assert (head ^ rod(parts, 13, 0, side * along / 2)).volume() == 0


@pytest.mark.parametrize("name", ["arm-foot", "arm-elbow", "arm-head"])
def test_a_batten_goes_in(parts: ModuleType, name: str) -> None:
    """It takes 20 x 20 mm, to the depth of a sleeve, along one of its directions."""
    made = parts.PARTS[name]()
    batten = parts.block(parts.BATTEN, parts.BATTEN, parts.DEEP)
    level, half = (parts.SOCKET + 2 * parts.STEADY) / 2, parts.DEEP / 2
    start = {"arm-foot": (0, 0, 6 + half), "arm-elbow": (level + half, 0, level)}.get(
        name, (parts.CAMERA[0] / 2 + 4 + half, 0, level)
    )
    lying = batten.translate((0, 0, -half))
    placed = (lying if name == "arm-foot" else lying.rotate((0, 90, 0))).translate(start)
    assert (made ^ placed).volume() == pytest.approx(0, abs=1e-3)


def test_a_wider_lens_stands_lower_and_sees_the_tray(parts: ModuleType) -> None:
    """66 degrees see 366 mm from 282 mm; the boom holds the post out of the picture."""
    post, boom = parts.battens("Camera Module 3")
    assert post - parts.SOCKET == pytest.approx(281.8, abs=0.1)
    assert boom == pytest.approx(366 / 2 + 60)
    by_width = sorted(parts.LENSES, key=parts.LENSES.__getitem__)
    posts = [parts.battens(lens)[0] for lens in by_width]
    assert posts == sorted(posts, reverse=True)


def test_the_picture_shows_these_parts(parts: ModuleType) -> None:
    """After a change of a part: make parts."""
    shown = cv2.imread(str(parts.PICTURE))
    drawn = parts.sheet()
    assert shown is not None
    assert shown.shape == drawn.shape
    assert np.mean(cv2.absdiff(shown, drawn) > 40) < 0.0002
