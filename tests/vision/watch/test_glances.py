"""Small copies of a stream, while nothing moves on a table that was read."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import cv2
import numpy as np
import pytest

from tests.vision.watch.evening import FIVE, START, Evening, moved
from vision.capture.frame import Frame, Image, PlayArea
from vision.quality.tray import Outline
from vision.watch.pipeline import Pictures


def small(image: Image) -> Image:
    """A quarter of the picture's sides, as a stream's camera decodes it."""
    return np.asarray(cv2.resize(image, (160, 120), interpolation=cv2.INTER_AREA), np.uint8)


def glancing_evening(within: Outline | None = None) -> tuple[Evening, datetime]:
    """A table whose dice were read, from a camera that makes small copies; and when, last."""
    evening = Evening(within=within)
    evening.lay(FIVE, "12345")
    for number in range(15):
        image, at = evening.table.picture(FIVE, "12345"), START + timedelta(seconds=number / 10)
        evening.note(evening.pipeline.feed(Frame(number, at, image, small=small(image))))
    return evening, at


def test_a_glance_suffices_while_nothing_moves_on_a_table_that_was_read() -> None:
    """Small copies of five seconds; then a whole picture is due, for the table's health."""
    evening, at = glancing_evening()
    assert evening.pipeline.takes_glances
    looks = [
        evening.pipeline.glance(
            small(evening.table.picture(FIVE, "12345")), at + timedelta(seconds=later / 5)
        )
        for later in range(1, 26)
    ]
    assert looks == [True] * 24 + [False]


def test_a_glance_at_a_moved_die_asks_for_a_whole_picture() -> None:
    """And what is proposed after it was read from whole ones."""
    evening, at = glancing_evening()
    there = moved(FIVE, 100, slice(0, 1))
    glance = small(evening.table.picture(there, "12345"))
    assert not evening.pipeline.glance(glance, at + timedelta(seconds=0.2))
    evening.frames = 17
    assert len(evening.rest(there, "62345")) == 1


def test_no_glances_at_dice_that_were_not_read_or_in_a_small_part_of_the_picture() -> None:
    """Their picture is needed, or there would be too few pixels."""
    assert not Evening().pipeline.takes_glances
    corner = PlayArea(((0.0, 0.0), (0.4, 0.0), (0.4, 0.4), (0.0, 0.4)))
    assert not glancing_evening(corner)[0].pipeline.takes_glances


def test_nobody_glances_after_read_again() -> None:
    """A person asked for a reading."""
    evening, _ = glancing_evening()
    evening.pipeline.read_again()
    assert not evening.pipeline.takes_glances


@pytest.mark.parametrize("look", [Pictures.latest, Pictures.whole, Pictures.newest])
def test_nobody_glances_while_a_page_shows_the_picture(look: Callable[[Pictures], object]) -> None:
    """Whoever turns the lens sees what it does; after the next picture a small one may do again."""
    evening, at = glancing_evening()
    look(evening.pictures)
    assert not evening.pipeline.takes_glances
    image = evening.table.picture(FIVE, "12345")
    evening.pipeline.feed(Frame(15, at + timedelta(seconds=0.1), image, small=small(image)))
    assert evening.pipeline.takes_glances
