"""When a reading is proposed, and what it says."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

from scoreboard.phrase import phrase
from tests.vision.fake_table import die
from vision.frame import Frame
from vision.observation import Detection, Observation
from vision.proposing import Proposing, proposal

LAID = (die("5", 0, 0), die("5", 100, 0), die("2", 200, 0))
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("what", "now", "due"),
    [
        ("nothing changed", LAID, False),
        ("told in another order", LAID[::-1], False),
        ("trembled by a fifth", (die("5", 8, 0), *LAID[1:]), False),
        ("moved by a third", (die("5", 13, 0), *LAID[1:]), True),
        ("turned to another value", (die("6", 0, 0), *LAID[1:]), True),
        ("became readable", (die("?", 0, 0), *LAID[1:]), True),
        ("a die came", (*LAID, die("1", 300, 0)), True),
        ("all others", (die("5", 0, 300), die("5", 100, 300), die("2", 200, 300)), True),
        ("two places swapped", (die("2", 0, 0), die("5", 100, 0), die("5", 200, 0)), True),
        ("a die went", LAID[1:], True),
        ("all but one went", LAID[:1], True),
        ("all but a moved one were taken", (die("5", 50, 0),), True),
        ("an empty tray", (), False),
    ],
)
def test_a_throw_is_due_when_a_die_moved(
    what: str, now: tuple[Detection, ...], *, due: bool
) -> None:
    """Each throw once: a die that came, moved by over a quarter, or shows another value."""
    remembered = Proposing().proposed(Observation(0, "fake", LAID))
    assert remembered.due(Observation(1, "fake", now)) == due, what


def test_a_die_that_is_covered_has_not_gone() -> None:
    """A hand that hides a die took none away; what it doesn't hide and isn't there has gone."""
    remembered = Proposing().proposed(Observation(0, "fake", LAID))
    one, two = Observation(1, "fake", LAID[1:]), Observation(1, "fake", LAID[2:])
    assert not remembered.due(one, lambda box: box == LAID[0].box)
    assert remembered.due(two, lambda box: box == LAID[0].box)
    assert remembered.due(Observation(1, "fake", (*LAID[1:], die("1", 300, 0))), lambda _box: True)


def test_the_first_dice_are_due_and_an_empty_tray_is_not() -> None:
    """What lies there at the start is proposed, nothing is not."""
    assert Proposing().due(Observation(0, "fake", LAID))
    assert not Proposing().due(Observation(0, "fake"))


def test_rejected_dice_may_be_proposed_again() -> None:
    """After a rejection the same dice are due once more."""
    remembered = Proposing().proposed(Observation(0, "fake", LAID))
    assert remembered.again().due(Observation(1, "fake", LAID))


def test_the_proposal_says_what_was_seen() -> None:
    """Faces, boxes, the picture's number and size, the time and the doubts are handed on."""
    doubts = (phrase("One die leans."),)
    seen = (die("5", 1, 2, 0.9), Detection("3", 0.8, (50.0, 2.0, 90.0, 42.0), -12.5))
    frame = Frame(17, NOON, np.zeros((480, 640, 3), np.uint8))
    made = proposal(Observation(17, "fake", seen, doubts), frame)
    assert [die.face for die in made.sightings] == [5, 3]
    assert made.sightings[1].box == (50.0, 2.0, 90.0, 42.0)
    assert made.sightings[1].angle == -12.5
    assert made.confidence == pytest.approx(0.72)
    assert (made.frame, made.width, made.height, made.seen_at) == (17, 640, 480, NOON)
    assert made.doubts == doubts
    assert str(made.roll) == "35"


def test_an_unreadable_die_takes_all_confidence() -> None:
    """A die without a face leaves no chance that the whole throw is read right."""
    frame = Frame(0, NOON, np.zeros((4, 4, 3), np.uint8))
    made = proposal(Observation(0, "fake", (die("?", 0, 0, 0.9), die("1", 50, 0))), frame)
    assert made.confidence == 0
    assert made.sightings[0].face is None
    assert str(made.roll) == "1"
