"""Dice that fall until they lie, and where they are let go."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.train.rendering.arrangement import Block, Falling, Space, arrange, settle, unsettle
from vision.train.rendering.geometry import Pose

UPRIGHT = (0.0, 0.0, 0.0, 1.0)


@pytest.fixture(autouse=True)
def _physics() -> None:
    pytest.importorskip("pybullet", reason="needs the training extra: pip install .[training]")


def test_a_die_falls_flat() -> None:
    """Let go askew over the table, it comes to rest level, on the table."""
    (die,) = settle([Falling(Pose((0, 0, 2.0), (0.3, 0.2, 0.1, 0.9)), spin=(3.0, 2, 1))], [], 0.5)
    assert die.pose.lean_degrees < 1
    assert die.pose.position[2] == pytest.approx(0.5, abs=0.03)


def test_a_smaller_die_lies_lower() -> None:
    """A die's middle comes to rest half its own size above the table."""
    (die,) = settle([Falling(Pose((0, 0, 1.0), UPRIGHT), 0.7)], [], 0.5)
    assert die.pose.position[2] == pytest.approx(0.35, abs=0.03)


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


def test_arranging_is_seeded() -> None:
    """The same state of chance lays the same dice."""
    both = [
        arrange(random, [1.0, 1.0], Space(lambda: np.zeros(2), lambda _a, _b: True), [])
        for random in (np.random.default_rng(5), np.random.default_rng(5))
    ]
    assert both[0].dice == both[1].dice


def test_uneven_ground_tilts_a_die_a_little() -> None:
    """As much as the ground is bumpy; not at all on glass."""
    die = Falling(Pose((1.0, 2.0, 0.5), UPRIGHT))
    random = np.random.default_rng(0)
    assert unsettle(random, die, 0.0).pose.lean_degrees == pytest.approx(0, abs=1e-3)
    tilts = [unsettle(random, die, 2.0).pose.lean_degrees for _ in range(200)]
    assert 1 < np.mean(tilts) < 2.5
