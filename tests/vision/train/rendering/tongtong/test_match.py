"""The scripted match: what the rules say to it, and what is worth seeing in it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from scoreboard.games.tongtong.cards import BONUS, LEADING, Piles, Play, Trick
from vision.train.rendering.tongtong import PLAYERS, PlayedGame, any_match, the_match, told

SEATS = len(PLAYERS)
TOTALS = (17, 28, 22)


def tricks(game: PlayedGame) -> Iterator[Trick]:
    """The seven tricks with their players, each led by whom the one before says."""
    leader = game.leader
    for first in range(0, len(game.played), SEATS):
        cards = game.played[first : first + SEATS]
        plays = (Play((leader + nth) % SEATS, card) for nth, card in enumerate(cards))
        yield (trick := Trick(tuple(plays)))
        leader = trick.next_leader


@pytest.mark.parametrize("quick", [False, True])
def test_the_rules_take_every_step(quick: bool) -> None:  # noqa: FBT001 -- a parameter
    """Card by card and by its piles alone the match ends with the same totals."""
    assert told(the_match(), quick=quick).totals == TOTALS


@pytest.mark.parametrize("seed", range(3))
def test_any_match_is_played_to_its_end(seed: int) -> None:
    """Whatever chance deals: 21 cards a game, red 8 first, and both ways of telling agree."""
    match = any_match(np.random.default_rng(seed))
    assert [len(game.played) for game in match] == [21, 21, 21]
    assert {game.played[0] for game in match} == {LEADING}
    assert told(match, quick=False).totals == told(match, quick=True).totals


def test_a_4_takes_the_lead_in_every_game() -> None:
    """TT-6: somewhere another than the winner leads the next trick."""
    for game in the_match():
        assert any(trick.next_leader != trick.winner for trick in tricks(game))


def test_piles_are_told_by_what_lies_there() -> None:
    """TT-7, TT-9: the tops, every other 6 beside them, and in the first game three of those."""
    for game in the_match():
        for seat in range(SEATS):
            lying, piles = game.lying(seat), game.piles[seat]
            assert lying[: len(piles.tops)] == piles.tops
            sixes = sum(card.number == BONUS for card in lying)
            assert Piles(piles.tops, sixes) == piles
    beside = sum(each.sixes - each.open_sixes for each in the_match()[0].piles)
    assert beside == 3
