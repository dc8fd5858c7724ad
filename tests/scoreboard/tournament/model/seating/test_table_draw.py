"""The draw of a round at tables, and by standing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoreboard.tournament.model.draw import Draw, DrawError, TableSeats
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import CorrectEntry
from scoreboard.tournament.model.rounds import DrawRound
from scoreboard.tournament.model.seating.constraints import Constraints, table_sizes
from scoreboard.tournament.model.seating.designs import (
    STARTERS,
    circle_rounds,
    plan,
    round_robin,
    without,
)
from scoreboard.tournament.model.seating.table_draw import (
    SeatingPattern,
    TableConstraints,
    draw_by_standing,
    draw_tables,
    renumbered,
)
from scoreboard.tournament.model.tournament_format import TableNumbers
from tests.scoreboard.tournament.model.directing import (
    EVENING,
    KIM,
    Directing,
    mirrored,
    mirrored_draw,
)


def tournament(entrants: int, size: int, rounds: int, seed: int = 1) -> tuple[Draw, ...]:
    """The draws of a tournament in which everybody is there all the time."""
    past: tuple[Draw, ...] = ()
    for number in range(rounds):
        constraints = Constraints(
            entrants=tuple(range(1, entrants + 1)),
            sizes=table_sizes(entrants, size, size - 1),
            past=past,
            seed=seed + number,
            rounds_planned=rounds,
        )
        past += (draw_tables(constraints),)
    return past


def repeats(draws: Iterable[Draw]) -> int:
    """How many meetings were not the first of the two."""
    met = Counter(pair for draw in draws for pair in draw.meetings())
    return sum(times - 1 for times in met.values())


@st.composite
def rounds_to_draw(choose: st.DrawFn) -> Constraints:
    """A round in the middle of some tournament, with people coming and going before it."""
    size = choose(st.integers(2, 6))
    smallest = choose(st.integers(1, size))
    seed = choose(st.integers(0, 2**32))
    past: tuple[Draw, ...] = ()
    everybody = choose(st.permutations(range(1, choose(st.integers(smallest, 26)) + 1)))
    for number in range(choose(st.integers(0, 3)) + 1):
        there = tuple(each for each in everybody if choose(st.integers(0, 9)) or number == 0)
        tables = len(there) // size
        sizes = (size,) * tables or (len(there),) * bool(there)
        constraints = Constraints(
            entrants=there,
            sizes=sizes,
            past=past,
            clubs={each: "AB"[each % 2] for each in everybody if each % 3},
            accessible=frozenset(there[:1]),
            accessible_tables=frozenset({2}),
            seed=seed + number,
            rounds_planned=4,
        )
        past += (draw_tables(constraints),)
    return constraints


@settings(max_examples=40)
@given(rounds_to_draw())
def test_everybody_sits_once_or_has_a_bye(constraints: Constraints) -> None:
    draw = draw_tables(constraints)
    assert sorted(draw.entrants) == sorted(constraints.entrants)
    assert sorted(len(table.seats) for table in draw.tables) == sorted(constraints.sizes)
    for entrant in constraints.accessible - set(draw.byes):
        table = draw.table_of(entrant)
        assert table is not None
        assert table.number == 2


@settings(max_examples=25)
@given(rounds_to_draw())
def test_other_names_change_nothing_but_the_names(constraints: Constraints) -> None:
    """Numbered the other way round, the same people sit together: chance is the seed's alone."""
    other = replace(
        constraints,
        entrants=tuple(map(mirrored, constraints.entrants)),
        past=tuple(map(mirrored_draw, constraints.past)),
        clubs={mirrored(each): f"Club {club}" for each, club in constraints.clubs.items()},
        accessible=frozenset(map(mirrored, constraints.accessible)),
    )
    assert draw_tables(other) == mirrored_draw(draw_tables(constraints))


def test_draws_stay_as_they_are() -> None:
    """Written down, so that another Python or another machine shows if it draws otherwise."""
    draws = tournament(13, 4, 2, seed=7)
    assert [str(draw) for draw in draws] == [
        "1: 10 2 7 | 2: 1 8 11 | 3: 5 6 4 | 4: 13 9 3 12",
        "1: 8 4 12 | 2: 11 3 2 | 3: 6 7 9 | 4: 1 5 13 10",
    ]


