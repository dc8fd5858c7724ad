"""The pending roll between camera and person."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoreboard.dice import Roll
from scoreboard.message import message
from scoreboard.table.pending_dice import PendingRoll
from scoreboard.table.proposal import Proposal
from tests.scoreboard.table.fakes import EVENING, reading

GLARE = message("The light glares.")
DOUBTFUL = reading("33516", doubts=(GLARE,), confidence=0.6)
SURE_DICE = reading("33516", doubts=(GLARE,))


def of(proposal: Proposal) -> PendingRoll:
    return PendingRoll.of(proposal, EVENING)


def test_all_doubtful_dice_must_be_looked_at() -> None:
    """The camera's doubt falls when the last doubtful die was named by a person."""
    one = of(DOUBTFUL).with_die(0, 3)
    assert one.doubts == (GLARE,)
    for die, face in enumerate([3, 5, 1, 6], start=1):
        one = one.with_die(die, face)
    assert one.doubts == ()
    assert not any(map(one.is_doubtful, one.dice))


def test_a_correction_answers_the_doubt_about_that_die() -> None:
    """Those about other dice stay, also where the camera is rather sure."""
    leans = message("One die leans.")
    read = reading("33516", doubts=(GLARE, leans))
    first, second, *others = read.sightings
    dice = (replace(first, doubt=GLARE), replace(second, doubt=leans), *others)
    one = of(replace(read, sightings=dice)).with_die(0, 4)
    assert one.doubts == (leans,)
    assert [one.is_doubtful(die) for die in one.dice] == [False, True, False, False, False]
    assert one.with_die(1, 3).doubts == ()


def test_a_doubt_about_no_die_falls_with_the_first_correction() -> None:
    """Where every die is sure, one touch of a person answers the doubt."""
    assert of(SURE_DICE).doubts == (GLARE,)
    assert of(SURE_DICE).with_die(2, None).doubts == ()


def test_sure_dice_are_doubtful_only_when_unreadable() -> None:
    """Without a doubt of the camera a low confidence marks no die, an unread face always."""
    seen = of(reading("3?516", confidence=0.5))
    assert [seen.is_doubtful(die) for die in seen.dice] == [False, True, False, False, False]


def test_a_roll_entered_by_hand_is_beyond_doubt() -> None:
    entered = PendingRoll.entered(Roll.parse("33516"), EVENING, DOUBTFUL)
    assert (entered.doubts, entered.confidence, entered.by_hand) == ((), 1.0, True)
    assert of(DOUBTFUL).confidence == 0.6


@pytest.mark.parametrize(
    ("pending", "newer", "stands"),
    [
        (of(reading("33516")), reading("33516"), True),
        (of(reading("33516")), reading("33514"), False),
        (of(reading("33516")), reading("3351"), False),
        (of(reading("33516")), reading("33516", [1, 2, 3, 4, 5]), False),
        (of(reading("3351?")), reading("3351?"), True),
        (of(reading("33516")).with_die(4, 4), reading("33511"), True),
        (of(reading("33516")).with_die(4, 4), reading("33511", [0, 1, 2, 3, 9]), False),
        (PendingRoll.entered(Roll.parse("33516"), EVENING), reading("11111"), True),
        (PendingRoll.entered(Roll.parse("33516"), EVENING, DOUBTFUL), reading("11111"), True),
    ],
)
def test_a_reading_of_the_same_roll_changes_nothing(
    pending: PendingRoll, newer: Proposal, *, stands: bool
) -> None:
    """What lies unmoved was read already; what a person said stands until dice move."""
    assert pending.outlasts(newer, legal=False) == stands


def test_dice_are_corrected_deleted_and_added() -> None:
    corrected = of(DOUBTFUL).with_die(4, 2).with_die(0, None).with_die(None, 6)
    assert [die.face for die in corrected.dice] == [3, 5, 1, 2, 6]
    assert corrected.touched
    assert not corrected.asked
    with pytest.raises(IndexError):
        corrected.with_die(5, 1)
