"""The finder's passes: one as a rule, a farther or nearer one only where it is asked for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.vision.read.tile_fakes import FakeFinder
from vision.capture.image_pyramid import Pyramid
from vision.capture.play_area import PlayArea
from vision.read.detection import DICE, TILES, Candidate, Detector, Maps
from vision.read.networks import Network


class Session:
    """A finder that sees what it is told to at each length of the longer side, in cells."""

    def __init__(self, seen: dict[int, tuple[int, int, float]]) -> None:
        self.seen = seen
        self.looks: list[int] = []

    def get_inputs(self) -> list[Any]:
        return [type("Input", (), {"name": "pixels"})]

    def run(self, _: None, inputs: dict[str, Any]) -> tuple[Maps]:
        """Give maps with at most one die."""
        _, height, width, _ = inputs["pixels"].shape
        self.looks.append(max(height, width))
        maps = np.zeros((1, 5, height // 4, width // 4), np.float32)
        if self.looks[-1] in self.seen:
            row, column, size = self.seen[self.looks[-1]]
            maps[0, 0, row, column] = 0.9
            maps[0, 3:, row, column] = np.log(size / 16)
        return (maps,)


PHOTO = np.zeros((960, 1280, 3), np.uint8)


@pytest.mark.parametrize(
    ("seen", "looks", "size"),
    [
        ({448: (20, 30, 40)}, [448], 114),
        ({896: (43, 64, 20)}, [448, 896], 29),
        ({448: (20, 30, 13), 992: (47, 66, 30)}, [448, 992], 39),
        ({448: (20, 30, 8), 1280: (61, 86, 24)}, [448, 1280], 24),
    ],
    ids=["usual", "unseen at first", "small", "dots"],
)
def test_dice_are_looked_for_at_the_scales_that_they_ask_for(
    seen: dict[int, tuple[int, int, float]], looks: list[int], size: int
) -> None:
    """The nearest pass names the die in the photo's own pixels."""
    session = Session(seen)
    *_, peak = Detector(Network(session), DICE, 0.5).find_from_near(Pyramid(PHOTO))
    assert session.looks == looks
    assert peak.size == pytest.approx(size, rel=0.13)


@pytest.mark.parametrize(("left", "found"), [(0.0, 1), (0.4, 0)])
def test_what_lies_outside_of_the_play_area_is_not_found(left: float, found: int) -> None:
    """Nor does it ask for another pass, or for a person."""
    area = PlayArea(((left, 0.1), (0.9, 0.1), (0.9, 0.9), (left, 0.9)))
    session = Session({448: (20, 30, 40)})  # a die at a quarter of the width
    detector = Detector(Network(session), DICE, 0.5)
    assert len(detector.find_from_near(Pyramid(PHOTO, area))) == found


def test_an_empty_table_is_looked_at_nearer_before_it_is_called_empty() -> None:
    """Dice may be too small for the first pass."""
    session = Session({})
    assert Detector(Network(session), DICE, 0.5).find_from_near(Pyramid(PHOTO)) == []
    assert session.looks == [448, 896]


def test_from_far_dice_of_every_size_are_found() -> None:
    """A die of 40 pixels of the photo as well as one that fills it."""
    for size, wanted in ((8, 40), (60, 300)):
        detector = Detector(Network(Session({256: (20, 30, size)})), DICE, 0.5)
        (peak,) = detector.find_from_far(Pyramid(PHOTO))
        assert peak.size == pytest.approx(wanted, rel=0.01)


@pytest.mark.parametrize("shape", [(1, 1), (40, 2000), (2000, 40), (33, 47)], ids=str)
def test_every_shape_of_picture_can_be_looked_at(shape: tuple[int, int]) -> None:
    """A stripe or a dot is a picture too."""
    picture = Pyramid(np.zeros((*shape, 3), np.uint8))
    detector = Detector(Network(Session({})), DICE, 0.5)
    assert detector.find_from_near(picture) == detector.find_from_far(picture) == []


PYRAMID = Pyramid(np.full((960, 1280, 3), 90, np.uint8))


def tile(x: float, y: float, length: float) -> Candidate:
    """A tile that lies a little turned."""
    return Candidate(0.9, x, y, length * 0.7, length, 20.0)


def test_large_tiles_need_no_nearer_look() -> None:
    """320 and 640 pixels are enough; places and sizes are told in the picture's own."""
    finder = FakeFinder((tile(300, 200, 120), tile(800, 600, 110)), 1280)
    found = Detector(finder.network, TILES, 0.3).find(PYRAMID)
    assert finder.looks == [320, 640]
    assert [(spot.x, spot.y, spot.height) for spot in found] == [
        pytest.approx((300, 200, 120), rel=0.01),
        pytest.approx((800, 600, 110), rel=0.01),
    ]


def test_small_tiles_ask_for_a_nearer_look() -> None:
    """Near enough that they are of a comfortable size, and each is told once."""
    finder = FakeFinder(tuple(tile(100 + 90 * at, 300, 40) for at in range(8)), 1280)
    found = Detector(finder.network, TILES, 0.3).find(PYRAMID)
    assert finder.looks[:2] == [320, 640]
    assert 1200 <= finder.looks[2] <= 1600
    assert len(found) == 8


def test_the_upper_end_is_taken_for_the_top() -> None:
    """A tile that leans a little to the left is told as nearly upright, not as upside down."""
    leaning = Candidate(0.9, 400.0, 300.0, 84.0, 120.0, 175.0)
    (found,) = Detector(FakeFinder((leaning,), 1280).network, TILES, 0.3).find(PYRAMID)
    assert found.angle == pytest.approx(355.0, abs=0.1)


def test_an_empty_table_is_looked_at_nearer() -> None:
    """Nearer: tiles may be too small for the first looks."""
    finder = FakeFinder((), 1280)
    assert Detector(finder.network, TILES, 0.3).find(PYRAMID) == []
    assert finder.looks == [320, 640, 1280]


def test_a_small_picture_is_not_looked_at_from_nearer_than_it_is() -> None:
    """More pixels than there are show nothing more."""
    small = Pyramid(np.full((240, 320, 3), 90, np.uint8))
    finder = FakeFinder((), 320)
    Detector(finder.network, TILES, 0.3).find(small)
    assert finder.looks == [320, 640]


def test_parts_of_a_tile_that_fills_the_picture_are_none() -> None:
    """What seems to lie on a tile is its own word or number; what lies beside it is a tile."""
    whole, word, other = tile(500, 450, 600), tile(520, 560, 90), tile(1100, 300, 90)
    found = Detector(FakeFinder((whole, word, other), 1280).network, TILES, 0.3).find(PYRAMID)
    assert sorted(round(spot.height) for spot in found) == [90, 600]
