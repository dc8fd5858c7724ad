"""How many sit at each table."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoreboard.tournament.model.draw import DrawError
from scoreboard.tournament.model.seating.seat_order import table_sizes


@pytest.mark.parametrize(
    ("asked", "sizes"),
    [
        ((16, 4, 3), (4, 4, 4, 4)),
        ((13, 4, 3), (4, 3, 3, 3)),
        ((13, 4, 3, 5), (5, 4, 4)),
        ((6, 4, 3), (3, 3)),
        ((10, 4, 2), (4, 4, 2)),
        ((22, 6, 4), (6, 6, 6, 4)),
        ((21, 6, 4), (6, 6, 5, 4)),
        ((0, 4, 3), ()),
    ],
)
def test_as_few_tables_as_can_be_have_another_size(
    asked: tuple[int, ...], sizes: tuple[int, ...]
) -> None:
    """Worked out by hand."""
    assert table_sizes(*asked) == sizes


@given(st.integers(12, 300), st.integers(3, 6))
def test_everybody_sits(entrants: int, size: int) -> None:
    """The sizes add up, the largest first, and one below the size is enough from 12 or so on."""
    try:
        sizes = table_sizes(entrants, size, size - 1)
    except DrawError:
        assert entrants < size * size
        return
    assert sum(sizes) == entrants
    assert list(sizes) == sorted(sizes, reverse=True)
    assert set(sizes) <= {size, size - 1}
    assert sizes.count(size - 1) < size


def test_what_cannot_be_spread_is_refused() -> None:
    """Five players are no tables of three and four, and a table has at least its smallest."""
    with pytest.raises(DrawError, match="5 players"):
        table_sizes(5, 4, 3)
    with pytest.raises(DrawError, match="no room"):
        table_sizes(12, 4, 5)