@pytest.mark.parametrize(
    ("entrants", "size", "rounds"),
    [(16, 4, 5), (20, 4, 5), (24, 4, 7), (28, 4, 9), (32, 4, 9), (36, 4, 11), (40, 4, 13),
     (15, 4, 5), (19, 4, 5), (23, 4, 6), (39, 4, 11), (44, 4, 8), (100, 4, 8), (9, 3, 4),
     (15, 3, 7), (25, 5, 6), (30, 5, 5), (14, 2, 13)],
)  # fmt: skip
def test_no_pair_meets_twice_while_a_design_exists(entrants: int, size: int, rounds: int) -> None:
    assert repeats(tournament(entrants, size, rounds)) == 0


def test_a_thousand_at_fours_meet_nobody_twice_in_eight_rounds() -> None:
    assert repeats(tournament(1000, 4, 8)) == 0
    assert repeats(tournament(998, 4, 8)) == 0


def test_meetings_come_again_as_seldom_as_can_be_where_they_must() -> None:
    """Eight at fours: each sits with two old opponents at best, so four pairs a round repeat."""
    assert repeats(tournament(8, 4, 2)) == 4


@pytest.mark.parametrize("entrants", [15, 19, 39, 998])
def test_nobody_sits_at_two_short_tables_before_everybody_sat_at_one(entrants: int) -> None:
    """Five rounds with few tables of three: nobody sits at two of them."""
    draws = tournament(entrants, 4, 5)
    short = Counter(
        each
        for draw in draws
        for table in draw.tables
        if len(table.seats) == 3
        for each in table.seats
    )
    assert set(short.values()) == {1}


