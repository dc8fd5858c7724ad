"""Swiss pairing: its laws, and that no pairing weighs less."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from random import Random

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoreboard.tournament.model.draw import Draw, DrawError, TableSeats
from scoreboard.tournament.model.pairing.minimum_cost import cheapest_pairs
from scoreboard.tournament.model.pairing.swiss import SwissConstraints, draw_swiss, swiss_costs
from tests.scoreboard.tournament.model.directing import mirrored, mirrored_draw


def invented(players: int, rounds: int, seed: int) -> SwissConstraints:
    """A round after so many rounds that nobody paired with care."""
    chance = Random(seed)
    scores: dict[int, int | Fraction] = dict.fromkeys(range(1, players + 1), 0)
    floated: Counter[int] = Counter()
    past: list[Draw] = []
    for _ in range(rounds):
        order = sorted(scores, key=lambda each: (-scores[each], chance.random()))
        pairs = [(order[at], order[at + 1]) for at in range(0, players - 1, 2)]
        byes = tuple(order[2 * len(pairs) :])
        tables = (TableSeats(number, pair) for number, pair in enumerate(pairs, start=1))
        past.append(Draw(tuple(tables), byes))
        for pair in pairs:
            if scores[pair[0]] != scores[pair[1]]:
                floated.update(pair)
            result = chance.choice((Fraction(0), Fraction(1, 2), Fraction(1)))
            scores[pair[0]] += result
            scores[pair[1]] += 1 - result
    return SwissConstraints(
        entrants=tuple(sorted(scores, key=lambda each: (-scores[each], each))),
        scores=scores,
        past=tuple(past),
        floated=floated,
        clubs={each: "AB"[each % 2] for each in scores if each % 5 == 0},
        teams={each: "CD"[each % 3 > 0] for each in scores if each % 4 == 0},
        seed=seed,
    )


swiss_rounds = st.builds(invented, st.integers(2, 40), st.integers(0, 6), st.integers(0, 10**6))


def weight(constraints: SwissConstraints, draw: Draw) -> int:
    """What the pairs of a draw cost together, old opponents included."""
    playing = tuple(each for each in constraints.entrants if each not in draw.byes)
    costs = swiss_costs(constraints, playing).at_any_price()
    return sum(costs[playing.index(one)][playing.index(other)] for one, other in draw.meetings())


def least_weight(constraints: SwissConstraints, draw: Draw) -> int:
    """The same of the pairing that networkx finds, for the same bye."""
    playing = tuple(each for each in constraints.entrants if each not in draw.byes)
    costs = swiss_costs(constraints, playing).at_any_price()
    graph = nx.Graph()
    for one in range(len(playing)):
        graph.add_weighted_edges_from(
            (one, other, -costs[one][other]) for other in range(one + 1, len(playing))
        )
    pairs = nx.max_weight_matching(graph, maxcardinality=True)
    return sum(costs[one][other] for one, other in pairs)


@settings(max_examples=40)
@given(swiss_rounds)
def test_no_pairing_weighs_less(constraints: SwissConstraints) -> None:
    """The total weight is that of networkx's matching over all pairs."""
    draw = draw_swiss(constraints)
    assert weight(constraints, draw) == least_weight(constraints, draw)


@pytest.mark.parametrize(
    ("players", "rounds"),
    [
        *((2, 3), (3, 0), (4, 3), (5, 4), (60, 3), (101, 5)),
        pytest.param(200, 2, marks=pytest.mark.slow),
    ],
)
def test_no_pairing_of_many_weighs_less(players: int, rounds: int) -> None:
    constraints = invented(players, rounds, seed=players)
    draw = draw_swiss(constraints)
    assert weight(constraints, draw) == least_weight(constraints, draw)


@given(swiss_rounds)
def test_everybody_plays_or_has_the_bye(constraints: SwissConstraints) -> None:
    draw = draw_swiss(constraints)
    assert sorted(draw.entrants) == sorted(constraints.entrants)
    assert len(draw.byes) == len(constraints.entrants) % 2
    assert all(len(table.seats) == 2 for table in draw.tables)
    had = Counter(each for past in constraints.past for each in past.byes)
    assert all(had[each] == min(had[one] for one in constraints.entrants) for each in draw.byes)


@given(swiss_rounds)
def test_the_seed_decides_and_names_do_not(constraints: SwissConstraints) -> None:
    other = replace(
        constraints,
        entrants=tuple(map(mirrored, constraints.entrants)),
        scores={mirrored(each): score for each, score in constraints.scores.items()},
        past=tuple(map(mirrored_draw, constraints.past)),
        floated={mirrored(each): times for each, times in constraints.floated.items()},
        clubs={mirrored(each): club for each, club in constraints.clubs.items()},
        teams={mirrored(each): team for each, team in constraints.teams.items()},
    )
    assert draw_swiss(constraints) == draw_swiss(replace(constraints))
    assert draw_swiss(other) == mirrored_draw(draw_swiss(constraints))


