"""How a game of Rummikub moves on: what each event changes."""

from __future__ import annotations

from dataclasses import replace

from scoreboard.games.rummikub.acts import (
    BeginnerNamed,
    Event,
    GameEnded,
    PenaltyReduced,
    RackCounted,
    RackShown,
    RackSummed,
    RoundScored,
    RoundStopped,
    RummikubCalled,
    StartDrawn,
    TableRestored,
    TileDrawn,
    TilesLaid,
    TurnFailed,
    TurnPassed,
)
from scoreboard.games.rummikub.count import Count
from scoreboard.games.rummikub.state import Drawn, Rack, Round, State
from scoreboard.games.rummikub.tiles import Tiles


def evolve(state: State, event: Event) -> State:
    """The state after an event; never refuses, never recomputes points."""
    match event:
        case RoundScored(points):
            return _scored(state, points.numbers)
        case GameEnded():
            return replace(state, ended=True)
        case RackCounted() | RackShown() | RackSummed():
            return replace(state, round=_racked(state, event))
        case _:
            return replace(state, round=_moved(state, event), turns=state.turns + 1)


def _scored(state: State, points: tuple[int, ...]) -> State:
    fresh = Round.fresh(len(state.players), judged=state.house.judged)
    scores = (*state.scores, points)
    return replace(state, scores=scores, round=fresh, turns=state.turns + 1)


def _racked(state: State, event: RackCounted | RackShown | RackSummed) -> Round:
    here, seat = state.round, state.players.index(event.player)
    match event:
        case RackCounted(count=count):
            return here.with_rack(seat, Rack(count))
        case RackShown(tiles=tiles):
            return here.with_rack(seat, Rack(Count(len(tiles)), tiles))
        case RackSummed(tiles=tiles, points=points):
            costs = (*here.costs[:seat], points, *here.costs[seat + 1 :])
            rack = Rack(Count(len(tiles)), tiles) if tiles.pieces else here.racks[seat]
            return replace(here, costs=costs).with_rack(seat, rack)


def _moved(state: State, event: Event) -> Round:  # noqa: C901, PLR0911 -- one arm a member
    here = state.round
    match event:
        case StartDrawn(player, tile):
            drawn = Drawn(state.players.index(player), tile.numbered[0])
            return replace(here, draws=(*here.draws, drawn))
        case BeginnerNamed(player):
            return replace(here, stage="playing", seat=state.players.index(player))
        case TilesLaid():
            return _laid(here, event)
        case TileDrawn(tile=tile):
            rack = _with_drawn(here.racks[here.seat], tile)
            return _passed(replace(here.with_rack(here.seat, rack), idle=0))
        case TurnPassed():
            return _passed(replace(here, idle=here.idle + 1))
        case TurnFailed(drawn=drawn):
            return _failed(here, drawn, dry=state.left == 0)
        case TableRestored(table):
            return _restored(state, replace(here, table=table))
        case PenaltyReduced(drawn=drawn):
            rack = here.racks[here.seat].with_more(drawn - here.drawn)
            return _restored(state, here.with_rack(here.seat, rack))
        case RummikubCalled(player):
            return _counting(here, state.players.index(player))
        case RoundStopped(player):
            return replace(_counting(here, None), seat=_next(here, state.players.index(player)))
        case _:
            return here


def _laid(here: Round, event: TilesLaid) -> Round:
    seat = here.seat
    gone = here.table.tiles.missing_from(event.table.tiles)
    rack = here.racks[seat].without(event.laid).with_more(len(gone))
    melded = (*here.melded[:seat], True, *here.melded[seat + 1 :])
    return _passed(replace(here.with_rack(seat, rack), table=event.table, melded=melded, idle=0))


def _with_drawn(rack: Rack, tile: Tiles) -> Rack:
    if rack.tiles is None or not tile.pieces:
        return rack.with_more(1)
    return Rack(rack.count.changed(1), Tiles((*rack.tiles.pieces, *tile.pieces)))


def _failed(here: Round, drawn: int, *, dry: bool) -> Round:
    rack = here.racks[here.seat].with_more(drawn)
    return replace(here.with_rack(here.seat, rack), stage="restoring", drawn=drawn, dry=dry)


def _restored(state: State, here: Round) -> Round:
    """RK-12: who failed laid nothing; forgotten tiles may have made a pool again."""
    pool_again = state.house.until_nobody_lays and replace(state, round=here).left > 0
    idle = here.idle + 1 if here.dry and not pool_again else 0
    return _passed(replace(here, stage="playing", idle=idle))


def _passed(here: Round) -> Round:
    """The turn goes clockwise (RK-2)."""
    return replace(here, seat=_next(here, here.seat), drawn=0, dry=False)


def _next(here: Round, seat: int) -> int:
    return (seat + 1) % len(here.racks)


def _counting(here: Round, winner: int | None) -> Round:
    costs = tuple(0 if seat == winner else None for seat in range(len(here.racks)))
    counting = replace(here, stage="counting", winner=winner, costs=costs)
    return counting if winner is None else counting.with_rack(winner, Rack(Count(0)))
