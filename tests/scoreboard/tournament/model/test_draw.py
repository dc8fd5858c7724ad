"""Draws and their notation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoreboard.errors import NotationError
from scoreboard.tournament.model.draw import Draw, TableSeats


@st.composite
def draws(choose: st.DrawFn) -> Draw:
    """Some draw: tables of any size, and byes."""
    entrants = choose(st.lists(st.integers(1, 999), unique=True, max_size=14))
    cuts = sorted(choose(st.sets(st.integers(0, len(entrants)))))
    groups = [entrants[a:b] for a, b in zip([0, *cuts], cuts, strict=False) if a < b]
    tables = tuple(TableSeats(n, tuple(group)) for n, group in enumerate(groups, start=1))
    return Draw(tables, tuple(entrants[cuts[-1] :]) if cuts else tuple(entrants))


@given(draws())
def test_a_draw_is_read_back_as_it_was_written(draw: Draw) -> None:
    """The notation loses no table, no seat and no bye."""
    assert Draw.parse(str(draw)) == draw


def test_a_draw_is_typed_in_the_digits_of_any_script() -> None:
    """As a Japanese keyboard has them, the byes too."""
    typed = "\uff11\uff1a\u3000\uff11\u3000\uff12 | bye \uff13"
    assert Draw.parse(typed) == Draw.parse("1: 1 2 | bye 3")


def test_a_draw_says_who_is_where() -> None:
    """Tables, byes, meetings and everybody's table, of one draw."""
    draw = Draw.parse("1: 4 7 12 | 3: 9 6 | bye 5")
    assert draw.entrants == (4, 7, 12, 9, 6, 5)
    assert list(draw.meetings()) == [(4, 7), (4, 12), (7, 12), (6, 9)]
    assert draw.table_of(6) == TableSeats(3, (9, 6))
    assert draw.table_of(5) is None


@pytest.mark.parametrize(
    "text",
    ["1 4 7", "1:", "1: 4 | 1: 5", "1: 4 4", "1: 4 | 2: 4", "1: 4 | bye 4", "0: 3", "1: 0",
     "bye 0", "bye 1 | 2: 3", "1: a", "1: 4 |", "bye"],
)  # fmt: skip
def test_what_is_no_draw_is_refused(text: str) -> None:
    """Nobody sits twice, numbers begin at 1, and every part is a table or the byes."""
    with pytest.raises(NotationError):
        Draw.parse(text)
