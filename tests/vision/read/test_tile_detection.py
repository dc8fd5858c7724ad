"""Looks for tiles: the finder looks nearer where tiles are small or none are seen."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.read.tile_fakes import FakeFinder
from vision.capture.image_pyramid import Pyramid
from vision.read.detection import TILES, Candidate, Detector

PHOTO = Pyramid(np.full((960, 1280, 3), 90, np.uint8))


def tile(x: float, y: float, length: float) -> Candidate:
    """A tile that lies a little turned."""
    return Candidate(0.9, x, y, length * 0.7, length, 20.0)


def test_large_tiles_need_no_nearer_look() -> None:
    """320 and 640 pixels are enough; places and sizes are told in the picture's own."""
    finder = FakeFinder((tile(300, 200, 120), tile(800, 600, 110)), 1280)
    found = Detector(finder.network, TILES, 0.3).find(PHOTO)
    assert finder.looks == [320, 640]
    assert [(spot.x, spot.y, spot.height) for spot in found] == [
        pytest.approx((300, 200, 120), rel=0.01),
        pytest.approx((800, 600, 110), rel=0.01),
    ]


def test_small_tiles_ask_for_a_nearer_look() -> None:
    """Near enough that they are of a comfortable size, and each is told once."""
    finder = FakeFinder(tuple(tile(100 + 90 * at, 300, 40) for at in range(8)), 1280)
    found = Detector(finder.network, TILES, 0.3).find(PHOTO)
    assert finder.looks[:2] == [320, 640]
    assert 1200 <= finder.looks[2] <= 1600
    assert len(found) == 8


def test_the_upper_end_is_taken_for_the_top() -> None:
    """A tile that leans a little to the left is told as nearly upright, not as upside down."""
    leaning = Candidate(0.9, 400.0, 300.0, 84.0, 120.0, 175.0)
    (found,) = Detector(FakeFinder((leaning,), 1280).network, TILES, 0.3).find(PHOTO)
    assert found.angle == pytest.approx(355.0, abs=0.1)


def test_an_empty_table_is_looked_at_nearer() -> None:
    """Nearer: tiles may be too small for the first looks."""
    finder = FakeFinder((), 1280)
    assert Detector(finder.network, TILES, 0.3).find(PHOTO) == []
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
    found = Detector(FakeFinder((whole, word, other), 1280).network, TILES, 0.3).find(PHOTO)
    assert sorted(round(spot.height) for spot in found) == [90, 600]
