"""Dice that fall until they lie, where they are let go, and the trays they fall into."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.train.rendering.arrangement import (
    Block,
    Falling,
    Rim,
    Space,
    any_rim,
    arrange,
    settle,
    unsettle,
)
from vision.train.rendering.geometry import Pose

UPRIGHT = (0.0, 0.0, 0.0, 1.0)


@pytest.mark.parametrize("size", [1.0, 0.7])
def test_a_die_falls_flat(size: float) -> None:
    """Let go askew over the table, it comes to rest level, its middle half its size above it."""
    askew = Pose((0, 0, 2.0), (0.3, 0.2, 0.1, 0.9))
    (die,) = settle([Falling(askew, size, spin=(3.0, 2, 1))], [], 0.5)
    assert die.pose.lean_degrees < 1
    assert die.pose.position[2] == pytest.approx(size / 2, abs=0.03)


def test_a_die_over_an_edge_leans() -> None:
    """Let fall onto a low block's edge, it rests against it."""
    block = Block((1.0, 0.0, 0.15), (0.75, 3.0, 0.15))
    (die,) = settle([Falling(Pose((-0.1, 0.0, 1.2), UPRIGHT))], [block], 0.9)
    assert die.pose.lean_degrees > 8


def test_fixed_dice_stay() -> None:
    """A die that was laid by hand doesn't move when another one falls beside it."""
    laid = Falling(Pose((0, 0, 0.5), UPRIGHT), fixed=True)
    stays, _ = settle([laid, Falling(Pose((0.8, 0, 2.5), UPRIGHT))], [], 0.5)
    assert stays.pose.position == pytest.approx(laid.pose.position)


@pytest.mark.parametrize("seed", range(5))
def test_dice_never_lie_inside_each_other(seed: int) -> None:
    """However they are arranged, the middles of two dice are a side apart (but for a sliver)."""
    random = np.random.default_rng(seed)

    def spot() -> NDArray[np.float64]:
        return random.uniform(-5, 5, 2)

    space = Space(spot, lambda _at, _around: True)
    rest = arrange(random, [1.0] * 12, space, []).dice
    assert len(rest) <= 12
    for one, other in combinations(rest, 2):
        away = np.linalg.norm(np.subtract(one.pose.position, other.pose.position))
        assert away > 0.9


def test_uneven_ground_tilts_a_die_a_little() -> None:
    """As much as the ground is bumpy; not at all on glass."""
    die = Falling(Pose((1.0, 2.0, 0.5), UPRIGHT))
    random = np.random.default_rng(0)
    assert unsettle(random, die, 0.0).pose.lean_degrees == pytest.approx(0, abs=1e-3)
    tilts = [unsettle(random, die, 2.0).pose.lean_degrees for _ in range(200)]
    assert 1 < np.mean(tilts) < 2.5


FRAME = Rim(4.0, 3.0, 0.6, 0.3, heading=0.5)
RIMS = [FRAME, *(Rim(4.0, 4.0, 0.6, 0.3, heading=0.5, sides=sides) for sides in (6, 8, 28))]


@pytest.mark.parametrize("rim", RIMS, ids=lambda rim: f"{rim.sides} sides")
def test_the_rim_stands_where_the_inside_ends(rim: Rim) -> None:
    """From the middle outward in any direction: first inside, then under the rim's bars."""
    bars = rim.bars()
    for angle in np.linspace(0, 2 * np.pi, 17):
        way = np.array([np.cos(angle), np.sin(angle)])
        reach = next(
            r for r in np.arange(2.0, 8, 0.02) if any(_under(bar, way * r) for bar in bars)
        )
        assert not rim.inside(way * (reach + 0.03), 0.0)
        assert rim.inside(way * (reach - 0.03) * np.cos(np.pi / rim.sides), 0.0)


def _under(bar: Block, point: NDArray[np.float64]) -> bool:
    off = point - np.array(bar.middle[:2])
    sine, cosine = np.sin(bar.heading), np.cos(bar.heading)
    along = abs(cosine * off[0] + sine * off[1])
    across = abs(cosine * off[1] - sine * off[0])
    return bool(along <= bar.half[0] + 1e-9 and across <= bar.half[1] + 1e-9)


@pytest.mark.parametrize("rim", RIMS, ids=lambda rim: f"{rim.sides} sides")
def test_the_floor_reaches_under_the_rim(rim: Rim) -> None:
    """Its upper side is level with the table's dice and a little wider than the inside."""
    floor = rim.floor(10.0)
    top = floor.points[np.isclose(floor.points[:, 2], 0, atol=1e-6)]
    assert floor.points[:, 2].max() == pytest.approx(0, abs=1e-6)
    widest = np.linalg.norm(top[:, :2], axis=1).max()
    assert widest > rim.half_width
    assert widest < rim.half_width * 1.5


def test_a_drawn_rim_is_about_as_large_as_asked() -> None:
    """Frames keep width and depth, rings take their mean."""
    random = np.random.default_rng(0)
    drawn = [any_rim(random, 8.0, 6.0, 0.0) for _ in range(60)]
    assert {rim.sides for rim in drawn} == {4, 6, 8, 28}
    for rim in drawn:
        assert rim.half_width == (4.0 if rim.sides == 4 else 3.5)
