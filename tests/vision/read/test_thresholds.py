"""From which figures on a tile is believed, asked about, or passed over."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.vision.read.tile_readings import LIMITS, MIDDLE, reading
from vision.read.detection import Candidate
from vision.read.tile_readings import TileReading

PHOTO = (300, 400, 3)
LARGE_PHOTO = (3000, 6000, 3)
UNDECIDED = Candidate(0.5, 200.0, 150.0, 60.0, 86.0, 0.0)
SURE = reading("K7")
TORN = reading("K6/9")
BLANK = reading("?")
TINY = reading("K7", MIDDLE.scaled(0.15))
FAINT = reading("K7", UNDECIDED, present=0.3)
SPECK = reading("K7", UNDECIDED, present=0.02)

# the reading: whether it is a tile, may be told, asks for a person, for a closer look
JUDGED = [
    (SURE, True, True, False, True),
    (replace(SURE, present=0.99999, kinds=(0.0,) * 7 + (1.0,) + (0.0,) * 7), 1, 1, 0, 0),
    (TORN, True, True, True, True),
    (BLANK, True, False, True, True),
    (TINY, True, False, True, True),
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
