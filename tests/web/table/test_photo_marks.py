"""The part of a photo that shows a reading, and the tags on it."""

from __future__ import annotations

import pytest

from scoreboard.table.proposal import Point, corners
from web.table.photo_marks import crop, tag_place

PHOTO = (1080, 1920)


def die(left: float, top: float) -> tuple[Point, ...]:
    """A die of a hundred pixels."""
    return corners((left, top, left + 100, top + 100))


@pytest.mark.parametrize(
    ("dice", "shown"),
    [
        ([(300, 400)], "250.0 350.0 200.0 200.0"),
        ([(300, 400), (600, 900)], "250.0 350.0 500.0 700.0"),
        ([(0, 0), (980, 1820)], "0.0 0.0 1080.0 1920.0"),
        ([], "0 0 1080 1920"),
    ],
)
def test_a_photo_is_cropped_to_its_dice_with_a_margin(
    dice: list[tuple[float, float]], shown: str
) -> None:
    """Half a die on each side, where the photo has that."""
    assert crop([die(*each) for each in dice], *PHOTO) == shown


@pytest.mark.parametrize(
    ("others", "left", "top"),
    [
        ([], 300, 500),  # below
        ([(310, 510)], 300, 357.5),  # above
        ([(310, 510), (300, 290)], 400, 400),  # right of it
        ([(310, 510), (300, 290), (405, 400)], 261.92, 400),  # left of it
        ([(310, 510), (300, 290), (405, 400), (195, 400)], 300, 457.5),  # on itself
    ],
)
def test_a_tag_covers_no_other_die(
    others: list[tuple[float, float]], left: float, top: float
) -> None:
    """The die's own is covered where all round it are others."""
    x, y, wide, size = tag_place(die(300, 400), 1, [die(*each) for each in others], *PHOTO)
    assert (x, y) == pytest.approx((left, top))
    assert wide <= 100
    assert size == pytest.approx(34)


def test_a_tag_at_the_edge_stays_in_the_photo() -> None:
    """Nothing of it is cut off."""
    _, y, _, size = tag_place(die(0, 1820), 2, [], *PHOTO)
    assert y + 1.25 * size <= 1820
