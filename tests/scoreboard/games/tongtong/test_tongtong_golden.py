"""Whole matches as the brute force plays them: the rulebook accepts each card and counts alike."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings

from scoreboard.games.tongtong.game import GAME
from scoreboard.games.tongtong.mission import NAMED
from scoreboard.games.tongtong.state import State
from tests.scoreboard.games.tongtong.brute_force import Table, allowed, mission_points
from tests.scoreboard.games.tongtong.playing import NAMES, begun, column, entered, keys, seeds

RANKS = (10, 7, 4, 1)
pytestmark = pytest.mark.usefixtures("in_halves")
swift = settings(max_examples=20)


def lines_of(state: State, table: Table, dealt: list[list[str]], known: list[int]) -> list[str]:
    """A game as a person writes it, with these hands told."""
    leader = table.plays[0][0]
    return [
        *(f"hand {state.players[seat]}, {' '.join(dealt[seat])}" for seat in known),
        *([] if leader in known else [f"leader {state.players[leader]}"]),
        *(f"play {card}" for _, card in table.plays),
    ]


@swift
@given(seeds)
def test_a_match_is_scored_as_by_hand(seed: int) -> None:
    """TT-3 to TT-12: who plays, who takes, what lies on top, and what it is worth."""
    chance = Random(seed)
    players = chance.randint(3, 5)
    colours = ["R", *chance.sample("BGPY", players - 1)]
    state = begun(players, colours=" ".join(colours), play="advanced")
    totals = [0] * players
    for number, mission in enumerate(chance.sample(sorted(NAMED), 3), start=1):
        table = Table.dealt("".join(colours), chance)
        dealt = [list(hand) for hand in table.hands]
        known = chance.sample(range(players), chance.randint(0, players))
        table.play_out(chance)
        state = entered(state, f"mission {mission}", *lines_of(state, table, dealt, known))
        sums, bonuses = table.sums(mission), table.bonuses()
        points = mission_points(mission, sums, RANKS)
        totals = [max(0, total + points[seat]) + bonuses[seat] for seat, total in enumerate(totals)]
        assert column(state, f"game-{number}-sum") == tuple(sums)
        assert column(state, f"game-{number}-mission") == tuple(points)
        assert column(state, f"game-{number}-bonus") == tuple(bonuses)
        assert column(state, f"game-{number}-total") == tuple(totals)
    assert column(state, "grand") == tuple(totals)


@swift
@given(seeds)
def test_known_hands_offer_what_may_be_played(seed: int) -> None:
    """TT-4, TT-6: with all hands told, exactly the lawful cards of whose turn it is."""
    chance = Random(seed)
    players = chance.randint(3, 5)
    table = Table.dealt("RBGPY"[:players], chance)
    hands = [list(hand) for hand in table.hands]
    table.play_out(chance)
    state = entered(begun(players), "mission low-5")
    state = entered(state, *lines_of(state, table, hands, list(range(players)))[:players])
    for at, (seat, card) in enumerate(table.plays):
        led = None if at % players == 0 else table.plays[at - at % players][1]
        assert GAME.turn(state).player == seat
        assert sorted(keys(state, "play:")) == sorted(allowed(hands[seat], led))
        hands[seat].remove(card)
        state = entered(state, f"play {card}")


@swift
@given(seeds)
def test_without_hands_any_card_that_is_left_may_be_played(seed: int) -> None:
    """TT-4: nobody knows what was held; but red 8 is the leader's (TT-3), and each card is once."""
    chance = Random(seed)
    players = chance.randint(3, 5)
    table = Table.dealt("RBGPY"[:players], chance)
    left = {card for hand in table.hands for card in hand}
    leader = table.leader
    table.play_out(chance)
    state = entered(begun(players), "mission low-5", f"leader {NAMES[leader]}")
    for seat, card in table.plays:
        assert GAME.turn(state).player == seat
        assert set(keys(state, "play:")) == left - ({"R8"} if seat != leader else set())
        left.remove(card)
        state = entered(state, f"play {card}")
