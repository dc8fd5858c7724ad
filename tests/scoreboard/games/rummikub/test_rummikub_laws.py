"""Laws that hold in every game of Rummikub, however it goes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from scoreboard.games.rummikub.acts import RoundCorrected, RoundScored, TilesLaid
from scoreboard.games.rummikub.game import GAME
from scoreboard.games.rummikub.sets import is_set
from tests.scoreboard.games.rummikub.playing import (
    evolved,
    random_events,
    seated,
    seeds,
)

pytestmark = pytest.mark.usefixtures("in_halves")
whole_games = settings(max_examples=12)


@whole_games
@given(seeds)
def test_the_sheet_the_events_and_the_ranking_agree(seed: int) -> None:
    """RK-11, RK-13, RK-14: rounds add up to 0 or the bonus, and to sheet and ranking."""
    state = seated(seed)
    events = random_events(state, seed)
    state = evolved(state, events)
    outcome, grand = GAME.outcome(state), GAME.scoresheet(state).row("grand")
    assert outcome is not None
    ranked = {place.player: place.points for place in outcome.ranking}
    corrected = any(isinstance(event, RoundCorrected) for event in events)
    scored = tuple(event.points.numbers for event in events if isinstance(event, RoundScored))
    assert corrected or scored == state.scores
    assert {sum(scores) for scores in state.scores} <= {0, state.house.bonus}
    for seat, player in enumerate(state.players):
        total = sum(scores[seat] for scores in state.scores)
        assert grand.cells[seat].points == ranked[player] == total


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
