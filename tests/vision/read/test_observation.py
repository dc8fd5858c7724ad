"""What was seen, as a roll and as places."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

from scoreboard.message import Message, message
from vision.capture.frame import Frame
from vision.read.observation import (
    NO_DICE,
    NO_PIECES,
    Detection,
    Observation,
    distance,
    read_photo,
    side,
)

BOX = (10.0, 20.0, 50.0, 60.0)
PHOTO = Frame(0, datetime(2026, 5, 1, tzinfo=UTC), np.zeros((9, 9, 3), np.uint8))
HIDDEN = message("I see 0 of 5 dice: is one hidden?")


def test_the_roll_leaves_out_what_cannot_be_read() -> None:
    """Readable dice, ascending."""
    dice = tuple(Detection(label, 0.9, BOX, 0.0) for label in "6?13")
    assert str(Observation(0, "fake", dice).roll) == "136"
    assert str(Observation(0, "fake").roll) == ""


@pytest.mark.parametrize(
    ("other", "pixels"), [(BOX, 0), ((13.0, 24.0, 53.0, 64.0), 5), ((0.0, 10.0, 60.0, 70.0), 0)]
)
def test_distance_is_between_the_middles(
    other: tuple[float, float, float, float], pixels: float
) -> None:
    """A larger box around the same middle is no distance away."""
    assert distance(BOX, other) == pytest.approx(pixels)
    assert distance(other, BOX) == pytest.approx(pixels)


@pytest.mark.parametrize(
    ("box", "pixels"),
    [(BOX, 40), ((0.0, 0.0, 10.0, 40.0), 20), ((5.0, 5.0, 5.0, 9.0), 0), ((9.0, 0.0, 5.0, 9.0), 0)],
)
def test_the_side_is_that_of_a_square_as_large(
    box: tuple[float, float, float, float], pixels: float
) -> None:
    """A box without area has no side."""
    assert side(box) == pytest.approx(pixels)


@pytest.mark.parametrize(
    ("found", "doubts"),
    [
        (Observation(0, "dice"), (NO_DICE,)),
        (Observation(0, "tiles"), (NO_PIECES,)),
        (Observation(0, "dice", doubts=(HIDDEN,)), (NO_DICE, HIDDEN)),
        (Observation(0, "dice", (Detection("3", 0.9, BOX, 0.0),)), ()),
        (Observation(0, "cards", hindrance=HIDDEN), ()),
    ],
    ids=["no-dice", "no-tiles", "fewer-than-told", "a-die", "untaught"],
)
def test_a_photo_in_which_nothing_is_found_is_asked_about(
    found: Observation, doubts: tuple[Message, ...]
) -> None:
    """Nothing is no answer to somebody who hands a photo over; what was found is one."""

    def recognise(_: Frame, _expected: int | None = None) -> Observation:
        return found

    assert read_photo(recognise, PHOTO).doubts == doubts  # type: ignore[arg-type]
