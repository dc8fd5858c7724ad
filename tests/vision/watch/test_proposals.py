"""When a reading is proposed, and what it says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoreboard.message import message
from tests.vision.fake_table import PIPS, Table, die
from vision.capture.frame import Frame, Image
from vision.read.observation import Box, Detection, Observation
from vision.watch.proposals import (
    ProposalTracker,
    agree,
    is_covered,
    looks_same,
    merge,
    proposal,
    sharp_readings,
    with_sharpness,
)

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
def test_a_roll_is_due_when_a_die_moved(
    what: str, now: tuple[Detection, ...], *, due: bool
) -> None:
    """Each throw once: a die that came, moved by over a quarter, or shows another value."""
    remembered = ProposalTracker(LAID, DARK)
    assert remembered.due(Observation(1, "fake", now), BRIGHT) == due, what


PLACES = ((100, 100), (300, 200), (400, 300))
THREE = tuple(die(face, *place) for face, place in zip("252", PLACES, strict=True))


def test_a_die_that_is_covered_has_not_gone() -> None:
    """A hand that hides a die took none away; what it doesn't hide and isn't there has gone."""
    table = Table(noise=3)
    remembered = ProposalTracker(THREE, table.picture(PLACES, "252"))
    hand = table.picture(PLACES, "252", hand=320)
    assert not remembered.due(Observation(1, "fake", THREE[:1]), hand)
    came = table.picture((*PLACES, (500, 300)), "2521", hand=320)
    assert remembered.due(Observation(1, "fake", (*THREE[:1], die("1", 500, 300))), came)
    taken = table.picture(PLACES[1:], "52", hand=320)
    assert remembered.due(Observation(1, "fake", THREE[2:]), taken)


@pytest.mark.parametrize("gain", [1.0, 0.7])
def test_what_reaches_in_covers_and_what_went_does_not(gain: float) -> None:
    """A hand of the table's brightness covers by its colour; a bare place is no cover."""
    table, box = Table(noise=3), BOX
    before = table.picture(PLACES, "252")
    hand = table.picture(PLACES, "252", gain=gain)
    hand[150:, 280:380] = hand[150:, 280:380] // 3 + np.array([40, 60, 75], np.uint8)
    assert is_covered(before, hand, box)
    assert not is_covered(before, hand, (100.0, 100.0, 140.0, 140.0))
    hand[440:] = table.picture(PLACES, "252", gain=gain)[440:]  # it reaches in from nowhere
    assert not is_covered(before, hand, box)
    assert not is_covered(before, table.picture(PLACES[::2], "22", gain=gain), box)
    assert not is_covered(before[:400], before, box)


def test_what_looks_as_it_did_was_not_touched() -> None:
    """A reader that wavers, misses a die or sees one too many makes no throw of the same dice."""
    table = Table(noise=3)
    before, now = (table.picture(PLACES, "252") for _ in range(2))
    remembered = ProposalTracker(THREE, before)
    for seen in (
        (die("3", 100, 100), *THREE[1:]),
        (die("?", 100, 100), *THREE[1:]),
        THREE[1:],
        (*THREE, die("2", 102, 118)),
    ):
        assert not remembered.due(Observation(1, "fake", seen), now)
    turned = table.picture(PLACES, "352")
    assert remembered.due(Observation(1, "fake", (die("3", 100, 100), *THREE[1:])), turned)


def test_a_die_taken_from_the_edge_has_gone() -> None:
    """What reaches in is several times as large as a die; a bare place at the edge is not."""
    table, box = Table(noise=3), (0.0, 200.0, 40.0, 240.0)
    both, one = table.picture(((0, 200), (300, 200)), "55"), table.picture(((300, 200),), "5")
    assert not is_covered(both, one, box)


BOX = (300.0, 200.0, 340.0, 240.0)
ON_EACH_FACE = {(face, face) for face in PIPS}


def alike(before: dict[str, Image], after: dict[str, Image]) -> set[tuple[str, str]]:
    """The faces before and after whose pictures look the same."""
    return {
        (was, now) for was in before for now in after if looks_same(before[was], after[now], BOX)
    }


