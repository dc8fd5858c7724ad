"""Crops of dice: the die in the middle, whatever its size and wherever it lies."""

from __future__ import annotations

import numpy as np
import pytest

from vision.capture.image_pyramid import Pyramid
from vision.read.detection import DIE_MARGIN, DIE_SIDE, Candidate, die_crops


@pytest.mark.parametrize("size", [8, 60, 300])
def test_the_die_fills_the_middle_of_its_crop(size: int) -> None:
    """A white square on black keeps its share of the crop at every size."""
    image = np.zeros((480, 640, 3), np.uint8)
    left, top = 320 - size // 2, 240 - size // 2
    image[top : top + size, left : left + size] = 255
    (crop,) = die_crops(Pyramid(image), [Candidate(1, 320, 240, size, size)])
    assert crop.shape == (DIE_SIDE, DIE_SIDE, 3)
    assert crop[24, 24].tolist() == [255, 255, 255]
    assert (crop > 128).mean() == pytest.approx(1 / DIE_MARGIN**2, abs=0.12)


@pytest.mark.parametrize("place", [(0, 0), (99, 79), (-30, 40), (150, 90), (50, 200)], ids=str)
def test_beyond_the_picture_its_edge_is_repeated(place: tuple[int, int]) -> None:
    """A die cut by the edge still gives a whole crop."""
    image = np.full((80, 100, 3), 77, np.uint8)
    (crop,) = die_crops(Pyramid(image), [Candidate(1, *place, 20, 20)])
    assert np.unique(crop).tolist() == [77]


def test_no_dice_give_no_crops() -> None:
    """The reader then has nothing to do."""
    assert die_crops(Pyramid(np.zeros((10, 10, 3), np.uint8)), []).shape == (
        0,
        DIE_SIDE,
        DIE_SIDE,
        3,
    )
