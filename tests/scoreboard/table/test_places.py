"""Where dice lie."""

from __future__ import annotations

import pytest

from scoreboard.dice import Roll
from scoreboard.table.places import LyingDie, Pair, is_same_throw, relabelled, unmoved
from tests.scoreboard.table.fakes import box


@pytest.mark.parametrize(
    ("place", "same"), [(0.0, True), (0.17, True), (0.18, False), (-0.17, True), (1.0, False)]
)
def test_a_third_of_a_side_is_the_same_place(place: float, *, same: bool) -> None:
    """A die that moved by less than 0.35 of its side was not moved (a place is two sides)."""
    assert bool(unmoved([box(0)], [box(place)])) == same


def test_the_nearest_die_is_the_one_that_lay_there() -> None:
    """Each die is paired once, the nearest first."""
    assert unmoved([box(0), box(0.1)], [box(0.1), box(0.02)]) == (Pair(1, 0), Pair(0, 1))


def test_a_die_that_nobody_saw_lies_nowhere() -> None:
    """Dice without a box, or with an empty one, match nothing."""
    assert unmoved([None, (1.0, 1.0, 1.0, 1.0)], [box(0), None, (1.0, 1.0, 1.0, 1.0)]) == ()


LYING = [LyingDie(5, box(0)), LyingDie(5, box(1)), LyingDie(2, box(2))]


@pytest.mark.parametrize(
    ("faces", "places", "same"),
    [
        ([5, 5, 2], [0, 1, 2], True),
        ([2, 5, 5], [2, 0, 1], True),
        ([5, 2], [1, 2], True),
        ([5, 5, 3], [0, 1, 2], False),
        ([5, 5, None], [0, 1, 2], False),
        ([5, 5, 2], [0, 1, 3], False),
        ([5, 5, 2, 2], [0, 1, 2, 3], False),
        ([], [], False),
    ],
)
def test_unmoved_dice_with_their_values_are_the_same_throw(
    faces: list[int | None], places: list[float], *, same: bool
) -> None:
    """Fewer dice are the same throw too, any that moved or changed is a new one."""
    assert is_same_throw(LYING, faces, [box(place) for place in places]) == same


@pytest.mark.parametrize(
    ("roll", "places"),
    [
        ("552", [0, 1, 2]),
        ("255", [2, 0, 1]),
        ("553", [0, 1, 2]),
        ("333", [None, None, None]),
        ("533", [0, None, None]),
        ("55", [0, 1]),
        ("552 1", [0, 1, 2, None]),
    ],
)
def test_dice_keep_their_place_when_a_value_is_corrected(
    roll: str, places: list[float | None]
) -> None:
    """One changed value lies where the die left over lay; more are anybody's guess."""
    dice = relabelled(LYING, Roll.parse(roll.replace(" ", "")))
    assert [die.face for die in dice] == [int(face) for face in roll.replace(" ", "")]
    assert [die.box for die in dice] == [None if place is None else box(place) for place in places]
