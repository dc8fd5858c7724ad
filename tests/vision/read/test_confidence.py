"""From which figures on a reading is believed or asked about, and in which words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.read.tile_readings import LIMITS, MIDDLE, reading
from vision.capture.frame import Image
from vision.read.confidence import DICE_WARNINGS, TILE_WARNINGS
from vision.read.detection import Candidate
from vision.read.dice import DieReading
from vision.read.tile_readings import TileReading

PHOTO = (300, 400, 3)
LARGE_PHOTO = (3000, 6000, 3)
UNDECIDED = Candidate(0.5, 200.0, 150.0, 60.0, 86.0, 0.0)
SURE = reading("K7")
TORN = reading("K6/9")
FAINT = reading("K7", UNDECIDED, present=0.3)
SPECK = reading("K7", UNDECIDED, present=0.02)

# the reading: whether it is a tile, may be told, asks for a person, for a closer look
JUDGED = [
    (SURE, True, True, False, True),
    (replace(SURE, present=0.99999, kinds=(0.0,) * 7 + (1.0,) + (0.0,) * 7), 1, 1, 0, 0),
    (TORN, True, True, True, True),
    (reading("?"), True, False, True, True),
    (reading("K7", MIDDLE.scaled(0.15)), True, False, True, True),
    (FAINT, False, False, True, True),
    (SPECK, False, False, False, False),
]


@pytest.mark.parametrize(
    ("told", "tile", "readable", "doubtful", "again"),
    JUDGED,
    ids=("sure", "surest", "torn", "blank", "tiny", "faint", "speck"),
)
def test_a_reading_is_believed_asked_about_or_passed_over(
    told: TileReading,
    tile: bool,  # noqa: FBT001 - columns of the table
    readable: bool,  # noqa: FBT001
    doubtful: bool,  # noqa: FBT001
    again: bool,  # noqa: FBT001
) -> None:
    """The surer a reading the fewer questions, and nothing is asked about a speck."""
    assert LIMITS.is_piece(told) == tile
    assert LIMITS.is_readable(told, PHOTO) == readable
    assert LIMITS.is_doubtful(told, PHOTO) == doubtful
    assert LIMITS.reads_again(told) == again


def test_presence_weighs_what_both_networks_say() -> None:
    """Where both are in two minds so is the sum, and either one can carry or sink it."""
    undecided = reading("K7", UNDECIDED, present=0.5)
    assert LIMITS.presence(undecided) == pytest.approx(0.5)
    assert LIMITS.presence(replace(undecided, candidate=MIDDLE)) > 0.8
    assert LIMITS.presence(replace(undecided, present=0.01)) < 0.1


def test_confidence_is_in_the_tile_and_in_its_face() -> None:
    """It never exceeds presence, and a face in doubt lowers it."""
    assert LIMITS.confidence(TORN) < LIMITS.confidence(SURE) < LIMITS.presence(SURE)


@pytest.mark.parametrize(("width", "large"), [(11.0, False), (13.0, False), (60.0, False)])
def test_a_large_photo_asks_for_larger_tiles(width: float, large: bool) -> None:  # noqa: FBT001 - a column
    """12 pixels at the least, and 1.2 % of the picture's longer side: 72 of 6000."""
    told = reading("K7", MIDDLE.scaled(width / MIDDLE.width))
    assert LIMITS.is_small(told, PHOTO) == (width < 12)
    assert LIMITS.is_readable(told, LARGE_PHOTO) == large


def test_the_card_moves_the_confidence_and_never_its_order() -> None:
    """Offset and slope bring it to how often it was right."""
    modest = replace(LIMITS, offset=-0.5, slope=0.6)
    assert modest.confidence(SURE) < LIMITS.confidence(SURE)
    assert modest.confidence(TORN) < modest.confidence(SURE)


TOO_SMALL = reading("K7", replace(MIDDLE, width=9.0, height=13.0))
AT_THE_EDGE = reading("K6/9", replace(MIDDLE, x=20.0))
DICE_LIMITS = replace(LIMITS, leaning=0.5, cocked=0.8, smallest_share=0.015)
PLACE = Candidate(0.95, 200, 150, 60, 60)


def die(chances: dict[int, float], place: Candidate = PLACE) -> DieReading:
    """A die with those probabilities of faces; the rest is "nothing readable"."""
    faces = [chances.get(face, 0.0) for face in range(1, 7)]
    return DieReading(place, (1 - sum(faces), *faces), 0.0, 0.0, sum(faces))


SURE_DIE = die({3: 0.98, 2: 0.01})
TORN_DIE = die({3: 0.6, 5: 0.35})


def noise(level: int = 128, spread: int = 60) -> Image:
    """A sharp picture of random grains, of that lightness."""
    grains = np.random.default_rng(1).integers(-spread, spread + 1, (300, 400, 3))
    return np.clip(level + grains, 0, 255).astype(np.uint8)


