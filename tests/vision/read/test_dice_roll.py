"""One number decides whether a roll is asked about; the reasons are words."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.read.test_confidence import DICE_LIMITS, SURE_DIE, TORN_DIE, noise
from tests.vision.read.test_confidence import die as faces
from vision.capture.frame import Image
from vision.read.confidence import JudgedRoll, RollThresholds, judged_roll
from vision.read.detection import Candidate
from vision.read.dice import TOO_LOW, DieReading

ROLL = RollThresholds(offset=0.0, slope=1.0, hidden=0.01, accepted=0.7, counted=0.8)


def die(likelihood: float, present: float = 0.99) -> DieReading:
    """A three as sure as that, where a die is as likely."""
    chances = (1 - likelihood, 0.0, 0.0, likelihood, 0.0, 0.0, 0.0)
    return DieReading(Candidate(present, 200, 150, 60, 60), chances, 0.0, 0.0, present)


def judge(*readings: DieReading, expected: int | None = None) -> JudgedRoll:
    """The roll of these, all of one size."""
    return judged_roll(readings, (), DICE_LIMITS, ROLL, expected)


def said(roll: JudgedRoll, image: Image | None = None) -> list[str]:
    """The doubts in English."""
    return doubts_of(roll, ROLL, noise() if image is None else image)


def doubts_of(roll: JudgedRoll, limits: RollThresholds, image: Image | None = None) -> list[str]:
    """The same by other limits, each once."""
    reasons = roll.doubts(noise() if image is None else image, DICE_LIMITS, limits)
    return list(dict.fromkeys(str(doubt) for doubt, _ in reasons))


def test_without_a_number_the_dice_are_what_is_present() -> None:
    """The product weighs each die, and that what was dropped is none."""
    roll = judge(die(0.98), die(0.9), die(0.98, present=0.2))
    assert [each.present for each in roll.dice] == [0.99, 0.99]
    wanted = DICE_LIMITS.confidence(die(0.98)) * DICE_LIMITS.confidence(die(0.9)) * 0.8
    assert roll.product == pytest.approx(wanted, rel=1e-6)


def test_several_dice_that_are_nearly_sure_are_asked_about_together() -> None:
    """Each of them passes by itself: of five such rolls two would be wrong."""
    assert said(judge(die(0.9))) == []
    assert len(said(judge(*[die(0.9)] * 5))) == 1


def test_one_weak_die_passes_where_the_roll_is_likely_right() -> None:
    """No die has a limit of its own."""
    assert said(judge(die(0.79), *[die(0.999)] * 3)) == []


@pytest.mark.parametrize(
    ("present", "expected", "dice"), [(0.3, 2, 2), (0.6, 1, 1), (0.05, 2, 2), (0.3, None, 1)]
)
def test_who_knows_the_number_takes_the_likeliest(
    present: float, expected: int | None, dice: int
) -> None:
    """A faint one more, or a fair one less, than the reader would take by itself."""
    assert len(judge(die(0.99), die(0.99, present), expected=expected).dice) == dice


def test_a_clear_number_is_surer_than_no_number() -> None:
    """It rules out that a faint place is a die, and that a fair one is none."""
    readings = (die(0.999), die(0.999), die(0.999, present=0.3))
    assert judge(*readings, expected=2).product > judge(*readings).product
    fair = (die(0.999), die(0.999, present=0.7))
    assert judge(*fair, expected=2).product > judge(*fair).product


def test_two_equally_likely_places_for_the_last_die_are_both_shown() -> None:
    """One of them is it, and nobody knows which."""
    roll = judge(die(0.999), die(0.999, 0.6), die(0.999, 0.6), expected=2)
    assert len(roll.dice) == 3
    assert said(roll)[0] == "I see 3 dice instead of 2."


def test_a_sure_die_too_many_is_shown_and_asked_about() -> None:
    """As one that lies beside the roll: which one is it, only the players know."""
    assert said(judge(*[die(0.999)] * 6, expected=5)) == ["I see 6 dice instead of 5."]


def test_a_die_that_is_seen_nowhere_is_asked_for() -> None:
    """In words, and whatever the others show."""
    assert said(judge(die(0.999), die(0.999), expected=3)) == ["I see 2 of 3 dice: is one hidden?"]
    assert said(judge(expected=5)) == ["I see 0 of 5 dice: is one hidden?"]
    assert said(judge()) == []


def test_what_has_not_the_size_of_dice_makes_the_roll_less_sure() -> None:
    """It is sure of something that is none of these dice."""
    roll = judged_roll([SURE_DIE], [SURE_DIE], DICE_LIMITS, ROLL)
    assert len(roll.dice) == 1
    assert roll.product < 0.1


def test_the_card_brings_the_product_to_how_often_it_was_right() -> None:
    """By Platt's two figures."""
    roll = judge(die(0.9))
    assert roll.exactness(ROLL) == pytest.approx(roll.product)
    assert roll.exactness(replace(ROLL, offset=-1.0)) < roll.product


