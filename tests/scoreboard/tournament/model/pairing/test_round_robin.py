"""Round robin by the circle method."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoreboard.tournament.model.draw import Draw
from scoreboard.tournament.model.pairing.round_robin import circle_rounds, round_robin, without


def test_four_meet_as_in_bergers_tables() -> None:
    """1-4 2-3, 4-3 1-2, 2-4 3-1, as every chess club has them on the wall."""
    assert [str(draw) for draw in round_robin((1, 2, 3, 4))] == [
        "1: 1 4 | 2: 2 3",
        "1: 4 3 | 2: 1 2",
        "1: 2 4 | 2: 3 1",
    ]


@given(st.integers(0, 17), st.integers(1, 3))
def test_everybody_meets_everybody(players: int, meetings: int) -> None:
    """Each pair as often as asked; byes go round; over two meetings both begin as often."""
    entrants = tuple(range(1, players + 1))
    draws = round_robin(entrants, meetings)
    met = Counter(pair for draw in draws for pair in draw.meetings())
    assert len(met) == players * (players - 1) // 2
    assert set(met.values()) <= {meetings}
    assert all(sorted(draw.entrants) == list(entrants) for draw in draws)
    out = Counter(each for draw in draws for each in draw.byes)
    assert set(out.values()) <= {meetings}
    assert len(out) == (players if players % 2 else 0)


@given(st.integers(2, 20))
def test_nobody_begins_more_than_once_too_often(players: int) -> None:
    """In one meeting each, beginning and not beginning differ by one at most."""
    draws = round_robin(tuple(range(1, players + 1)))
    begun = Counter(table.seats[0] for draw in draws for table in draw.tables)
    games = players - 1
    assert all(abs(2 * begun[each] - games) <= 1 for each in range(1, players + 1))


def test_who_is_absent_leaves_a_bye() -> None:
    """The others keep their table and their opponents."""
    draw = Draw.parse("1: 1 6 | 2: 2 5 | 3: 3 4 | bye 7")
    assert str(without(draw, frozenset({5, 7}))) == "1: 1 6 | 3: 3 4 | bye 2"


def test_the_circle_needs_pairs() -> None:
    """An odd number of places has no circle."""
    with pytest.raises(ValueError, match="even"):
        circle_rounds(5)