def small_pipped(table: Table, face: str, left: int, top: int) -> Image:
    """The table with a die whose pips are small and lie near its edges."""
    picture = table.picture(())
    picture[top : top + 40, left : left + 40] = 220
    for x, y in PIPS[face]:
        across, down = left + 4 + 13 * x, top + 4 + 13 * y
        picture[down : down + 7, across : across + 7] = 30
    return picture


def pipped(table: Table, face: str, left: int, top: int) -> Image:
    """The table with an ordinary die."""
    return table.picture(((left, top),), face)


@pytest.mark.parametrize(
    ("draw", "shift", "noise"),
    [
        (pipped, (2, -1), 1.0),
        (pipped, (2, -1), 8.0),
        (pipped, (4, 0), 3.0),  # a tenth of a die: 0.98 alike, 0.87 where nothing is shifted back
        (pipped, (-4, 4), 3.0),
        (small_pipped, (2, -1), 3.0),  # 3 and 5 are then 0.88 alike; of one face 0.95 at least
    ],
)
def test_a_pip_more_is_another_look(
    draw: Callable[[Table, str, int, int], Image], shift: tuple[int, int], noise: float
) -> None:
    """From a camera that swayed a die looks as before; turned it does not."""
    table = Table(noise=noise)
    before = {face: draw(table, face, 300 + shift[0], 200 + shift[1]) for face in PIPS}
    after = {face: draw(table, face, 300, 200) for face in PIPS}
    assert alike(before, after) == ON_EACH_FACE


def test_a_die_in_other_light_looks_as_before() -> None:
    """Grainy and darker by a third; a pip more still is a difference."""
    table = Table(noise=8)
    before = {face: table.picture(((302, 199),), face) for face in PIPS}
    after = {face: table.picture(((300, 200),), face, gain=0.7) for face in PIPS}
    assert alike(before, after) == ON_EACH_FACE


def test_what_lies_in_the_corner_of_a_box_is_not_the_die() -> None:
    """A die that came to rest against it leaves a die as it was: its middle alone is compared."""
    table = Table(noise=3)
    before, after = (table.picture(((300, 200),), "2") for _ in range(2))
    after[232:240, 332:340] = 30
    assert looks_same(before, after, BOX)


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


def test_the_proposal_says_what_was_seen() -> None:
    """Faces, boxes, the picture's number and size, the time, and each doubt with its die."""
    doubts = leans, more = message("One die leans."), message("Another?")
    seen = (die("5", 1, 2, 0.9), Detection("3", 0.8, (50.0, 2.0, 90.0, 42.0), -12.5, doubt=leans))
    maybe = (replace(die("?", 200, 0), doubt=more),)
    frame = Frame(17, NOON, np.zeros((480, 640, 3), np.uint8))
    made = proposal(Observation(17, "fake", seen, doubts, maybe=maybe), frame)
    assert [(die.face, die.doubt) for die in made.sightings] == [(5, None), (3, leans)]
    assert [(die.face, die.doubt) for die in made.maybe] == [(None, more)]
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


SMALL = message("One die is very small.")


def reading(*dice: Detection, number: int = 0) -> Observation:
    """A reading of these dice."""
    return Observation(number, "fake", dice)


def labels(observation: Observation) -> str:
    """The labels as they stand."""
    return "".join(seen.label for seen in observation.detections)


