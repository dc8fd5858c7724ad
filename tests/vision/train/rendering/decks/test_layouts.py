"""Pieces laid on a table."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from vision.learn.quads import covered
from vision.train.rendering.decks.designs import ALL_DESIGNS, TUNING, Design
from vision.train.rendering.decks.photo_session import Laid, in_rows, piece, scattered

CARDS = TUNING[0]


def test_scattered_pieces_touch_none_other() -> None:
    """Seen from above, no piece covers any of another."""
    laid = scattered(np.random.default_rng(3), CARDS, CARDS.faces[:8], (5.6, 3.6))
    assert [one.face for one in laid] == list(CARDS.faces[:8])
    corners = [one.corners(CARDS.length)[::-1].astype(np.float32) for one in laid]
    assert all(covered(one, other) == 0 for one, other in combinations(corners, 2))


def test_a_table_that_is_too_small_is_told() -> None:
    """Rather than laying fewer."""
    with pytest.raises(RuntimeError, match="too small"):
        scattered(np.random.default_rng(3), CARDS, CARDS.faces[:8], (0.5, 0.5))


def test_a_row_runs_from_left_to_right_and_on_below() -> None:
    """In reading order, as the labels tell it."""
    laid = in_rows(np.random.default_rng(3), CARDS, CARDS.faces[:4], 2)
    assert laid[0].x < laid[1].x
    assert laid[2].y < laid[0].y - CARDS.length


def test_corners_begin_at_the_top_left_and_run_clockwise() -> None:
    """As the reader of taught sets tells them."""
    corners = Laid("R1", 1, 2, 0.0).corners(4.0)
    assert corners.tolist() == [[0.5, 4], [1.5, 4], [1.5, 0], [0.5, 0]]


@pytest.mark.parametrize("design", [ALL_DESIGNS[0], ALL_DESIGNS[-1]], ids=lambda one: one.name)
def test_a_piece_stands_on_the_table(design: Design) -> None:
    """From the table's plane up to its height, a die too."""
    thing = piece(design, Laid(design.faces[0], 0, 0, 0.3), 0.5)
    assert thing.mesh.points[:, 2].min() == pytest.approx(0, abs=1e-6)
    assert thing.mesh.points[:, 2].max() == pytest.approx(design.height, abs=1e-6)
