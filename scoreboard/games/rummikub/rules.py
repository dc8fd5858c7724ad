"""What Rummikub allows: every command is answered by its events, or refused with its rule."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Final

from scoreboard.errors import RuleViolationError
from scoreboard.games.rummikub.acts import (
    BeginnerNamed,
    CallRummikub,
    Command,
    CountRack,
    DrawForStart,
    DrawTile,
    EndGame,
    EnterScores,
    Event,
    FailTurn,
    GameEnded,
    LayTiles,
    MovedNothing,
    NameBeginner,
    OverruleReferee,
    PassTurn,
    PenaltyReduced,
    RestoreTable,
    ShowRack,
    StartDrawn,
    StopRound,
    TableRestored,
    TellRackPoints,
    TileDrawn,
    TilesLaid,
    TurnFailed,
    TurnPassed,
)
from scoreboard.games.rummikub.consequences import following
from scoreboard.games.rummikub.domains import DrawnDomain, RestoredDomain, StartTileDomain
from scoreboard.games.rummikub.fault import Fault
from scoreboard.games.rummikub.laid import Laid
from scoreboard.games.rummikub.racks import (
    rack_counted,
    rack_shown,
    rack_told,
    round_stopped,
    rummikub_called,
    scores_entered,
)
from scoreboard.games.rummikub.referee import impossible, judge
from scoreboard.games.rummikub.refusals import refused, require_player, require_stage
from scoreboard.games.rummikub.start import start
from scoreboard.games.rummikub.state import Round, State
from scoreboard.games.rummikub.state_changes import evolve
from scoreboard.games.rummikub.tiles import Tiles
from scoreboard.message import Message, message

PENALTY: Final = 3


def decide(state: State, command: Command) -> tuple[Event, ...]:
    """The events that a command leads to: its own, and those that follow by themselves.

    Raises:
        RuleViolationError: a rule refuses the command.
    """
    if state.ended:
        raise RuleViolationError("RK-15", message("The game is over."))
    event = _own(state, command)
    return (event, *following(evolve(state, event)))


def _own(state: State, command: Command) -> Event:  # noqa: PLR0911, PLR0912, C901 -- one arm a member
    match command:
        case DrawForStart(player, tile):
            return _start_drawn(state, player, tile)
        case NameBeginner(player):
            return _beginner_named(state, player)
        case LayTiles(table):
            return _tiles_laid(state, table)
        case OverruleReferee(table):
            return _overruled(state, table)
        case DrawTile(tile):
            return _tile_drawn(state, tile)
        case PassTurn():
            return _turn_passed(state)
        case FailTurn():
            return _turn_failed(state)
        case RestoreTable(table):
            return _table_restored(state, table)
        case MovedNothing():
            return _penalty_reduced(state)
        case CountRack(player, count):
            return rack_counted(state, player, count)
        case ShowRack(player, tiles):
            return rack_shown(state, player, tiles)
        case TellRackPoints(player, points):
            return rack_told(state, player, points)
        case CallRummikub(player):
            return rummikub_called(state, player)
        case StopRound(player):
            return round_stopped(state, player)
        case EnterScores(points):
            return scores_entered(state, points)
        case EndGame():
            return _game_ended(state)


def is_between_rounds(state: State) -> bool:
    """Whether a round was scored and nothing of the next one has happened."""
    fresh = Round.fresh(len(state.players), judged=state.house.judged)
    return bool(state.scores) and state.round == fresh


def may_end(state: State) -> bool:
    """RK-15: whether it is for the players to say that the last round is over."""
    agreed = state.house.rounds is not None or state.house.target is not None
    return is_between_rounds(state) and not agreed


def start_domain(state: State) -> StartTileDomain:
    """What may be drawn for the start."""
    drawn = tuple(drawn.tile for drawn in state.round.draws)
    return StartTileDomain(state.box, Tiles(drawn))


def drawn_domain(state: State) -> DrawnDomain:
    """What may be drawn from the pool."""
    return DrawnDomain(state.box, state.in_sight)


def _start_drawn(state: State, player: str, tile: Tiles) -> StartDrawn:
    require_stage(state, "drawing", "RK-2")
    seat = start(state.round).drawer
    if seat is not None and state.players[seat] != player:
        awaited = state.players[seat]
        raise refused("RK-2", message("It is {player} who draws now.", player=awaited))
    fault = start_domain(state).fault(tile)
    if fault is not None:
        raise refused("RK-2", fault)
    return StartDrawn(player, tile)


def _beginner_named(state: State, player: str) -> BeginnerNamed:
    require_stage(state, "drawing", "RK-2")
    require_player(state, player, "RK-2")
    return BeginnerNamed(player, told=True)


def _tiles_laid(state: State, table: Laid) -> TilesLaid:
    _require_turn(state, "RK-8")
    verdict = judge(state.standing, table)
    if not verdict.stands:
        raise refused(verdict.faults[0].rule, _all(verdict.faults))
    return TilesLaid(_player(state), table, verdict.laid, overruled=False)


def _overruled(state: State, table: Laid) -> TilesLaid:
    _require_turn(state, "RK-8")
    faults = impossible(state.standing, table)
    if faults:
        raise refused(faults[0].rule, _all(faults))
    verdict = judge(state.standing, table)
    return TilesLaid(_player(state), table, verdict.laid, overruled=True)


def _all(faults: Iterable[Fault]) -> Message:
    """Every fault, each with its rule."""
    told = [message("{rule}: {fault}", rule=fault.rule, fault=fault.message) for fault in faults]
    return reduce(lambda one, two: message("{one} {two}", one=one, two=two), told)


def _tile_drawn(state: State, tile: Tiles) -> TileDrawn:
    _require_turn(state, "RK-6")
    if state.left == 0:
        raise refused("RK-12", message("The pool is empty: nothing can be drawn."))
    if not tile.pieces:
        return TileDrawn(_player(state), tile)
    if state.round.racks[state.round.seat].tiles is None:
        raise refused("RK-6", message("Nobody told this rack: the tile drawn stays secret, too."))
    fault = drawn_domain(state).fault(tile)
    if fault is not None:
        raise refused("RK-6", fault)
    return TileDrawn(_player(state), tile)


def _turn_passed(state: State) -> TurnPassed:
    _require_turn(state, "RK-12")
    if state.left > 0:
        raise refused("RK-6", message("There are tiles in the pool: draw one."))
    return TurnPassed(_player(state))


def _turn_failed(state: State) -> TurnFailed:
    _require_turn(state, "RK-7")
    return TurnFailed(_player(state), min(PENALTY, state.left))  # RK-18: or what there is


def _table_restored(state: State, table: Laid) -> TableRestored:
    require_stage(state, "restoring", "RK-7")
    fault = RestoredDomain(state.round.table).fault(table)
    if fault is not None:
        raise refused("RK-7", fault)
    return TableRestored(table)


def _penalty_reduced(state: State) -> PenaltyReduced:
    require_stage(state, "restoring", "RK-18")
    here = state.round
    counted = here.racks[here.seat].count.tiles is not None
    left = state.left + here.drawn if counted else state.left
    return PenaltyReduced(_player(state), min(1, left))


def _game_ended(state: State) -> GameEnded:
    if not may_end(state):
        raise refused("RK-15", message("The game ends between two rounds, as the table agreed."))
    return GameEnded(told=True)


def _player(state: State) -> str:
    return state.players[state.round.seat]


def _require_turn(state: State, rule: str) -> None:
    require_stage(state, "playing", rule)
    if not state.house.judged:
        raise refused(rule, message("Turns are not entered in this game: say how the round ended."))
