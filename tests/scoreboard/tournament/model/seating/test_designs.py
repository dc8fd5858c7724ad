"""What the constructions guarantee: rounds in which no two meet twice."""

from __future__ import annotations

from itertools import combinations

import pytest

from scoreboard.tournament.model.seating.designs import STARTERS, plan

ALL = 999


def meets_nobody_twice(tables: int, size: int, most: int = ALL) -> int:
    """The number of rounds, after each was checked: all sit once, and no pair comes again."""
    rounds = plan(tables, size, most)
    met: set[tuple[int, int]] = set()
    for groups in rounds:
        assert sorted(point for group in groups for point in group) == list(range(tables * size))
        assert {len(group) for group in groups} == {size}
        pairs = [pair for group in groups for pair in combinations(sorted(group), 2)]
        assert met.isdisjoint(pairs)
        met.update(pairs)
    return len(rounds)


@pytest.mark.parametrize(
    ("players", "rounds"),
    [(12, 1), (16, 5), (20, 5), (24, 7), (28, 9), (32, 9), (36, 11), (40, 13)],
)
def test_designs_for_fours(players: int, rounds: int) -> None:
    """Each gives the rounds that it promises, in the bound of all others met."""
    assert meets_nobody_twice(players // 4, 4) == rounds
    assert rounds <= (players - 1) // 3


@pytest.mark.parametrize(("tables", "size"), sorted(STARTERS))
def test_stored_designs_end_where_nobody_has_three_left_to_meet(tables: int, size: int) -> None:
    """Every stored design has all rounds that there can be, but for 32 at fours with one less."""
    most = (tables * size - 1) // (size - 1)
    assert meets_nobody_twice(tables, size) == most - ((tables, size) == (8, 4))


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_every_plan_repeats_no_meeting(size: int) -> None:
    """Whatever the construction, and at least as many rounds as plain multiples give."""
    for tables in (1, 2, 3, 4, 5, 6, 7, 9, 11, 12, 15, 16, 25, 26, 41, 64):
        least = min(30, (tables - 1) // (size - 1) + 1)
        assert meets_nobody_twice(tables, size, 30) >= least, tables


def test_a_prime_number_of_tables_gives_as_many_rounds() -> None:
    """Eleven and thirteen tables of four, and the whole round robin at twos."""
    assert meets_nobody_twice(11, 4) == 11
    assert meets_nobody_twice(13, 4) == 13
    assert meets_nobody_twice(8, 2) == 15


def test_a_thousand_at_fours_have_84_rounds() -> None:
    """250 tables: (250 - 1) // 3 + 1."""
    assert meets_nobody_twice(250, 4, 84) == 84
