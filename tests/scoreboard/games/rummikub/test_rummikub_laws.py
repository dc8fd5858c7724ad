"""Laws that hold in every game of Rummikub, however it goes."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import reduce
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from scoreboard.errors import RuleViolationError
from scoreboard.games.engine.game import Setup
from scoreboard.games.engine.transcript import event_document, event_from_document
from scoreboard.games.rummikub.acts import Command, Event, RoundScored, TilesLaid
from scoreboard.games.rummikub.game import GAME
from scoreboard.games.rummikub.sets import Laid, is_set
from scoreboard.games.rummikub.state import State
from tests.scoreboard.games.rummikub.playing import (
    commands,
    evolved,
    is_admitted,
    random_command,
    random_events,
    seated,
    seeds,
    setup_of,
)

lengths = st.integers(0, 200)
whole_games = settings(max_examples=25)


def midway(seed: int, length: int) -> State:
    """The state of a random game after about so many events."""
    state = seated(seed)
    return evolved(state, random_events(state, seed, length))


def is_accepted(state: State, command: Command) -> bool:
    """Whether the rules accept the command, with one event at least."""
    try:
        return len(GAME.decide(state, command)) > 0
    except RuleViolationError:
        return False


@given(seeds, lengths, st.lists(commands, min_size=20, max_size=60))
def test_the_rules_accept_exactly_what_is_offered(
    seed: int, length: int, tried: list[Command]
) -> None:
    """Any command, inside the offers or outside, is accepted if and only if it is offered."""
    state = midway(seed, length)
    for command in tried:
        assert is_accepted(state, command) == is_admitted(state, command), command


@whole_games
@given(seeds, lengths)
def test_whatever_an_offer_makes_is_accepted(seed: int, length: int) -> None:
    """A page that chooses an offer is never refused."""
    state = midway(seed, length)
    for attempt in range(0 if state.ended else 10):
        command = random_command(state, Random(seed + attempt))
        assert is_admitted(state, command), command
        assert is_accepted(state, command), command


@whole_games
@given(seeds)
def test_random_offers_end_the_game(seed: int) -> None:
    """RK-12, RK-15: play within the offers ends, and then nothing is offered."""
    state = midway(seed, 10_000)
    assert state.ended
    assert GAME.outcome(state) is not None
    assert GAME.offers(state) == ()
    assert GAME.turn(state).phase == "finished"
    assert GAME.turn(state).player is None


@whole_games
@given(seeds, lengths)
def test_replaying_the_events_gives_the_live_state(seed: int, length: int) -> None:
    """The state is what its events give, also after their way through JSON."""
    fresh = seated(seed)
    events = random_events(fresh, seed, length)
    live = evolved(fresh, events)
    assert reduce(GAME.evolve, events, seated(seed)) == live
    assert [through_json(event) for event in events] == list(events)


def through_json(event: Event) -> object:
    """The event as it is read back after it was stored."""
    document = json.loads(json.dumps(event_document(event, GAME.kinds)))
    return event_from_document(document, GAME.kinds)


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


@whole_games
@given(seeds, lengths)
def test_a_name_changes_no_points(seed: int, length: int) -> None:
    """The same game with other names gives the same scores and the same table."""
    setup = setup_of(seed)
    others = tuple(f"={name}+1" for name in setup.players)
    renaming = dict(zip(setup.players, others, strict=True))
    state = GAME.start(setup)
    events = random_events(state, seed, length)
    renamed = [with_name(event, renaming) for event in events]
    other = evolved(GAME.start(Setup(others, setup.options)), renamed)
    live = evolved(state, events)
    assert (other.scores, other.round) == (live.scores, live.round)


def with_name(event: Event, names: dict[str, str]) -> Event:
    """The event with its player renamed."""
    told: dict[str, Any] = {"player": names[event.player]} if hasattr(event, "player") else {}
    return replace(event, **told)


@given(seeds)
def test_a_table_survives_its_notation(seed: int) -> None:
    """Text to table to text, whatever lies there."""
    table = midway(seed, 120).round.table
    assert Laid.parse(str(table)) == table
