"""Rummikub's acts as lines of text, read and written.

tile NAME, R12        begin NAME           lay K7 R7 B7, B3 B4 B5   overrule K7 R7
draw, draw K7         pass                 fail                     restore K7 R7 B7
untouched             count NAME, 9        rack NAME, K7 R12 J      points NAME, 24
rummikub NAME         stop NAME            round 24 -6 -13 -5       end

After `lay`, `overrule` and `restore` the whole table is written as it lies then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from scoreboard.games.engine.game import Notation
from scoreboard.games.engine.scores import Scores
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
    RackCounted,
    RackShown,
    RackSummed,
    RestoreTable,
    RoundScored,
    RoundStopped,
    RummikubCalled,
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
from scoreboard.games.rummikub.count import Count
from scoreboard.games.rummikub.domains import cost_told
from scoreboard.games.rummikub.laid import Laid
from scoreboard.games.rummikub.tiles import Tiles
from scoreboard.players import quoted, unquoted

Reader = Callable[[str], Command | None]


def _of_player(
    make: Callable[[str, Any], Command], parse: Callable[[str], Any], rest: str
) -> Command | None:
    """An act that names a player, and after a comma what is told of them."""
    name, comma, told = rest.rpartition(",")
    return make(unquoted(name.strip()), parse(told.strip())) if comma and told.strip() else None


def _player(make: Callable[[str], Command], rest: str) -> Command | None:
    return make(unquoted(rest)) if rest else None


def _table(make: Callable[[Laid], Command], rest: str) -> Command | None:
    return make(Laid.parse(rest)) if rest else None


def _alone(make: Callable[[], Command], rest: str) -> Command | None:
    return None if rest else make()


_READERS: Final[Mapping[str, Reader]] = {
    "tile": partial(_of_player, DrawForStart, Tiles.parse),
    "begin": partial(_player, NameBeginner),
    "lay": partial(_table, LayTiles),
    "overrule": partial(_table, OverruleReferee),
    "draw": lambda rest: DrawTile(Tiles.parse(rest)),
    "pass": partial(_alone, PassTurn),
    "fail": partial(_alone, FailTurn),
    "restore": partial(_table, RestoreTable),
    "untouched": partial(_alone, MovedNothing),
    "count": partial(_of_player, CountRack, Count.parse),
    "rack": partial(_of_player, ShowRack, Tiles.parse),
    "points": partial(_of_player, TellRackPoints, cost_told),
    "rummikub": partial(_player, CallRummikub),
    "stop": partial(_player, StopRound),
    "round": lambda rest: EnterScores(Scores.parse(rest)) if rest else None,
    "end": partial(_alone, EndGame),
}


def written(event: Event) -> str:  # noqa: PLR0911, PLR0912, C901 -- one arm a member
    """The line of an event; empty where it followed by itself."""
    match event:
        case StartDrawn(player, tile):
            return f"tile {quoted(player)}, {tile}"
        case BeginnerNamed(player, told=True):
            return f"begin {quoted(player)}"
        case TilesLaid(table=table, overruled=overruled):
            return f"{'overrule' if overruled else 'lay'} {table}"
        case TileDrawn(tile=tile):
            return f"draw {tile}" if tile.pieces else "draw"
        case TurnPassed():
            return "pass"
        case TurnFailed():
            return "fail"
        case TableRestored(table):
            return f"restore {table}"
        case PenaltyReduced():
            return "untouched"
        case RackCounted(player, count):
            return f"count {quoted(player)}, {count}"
        case RackShown(player, tiles):
            return f"rack {quoted(player)}, {tiles}"
        case RackSummed(told=True):
            return _summed(event)
        case RummikubCalled(player, told=True):
            return f"rummikub {quoted(player)}"
        case RoundStopped(player, told=True):
            return f"stop {quoted(player)}"
        case RoundScored(points, told=True):
            return f"round {points}"
        case GameEnded(told=True):
            return "end"
        case _:
            return ""


def _summed(event: RackSummed) -> str:
    name = quoted(event.player)
    if event.tiles.pieces:
        return f"rack {name}, {event.tiles}"
    return f"points {name}, {event.points}"


NOTATION: Final[Notation[Command, Event]] = Notation(_READERS, written)