def glare(share: float) -> Image:
    """A grainy picture with light on that share of the tile in its middle."""
    image = noise(110, 40)
    bottom = round(MIDDLE.y + MIDDLE.height * (share - 0.5))
    image[round(MIDDLE.y - MIDDLE.height / 2) : bottom, 160:240] = 255
    return image


def ramp() -> Image:
    """A picture without any detail, darker to the left."""
    grey = np.linspace(60, 220, 400)[None, :, None]
    return np.broadcast_to(grey, (300, 400, 3)).astype(np.uint8)


def said(image: Image, *readings: TileReading | DieReading) -> list[str]:
    """The doubts in English."""
    if isinstance(readings[0], DieReading):
        doubts = DICE_WARNINGS.of(image, readings, DICE_LIMITS)
    else:
        doubts = TILE_WARNINGS.of(image, readings, LIMITS)
    return [str(doubt) for doubt in doubts]


@pytest.mark.parametrize(
    ("image", "doubtful", "sentence"),
    [
        (noise(), TORN, "A tile may be K6 or K9."),
        (noise(), reading("R/O7"), "A tile may be R7 or O7."),
        (noise(), reading("K6/J"), "A tile may be K6 or J."),
        (noise(), reading("?"), "A tile cannot be read."),
        (noise(20, 15), TORN, "It’s too dark here: turn on a lamp."),
        (noise(), AT_THE_EDGE, "A tile lies at the picture's edge."),
        (
            noise(),
            reading("K6/9", replace(MIDDLE, width=17.0, height=24.0)),
            "A tile is nearly too small to be read: bring the camera nearer.",
        ),
        (noise(), TOO_SMALL, "A tile is too small to be read: bring the camera nearer."),
        (noise(), FAINT, "There may be another tile here."),
        (glare(0.2), TORN, "Light glares on a tile: move the lamp or the camera."),
        (ramp(), TORN, "A tile is blurred."),
        (noise(), TORN_DIE, "Is this a 3 or a 5?"),
        (noise(), die({3: 0.3, 5: 0.28, 1: 0.2}), "What does this die show?"),
        (noise(20, 15), TORN_DIE, "It’s too dark here: turn on a lamp."),
        (
            noise(),
            replace(TORN_DIE, candidate=Candidate(0.9, 10, 150, 60, 60)),
            "A die lies at the picture's edge.",
        ),
        (
            noise(),
            replace(TORN_DIE, candidate=Candidate(0.9, 200, 150, 17, 17)),
            "A die is nearly too small to be read: bring the camera nearer.",
        ),
        (
            noise(),
            replace(SURE_DIE, candidate=Candidate(0.9, 200, 150, 9, 14)),
            "A die is too small to be read: bring the camera nearer.",
        ),
        (
            noise(),
            die({3: 0.3}, Candidate(0.5, 200, 150, 60, 60)),
            "There may be another die here.",
        ),
        (noise(), replace(SURE_DIE, leaning=0.6), "A die leans: re-roll just that die."),
        (glare(0.2), TORN_DIE, "Light glares on a die: move the lamp or the camera."),
        (ramp(), TORN_DIE, "A die is blurred."),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_each_doubt_has_its_reason(
    image: Image, doubtful: TileReading | DieReading, sentence: str
) -> None:
    """The likeliest cause is named, in words that a player understands."""
    sure = SURE_DIE if isinstance(doubtful, DieReading) else SURE
    assert said(image, sure, doubtful) == [sentence]


@pytest.mark.parametrize("clear", [SURE, SPECK, SURE_DIE], ids=["sure", "speck", "die"])
def test_what_is_clear_is_passed_over_in_silence(clear: TileReading | DieReading) -> None:
    """Needless questions spoil an evening; a faint resemblance is worth none."""
    assert said(noise(), clear) == []


@pytest.mark.parametrize("share", [0.02, 0.95])
def test_a_highlight_and_a_white_tile_are_no_glare(share: float) -> None:
    """A glint hides nothing, and what is white all over may well be meant so."""
    assert not any("glares" in each for each in said(glare(share), TORN))


def test_the_same_doubt_is_said_once() -> None:
    """Two tiles at the edge make one sentence; two ambiguities two."""
    assert len(said(noise(), AT_THE_EDGE, AT_THE_EDGE)) == 1
    assert len(said(noise(), TORN, reading("R/O7"))) == 2


@pytest.mark.parametrize(("leaning", "asked", "told"), [(0.2, 0, 1), (0.6, 1, 1), (0.9, 1, 0)])
def test_a_leaning_die_is_asked_about_and_a_cocked_one_not_read(
    leaning: float, asked: int, told: int
) -> None:
    """However surely its face is told apart, YZ-5 has it rolled again."""
    leans = replace(SURE_DIE, leaning=leaning)
    assert DICE_LIMITS.is_doubtful(leans, (300, 400, 3)) == asked
    assert DICE_LIMITS.is_readable(leans, (300, 400, 3)) == told
