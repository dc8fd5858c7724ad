"""Pieces of an unknown kind on a table."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.learn.drawn_set import Lying, photograph
from vision.learn.piece_finder import find_pieces
from vision.learn.quads import overlap

LAID = (Lying("R1", 120, 150, 20), Lying("B4", 330, 130, 95), Lying("G7", 520, 300, 160))


@pytest.mark.parametrize("scene", [0, 1, 2])
def test_every_piece_is_found_and_nothing_else(scene: int) -> None:
    """On three tables and under three lights, whatever its turn."""
    found = find_pieces(photograph(LAID, scene))
    clear = [each for each in found if each.clear > 0.6]
    assert len(clear) == len(LAID)
    for one in LAID:
        assert max(overlap(one.quad(), each.quad) for each in clear) > 0.93


def test_an_empty_table_shows_no_piece() -> None:
    """A table's own grain is no piece."""
    assert find_pieces(photograph((), 1)) == []


def test_a_table_whose_light_falls_off_is_one_table() -> None:
    """Half the light at one side makes no piece of it, and hides none."""
    image = photograph(LAID, 0)
    slope = np.linspace(1.0, 0.5, image.shape[1])[None, :, None]
    found = find_pieces((image * slope).astype(np.uint8))
    assert sum(each.clear > 0.6 for each in found) == len(LAID)


def test_a_large_photograph_is_told_in_its_own_pixels() -> None:
    """Pieces are looked for in a smaller copy, and told where they lie in the photograph."""
    image = np.repeat(np.repeat(photograph(LAID, 0), 3, axis=0), 3, axis=1)
    found = [each for each in find_pieces(image) if each.clear > 0.6]
    for one in LAID:
        large = (one.quad() + 0.5) * 3 - 0.5
        assert max(overlap(large.astype(np.float32), each.quad) for each in found) > 0.93


def test_a_piece_that_the_edge_cuts_off_is_not_found() -> None:
    """Half a piece is none."""
    found = find_pieces(photograph((Lying("R1", 8, 200),), 0))
    assert not [each for each in found if each.clear > 0.6]
