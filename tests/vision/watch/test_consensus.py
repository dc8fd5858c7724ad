"""Several readings become one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoreboard.message import message
from tests.vision.fake_table import die
from vision.read.observation import Detection, Observation
from vision.watch.consensus import agree, merge

SMALL = message("One die is very small.")


def reading(*dice: Detection, number: int = 0) -> Observation:
    """A reading of these dice."""
    return Observation(number, "fake", dice)


def labels(observation: Observation) -> str:
    """The labels as they stand."""
    return "".join(seen.label for seen in observation.detections)


def test_a_single_reading_stays_as_it_is() -> None:
    """One reading is its own consensus, doubts included."""
    one = Observation(3, "fake", (die("5", 10, 10),), (SMALL,))
    assert merge([one]) is one


def test_no_reading_is_refused() -> None:
    """There is no consensus of nothing."""
    with pytest.raises(ValueError, match="no reading"):
        merge([])


def test_agreeing_readings_give_no_doubt() -> None:
    """Dice that tremble by a few pixels are the same dice; the last frame is named."""
    readings = [
        reading(die("5", 10, 10), die("2", 60, 10), number=1),
        reading(die("2", 62, 9), die("5", 8, 11), number=2),
    ]
    merged = merge(readings)
    assert agree(readings)
    assert labels(merged) == "52"
    assert merged.frame == 2
    assert not merged.needs_review
    assert merged.detections[0].confidence == pytest.approx(0.99)


def test_confidence_decides_a_split_vote() -> None:
    """A sure reading outweighs an unsure one, and the die is doubted."""
    readings = [reading(die("6", 10, 10, 0.95)), reading(die("4", 10, 10, 0.4))]
    merged = merge(readings)
    assert labels(merged) == "6"
    assert merged.detections[0].confidence == pytest.approx(0.95 / 2)
    assert [str(doubt) for doubt in merged.doubts] == ["Two readings differ; look at each value."]
    assert not agree(readings)


def test_two_votes_outweigh_one() -> None:
    """Two of three readings win, and the doubt stays."""
    merged = merge([reading(die(label, 10, 10, 0.8)) for label in "353"])
    assert labels(merged) == "3"
    assert merged.needs_review


@pytest.mark.parametrize(("seen_in", "kept"), [(1, 0), (2, 1)])
def test_a_die_that_most_readings_lack_is_left_out(seen_in: int, kept: int) -> None:
    """Of three readings two must have a die; either way a person is asked to look."""
    readings = [reading(*([die("1", 10, 10)] if number < seen_in else [])) for number in range(3)]
    merged = merge(readings)
    assert len(merged.detections) == kept
    assert merged.needs_review


def test_a_die_seen_in_one_of_two_is_kept_and_doubted() -> None:
    """A tie leaves the die for a person to judge."""
    merged = merge([reading(die("1", 10, 10), die("2", 90, 90)), reading(die("1", 10, 10))])
    assert labels(merged) == "12"
    assert merged.detections[1].confidence < 0.5
    assert merged.needs_review


def test_neighbours_are_not_confused() -> None:
    """Two dice that touch stay two, in whatever order the readings list them."""
    merged = merge(
        [reading(die("1", 0, 0), die("6", 41, 0)), reading(die("6", 40, 0), die("1", 1, 0))]
    )
    assert labels(merged) == "16"
    assert not merged.needs_review


@pytest.mark.parametrize(
    ("faces", "reviewed"), [("3533", False), ("35333", False), ("35353", True)]
)
def test_one_error_among_four_is_no_doubt(faces: str, *, reviewed: bool) -> None:
    """Of four or more readings one may err; two that differ from the others are a doubt."""
    merged = merge([reading(die(label, 10, 10, 0.9)) for label in faces])
    assert labels(merged) == "3"
    assert merged.needs_review == reviewed


@pytest.mark.parametrize(
    ("doubtful", "readings", "told"), [(1, 3, 0), (2, 3, 1), (1, 2, 1), (2, 5, 0), (3, 5, 1)]
)
def test_a_doubt_stays_when_half_of_the_readings_have_it(
    doubtful: int, readings: int, told: int
) -> None:
    """What a single one of many readings doubted is forgotten."""
    seen = (die("5", 10, 10),)
    merged = merge(
        [Observation(n, "fake", seen, (SMALL,) if n < doubtful else ()) for n in range(readings)]
    )
    assert merged.doubts == (SMALL,) * told


def test_readings_that_all_doubt_stay_doubtful() -> None:
    """Each reading may put its doubt in other words: it is doubtful why, not whether."""
    seen = (die("5", 10, 10),)
    said = [message("A die may show {first} or {second}.", first=5, second=n) for n in (3, 1, 6)]
    merged = merge([Observation(n, "fake", seen, (doubt,)) for n, doubt in enumerate(said)])
    assert merged.doubts == (said[-1],)


def test_doubts_of_all_readings_are_told_once() -> None:
    """The same doubt in both readings is one doubt."""
    one = Observation(0, "fake", (die("5", 10, 10),), (SMALL,))
    assert merge([one, one]).doubts == (SMALL,)


LAID_DICE = st.lists(
    st.tuples(st.sampled_from("123456?"), st.floats(0.05, 1)), min_size=0, max_size=6
).map(lambda dice: [die(label, 50.0 * i, 0, sure) for i, (label, sure) in enumerate(dice)])


@given(LAID_DICE, st.integers(1, 4), st.floats(-8, 8))
def test_repeated_readings_change_no_value(
    dice: list[Detection], times: int, tremble: float
) -> None:
    """Readings that agree give the same dice again, however often they are repeated."""
    readings = [
        reading(*(die(d.label, d.box[0] + tremble * (n % 2), 0, d.confidence) for d in dice))
        for n in range(times)
    ]
    merged = merge(readings)
    assert labels(merged) == "".join(d.label for d in dice)
    assert not merged.doubts
    for before, after in zip(dice, merged.detections, strict=True):
        assert after.confidence == pytest.approx(before.confidence)


@given(LAID_DICE, LAID_DICE)
def test_differing_readings_are_always_doubted(
    first: list[Detection], second: list[Detection]
) -> None:
    """There is a doubt exactly when the readings are not of the same dice."""
    same = [d.label for d in first] == [d.label for d in second]
    readings = [reading(*first), reading(*second)]
    assert merge(readings).needs_review == (not same)
    assert agree(readings) == same


def test_cards_keep_their_corners_and_get_no_sets() -> None:
    """They lie in none: only tiles are judged in sets."""
    corners = ((10.0, 10.0), (60.0, 10.0), (60.0, 90.0), (10.0, 90.0))
    card = replace(die("R7", 10, 10), quad=corners, readings=(("R7", 0.9),))
    merged = merge([reading(replace(card, confidence=0.8)), reading(card, number=1)])
    assert merged.sets == ()
    (kept,) = merged.detections
    assert (kept.label, kept.quad, kept.readings) == ("R7", corners, (("R7", 0.9),))