@pytest.mark.parametrize(("entrants", "rounds"), [(16, 4), (40, 8), (100, 8)])
def test_seats_and_beginnings_go_round(entrants: int, rounds: int) -> None:
    draws = tournament(entrants, 4, rounds)
    begun = Counter(table.seats[0] for draw in draws for table in draw.tables)
    assert all(abs(begun[each] - rounds // 4) <= 1 for each in range(1, entrants + 1))
    for seat in range(1, 4):
        sat = Counter(table.seats[seat] for draw in draws for table in draw.tables)
        assert max(sat.values()) <= rounds // 4 + 2


def test_beginning_weighs_more_than_any_other_seat() -> None:
    """1 began once and sat second twice: a second beginning costs more than a third time there."""
    past = tuple(map(Draw.parse, ("1: 1 3 | bye 2", "1: 3 1 | bye 2", "1: 3 1 | bye 2")))
    for seed in range(4):
        draw = draw_tables(Constraints(entrants=(1, 2), sizes=(2,), past=past, seed=seed))
        assert str(draw) == "1: 2 1"


def test_mates_of_a_club_sit_apart_in_round_1() -> None:
    constraints = Constraints(
        entrants=tuple(range(1, 21)),
        sizes=(4, 4, 4, 4, 4),
        clubs={each: f"Club {each % 4}" for each in range(1, 21)},
        seed=3,
    )
    for table in draw_tables(constraints).tables:
        assert len({constraints.clubs[each] for each in table.seats}) == 4
    larger = {**constraints.clubs, 1: "Club 0"}
    met = [len({larger[each] for each in table.seats})
           for table in draw_tables(replace(constraints, clubs=larger)).tables]  # fmt: skip
    assert sorted(met) == [3, 4, 4, 4, 4]


def test_mates_of_a_team_sit_apart_in_all_rounds() -> None:
    """Twenty-four in teams of three, four rounds; and where a team fills a table, all sit."""
    everybody = tuple(range(1, 25))
    teams = {each: f"Team {each % 8}" for each in everybody}
    past: tuple[Draw, ...] = ()
    for seed in range(4):
        constraints = Constraints(
            entrants=everybody, sizes=(4,) * 6, past=past, teams=teams, seed=seed, rounds_planned=4
        )
        past = (*past, draw_tables(constraints))
        assert all(len({teams[each] for each in table.seats}) == 4 for table in past[-1].tables)
    met = [frozenset(pair) for draw in past for pair in draw.meetings()]
    assert len(met) == len(set(met))
    only = dict.fromkeys(everybody, "Reds")
    assert (
        len(draw_tables(Constraints(entrants=everybody, sizes=(4,) * 6, teams=only)).entrants) == 24
    )


def test_the_accessible_table_outweighs_meetings() -> None:
    """Three who need the one accessible table sit there together, every round.

    That repeats six meetings, and leaves twelve for three tables: more repeat there.
    """
    past: tuple[Draw, ...] = ()
    for seed in range(3):
        constraints = Constraints(
            entrants=tuple(range(1, 17)),
            sizes=(4, 4, 4, 4),
            past=past,
            accessible=frozenset({2, 3, 5}),
            accessible_tables=frozenset({3}),
            seed=seed,
            rounds_planned=3,
        )
        past += (draw_tables(constraints),)
        tables = {table.number: set(table.seats) for table in past[-1].tables}
        assert tables[3] >= {2, 3, 5}
    assert 6 < repeats(past) <= 12
    with pytest.raises(DrawError, match="accessible"):
        draw_tables(replace(constraints, accessible=frozenset({1, 2, 3, 4, 5})))


def test_the_draw_takes_whoever_is_there() -> None:
    """One leaves, another comes late, the first returns: nobody meets twice, past draws stay."""
    there = [set(range(1, 17)), set(range(1, 16)), {*range(1, 16), 17}, set(range(1, 17))]
    past: tuple[Draw, ...] = ()
    for number, present in enumerate(there):
        sizes = table_sizes(len(present), 4, 3)
        constraints = Constraints(
            entrants=tuple(sorted(present)), sizes=sizes, past=past, seed=number, rounds_planned=4
        )
        past += (draw_tables(constraints),)
    assert [set(draw.entrants) for draw in past] == there
    assert repeats(past) == 0


def test_who_sat_out_least_often_sits_out() -> None:
    """Seven for two tables of three: seven rounds, seven byes."""
    past: tuple[Draw, ...] = ()
    for seed in range(7):
        constraints = Constraints(entrants=tuple(range(1, 8)), sizes=(3, 3), past=past, seed=seed)
        past += (draw_tables(constraints),)
    assert sorted(each for draw in past for each in draw.byes) == list(range(1, 8))


def test_constraints_that_cannot_be_met_are_refused() -> None:
    with pytest.raises(DrawError, match="seat 8"):
        Constraints(entrants=(1, 2, 3), sizes=(4, 4))
    with pytest.raises(DrawError, match="twice"):
        Constraints(entrants=(1, 1, 3), sizes=(3,))


def test_a_round_to_which_nobody_comes_has_no_tables() -> None:
    assert draw_tables(Constraints(entrants=(), sizes=())) == Draw(())
    assert draw_tables(Constraints(entrants=(), sizes=(), past=(Draw(()),))) == Draw(())
    alone = Constraints(entrants=(5,), sizes=(), past=(Draw(()), Draw((), (5,))))
    assert draw_tables(alone) == Draw((), (5,))


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
    assert renumbered(SIX, wishes) == Draw.parse(numbered)


@pytest.mark.parametrize(("how", "kept"), [("spread", 0), ("keep", 4)])
def test_an_event_keeps_or_spreads_its_tables(how: TableNumbers, kept: int) -> None:
    form = replace(EVENING, table_size=2, smallest_table=2, table_numbers=how)
    directing = Directing(form, 8).give(DrawRound(3))
    first = directing.round.draw
    second = directing.play_each(lambda _, at: -5 if at else 5).give(DrawRound(4)).round.draw
    again = [
        each
        for table in second.tables
        for each in table.seats
        if each in next(old.seats for old in first.tables if old.number == table.number)
    ]
    assert len(again) == kept


def test_a_fixed_table_is_kept_round_after_round() -> None:
    directing = Directing(EVENING, 8)
    directing.give(CorrectEntry(Entrant(8, "Player 8", seed_rank=8, table=5), **KIM))
    for seed in (1, 2, 3):
        directing.give(DrawRound(seed))
        table = directing.round.draw.table_of(8)
        assert table is not None
        assert table.number == 5
        directing.play_each(lambda _seat, _at: 0)


def test_a_large_hall_moves_up_for_who_is_fixed() -> None:
    """Two hundred tables: the last one goes to table 1, and all others stay near their place."""
    draw = Draw(tuple(TableSeats(each, (2 * each, 2 * each + 1)) for each in range(1, 201)))
    seated = renumbered(draw, TableConstraints(fixed={400: 1}))
    assert seated.tables[0].seats == (400, 401)
    assert sorted(seated.entrants) == sorted(draw.entrants)
    assert [table.number for table in seated.tables] == list(range(1, 201))


@pytest.mark.parametrize(
    ("asked", "sizes"),
    [
        ((16, 4, 3), (4, 4, 4, 4)),
        ((13, 4, 3), (4, 3, 3, 3)),
        ((6, 4, 3), (3, 3)),
        ((10, 4, 2), (4, 4, 2)),
        ((22, 6, 4), (6, 6, 6, 4)),
        ((21, 6, 4), (6, 6, 5, 4)),
        ((0, 4, 3), ()),
    ],
)
def test_as_few_tables_as_can_be_have_another_size(
    asked: tuple[int, int, int], sizes: tuple[int, ...]
) -> None:
    """Worked out by hand."""
    assert table_sizes(*asked) == sizes


@given(st.integers(12, 300), st.integers(3, 6))
def test_everybody_sits(entrants: int, size: int) -> None:
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
    with pytest.raises(DrawError, match="5 players"):
        table_sizes(5, 4, 3)
    with pytest.raises(DrawError, match="no room"):
        table_sizes(12, 4, 5)


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
    ("tables", "size", "rounds"),
    [(3, 4, 1), (4, 4, 5), (5, 4, 5), (6, 4, 7), (7, 4, 9), (8, 4, 9), (9, 4, 11), (10, 4, 13),
     (11, 4, 11), (13, 4, 13), (8, 2, 15)],
)  # fmt: skip
def test_a_plan_has_the_rounds_that_it_promises(tables: int, size: int, rounds: int) -> None:
    """Designs for fours, a prime number of tables, and a whole round robin."""
    assert meets_nobody_twice(tables, size) == rounds


@pytest.mark.parametrize(("tables", "size"), sorted(STARTERS))
def test_stored_designs_end_where_nobody_has_three_left_to_meet(tables: int, size: int) -> None:
    most = (tables * size - 1) // (size - 1)
    assert meets_nobody_twice(tables, size) == most - ((tables, size) == (8, 4))


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_every_plan_repeats_no_meeting(size: int) -> None:
    for tables in (1, 2, 3, 4, 5, 6, 7, 9, 11, 12, 15, 16, 25, 26, 41, 64):
        least = min(30, (tables - 1) // (size - 1) + 1)
        assert meets_nobody_twice(tables, size, 30) >= least, tables


def test_a_thousand_at_fours_have_84_rounds() -> None:
    """250 tables: (250 - 1) // 3 + 1."""
    assert meets_nobody_twice(250, 4, 84) == 84


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
    assert [set(table.seats) for table in draw_by_standing(EIGHT, pattern).tables] == tables


def test_the_cut_is_seated_in_order_of_standing() -> None:
    """Semi-finals 1-3-5-7 and 2-4-6-8, and a final of one table; the best begins."""
    cut = draw_by_standing(EIGHT, "odd-even")
    assert str(cut) == "1: 11 13 15 17 | 2: 12 14 16 18"
    final = Constraints(entrants=(17, 12, 11, 18), sizes=(4,), past=(cut,))
    assert str(draw_by_standing(final, "odd-even")) == "1: 17 12 11 18"


def test_tables_of_three_and_byes() -> None:
    eleven = Constraints(entrants=tuple(range(1, 12)), sizes=(4, 4, 3))
    tables = draw_by_standing(eleven, "snake").tables
    assert [set(table.seats) for table in tables] == [{1, 6, 7, 11}, {2, 5, 8, 10}, {3, 4, 9}]
    constraints = Constraints(
        entrants=tuple(range(1, 10)), sizes=(4, 4), past=(Draw.parse("bye 9"),)
    )
    assert draw_by_standing(constraints).byes == (8,)


def test_who_needs_it_gets_an_accessible_table() -> None:
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


def test_four_meet_as_in_bergers_tables() -> None:
    """1-4 2-3, 4-3 1-2, 2-4 3-1, as every chess club has them on the wall."""
    assert [str(draw) for draw in round_robin((1, 2, 3, 4))] == [
        "1: 1 4 | 2: 2 3",
        "1: 4 3 | 2: 1 2",
        "1: 2 4 | 2: 3 1",
    ]


@given(st.integers(0, 17), st.integers(1, 3))
def test_everybody_meets_everybody(players: int, meetings: int) -> None:
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
    draws = round_robin(tuple(range(1, players + 1)))
    begun = Counter(table.seats[0] for draw in draws for table in draw.tables)
    games = players - 1
    assert all(abs(2 * begun[each] - games) <= 1 for each in range(1, players + 1))


def test_who_is_absent_leaves_a_bye() -> None:
    draw = Draw.parse("1: 1 6 | 2: 2 5 | 3: 3 4 | bye 7")
    assert str(without(draw, frozenset({5, 7}))) == "1: 1 6 | 3: 3 4 | bye 2"


def test_the_circle_needs_pairs() -> None:
    with pytest.raises(ValueError, match="even"):
        circle_rounds(5)
