"""What follows from an act by itself: who begins, that a round is over, what it brings."""

from __future__ import annotations

from collections.abc import Iterator

from scoreboard.games.engine.scores import Scores
from scoreboard.games.rummikub.acts import (
    BeginnerNamed,
    Event,
    GameEnded,
    RackSummed,
    RoundScored,
    RoundStopped,
    RummikubCalled,
)
from scoreboard.games.rummikub.box import points
from scoreboard.games.rummikub.scoring import after_rummikub, after_stalemate
from scoreboard.games.rummikub.start import start
from scoreboard.games.rummikub.state import State
from scoreboard.games.rummikub.state_changes import evolve


def following(state: State) -> Iterator[Event]:
    """The events that follow by themselves, in order."""
    event = _next(state)
    while event is not None:
        yield event
        state = evolve(state, event)
        event = _next(state)


def _next(state: State) -> Event | None:
    if _is_over(state):
        return None if state.ended else GameEnded(told=False)
    match state.round.stage:
        case "drawing":
            return _begun(state)
        case "playing":
            return _out(state) or _stopped(state)
        case "counting":
            return _summed(state) or _scored(state)
        case _:
            return None


def _is_over(state: State) -> bool:
    """RK-15: after so many rounds, or when somebody has so many points, as the table agreed."""
    house = state.house
    if not state.scores:
        return False
    reached = house.target is not None and max(state.totals) >= house.target
    return reached or len(state.scores) == house.rounds


def _begun(state: State) -> Event | None:
    """RK-2."""
    seat = start(state.round).beginner
    return None if seat is None else BeginnerNamed(state.players[seat], told=False)


def _out(state: State) -> Event | None:
    """RK-11: who has no tile left has won the round."""
    for player, rack in zip(state.players, state.round.racks, strict=True):
        if rack.count.tiles == 0:
            return RummikubCalled(player, told=False)
    return None


def _stopped(state: State) -> Event | None:
    """RK-12: so many laid nothing on an empty pool that the round is over."""
    needed = len(state.players) if state.house.until_nobody_lays else 1
    if state.round.idle < needed:
        return None
    return RoundStopped(state.players[state.round.seat - 1], told=False)


def _summed(state: State) -> Event | None:
    """RK-11: a rack that is known need not be told."""
    here = state.round
    for seat, (rack, cost) in enumerate(zip(here.racks, here.costs, strict=True)):
        if cost is None and rack.tiles is not None:
            worth = points(rack.tiles, state.house.joker)
            return RackSummed(state.players[seat], rack.tiles, worth, told=False)
    return None


def _scored(state: State) -> Event | None:
    """RK-11, RK-13."""
    here = state.round
    costs = [cost for cost in here.costs if cost is not None]
    if len(costs) < len(here.costs):
        return None
    if here.winner is None:
        return RoundScored(Scores(after_stalemate(costs, here.seat)), told=False)
    return RoundScored(Scores(after_rummikub(costs, here.winner)), told=False)
