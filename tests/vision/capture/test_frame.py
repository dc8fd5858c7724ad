"""Frames refuse what is no picture, a play area is a polygon from taps, a pyramid has halves."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import permutations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.capture.frame import Frame, PlayArea, Point, Pyramid, downscaled
from vision.errors import TrayError

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "image",
    [np.zeros((4, 4), np.uint8), np.zeros((4, 4, 4), np.uint8), np.zeros((4, 4, 3), np.float32)],
)
def test_other_shapes_and_types_are_refused(image: NDArray[np.uint8]) -> None:
    """Grey, four channels or fractions are no frame."""
    with pytest.raises(ValueError, match="H x W x 3"):
        Frame(0, NOON, image)


def test_a_time_without_zone_is_refused() -> None:
    """A frame's time is UTC and knows it."""
    with pytest.raises(ValueError, match="zone"):
        Frame(0, NOON.replace(tzinfo=None), np.zeros((4, 4, 3), np.uint8))


SQUARE: tuple[Point, ...] = ((0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8))
WIDE = (100, 200, 3)  # height and width


def test_taps_in_any_order_enclose_the_same_area() -> None:
    """Nobody has to know which corner comes first."""
    assert {PlayArea.around_taps(taps) for taps in permutations(SQUARE)} == {PlayArea(SQUARE)}


@pytest.mark.parametrize(
    ("x", "y", "within"),
    [(100, 50, True), (41, 21, True), (39, 50, False), (100, 81, False), (190, 50, False)],
)
def test_a_place_lies_within_by_pixels_of_the_picture(x: float, y: float, *, within: bool) -> None:
    """Shares across are of the width, shares down of the height."""
    assert PlayArea(SQUARE).holds(x, y, WIDE) is within


def test_the_part_of_a_picture_around_it_is_cut_out() -> None:
    """In grey and in colour, whole pixels of it."""
    picture = np.arange(100 * 200 * 3, dtype=np.uint8).reshape(WIDE)
    area = PlayArea(((0.1, 0.5), (0.5, 0.105), (0.9, 0.5), (0.5, 1.0)))
    assert np.array_equal(area.cut(picture), picture[10:100, 20:180])
    assert area.cut(picture[..., 0]).shape == (90, 160)


def test_an_area_may_have_more_corners() -> None:
    """A round mat is tapped all around."""
    around = ((0.5, 0.1), (0.8, 0.3), (0.9, 0.6), (0.5, 0.9), (0.1, 0.6), (0.2, 0.3))
    area = PlayArea.around_taps(around)
    assert area.holds(100, 50, WIDE)
    assert not area.holds(30, 15, WIDE)


@pytest.mark.parametrize(
    ("taps", "sentence"),
    [
        (SQUARE[:2], "has 3 to 8 corners"),
        ([(0.05 * at, 0.05 * at) for at in range(9)], "has 3 to 8 corners"),
        ((*SQUARE[:3], (1.2, 0.5)), "outside of the picture"),
        ((*SQUARE[:3], (float("nan"), 0.5)), "outside of the picture"),
        ((*SQUARE, SQUARE[0]), "on top of each other"),
        (((0.1, 0.1), (0.2, 0.1), (0.2, 0.15)), "too small"),
    ],
)
def test_what_is_no_area_is_explained(taps: tuple[Point, ...], sentence: str) -> None:
    """With what to do about it."""
    with pytest.raises(TrayError, match=sentence):
        PlayArea.around_taps(taps)


def test_the_area_around_pieces_ends_a_side_beyond_them() -> None:
    """Never beyond the picture; around a speck it is still one; around nothing there is none."""
    size = (2000.0, 1000.0)
    area = PlayArea.around_boxes([(400, 400, 600, 500), (1700, 800, 1900, 1000)], size)
    assert area is not None
    assert area.around == ((0.1, 0.2), (1.0, 0.2), (1.0, 1.0), (0.1, 1.0))
    assert PlayArea.around_boxes([(500, 500, 502, 502)], size) is not None
    assert PlayArea.around_boxes([], size) is None


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