def in_motion(picture: Image, box: Box, share: float, degrees: float) -> Image:
    """The picture with that box blurred along a way of that share of its side."""
    way = round(share * (box[2] - box[0]))
    kernel = np.zeros((2 * way + 1, 2 * way + 1), np.float32)
    kernel[way, way // 2 : way // 2 + way + 1] = 1
    turn = cv2.getRotationMatrix2D((way, way), degrees, 1.0)
    kernel = np.asarray(cv2.warpAffine(kernel, turn, kernel.shape), np.float32)
    blurred = picture.copy()
    left, top, right, bottom = (round(edge) for edge in box)
    part = (slice(top - 20, bottom + 20), slice(left - 20, right + 20))
    blurred[part] = cv2.filter2D(picture, -1, kernel / kernel.sum())[part]
    return blurred


@pytest.mark.parametrize("degrees", [0, 45, 90])
@pytest.mark.parametrize("share", [1 / 6, 1 / 3])
def test_a_die_that_moved_while_it_was_taken_has_no_vote(share: float, degrees: float) -> None:
    """A third of a die or half as much, whichever way; noise does not count."""
    table, places = Table(noise=6), ((100, 100), (300, 200))
    dice = tuple(die(face, *place) for face, place in zip("36", places, strict=True))
    pictures = [table.picture(places, "36") for _ in range(3)]
    pictures[1] = in_motion(pictures[1], dice[0].box, share, degrees)
    readings = [
        with_sharpness(reading(*dice, number=number), picture)
        for number, picture in enumerate(pictures)
    ]
    assert [each.frame for each in sharp_readings(readings)] == [0, 2]


def test_a_camera_that_is_out_of_focus_still_reads() -> None:
    """Sharpness is compared with the other frames alone; where nobody measured it, all count."""
    soft = np.asarray(cv2.blur(Table().picture(((100, 100),), "3"), (15, 15)), np.uint8)
    dull = [with_sharpness(reading(die("3", 100, 100), number=at), soft) for at in range(2)]
    assert sharp_readings(dull) == dull
    unmeasured = [reading(die("3", 100, 100)), reading(die("5", 100, 100))]
    assert sharp_readings(unmeasured) == unmeasured


def test_readings_that_are_all_blurred_somewhere_all_count() -> None:
    """Better a doubt than nothing."""
    first, second = die("3", 100, 100), die("6", 300, 200)
    readings = [
        reading(replace(first, sharpness=9.0), replace(second, sharpness=4.0)),
        reading(replace(first, sharpness=4.0), replace(second, sharpness=9.0), number=1),
    ]
    assert sharp_readings(readings) == readings


def test_a_single_reading_stays_as_it_is_and_none_is_refused() -> None:
    """One reading is its own consensus, doubts included; there is none of nothing."""
    one = Observation(3, "fake", (die("5", 10, 10),), (SMALL,))
    assert merge([one]) is one
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
    assert [str(doubt) for doubt in merged.doubts] == ["I read it two ways: check each one."]
    assert not agree(readings)


@pytest.mark.parametrize(("seen_in", "readings", "kept"), [(1, 3, 0), (2, 3, 1), (1, 2, 1)])
def test_a_die_that_most_readings_lack_is_left_out(seen_in: int, readings: int, kept: int) -> None:
    """At least half of them must have a die; either way a person is asked to look."""
    seen = [
        reading(*([die("1", 10, 10)] if number < seen_in else [])) for number in range(readings)
    ]
    merged = merge(seen)
    assert len(merged.detections) == kept
    assert merged.needs_review


def test_neighbours_are_not_confused() -> None:
    """Two dice that touch stay two, in whatever order the readings list them."""
    merged = merge(
        [reading(die("1", 0, 0), die("6", 41, 0)), reading(die("6", 40, 0), die("1", 1, 0))]
    )
    assert labels(merged) == "16"
    assert not merged.needs_review


@pytest.mark.parametrize(("faces", "reviewed"), [("353", True), ("3533", False), ("35353", True)])
def test_most_votes_win_and_one_error_among_four_is_no_doubt(faces: str, *, reviewed: bool) -> None:
    """Of four or more readings one may err; two that differ from the others are a doubt."""
    merged = merge([reading(die(label, 10, 10, 0.9)) for label in faces])
    assert labels(merged) == "3"
    assert merged.needs_review == reviewed


@pytest.mark.parametrize(
    ("doubtful", "readings", "told"), [(1, 3, 0), (2, 3, 1), (1, 2, 1), (2, 5, 0)]
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
    doubts = [message("Is this a {first} or a {second}?", first=5, second=n) for n in (3, 1, 6)]
    merged = merge([Observation(n, "fake", seen, (doubt,)) for n, doubt in enumerate(doubts)])
    assert merged.doubts == (doubts[-1],)


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
