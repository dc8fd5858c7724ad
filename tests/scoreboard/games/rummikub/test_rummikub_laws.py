"""Laws that hold in every game of Rummikub, however it goes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoreboard.games.rummikub.acts import RoundScored, TilesLaid
from scoreboard.games.rummikub.game import GAME
from scoreboard.games.rummikub.sets import Laid, is_set
from scoreboard.games.rummikub.state import State
from tests.scoreboard.games.rummikub.playing import (
    evolved,
    random_events,
    seated,
    seeds,
)

lengths = st.integers(0, 200)
pytestmark = pytest.mark.usefixtures("in_halves")
whole_games = settings(max_examples=12)


def midway(seed: int, length: int) -> State:
    """The state of a random game after about so many events."""
    state = seated(seed)
    return evolved(state, random_events(state, seed, length))


@whole_games
@given(seeds)
def test_the_sheet_the_events_and_the_ranking_agree(seed: int) -> None:
    """RK-14: totals on the sheet and in the ranking are what the rounds add up to."""
    state = seated(seed)
    events = random_events(state, seed)
    state = evolved(state, events)
    outcome, grand = GAME.outcome(state), GAME.scoresheet(state).row("grand")
    assert outcome is not None
    ranked = {place.player: place.points for place in outcome.ranking}
    scored = [event.points.numbers for event in events if isinstance(event, RoundScored)]
    for seat, player in enumerate(state.players):
        total = sum(scores[seat] for scores in scored)
        assert grand.cells[seat].points == ranked[player] == total


@whole_games
@given(seeds)
def test_every_round_adds_up_to_zero(seed: int) -> None:
    """RK-11, RK-13: the sheet's own check holds however a round ends."""
    events = random_events(seated(seed), seed)
    scored = [event.points for event in events if isinstance(event, RoundScored)]
    assert all(points.total == 0 for points in scored)


@whole_games
@given(seeds)
def test_no_tile_is_lost_or_made(seed: int) -> None:
    """RK-1: table, racks and pool hold the box together, and the pool is never below zero."""
    state = seated(seed)
    for event in random_events(state, seed):
        state = GAME.evolve(state, event)
        if state.house.judged:
            assert not state.box.beyond(state.visible).pieces
        if state.pool is not None:
            assert state.pool >= 0


@whole_games
@given(seeds)
def test_the_referee_lets_only_sets_lie(seed: int) -> None:
    """RK-3, RK-4: until the players overrule the referee, every set on the table is one."""
    for event in random_events(seated(seed), seed):
        if isinstance(event, TilesLaid) and event.overruled:
            return
        if isinstance(event, TilesLaid):
            assert all(is_set(laid) for laid in event.table.sets)


@settings(max_examples=50)
@given(seeds)
def test_a_table_survives_its_notation(seed: int) -> None:
    """Text to table to text, whatever lies there."""
    table = midway(seed, 120).round.table
    assert Laid.parse(str(table)) == table
