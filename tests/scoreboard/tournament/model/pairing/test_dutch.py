"""The Dutch system without colours: worked by hand, and at random with a checker of the rules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from random import Random

import pytest

from scoreboard.tournament.model.draw import Draw
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Enter
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.pairing.dutch import draw_dutch
from scoreboard.tournament.model.pairing.swiss import SwissConstraints, draw_swiss
from scoreboard.tournament.model.rounds import DrawRound
from scoreboard.tournament.model.scoring import as_played
from tests.scoreboard.tournament.model.directing import Directing
from tests.scoreboard.tournament.model.pairing.dutch_rules import Bracket, Position, faults

DOWN_LAST, UP_LAST, DOWN_BEFORE, UP_BEFORE = (1, 0), (-1, 0), (0, 1), (0, -1)


class Event:
    """A Swiss event that is paired round by round, and judged each time."""

    def __init__(self, seed: int, players: int) -> None:
        self.chance = Random(seed)
        self.there = list(range(1, players + 1))
        self.points = dict.fromkeys(self.there, 0)
        self.floats = defaultdict[int, list[int]](list)  # the last round first
        self.draws: list[Draw] = []

    def position(self, order: list[int]) -> Position:
        """What the checker may know."""
        place = {each: at for at, each in enumerate(order)}
        met = frozenset(
            frozenset((place[one], place[other]))
            for draw in self.draws
            for one, other in draw.meetings()
            if one in place and other in place
        )
        byes = [sum(each in draw.byes for draw in self.draws) for each in order]
        floats = [[*self.floats[each], 0, 0][:2] for each in order]
        return Position([self.points[each] for each in order], met, byes, floats)

    def round(self) -> list[str]:
        """Pair a round, play it by chance, and say what was wrong with the pairing."""
        order = sorted(self.there, key=lambda each: (-self.points[each], each))
        at = self.position(order)
        constraints = SwissConstraints(
            entrants=tuple(order), scores=self.points, past=tuple(self.draws), seed=1
        )
        floats = {each: at.floats[place] for place, each in enumerate(order)}
        draw = draw_dutch(constraints, floats)
        place = {each: where for where, each in enumerate(order)}
        pairs = [tuple(sorted(place[each] for each in table.seats)) for table in draw.tables]
        bye = place[draw.byes[0]] if draw.byes else None
        everybody = Bracket(at, (), tuple(range(len(order))), (), completes=True)
        can_be = everybody.best(lambda _: 0) is not None
        found = faults(at, [(one, other) for one, other in pairs], bye) if can_be else []
        self.play(draw)
        return found

    def play(self, draw: Draw) -> None:
        """Two points for a win, one for a draw, two for a bye; the floats as the rules say."""
        before = dict(self.points)
        self.draws.append(draw)
        for table in draw.tables:
            one, other = table.seats
            self.floats[one].insert(
                0, (before[one] > before[other]) - (before[one] < before[other])
            )
            self.floats[other].insert(0, -self.floats[one][0])
            won = self.chance.choice((0, 1, 2, 2))
            self.points[one] += won
            self.points[other] += 2 - won
        for each in draw.byes:
            self.floats[each].insert(0, 1)
            self.points[each] += 2


@pytest.mark.parametrize("seeds", [range(60), pytest.param(range(60, 200), marks=pytest.mark.slow)])
def test_random_events_keep_the_rules(seeds: range) -> None:
    wrong = []
    for seed in seeds:
        chance = Random(seed)
        event = Event(seed, chance.randint(5, 15))
        for number in range(1, chance.randint(4, 7) + 1):
            wrong += [f"seed {seed}, round {number}: {each}" for each in event.round()]
            if chance.random() < 0.15 and len(event.there) > 4:
                event.there.remove(chance.choice(event.there))
    assert wrong == []


@pytest.mark.parametrize("players", [40, pytest.param(121, marks=pytest.mark.slow)])
def test_large_events_keep_the_rules(players: int) -> None:
    event = Event(players, players)
    for number in range(1, 6):
        assert event.round() == [], number


def paired(
    scores: Mapping[int, int], past: tuple[str, ...], floats: Mapping[int, tuple[int, int]]
) -> list[tuple[int, ...]]:
    """The pairs of a round among the players of `scores`, the best first."""
    draws = tuple(Draw.parse(each) for each in past)
    constraints = SwissConstraints(entrants=tuple(scores), scores=scores, past=draws)
    tables = draw_dutch(constraints, floats).tables
    return sorted(tuple(sorted(table.seats)) for table in tables)


@pytest.mark.parametrize(
    ("floats", "three_floats_up"),
    [
        ({}, False),  # S2 as it stands: 2 comes before 3
        ({3: UP_LAST, 5: DOWN_LAST}, True),  # C12 before C13: rather 3 up again than 5 down again
        ({2: UP_LAST, 4: DOWN_BEFORE}, True),  # C13 before C14: rather 4 down again than 2 up again
        ({3: UP_BEFORE, 5: DOWN_BEFORE}, True),  # C14 before C15: as C12 before C13
    ],
)
def test_floats_that_come_again_count_in_their_order(
    floats: Mapping[int, tuple[int, int]], *, three_floats_up: bool
) -> None:
    """C.04.3, C12 to C15, by hand: 1 has two points, 2 to 5 have one, 6 has none.

    1 moves down to the bracket of 2 to 5, one of whom floats down to 6. 1 has met 4, 5 and 6, so 2
    or 3 floats up. With 1-2 only 3-4 is left (3-5 and 4-5 have met), and 5 floats down; with 1-3
    only 2-5 (2-4 and 4-5 have met), and 4 floats down. C5 to C7 like both as well.
    """
    met = ("1: 1 4 | 2: 3 5 | 3: 2 6", "1: 1 5 | 2: 2 4 | 3: 3 6", "1: 4 5 | 2: 1 6 | 3: 2 3")
    expected = [(1, 3), (2, 5), (4, 6)] if three_floats_up else [(1, 2), (3, 4), (5, 6)]
    assert paired({1: 2, 2: 1, 3: 1, 4: 1, 5: 1, 6: 0}, met, floats) == expected


def test_all_float_down_where_the_last_have_all_met() -> None:
    """C4 by hand, where a look at the next bracket alone has the best meet each other.

    The last 22 have met around one table, so each needs one of the 22 above, who all float down:
    as S1 in their order they meet S2 in its order.
    """
    scores = {each: 2 if each <= 20 else 1 if each <= 22 else 0 for each in range(1, 45)}
    met = "1: " + " ".join(map(str, range(23, 45)))
    assert paired(scores, (met,), {}) == [(each, each + 22) for each in range(1, 23)]


def test_who_floats_down_is_chosen_by_the_next_bracket_even_if_it_is_the_last() -> None:
    """C7 by hand: 4 meets 5, and 7 meets 3 or 6, of whom the other floats to 1 and 2.

    6 has met both and would sit out with more points than they have, so 3 floats and 6 meets 7.
    """
    met = (
        "1: 1 4 | 2: 2 5 | 3: 3 6 | bye 7",
        "1: 6 1 | 2: 7 2 | 3: 4 3 | bye 5",
        "1: 5 1 | 2: 6 2 | 3: 4 7 | bye 3",
    )
    scores = {4: 6, 5: 4, 7: 4, 3: 3, 6: 3, 1: 2, 2: 2}
    assert paired(scores, met, {}) == [(1, 3), (4, 5), (6, 7)]


def test_all_below_are_one_bracket_where_the_rest_could_not_be_paired() -> None:
    """A.9 by hand: with 1-2, the first pair of those with 8 points, 3 has nobody left to meet.

    So 1 meets 3, and 2, 4 and 5 float down to 6 and 7, who are now one bracket though 6 has more
    points. As S1 are 2 and 4, and 4 has met 7, it is 2-7 and 4-6 before S1 is exchanged: 5 sits
    out. One bracket after the other would have paired 2-6, and then 5-7.
    """
    met = ("1: 2 3 4 5 | bye 6", "1: 1 4 5 | 2: 6 7 | bye 3", "1: 3 6 | bye 7", "1: 3 7", "1: 4 7")
    scores = {1: 8, 2: 8, 3: 8, 4: 8, 5: 8, 6: 3, 7: 1}
    assert paired(scores, met, {}) == [(1, 3), (2, 7), (4, 6)]


def test_a_match_that_one_did_not_come_to_is_no_meeting() -> None:
    """C1 and C2: it can be drawn again, and who came has had a bye."""
    directing = Directing(replace(FORMATS["yahtzee-duel-swiss"], dutch=True, games=1), 3)
    directing.play_by_hand("1: 1 2 | bye 3", {1: "1 100, 2 no-show"})
    draw = as_played(directing.round)
    assert (draw.tables, draw.byes) == ((), (3, 1))
    directing.play_by_hand("1: 1 3 | bye 2", {1: "1 100, 3 50"})
    assert as_played(directing.round) == directing.round.draw
    draw = directing.give(DrawRound(1)).round.draw
    assert [set(table.seats) for table in draw.tables] == [{1, 2}]


def test_the_first_round_pairs_the_halves_by_rating() -> None:
    form = replace(FORMATS["yahtzee-duel-swiss"], dutch=True)
    directing = Directing(form)
    ratings = {1: 1500, 2: 1900, 3: None, 4: 1700, 5: None}
    directing.give(
        *(
            Enter(Entrant(each, f"P{each}", seed_rank=1 if each == 5 else None, rating=rating))
            for each, rating in ratings.items()
        )
    )
    draw = directing.give(DrawRound(1)).round.draw
    assert [set(table.seats) for table in draw.tables] == [{5, 4}, {2, 1}]
    assert draw.byes == (3,)


def test_mates_of_a_team_meet_only_where_nothing_else_is_left() -> None:
    """Eight of four teams have five rounds without mates; of two teams four, and a fifth."""
    for teams, rounds in ((4, 5), (2, 5)):
        of = {each: f"Team {each % teams}" for each in range(1, 9)}
        points, past, met = dict.fromkeys(of, 0), list[Draw](), list[int]()
        for _ in range(rounds):
            order = tuple(sorted(of, key=lambda each: (-points[each], each)))
            draw = draw_dutch(
                SwissConstraints(entrants=order, scores=points, past=tuple(past), teams=of), {}
            )
            past.append(draw)
            met.append(sum(of[one] == of[other] for one, other in draw.meetings()))
            for table in draw.tables:
                points[min(table.seats)] += 2
        assert met == ([0] * 5 if teams == 4 else [0, 0, 0, 0, 4])
        assert len({frozenset(pair) for draw in past for pair in draw.meetings()}) == 4 * rounds


def test_when_all_have_met_some_meet_again() -> None:
    event = Event(1, 4)
    for _ in range(5):
        event.round()
    assert all(len(draw.tables) == 2 for draw in event.draws)


def test_the_checker_objects_to_what_is_no_dutch_pairing() -> None:
    """The Swiss system of this hub pairs otherwise: the checker finds that out."""
    event = Event(2, 13)
    wrong = []
    for _ in range(5):
        order = sorted(event.there, key=lambda each: (-event.points[each], each))
        at, place = event.position(order), {each: where for where, each in enumerate(order)}
        draw = draw_swiss(
            SwissConstraints(entrants=tuple(order), scores=event.points, past=tuple(event.draws))
        )
        pairs = [(place[table.seats[0]], place[table.seats[1]]) for table in draw.tables]
        wrong += faults(at, pairs, place[draw.byes[0]])
        event.play(draw)
    assert wrong
    again = Position([0, 0], frozenset({frozenset({0, 1})}), [0, 0], [[0, 0], [0, 0]])
    assert faults(again, [(0, 1)], None)[0] == "C1: (0, 1) meet again"
    second = Position([2, 1, 0], frozenset(), [0, 0, 1], [[0, 0]] * 3)
    assert faults(second, [(0, 1)], 2)[0] == "C2: 2 has another bye"
    assert faults(second, [(0, 1)], None) == ["somebody is paired twice, or not at all"]
