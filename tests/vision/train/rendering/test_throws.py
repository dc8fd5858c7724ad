"""Dice thrown by physics."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest

from vision.train.rendering.evening import dice_to_keep, throw
from vision.train.rendering.geometry import Pose
from vision.train.rendering.tracing import DiceRoll, Tray, apart

TRAY = Tray(half_width=4.7, half_depth=3.5)


@pytest.fixture(scope="module")
def thrown() -> DiceRoll:
    """Five dice thrown with seed 7."""
    pytest.importorskip("pybullet", reason="needs the training extra: pip install .[training]")
    return throw(7, TRAY, (), 5)


def test_dice_come_to_rest_flat_inside_and_apart(thrown: DiceRoll) -> None:
    """Nothing leans, nothing is stacked, nothing touches."""
    assert len(thrown.rest) == 5
    for pose in thrown.rest:
        assert pose.lean_degrees < 1
        assert pose.position[2] == pytest.approx(0.5, abs=0.05)
        assert abs(pose.position[0]) < TRAY.half_width
        assert abs(pose.position[1]) < TRAY.half_depth
    for one, other in combinations(thrown.rest, 2):
        assert np.hypot(*np.subtract(one.position, other.position)[:2]) > 1.2


def test_the_same_seed_throws_the_same(thrown: DiceRoll) -> None:
    """A throw is settled by its seed, another seed gives another."""
    assert throw(7, TRAY, (), 5) == thrown
    assert throw(8, TRAY, (), 5).rest != thrown.rest


def test_kept_dice_stay_where_they_lie(thrown: DiceRoll) -> None:
    """Dice that are kept neither move by a tenth of a side nor change their number."""
    kept = thrown.rest[:3]
    again = throw(9, TRAY, kept, 2)
    assert again.kept == (True, True, True, False, False)
    assert again.faces[:3] == thrown.faces[:3]
    assert apart(kept, again.rest[:3]) < 0.1


def test_its_moments_are_told_from_each_other(thrown: DiceRoll) -> None:
    """Each moment underway differs from the next, the last one from the rest."""
    shown = [*thrown.underway(), thrown.rest]
    assert len(shown) == 5
    assert all(apart(one, other) > 0.8 for one, other in pairwise(shown))


def test_apart_measures_the_die_that_moved_most() -> None:
    """A shift by three and four is five away."""
    still = Pose((0.0, 0.0, 0.5), (0.0, 0.0, 0.0, 1.0))
    moved = Pose((3.0, 4.0, 0.5), (0.0, 0.0, 0.0, 1.0))
    assert apart((still, still), (still, moved)) == pytest.approx(5)


@pytest.mark.parametrize(
    ("faces", "kept"),
    [
        ((5, 5, 5, 2, 1), [0, 1, 2]),
        ((6, 2, 6, 2, 1), [0, 2]),
        ((2, 3, 4, 5, 5), [0, 1, 2, 3]),
        ((6, 4, 3, 1, 5), [0, 1, 2, 4]),
        ((1, 2, 3, 5, 6), [4]),
        ((4, 4, 4, 4, 4), [0, 1, 2, 3]),
        ((1, 2, 3, 4, 5), [0, 1, 2, 3]),
    ],
)
def test_a_player_keeps_what_makes_sense(faces: tuple[int, ...], kept: list[int]) -> None:
    """Runs of four, else the most frequent face, the higher at a tie; never all five."""
    assert dice_to_keep(faces) == kept
