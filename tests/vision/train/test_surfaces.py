"""Drawn tables: blocks that lie there, and prints that resemble dice."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.train.augmentation import Chance
from vision.train.surfaces import lay_block, print_board, print_piece, surface

SIDE = 96


@given(st.integers(0, 10_000))
def test_a_block_is_seeded_and_covers_its_middle(seed: int) -> None:
    """The same seed draws the same block, where it is told to lie, and it is no die."""
    one, other = (np.full((SIDE, SIDE, 3), 90, np.uint8) for _ in range(2))
    place, again = lay_block(one, Chance(seed)), lay_block(other, Chance(seed))
    assert np.array_equal(one, other)
    assert (place.x, place.y, place.size, place.value) == (again.x, again.y, again.size, 0)
    rows, columns = np.nonzero((one != 90).any(axis=2))
    assert (np.abs(columns - place.x) < 2 * place.size + 3).all()
    assert (np.abs(rows - place.y) < 2 * place.size + 3).all()


def blank() -> np.ndarray:
    """A plain grey table."""
    return np.full((SIDE, SIDE, 3), 90, np.uint8)


@given(st.integers(0, 10_000))
def test_a_board_is_seeded_and_changes_its_table(seed: int) -> None:
    """The same seed prints the same fields, each is told, and none is a die."""
    one, other = blank(), blank()
    places = print_board(one, Chance(seed))
    again = print_board(other, Chance(seed))
    assert [(each.x, each.y, each.size) for each in places] == [
        (each.x, each.y, each.size) for each in again
    ]
    assert np.array_equal(one, other)
    assert all(place.value == 0 and place.size > 0 for place in places)
    assert not places or not np.array_equal(one, blank())


def test_a_piece_lies_where_it_is_told() -> None:
    """Away from its place nothing has changed."""
    for seed in range(40):
        table = blank()
        place = print_piece(table, Chance(seed))
        rows, columns = np.nonzero((table != blank()).any(axis=2))
        assert (np.abs(columns - place.x) < 2 * place.size + 3).all()
        assert (np.abs(rows - place.y) < 2 * place.size + 3).all()


def test_a_table_tells_the_prints_that_lie_on_it() -> None:
    """Only those whose middle is on the picture, and some tables have none."""
    tables = [surface(SIDE, Chance(seed)) for seed in range(30)]
    places = [place for table in tables for place in table.clutter]
    assert places
    assert all(0 <= place.x < SIDE and 0 <= place.y < SIDE for place in places)
    assert any(not table.clutter for table in tables)
