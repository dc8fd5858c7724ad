"""Where tiles lie: rows, strewn tiles, tiles that lean, racks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.train.rendering.slab import Slab
from vision.train.rendering.tiles.edition import JOKER, Printed
from vision.train.rendering.tiles.tile_poses import (
    LayingStyle,
    TakenArea,
    any_rack,
    any_set,
    any_tile,
    fill_rack,
    flat,
    overturned,
    rectangle,
    row_of,
    strew,
)

SEEDS = st.integers(0, 2**32 - 1)
SHAPE = Slab(1.0, 1.43, 0.3, 0.06, 0.06)
SEVEN = Printed(7, 1)


def anywhere(_place: object) -> bool:
    """All places are in sight."""
    return True


def test_a_tile_that_lies_reads_upright_along_its_heading() -> None:
    """Without a turn the number's left corner is at -x, +y; a quarter turn takes it to -x, -y."""
    corners = flat(SEVEN, np.array([5.0, 1.0]), 0.0).points(SHAPE.corners())
    assert corners[0, :2] == pytest.approx((4.5, 1.715))
    turned = flat(SEVEN, np.array([5.0, 1.0]), np.pi / 2).points(SHAPE.corners())
    assert turned[0, :2] == pytest.approx((5 - 0.715, 0.5))


def test_an_overturned_tile_lies_on_the_table_face_down() -> None:
    """Its top is at z = 0, its back a thickness above, its place the same."""
    lying = flat(SEVEN, np.array([5.0, 1.0]), 0.7)
    over = overturned(lying, SHAPE)
    assert over.blank
    assert over.points(np.array([[0.0, 0.0, 0.3], [0.0, 0.0, 0.0]])) == pytest.approx(
        np.array([[5.0, 1.0, 0.0], [5.0, 1.0, 0.3]])
    )


@given(SEEDS)
def test_tiles_of_a_row_follow_each_other_without_passing_through(seed: int) -> None:
    """Neighbours' middles are a width apart or more, steps and turns within their bounds."""
    random = np.random.default_rng(seed)
    row = row_of([SEVEN] * 6, SHAPE, LayingStyle.of(random), random)
    along = np.array([place[0] for place, _ in row.places])
    assert (np.diff(along) >= 0.99).all()
    assert max(abs(place[1]) for place, _ in row.places) <= 0.2 * SHAPE.length + 0.01
    assert max(abs(turn) for _, turn in row.places) <= np.radians(5) + 1e-9
    first = row.lie(np.array([1.0, 2.0]), 0.5)[0]
    assert np.hypot(*(first.place[:2] - [1, 2])) == pytest.approx(np.hypot(*row.places[0][0]))


def test_what_is_taken_is_not_given_again() -> None:
    """Rectangles may touch, but not overlap, and their middles must be in sight."""
    floor = TakenArea(lambda place: float(place[0]) < 10)
    assert floor.takes([rectangle(np.zeros(2), 0.0, 2, 2)])
    assert not floor.takes([rectangle(np.array([1.2, 1.2]), np.pi / 4, 1, 1)])
    assert floor.takes([rectangle(np.array([2.0, 0.0]), 0.0, 2, 2)])
    assert not floor.takes([rectangle(np.array([11.0, 0.0]), 0.0, 1, 1)])


@settings(deadline=None, max_examples=20)
@given(SEEDS)
def test_strewn_tiles_lie_on_the_table(seed: int) -> None:
    """No corner of a slab is below the table, flat or leaning; every lower edge touches it."""
    random = np.random.default_rng(seed)
    tiles = list(strew(30, SHAPE, lambda: random.uniform(-5, 5, 2), TakenArea(anywhere), random))
    box = np.array([(x, y, 0) for x in (-0.5, 0.5) for y in (-0.715, 0.715)])
    assert tiles
    for tile in tiles:
        assert tile.points(box)[:, 2].min() == pytest.approx(0, abs=1e-9)


@settings(deadline=None)
@given(SEEDS)
def test_sets_hold_tiles_of_the_box(seed: int) -> None:
    """Numbers run from 1 to 13, jokers are black or red."""
    random = np.random.default_rng(seed)
    for tile in (*any_set(random), any_tile(random)):
        assert 1 <= tile.kind <= JOKER
        assert 0 <= tile.colour < (2 if tile.kind == JOKER else 4)


@given(SEEDS)
def test_a_rack_keeps_its_tiles_on_its_ledges(seed: int) -> None:
    """Tiles of a tier stand side by side above the table, between the ends, leaning back."""
    random = np.random.default_rng(seed)
    rack = any_rack(random, np.array([1.0, 2.0]), 0.6, 8)
    tiles = fill_rack(rack, SHAPE, random, 40)
    assert rack.mesh(SHAPE).points[:, 2].min() > -1e-6
    for tile in tiles:
        local = rack.axes.T @ (tile.place - rack.foot(0, SHAPE))
        assert abs(local[0]) < rack.width / 2
        assert tile.points(SHAPE.corners())[:, 2].min() > 0
        assert tile.turn[2, 2] == pytest.approx(np.cos(np.radians(rack.steep_degrees)))


def test_an_upper_tier_stands_behind_the_lower_one() -> None:
    """Its tiles' tops are behind the backs of the tiles below, so that they hide its foot."""
    random = np.random.default_rng(2)
    rack = any_rack(random, np.zeros(2), 0.0, 5)
    step = rack.axes.T @ (rack.foot(1, SHAPE) - rack.foot(0, SHAPE))
    assert step[2] < -SHAPE.thickness
    assert step[1] == pytest.approx(rack.rise * SHAPE.length)
