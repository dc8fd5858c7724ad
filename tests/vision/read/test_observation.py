"""What was seen, as a roll and as places."""

from __future__ import annotations

import pytest

from vision.read.observation import Detection, Observation, distance, side

BOX = (10.0, 20.0, 50.0, 60.0)


def test_the_roll_leaves_out_what_cannot_be_read() -> None:
    """Readable dice, ascending."""
    dice = tuple(Detection(label, 0.9, BOX, 0.0) for label in "6?13")
    assert str(Observation(0, "fake", dice).roll) == "136"
    assert str(Observation(0, "fake").roll) == ""


@pytest.mark.parametrize(
    ("other", "pixels"),
    [(BOX, 0), ((13.0, 24.0, 53.0, 64.0), 5), ((0.0, 10.0, 60.0, 70.0), 0)],
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