def test_the_weakest_piece_gives_the_reason() -> None:
    """Where none is doubtful by itself: here a side may pass for the top."""
    weak = replace(faces({3: 0.85, 5: 0.1}), is_low=True)
    strict = replace(ROLL, accepted=0.99)
    assert judge(SURE_DIE, weak).doubts(noise(), DICE_LIMITS, strict) == [(TOO_LOW, weak)]
    faint = die(0.9, present=0.25)
    assert doubts_of(judge(SURE_DIE, faint), strict) == ["There may be another die here."]


def test_a_picture_with_nothing_but_a_faint_die_is_asked_about() -> None:
    """Nothing is reported, and somebody looks."""
    roll = judge(die(0.9, present=0.45))
    assert roll.dice == ()
    assert said(roll) == ["There may be another die here."]


@pytest.mark.parametrize(("likelihood", "asked"), [(0.98, True), (0.9999, False)])
def test_a_die_that_is_lost_in_light_is_asked_about(likelihood: float, *, asked: bool) -> None:
    """Over-exposure hides pips without a trace, unless the reader is very sure of what is left."""
    white = np.full((300, 400, 3), 255, np.uint8)
    assert (
        said(judge(die(likelihood, 0.9999)), white)
        == ["A die is too bright, and light may hide its pips: dim the lamp."] * asked
    )


def test_a_cocked_die_is_asked_about_however_sure() -> None:
    """YZ-5 has it thrown again; one that cannot be read is asked about too."""
    assert len(said(judge(replace(SURE_DIE, leaning=0.6)))) == 1
    assert len(said(judge(faces({3: 0.3, 5: 0.28, 1: 0.2})))) == 1
    assert said(judge(TORN_DIE)) == ["Is this a 3 or a 5?"]


@pytest.mark.parametrize(("second", "asked"), [(0.13, False), (0.15, True)])
def test_a_likely_second_value_is_asked_about(second: float, *, asked: bool) -> None:
    """However likely the roll is: a pip may have been overlooked. Two readings ask one question."""
    lenient = replace(ROLL, accepted=0.0)
    for likely, other in ((4, 6), (6, 4)):
        torn = faces({likely: 0.99 - second, other: second})
        doubts = doubts_of(judge(SURE_DIE, torn), lenient)
        assert doubts == (["Is this a 4 or a 6?"] if asked else [])


@pytest.mark.parametrize(("width", "height"), [(21, 1), (1, 21)])
def test_smeared_dice_are_asked_about(width: int, height: int) -> None:
    """Pips that run into one leave no doubt to the reader."""
    smeared = np.asarray(cv2.blur(noise(), (width, height)), np.uint8)
    assert said(judge(SURE_DIE)) == []
    assert said(judge(SURE_DIE), smeared) == ["A die is blurred."]


def test_specks_do_not_count_against_a_known_number() -> None:
    """The number says that they are none of the dice."""
    speck = die(0.9, present=0.6)
    counted, plain = (
        judged_roll([SURE_DIE], [speck], DICE_LIMITS, ROLL, each) for each in (1, None)
    )
    assert counted.product > 0.9 > plain.product


def test_with_the_number_a_roll_has_a_limit_of_its_own() -> None:
    """It was chosen apart."""
    roll = judge(die(0.9), die(0.9), expected=2)
    for counted, doubts in ((0.99, 1), (0.01, 0)):
        assert len(doubts_of(roll, replace(ROLL, counted=counted))) == doubts
