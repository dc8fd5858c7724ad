"""When a reading is proposed, and what it says."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

from scoreboard.message import message
from tests.vision.fake_table import Table, die
from vision.capture.frame import Frame
from vision.read.observation import Detection, Observation
from vision.watch.proposals import ProposalTracker, is_covered, looks_same, proposal

LAID = (die("5", 0, 0), die("5", 100, 0), die("2", 200, 0))
DARK = np.full((480, 640, 3), 30, np.uint8)
BRIGHT = np.full((480, 640, 3), 200, np.uint8)
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
    remembered = ProposalTracker().proposed(Observation(0, "fake", LAID), DARK)
    assert remembered.due(Observation(1, "fake", now), BRIGHT) == due, what


PLACES = ((100, 100), (300, 200), (400, 300))


def test_a_die_that_is_covered_has_not_gone() -> None:
    """A hand that hides a die took none away; what it doesn't hide and isn't there has gone."""
    table = Table(noise=3)
    laid = tuple(die(face, *place) for face, place in zip("252", PLACES, strict=True))
    remembered = ProposalTracker().proposed(
        Observation(0, "fake", laid), table.picture(PLACES, "252")
    )
    hand = table.picture(PLACES, "252", hand=320)
    assert not remembered.due(Observation(1, "fake", laid[:1]), hand)
    came = table.picture((*PLACES, (500, 300)), "2521", hand=320)
    assert remembered.due(Observation(1, "fake", (*laid[:1], die("1", 500, 300))), came)
    taken = table.picture(PLACES[1:], "52", hand=320)
    assert remembered.due(Observation(1, "fake", laid[2:]), taken)


@pytest.mark.parametrize("gain", [1.0, 0.7])
def test_what_reaches_in_covers_and_what_went_does_not(gain: float) -> None:
    """A hand of the table's brightness covers by its colour; a bare place is no cover."""
    table, box = Table(noise=3), (300.0, 200.0, 340.0, 240.0)
    before = table.picture(PLACES, "252")
    hand = table.picture(PLACES, "252", gain=gain)
    hand[150:, 280:380] = hand[150:, 280:380] // 3 + np.array([40, 60, 75], np.uint8)
    assert is_covered(before, hand, box)
    assert not is_covered(before, hand, (100.0, 100.0, 140.0, 140.0))
    assert not is_covered(before, table.picture(PLACES[::2], "22", gain=gain), box)
    assert not is_covered(before[:400], before, box)


def test_what_looks_as_it_did_was_not_touched() -> None:
    """A reader that wavers, misses a die or sees one too many makes no throw of the same dice."""
    table = Table(noise=3)
    laid = tuple(die(face, *place) for face, place in zip("252", PLACES, strict=True))
    before, now = (table.picture(PLACES, "252") for _ in range(2))
    remembered = ProposalTracker().proposed(Observation(0, "fake", laid), before)
    for seen in (
        (die("3", 100, 100), *laid[1:]),
        (die("?", 100, 100), *laid[1:]),
        laid[1:],
        (*laid, die("2", 102, 118)),
    ):
        assert not remembered.due(Observation(1, "fake", seen), now)
    turned = table.picture(PLACES, "352")
    assert remembered.due(Observation(1, "fake", (die("3", 100, 100), *laid[1:])), turned)


@pytest.mark.parametrize("was", "123456")
@pytest.mark.parametrize("now", "123456")
@pytest.mark.parametrize("noise", [1.0, 8.0])
def test_a_pip_more_is_another_look(was: str, now: str, noise: float) -> None:
    """In other light and from a camera that swayed a die looks as before; turned it does not."""
    table, box = Table(noise=noise), (300.0, 200.0, 340.0, 240.0)
    before = table.picture(((302, 199),), was)
    after = table.picture(((300, 200),), now, gain=0.7)
    assert looks_same(before, after, box) == (was == now)


def test_what_cannot_be_compared_looks_different() -> None:
    """Pictures of other sizes, a plain place, and a place outside of the picture."""
    picture = Table(noise=3).picture()
    box = (100.0, 100.0, 140.0, 140.0)
    assert looks_same(picture, picture, box)
    assert not looks_same(picture[:400], picture, box)
    assert not looks_same(DARK, DARK, box)
    assert not looks_same(picture, picture, (900.0, 100.0, 940.0, 140.0))
    assert not looks_same(picture, picture, (100.0, 100.0, 103.0, 103.0))


def test_the_first_dice_are_due_and_an_empty_tray_is_not() -> None:
    """What lies there at the start is proposed, nothing is not."""
    assert ProposalTracker().due(Observation(0, "fake", LAID), DARK)
    assert not ProposalTracker().due(Observation(0, "fake"), DARK)


def test_rejected_dice_may_be_proposed_again() -> None:
    """After a rejection the same dice are due once more."""
    remembered = ProposalTracker().proposed(Observation(0, "fake", LAID), DARK)
    assert remembered.again().due(Observation(1, "fake", LAID), DARK)


def test_the_proposal_says_what_was_seen() -> None:
    """Faces, boxes, the picture's number and size, the time and the doubts are handed on."""
    doubts = (message("One die leans."),)
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
