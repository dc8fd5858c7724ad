"""From the finder's maps to boxes of dice and turned rectangles of tiles, each piece once."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.read.detection import (
    DICE,
    SIZE_UNIT,
    STRIDE,
    TILES,
    Candidate,
    Maps,
    candidates,
    distinct,
)


def die_maps(*places: tuple[int, int, float]) -> Maps:
    """Maps of 12 x 16 cells with dice of 16 pixels at those rows and columns, so strong."""
    maps = np.zeros((5, 12, 16), np.float32)
    for row, column, score in places:
        maps[0, row, column] = score
    return maps


def test_a_peak_lies_where_the_maps_say() -> None:
    """The middle is the cell's middle and the offset, four pixels a cell; sizes are 16 * exp."""
    maps = die_maps((3, 4, 0.9))
    maps[1:, 3, 4] = (0.25, -0.5, math.log(2), math.log(0.5))
    (peak,) = candidates(maps, 0.5, DICE)
    assert (peak.x, peak.y) == pytest.approx((19.0, 12.0))
    assert (peak.width, peak.height, peak.size) == pytest.approx((32.0, 8.0, 32.0))
    assert peak.box == pytest.approx((3.0, 8.0, 35.0, 16.0))


def test_neighbouring_cells_are_one_die_and_the_best_comes_first() -> None:
    """A slope has one top."""
    found = candidates(die_maps((3, 4, 0.6), (3, 5, 0.7), (8, 12, 0.9)), 0.5, DICE)
    assert [peak.score for peak in found] == pytest.approx([0.9, 0.7])


@pytest.mark.parametrize(
    ("other", "kept"),
    [
        (Candidate(0.5, 53, 50, 20, 20), 1),
        (Candidate(0.5, 70, 50, 20, 20), 2),
        (Candidate(0.5, 60, 60, 20, 20), 2),
        (Candidate(0.7, 55, 52, 5, 5), 1),
        (Candidate(0.7, 80, 52, 5, 5), 2),
    ],
    ids=["the same", "beside it", "touching corners", "one of its pips", "a small die beside it"],
)
def test_each_die_is_kept_once(other: Candidate, kept: int) -> None:
    """What shows the same die, or a part of it, goes."""
    assert len(distinct([Candidate(0.8, 50, 50, 20, 20), other], DICE)) == kept


def test_a_faint_large_box_does_not_swallow_the_dice_in_it() -> None:
    """A tray is no die, though it is square."""
    dice = [Candidate(0.9, 30, 30, 10, 10), Candidate(0.9, 70, 70, 10, 10)]
    assert distinct([*dice, Candidate(0.2, 50, 50, 90, 90)], DICE)[:2] == dice


@given(st.floats(0.1, 10), st.floats(0.1, 10))
def test_scaling_there_and_back_is_nothing(across: float, down: float) -> None:
    """A peak means the same in a picture of another size."""
    peak = Candidate(0.5, 10, 20, 30, 40)
    back = peak.scaled(across, down).scaled(1 / across, 1 / down)
    assert back.box == pytest.approx(peak.box)


UPRIGHT = Candidate(0.9, 100.0, 60.0, 20.0, 30.0, 0.0)
PIXELS = st.integers(0, 80)
PLACED = st.builds(
    Candidate, st.just(0.9), PIXELS, PIXELS, st.integers(1, 40), st.just(60), st.just(0)
)


def tile_maps(*told: Candidate, cells: int = 40) -> Maps:
    """The maps that a finder gives that sees just these."""
    maps = np.zeros((8, cells, cells), np.float32)
    for spot in told:
        x, y = spot.x / STRIDE, spot.y / STRIDE
        row, column = int(y), int(x)
        twice = np.radians(2 * spot.turn)
        sizes = (np.log(each / SIZE_UNIT) for each in (spot.width, spot.height))
        right, down = x - column - 0.5, y - row - 0.5
        turn = (np.cos(twice), np.sin(twice), spot.shear)
        maps[:, row, column] = (spot.score, right, down, *sizes, *turn)
    return maps


@pytest.mark.parametrize("angle", [0.0, 30.0, 90.0, 135.0, 179.0])
def test_a_tile_is_reported_as_it_lies(angle: float) -> None:
    """Middle, both sides and the turn of the longer one; which end is up nobody knows yet."""
    lying = Candidate(0.8, 71.0, 43.0, 18.0, 26.0, angle)
    (found,) = candidates(tile_maps(lying), 0.5, TILES)
    assert found.angle == pytest.approx(angle, abs=0.01)
    told = (found.score, found.x, found.y, found.width, found.height)
    assert told == pytest.approx((0.8, 71.0, 43.0, 18.0, 26.0), rel=1e-4)


def test_the_best_comes_first_and_the_faint_not_at_all() -> None:
    """What scores below the threshold is no candidate."""
    faint, good = Candidate(0.2, 30, 30, 20, 30, 0), Candidate(0.7, 80, 30, 20, 30, 0)
    better = Candidate(0.9, 30, 90, 20, 30, 0)
    seen = candidates(tile_maps(faint, good, better), 0.5, TILES)
    assert [spot.score for spot in seen] == pytest.approx([0.9, 0.7])


def test_one_tile_is_reported_once() -> None:
    """Two middles within a tile are one; touching tiles are two."""
    again, beside = Candidate(0.5, 104, 62, 20, 30, 4.0), Candidate(0.5, 121, 60, 20, 30, 0.0)
    assert distinct([UPRIGHT, again, beside], TILES) == [UPRIGHT, beside]


@given(st.lists(PLACED, max_size=30))
def test_a_place_is_kept_unless_a_better_one_shows_the_same(found: list[Candidate]) -> None:
    """The same as comparing each with all that are kept, however many lie in a heap."""
    kept: list[Candidate] = []
    for spot in found:
        if all(not is_same(spot, other) for other in kept):
            kept.append(spot)
    assert distinct(found, TILES) == kept


def is_same(one: Candidate, other: Candidate) -> bool:
    """Whether two middles lie nearer to each other than 0.45 of the narrower tile."""
    apart = np.hypot(one.x - other.x, one.y - other.y)
    return bool(apart < 0.45 * min(one.width, other.width))


def test_corners_go_clockwise_from_the_top_left() -> None:
    """Upright, turned a quarter, and turned over."""
    assert UPRIGHT.quad.tolist() == [[90, 45], [110, 45], [110, 75], [90, 75]]
    quarter = Candidate(0.9, 100, 60, 20, 30, 90.0).quad
    assert np.allclose(quarter, [[115, 50], [115, 70], [85, 70], [85, 50]], atol=1e-4)
    assert np.allclose(UPRIGHT.turned_over().quad, np.roll(UPRIGHT.quad, 2, axis=0), atol=1e-4)
