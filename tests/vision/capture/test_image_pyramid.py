"""Pyramids: halves of a picture, and the level to shrink from."""

from __future__ import annotations

import numpy as np
import pytest

from vision.capture.image_pyramid import Pyramid, downscaled


@pytest.mark.parametrize(
    ("shape", "shapes"),
    [
        ((960, 1280), [(960, 1280), (480, 640), (240, 320)]),
        ((641, 480), [(641, 480), (320, 240)]),
        ((1, 1), [(1, 1)]),
        ((3, 1301), [(3, 1301), (1, 650)]),
        ((1, 1301), [(1, 1301)]),
    ],
    ids=str,
)
def test_levels_halve_down_to_the_smallest_look(
    shape: tuple[int, int], shapes: list[tuple[int, int]]
) -> None:
    """An odd row or column at the end is left out of the halves, and a line is never lost."""
    pyramid = Pyramid(np.zeros((*shape, 3), np.uint8))
    assert [level.shape[:2] for level in pyramid.levels] == shapes
    assert pyramid.longer == max(shape)


def test_a_half_is_the_mean_of_two_by_two_pixels() -> None:
    """Fine grain becomes grey instead of a pattern."""
    board = np.indices((700, 700)).sum(axis=0) % 2 * 200
    half = Pyramid(np.repeat(board[:, :, None], 3, axis=2).astype(np.uint8)).levels[1]
    assert (half == 100).all()


@pytest.mark.parametrize(
    ("shrink", "level"), [(0.3, 0), (1.9, 0), (2, 1), (3.7, 1), (4, 2), (9, 2)]
)
def test_shrinking_starts_from_the_level_just_above(shrink: float, level: int) -> None:
    """From there at most a factor of two is left, unless there is no smaller level."""
    assert Pyramid(np.zeros((960, 1280, 3), np.uint8)).above(shrink) == level


@pytest.mark.parametrize(
    ("shape", "small"),
    [
        ((480, 640), (240, 320)),
        ((960, 1280), (240, 320)),
        ((4032, 3025), (320, 240)),
        ((200, 300), (213, 320)),
        ((10, 2000), (8, 320)),
        ((1, 1), (320, 320)),
    ],
)
def test_the_longer_side_is_as_asked(shape: tuple[int, int], small: tuple[int, int]) -> None:
    """Whatever the picture's size: the other side follows, and none vanishes."""
    assert downscaled(np.zeros((*shape, 3), np.uint8), 320).shape == (*small, 3)


def test_nothing_of_the_picture_is_left_out() -> None:
    """A bright half stays a bright half, to a pixel."""
    image = np.zeros((900, 1200, 3), np.uint8)
    image[:, 600:] = 200
    small = downscaled(image, 100)
    assert (small[:, :49] == 0).all()
    assert (small[:, 51:] == 200).all()
    assert small.mean() == pytest.approx(100, abs=1)
