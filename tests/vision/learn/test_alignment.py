"""Corners moved until a piece looks most like a face."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.learn.drawn_set import WIDE, Lying, learned, photograph
from vision.capture.image_pyramid import Pyramid
from vision.learn.piece_finder import Found
from vision.learn.quads import overlap
from vision.learn.taught_reader import aligned, read_found

ONE = Lying("B4", 320, 240, 20)


@pytest.mark.parametrize("corners", [[0, 3], [1], [0, 1, 2, 3]])
def test_an_outline_that_is_too_small_grows_to_the_piece(corners: list[int]) -> None:
    """A side, a corner or all of it was lost in the table."""
    whole = ONE.quad()
    middle = whole.mean(axis=0)
    found = whole.copy()
    found[corners] += 0.12 * WIDE * np.sign(middle - whole[corners])
    better = aligned(Pyramid(photograph((ONE,), 1)), found, learned())
    assert overlap(better, whole) > max(overlap(found, whole), 0.92)


def test_a_piece_whose_outline_was_sought_is_told_with_a_doubt() -> None:
    """Half a piece looks like a stranger; its face is told all the same, and asked about."""
    whole = ONE.quad()
    found = whole.copy()
    found[[0, 3]] += 0.25 * (whole[[1, 2]] - whole[[0, 3]])
    (read,) = read_found(photograph((ONE,), 1), [Found(found, 1.0)], learned())
    assert overlap(read.quad, whole) > overlap(found, whole)
    assert read.verdict.face == "B4"
    assert not read.verdict.sure
