"""The best end of a game of Tong Tong."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings

from scoreboard.games.advice.best_ends import best_play
from scoreboard.games.engine.game import Setup
from scoreboard.games.tongtong.acts import (
    Command,
    Event,
    HandShown,
    LeaderNamed,
    MissionChosen,
    PlayCard,
)
from scoreboard.games.tongtong.cards import Cards
from scoreboard.games.tongtong.game import GAME
from scoreboard.games.tongtong.house import MISSIONS
from scoreboard.games.tongtong.rules import card_refusal
from scoreboard.games.tongtong.state import State, grand
from tests.scoreboard.games.tongtong.playing import NAMES, evolved, seeds

TRICKS = {3: 3, 4: 2, 5: 2}  # searched, by the number of players


def played(seed: int, players: int, known: int) -> tuple[State, list[Event], State]:
    """A match after one game at random: its start, its events, and before its last tricks.

    The hands of so many players are `known`.
    """
    chance = Random(seed)
    start = state = GAME.start(Setup(NAMES[:players], {"play": "advanced"}))
    deck, done, fork = list(state.deck), list[Event](), state
    chance.shuffle(deck)
    commands: list[Command] = [MissionChosen(chance.choice(MISSIONS).name)]
    hands = [Cards(tuple(deck[8 * seat : 8 * seat + 8])) for seat in range(known)]
    commands += map(HandShown, NAMES, hands)
    while not state.games:
        if not commands and state.deal.seat is None:
            commands.append(LeaderNamed(NAMES[players - 1]))
        if not commands:
            cards = [card for card in state.deck if card_refusal(state, card) is None]
            commands.append(PlayCard(chance.choice(cards)))
        if len(state.deal.taken) == 7 - TRICKS[players] and not state.deal.trick.plays:
            fork = state
        fresh = GAME.decide(state, commands.pop(0))
        state, done = evolved(state, fresh), [*done, *fresh]
    return start, done, fork


@pytest.mark.parametrize(
    "players", [4, *(pytest.param(each, marks=pytest.mark.slow) for each in (3, 5))]
)
@settings(max_examples=5)
@given(seeds)
def test_the_plays_end_as_it_says(players: int, seed: int) -> None:
    """Each is the player's at turn and lawful, and so are all up to the end."""
    start, done, state = played(seed, players, players)
    found = best_play(start, done, 1)
    assert found is not None
    assert found.trick == len(state.deal.taken) + 1
    assert found.ended == tuple(grand(evolved(start, done), seat) for seat in range(players))
    for play in found.plays:
        assert state.deal.seat == play.seat
        state = evolved(state, GAME.decide(state, PlayCard(play.card)))
    assert found.totals == tuple(grand(state, seat) for seat in range(len(state.players)))
    assert str(found).split()[0] == f"{found.plays[0].seat + 1}:{found.plays[0].card}"


@settings(max_examples=10)
@given(seeds)
def test_the_last_card_is_the_best_for_its_player(seed: int) -> None:
    """Whatever else can be played there ends no better."""
    start, done, state = played(seed, 4, 4)
    found = best_play(start, done, 1)
    assert found is not None
    *others, last = found.plays
    for play in others:
        state = evolved(state, GAME.decide(state, PlayCard(play.card)))
    cards = [card for card in state.deck if card_refusal(state, card) is None]
    ends = [evolved(state, GAME.decide(state, PlayCard(card))) for card in cards]
    assert last.card in cards
    assert found.totals[last.seat] == max(grand(end, last.seat) for end in ends)


def test_nothing_is_said_where_a_hand_is_not_known() -> None:
    """The totals are those that were reached."""
    start, done, _ = played(1, 3, 1)
    found = best_play(start, done, 1)
    assert found is not None
    assert (str(found), found.totals) == ("-", found.ended)


def test_nothing_is_said_before_the_end() -> None:
    """Nor of a game that was not played."""
    start, done, _ = played(1, 3, 3)
    assert best_play(start, done[:-1], 1) is None
    assert best_play(start, done, 2) is None
