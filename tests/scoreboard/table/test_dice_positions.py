"""Where dice lie."""

from __future__ import annotations

import pytest

from scoreboard.dice import Roll
from scoreboard.table.dice_positions import (
    NO_FACE,
    ThrownDie,
    as_seen,
    distance_in_sides,
    relabelled,
    shift_between,
)
from scoreboard.table.proposal import Box
from tests.scoreboard.table.fakes import box, reading


def test_distance_is_told_in_sides_of_the_die() -> None:
    """A place of the row is two sides wide; a common way is left out of account."""
    was, seen = ThrownDie(5, box(0)), ThrownDie(3, box(1.5))
    assert distance_in_sides(was, seen) == 3.0
    assert distance_in_sides(was, seen, shift_between(was, seen)) == 0.0


@pytest.mark.parametrize("nowhere", [None, (1.0, 1.0, 1.0, 1.0)])
def test_a_die_that_nobody_saw_lies_nowhere(nowhere: Box | None) -> None:
    """Dice without a box, or with an empty one, are near to nothing."""
    assert distance_in_sides(ThrownDie(5, nowhere), ThrownDie(5, box(0))) == float("inf")


def test_dice_seen_lie_as_they_are_seen() -> None:
    """A die that cannot be read lies there without a face."""
    assert as_seen(reading("5?")) == (ThrownDie(5, box(0)), ThrownDie(NO_FACE, box(1)))


LYING = [ThrownDie(5, box(0)), ThrownDie(5, box(1)), ThrownDie(2, box(2))]


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
