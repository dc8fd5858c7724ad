"""Seating by standing."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoreboard.tournament.model.draw import Draw
from scoreboard.tournament.model.seating.constraints import Constraints, table_sizes
from scoreboard.tournament.model.seating.table_draw import SeatingPattern, draw_by_standing

EIGHT = Constraints(entrants=(11, 12, 13, 14, 15, 16, 17, 18), sizes=(4, 4))


@pytest.mark.parametrize(
    ("pattern", "tables"),
    [
        ("blocks", [{11, 12, 13, 14}, {15, 16, 17, 18}]),
        ("snake", [{11, 14, 15, 18}, {12, 13, 16, 17}]),
        ("odd-even", [{11, 13, 15, 17}, {12, 14, 16, 18}]),
    ],
)
def test_the_order_is_laid_over_the_tables(pattern: SeatingPattern, tables: list[set[int]]) -> None:
    """Eight at two tables of four, in each manner."""
    assert [set(table.seats) for table in draw_by_standing(EIGHT, pattern).tables] == tables


def test_the_cut_is_seated_in_order_of_standing() -> None:
    """Semi-finals 1-3-5-7 and 2-4-6-8, and a final of one table; the best begins."""
    cut = draw_by_standing(EIGHT, "odd-even")
    assert str(cut) == "1: 11 13 15 17 | 2: 12 14 16 18"
    final = Constraints(entrants=(17, 12, 11, 18), sizes=(4,), past=(cut,))
    assert str(draw_by_standing(final, "odd-even")) == "1: 17 12 11 18"


def test_tables_of_three_and_byes() -> None:
    """Eleven at fours and threes in a snake; a tenth for two fours sits out, the lowest first."""
    eleven = Constraints(entrants=tuple(range(1, 12)), sizes=(4, 4, 3))
    tables = draw_by_standing(eleven, "snake").tables
    assert [set(table.seats) for table in tables] == [{1, 6, 7, 11}, {2, 5, 8, 10}, {3, 4, 9}]
    constraints = Constraints(
        entrants=tuple(range(1, 10)), sizes=(4, 4), past=(Draw.parse("bye 9"),)
    )
    assert draw_by_standing(constraints).byes == (8,)


def test_who_needs_it_gets_an_accessible_table() -> None:
    """Its number is exchanged; two from different tables come together by the shortest swap."""
    constraints = Constraints(
        entrants=tuple(range(1, 13)),
        sizes=(4, 4, 4),
        accessible=frozenset({2}),
        accessible_tables=frozenset({3}),
    )
    tables = {table.number: set(table.seats) for table in draw_by_standing(constraints).tables}
    assert tables[3] == {1, 2, 3, 4}
    both = Constraints(
        entrants=constraints.entrants,
        sizes=constraints.sizes,
        accessible=frozenset({2, 6}),
        accessible_tables=frozenset({1}),
    )
    tables = {table.number: set(table.seats) for table in draw_by_standing(both).tables}
    assert tables == {1: {1, 2, 3, 6}, 2: {4, 5, 7, 8}, 3: {9, 10, 11, 12}}


@given(
    st.permutations(range(1, 24)),
    st.sampled_from(get_args(SeatingPattern)),
    st.sets(st.integers(1, 23), max_size=4),
)
def test_everybody_is_seated_once(
    order: list[int], pattern: SeatingPattern, accessible: set[int]
) -> None:
    """Whatever the manner, with accessible tables 2 and 9."""
    constraints = Constraints(
        entrants=tuple(order),
        sizes=table_sizes(23, 4, 3),
        accessible=frozenset(accessible),
        accessible_tables=frozenset({2, 9}),
    )
    draw = draw_by_standing(constraints, pattern)
    assert sorted(draw.entrants) == list(range(1, 24))
    assert (
        tuple(sorted((len(table.seats) for table in draw.tables), reverse=True))
        == constraints.sizes
    )
    at = {each: table.number for table in draw.tables for each in table.seats}
    assert {at[each] for each in accessible} <= {2, 9}
