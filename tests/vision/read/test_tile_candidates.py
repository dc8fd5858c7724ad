"""From the finder's maps to turned rectangles of tiles."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.read.detection import SIZE_UNIT, STRIDE, TILES, Candidate, Maps, candidates, distinct

UPRIGHT = Candidate(0.9, 100.0, 60.0, 20.0, 30.0, 0.0)
PIXELS = st.integers(0, 80)
PLACED = st.builds(
    Candidate, st.just(0.9), PIXELS, PIXELS, st.integers(1, 40), st.just(60), st.just(0)
)


def maps_of(*told: Candidate, cells: int = 40) -> Maps:
    """The maps that a finder gives that sees just these."""
    maps = np.zeros((7, cells, cells), np.float32)
    for spot in told:
        x, y = spot.x / STRIDE, spot.y / STRIDE
        row, column = int(y), int(x)
        twice = np.radians(2 * spot.turn)
        sizes = (np.log(each / SIZE_UNIT) for each in (spot.width, spot.height))
        right, down = x - column - 0.5, y - row - 0.5
        maps[:, row, column] = (spot.score, right, down, *sizes, np.cos(twice), np.sin(twice))
    return maps


@pytest.mark.parametrize("angle", [0.0, 30.0, 90.0, 135.0, 179.0])
def test_a_tile_is_told_as_it_lies(angle: float) -> None:
    """Middle, both sides and the turn of the longer one; which end is up nobody knows yet."""
    lying = Candidate(0.8, 71.0, 43.0, 18.0, 26.0, angle)
    (found,) = candidates(maps_of(lying), 0.5, TILES)
    assert found.angle == pytest.approx(angle, abs=0.01)
    told = (found.score, found.x, found.y, found.width, found.height)
    assert told == pytest.approx((0.8, 71.0, 43.0, 18.0, 26.0), rel=1e-4)


def test_the_best_comes_first_and_the_faint_not_at_all() -> None:
    """What scores below the threshold is no candidate."""
    faint, good = Candidate(0.2, 30, 30, 20, 30, 0), Candidate(0.7, 80, 30, 20, 30, 0)
    better = Candidate(0.9, 30, 90, 20, 30, 0)
    seen = candidates(maps_of(faint, good, better), 0.5, TILES)
    assert [spot.score for spot in seen] == pytest.approx([0.9, 0.7])


def test_one_tile_is_told_once() -> None:
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


def test_a_spot_is_scaled_with_its_picture() -> None:
    """Places and sizes, not the turn."""
    assert UPRIGHT.scaled(2) == Candidate(0.9, 200.0, 120.0, 40.0, 60.0, 0.0)