@pytest.mark.parametrize(("players", "rounds"), [(8, 5), (9, 7), (40, 8)])
def test_an_event_without_second_meetings(players: int, rounds: int) -> None:
    """Round after round, one dropping out and coming back on the way: nobody meets twice."""
    scores = dict.fromkeys(range(1, players + 1), 0)
    past: tuple[Draw, ...] = ()
    for number in range(rounds):
        there = [each for each in scores if number != 2 or each != 3]
        order = tuple(sorted(there, key=lambda each: (-scores[each], each)))
        draw = draw_swiss(SwissConstraints(entrants=order, scores=scores, past=past, seed=number))
        assert set(draw.entrants) == set(there)
        past += (draw,)
        for each in (*(min(table.seats) for table in draw.tables), *draw.byes):
            scores[each] += 1
    met = Counter(pair for draw in past for pair in draw.meetings())
    assert max(met.values()) == 1
    out = Counter(each for draw in past for each in draw.byes)
    assert max(out.values(), default=1) == 1
    begun = Counter(dict.fromkeys(scores, 0))
    for draw in past:
        for table in draw.tables:
            begun.update({table.seats[0]: 1, table.seats[1]: -1})
    assert max(map(abs, begun.values())) <= 3


@pytest.mark.parametrize("players", [2, 8, 9, 16, 101])
def test_round_1_pairs_the_upper_half_with_the_lower_half(players: int) -> None:
    """1-5 2-6 3-7 4-8, the highest pair at table 1; of an odd number the lowest has the bye."""
    half = players // 2
    halves = [{place, place + half} for place in range(1, half + 1)]
    for seed in range(1, 9):
        draw = draw_swiss(SwissConstraints(entrants=tuple(range(1, players + 1)), seed=seed))
        assert [set(table.seats) for table in draw.tables] == halves
        assert draw.byes == ((players,) if players % 2 else ())


def test_mates_of_a_club_are_swapped_with_the_next_of_their_half() -> None:
    constraints = SwissConstraints(entrants=tuple(range(1, 9)), clubs={1: "A", 5: "A"}, seed=3)
    met = {frozenset(table.seats) for table in draw_swiss(constraints).tables}
    assert met == {frozenset(pair) for pair in ((1, 6), (2, 5), (3, 7), (4, 8))}


def test_mates_of_a_club_are_apart_in_round_1() -> None:
    """Two clubs of four: every pair is mixed."""
    constraints = SwissConstraints(
        entrants=tuple(range(1, 9)), clubs={each: "AB"[each > 4] for each in range(1, 9)}
    )
    assert all(one <= 4 < other for one, other in draw_swiss(constraints).meetings())


def test_mates_of_a_team_are_apart_in_all_rounds_where_that_can_be() -> None:
    """The best two are of a team: they float down, unless there is only the team."""
    scores = {1: 4, 2: 4, 3: 2, 4: 2, 5: 0, 6: 0}
    past = (Draw.parse("1: 1 5 | 2: 2 6 | 3: 3 4"),)
    constraints = SwissConstraints(
        entrants=tuple(scores), scores=scores, past=past, teams={1: "Reds", 2: "Reds"}
    )
    apart = {frozenset(pair) for pair in draw_swiss(constraints).meetings()}
    assert frozenset((1, 2)) not in apart
    among = draw_swiss(replace(constraints, teams=dict.fromkeys(scores, "Reds")))
    assert among == draw_swiss(replace(constraints, teams={}))


def test_the_bye_goes_to_the_lowest_who_had_none() -> None:
    """Three: the last has had one, so the second has it, for the first would be next."""
    constraints = SwissConstraints(entrants=(1, 2, 3), past=(Draw.parse("1: 1 2 | bye 3"),))
    assert draw_swiss(constraints).byes == (2,)


def test_old_opponents_meet_where_nothing_else_is_left() -> None:
    constraints = SwissConstraints(entrants=(1, 2), past=(Draw.parse("1: 2 1"),))
    assert str(draw_swiss(constraints)) == "1: 1 2"  # who did not begin begins


def test_accessible_tables_are_for_those_who_need_them() -> None:
    six = SwissConstraints(
        entrants=(1, 2, 3, 4, 5, 6), accessible=frozenset({1}), accessible_tables=frozenset({2})
    )
    table = draw_swiss(six).table_of(1)
    assert table is not None
    assert table.number == 2
    three = replace(six, accessible=frozenset({1, 2, 3}), accessible_tables=frozenset({2, 5}))
    at = {each: t.number for t in draw_swiss(three).tables for each in t.seats}
    assert {at[1], at[2], at[3]} == {2, 5}
    with pytest.raises(DrawError, match="accessible"):
        draw_swiss(replace(six, accessible=frozenset({1, 2, 3})))


def test_who_may_meet_nobody_is_told() -> None:
    """No perfect matching: an odd number, somebody without anybody, or a star of three."""
    costs = np.ones((4, 4), np.int64)
    levels = np.zeros(4, np.int64)
    star = np.zeros((4, 4), bool)
    star[0, 1:] = star[1:, 0] = True
    assert cheapest_pairs(costs, star, levels) is None
    assert cheapest_pairs(costs, np.zeros((4, 4), bool), levels) is None
    assert cheapest_pairs(costs[:3, :3], star[:3, :3], levels[:3]) is None
    none = np.empty((0, 0), np.int64)
    assert cheapest_pairs(none, none > 0, levels[:0]) == ()
