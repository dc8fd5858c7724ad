"""Who sits at which table: step-free first, then fixed tables, then what the format wishes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoreboard.tournament.model.draw import Draw, TableSeats
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import CorrectEntry
from scoreboard.tournament.model.rounds import DrawRound
from scoreboard.tournament.model.seating.table_numbers import (
    TableConstraints,
    renumbered,
)
from scoreboard.tournament.model.tournament_format import TableNumbers
from tests.scoreboard.tournament.model.directing import EVENING, KIM, Directing

SIX = Draw.parse("1: 1 2 | 2: 3 4 | 3: 5 6 | bye 7")


@pytest.mark.parametrize(
    ("wishes", "numbered"),
    [
        (TableConstraints(), "1: 1 2 | 2: 3 4 | 3: 5 6 | bye 7"),
        (TableConstraints(fixed={6: 1}), "1: 5 6 | 2: 3 4 | 3: 1 2 | bye 7"),
        (TableConstraints(fixed={6: 5}), "1: 1 2 | 2: 3 4 | 5: 5 6 | bye 7"),
        (TableConstraints(fixed={7: 1}), "1: 1 2 | 2: 3 4 | 3: 5 6 | bye 7"),
        (
            TableConstraints(
                fixed={1: 3}, accessible=frozenset({1}), accessible_tables=frozenset({2})
            ),
            "1: 3 4 | 2: 1 2 | 3: 5 6 | bye 7",
        ),
        (
            TableConstraints(how="best-first", order=(5, 4, 1, 2, 3, 6)),
            "1: 5 6 | 2: 3 4 | 3: 1 2 | bye 7",
        ),
        (
            TableConstraints(how="keep", past=(Draw.parse("1: 3 5 | 2: 1 2 | 3: 4 6"),)),
            "1: 3 4 | 2: 1 2 | 3: 5 6 | bye 7",
        ),
        (
            TableConstraints(
                how="spread", past=(Draw.parse("1: 1 3 | 4: 5 6"), Draw.parse("2: 3 9"))
            ),
            "1: 5 6 | 2: 1 2 | 3: 3 4 | bye 7",
        ),
    ],
)
def test_tables_get_the_numbers_that_are_wished(wishes: TableConstraints, numbered: str) -> None:
    """Nobody changes partners; what nobody wishes stays where it was, or near."""
    assert renumbered(SIX, wishes) == Draw.parse(numbered)


@pytest.mark.parametrize(("how", "kept"), [("spread", 0), ("keep", 4)])
def test_an_event_keeps_or_spreads_its_tables(how: TableNumbers, kept: int) -> None:
    """From one round to the next nobody sits at a table again, or as many as can be do."""
    form = replace(EVENING, table_size=2, smallest_table=2, table_numbers=how)
    directing = Directing(form, 8).give(DrawRound(3))
    scores = {
        table.number: f"{table.seats[0]} 5, {table.seats[1]} -5"
        for table in directing.round.draw.tables
    }
    first = directing.round.draw
    second = directing.play(scores).give(DrawRound(4)).round.draw
    again = [
        each
        for table in second.tables
        for each in table.seats
        if each in next(old.seats for old in first.tables if old.number == table.number)
    ]
    assert len(again) == kept


def test_a_fixed_table_is_kept_round_after_round() -> None:
    """Who is entered for a table sits there, whatever the draw."""
    directing = Directing(EVENING, 8)
    directing.give(CorrectEntry(Entrant(8, "Player 8", seed_rank=8, table=5), **KIM))
    for seed in (1, 2, 3):
        directing.give(DrawRound(seed))
        table = directing.round.draw.table_of(8)
        assert table is not None
        assert table.number == 5
        directing.play(
            {
                each.number: ", ".join(f"{seat} 0" for seat in each.seats)
                for each in directing.round.draw.tables
            }
        )


def test_a_large_hall_moves_up_for_who_is_fixed() -> None:
    """Two hundred tables: the last one goes to table 1, and all others stay near their place."""
    draw = Draw(tuple(TableSeats(each, (2 * each, 2 * each + 1)) for each in range(1, 201)))
    seated = renumbered(draw, TableConstraints(fixed={400: 1}))
    assert seated.tables[0].seats == (400, 401)
    assert sorted(seated.entrants) == sorted(draw.entrants)
    assert [table.number for table in seated.tables] == list(range(1, 201))
