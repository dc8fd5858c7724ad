"""What is said of racks, and how a round ends."""

from __future__ import annotations

from scoreboard.games.engine.scores import Scores
from scoreboard.games.rummikub.acts import (
    Event,
    RackCounted,
    RackShown,
    RackSummed,
    RoundScored,
    RoundStopped,
    RummikubCalled,
)
from scoreboard.games.rummikub.box import points
from scoreboard.games.rummikub.count import Count
from scoreboard.games.rummikub.domains import CountDomain, PointsDomain, RackDomain, ScoresDomain
from scoreboard.games.rummikub.refusals import refused, require_player, require_stage
from scoreboard.games.rummikub.state import State
from scoreboard.games.rummikub.tiles import Tiles
from scoreboard.message import message


def countable(state: State) -> tuple[int, ...]:
    """The seats whose racks may be counted anew: in play all, at the end those not told yet."""
    if not state.house.judged:
        return ()
    if state.round.stage == "playing":
        return tuple(state.seats)
    return untold(state)


def showable(state: State) -> tuple[int, ...]:
    """The seats whose racks may be shown: in play those not known, at the end those not told."""
    if state.round.stage == "playing" and state.house.judged:
        return tuple(seat for seat in state.seats if state.round.racks[seat].tiles is None)
    return untold(state)


def untold(state: State) -> tuple[int, ...]:
    """The seats whose racks are still to be told at the end of the round."""
    if state.round.stage != "counting":
        return ()
    return tuple(seat for seat, cost in enumerate(state.round.costs) if cost is None)


def uncounted(state: State) -> tuple[int, ...]:
    """The seats that may have emptied their rack unseen: nobody knows how many are on it."""
    if state.round.stage != "playing":
        return ()
    return tuple(seat for seat in state.seats if state.round.racks[seat].count.tiles is None)


def stoppable(state: State) -> tuple[int, ...]:
    """The seats that may have laid nothing on an empty pool, where nobody knows the pool."""
    if state.round.stage != "playing" or state.pool is not None:
        return ()
    return (state.round.seat,) if state.house.judged else tuple(state.seats)


def may_enter_scores(state: State) -> bool:
    """Whether the round's scores may be told as the players worked them out."""
    return state.round.stage == "counting" or not state.house.judged


def count_domain(state: State, seat: int) -> CountDomain:
    """How many tiles this rack may have."""
    return CountDomain(state.left_without(state.others(seat)))


def rack_domain(state: State, seat: int) -> RackDomain:
    """Which tiles this rack may have."""
    most = state.left_without(state.others(seat))
    return RackDomain(state.box, state.in_sight, state.round.racks[seat].count, most)


def scores_domain(state: State) -> ScoresDomain:
    """What scores the round may have."""
    here = state.round
    stopped = here.stage == "counting" and here.winner is None
    return ScoresDomain(len(state.players), here.winner, stopped)


def rack_counted(state: State, player: str, count: Count) -> Event:
    """Answer CountRack."""
    seat = require_player(state, player, "RK-2")
    if seat not in countable(state):
        raise refused("RK-2", message("This rack cannot be counted now."))
    domain = count_domain(state, seat)
    if not domain.admits(count):
        why = message("A rack has 1 tile at least, this one {most} at most.", most=domain.most)
        raise refused("RK-2", why)
    return RackCounted(player, count)


def rack_shown(state: State, player: str, tiles: Tiles) -> Event:
    """Answer ShowRack."""
    seat = require_player(state, player, "RK-11")
    if seat not in showable(state):
        raise refused("RK-11", message("This rack cannot be told now."))
    fault = rack_domain(state, seat).fault(tiles)
    if fault is not None:
        raise refused("RK-11", fault)
    if state.round.stage == "playing":
        return RackShown(player, tiles)
    return RackSummed(player, tiles, points(tiles, state.house.joker), told=True)


def rack_told(state: State, player: str, cost: int) -> Event:
    """Answer TellRackPoints."""
    seat = require_player(state, player, "RK-11")
    if seat not in untold(state):
        raise refused("RK-11", message("This rack cannot be told now."))
    domain = PointsDomain.of(state.box, state.house.joker)
    if not domain.admits(cost):
        why = message("A rack costs 1 to {most} points, not {cost}.", most=domain.most, cost=cost)
        raise refused("RK-11", why)
    return RackSummed(player, Tiles(), cost, told=True)


def rummikub_called(state: State, player: str) -> Event:
    """Answer CallRummikub."""
    seat = require_player(state, player, "RK-11")
    if seat not in uncounted(state):
        raise refused("RK-11", message("{player} still has tiles on the rack.", player=player))
    return RummikubCalled(player, told=True)


def round_stopped(state: State, player: str) -> Event:
    """Answer StopRound."""
    seat = require_player(state, player, "RK-12")
    if seat not in stoppable(state):
        raise refused("RK-12", message("The round ends by the tiles that are counted."))
    return RoundStopped(player, told=True)


def scores_entered(state: State, scores: Scores) -> Event:
    """Answer EnterScores."""
    if not may_enter_scores(state):
        require_stage(state, "counting", "RK-11")
    fault = scores_domain(state).fault(scores)
    if fault is not None:
        raise refused("RK-11", fault)
    return RoundScored(scores, told=True)
