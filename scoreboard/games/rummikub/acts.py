"""Commands and events of Rummikub, and their notation.

tile NAME, R12        begin NAME           lay K7 R7 B7, B3 B4 B5   overrule K7 R7
draw, draw K7         pass                 fail                     restore K7 R7 B7
untouched             next                 count NAME, 9            rack NAME, K7 R12 J
points NAME, 24       rummikub NAME        stop NAME                round 24 -6 -13 -5
end                   extend               fix 2, 24 -6 -13 -5

`lay`, `overrule` and `restore` are followed by the whole resulting table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Final

from scoreboard.games.engine.game import Notation
from scoreboard.games.engine.scoresheet import Scores
from scoreboard.games.rummikub.domains import parse_cost
from scoreboard.games.rummikub.sets import Laid
from scoreboard.games.rummikub.tiles import NO_TILES, Count, Tiles
from scoreboard.players import by_player, of_player, quoted


@dataclass(frozen=True, slots=True)
class LayTiles:
    """The turn is over with this table (RK-3 to RK-9), `overruled` against the referee."""

    table: Laid
    overruled: bool = False


@dataclass(frozen=True, slots=True)
class DrawTile:
    """The player lays nothing and draws a tile; `tile` is empty if not entered (RK-6)."""

    tile: Tiles = NO_TILES


class TurnAct(Enum):
    """What needs no more than its word: it is the turn's player who does it."""

    LAY_NOTHING = "pass"  # because the pool is empty (RK-12)
    FAIL = "fail"  # the time is up, or the player gives the turn up (RK-7)
    UNTOUCHED = "untouched"  # the time was up, but nothing had been laid or moved: a pass (RK-18)
    NEXT = "next"  # the turn is over, without entering its tiles (CS-1)
    EXTEND = "extend"  # the turn goes on for another while, out of the time bank (RK-7)


@dataclass(frozen=True, slots=True)
class EnterRackPoints:
    """At the end of a round this rack costs `points` (RK-11)."""

    player: str
    points: int


@dataclass(frozen=True, slots=True)
class StartDrawn:
    """The player drew this tile for the start (RK-2)."""

    player: str
    tile: Tiles


@dataclass(frozen=True, slots=True)
class BeginnerNamed:
    """The player begins the round, as entered (`told`) or by the tiles drawn (RK-2)."""

    player: str
    told: bool = True


@dataclass(frozen=True, slots=True)
class TilesLaid:
    """The turn left the table like this; `laid` came from the rack.

    `overruled` when the players accepted it against the referee.
    """

    player: str
    table: Laid
    laid: Tiles
    overruled: bool


@dataclass(frozen=True, slots=True)
class TileDrawn:
    """The player drew a tile, empty if not entered (RK-6)."""

    player: str
    tile: Tiles


@dataclass(frozen=True, slots=True)
class TurnPassed:
    """The player laid nothing though the pool was empty (RK-12)."""

    player: str


@dataclass(frozen=True, slots=True)
class TurnFailed:
    """The player puts the table back and drew `drawn` penalty tiles (RK-7)."""

    player: str
    drawn: int


@dataclass(frozen=True, slots=True)
class TableRestored:
    """The table is restored to this; the turn is over (RK-7)."""

    table: Laid


@dataclass(frozen=True, slots=True)
class PenaltyReduced:
    """Nothing had been laid or moved: the penalty is reduced to `drawn` tiles (RK-18)."""

    player: str
    drawn: int


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """The player's turn is over; its tiles were not entered (CS-1)."""

    player: str


@dataclass(frozen=True, slots=True)
class RackCounted:
    """This rack has `count` tiles."""

    player: str
    count: Count


@dataclass(frozen=True, slots=True)
class RackShown:
    """These tiles are on this rack, while the round goes on."""

    player: str
    tiles: Tiles


@dataclass(frozen=True, slots=True)
class RummikubCalled:
    """The player emptied the rack and won the round; `told`: entered by the players (RK-11)."""

    player: str
    told: bool = True


@dataclass(frozen=True, slots=True)
class RoundStopped:
    """The round ended with no rack empty, when this player laid nothing (RK-12).

    `told`: entered by the players, else by the house rules.
    """

    player: str
    told: bool = True


@dataclass(frozen=True, slots=True)
class RackSummed:
    """At the end of the round this rack costs `points`; `tiles` is empty if they are unknown.

    `told`: entered by the players, else known from before.
    """

    player: str
    tiles: Tiles
    points: int
    told: bool


@dataclass(frozen=True, slots=True)
class RoundScored:
    """The round's scores in seat order, as entered (`told`) or from the racks (RK-11)."""

    points: Scores
    told: bool = True


@dataclass(frozen=True, slots=True)
class TurnReopened:
    """The player's turn goes on, out of the time bank (RK-7)."""

    player: str


@dataclass(frozen=True, slots=True)
class RoundCorrected:
    """The scores of that finished round, counted from 1, are these (RK-11)."""

    round: int
    points: Scores


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The last round is over; `told`: entered by the players, else by the house rules (RK-15)."""

    told: bool = True


# What of these names an event happened as it was entered
AsEntered = StartDrawn | BeginnerNamed | TableRestored | RoundCorrected | GameEnded
RoundEnding = RackCounted | RackShown | RummikubCalled | RoundStopped | RoundScored
TurnEnding = TilesLaid | TileDrawn | TurnPassed | TurnFailed | TurnEnded
Event = AsEntered | RoundEnding | TurnEnding | PenaltyReduced | RackSummed | TurnReopened
Command = AsEntered | RoundEnding | LayTiles | DrawTile | TurnAct | EnterRackPoints

KINDS: Final[Mapping[str, type[Event]]] = {
    "start-drawn": StartDrawn,
    "beginner-named": BeginnerNamed,
    "tiles-laid": TilesLaid,
    "tile-drawn": TileDrawn,
    "turn-passed": TurnPassed,
    "turn-failed": TurnFailed,
    "table-restored": TableRestored,
    "penalty-reduced": PenaltyReduced,
    "turn-ended": TurnEnded,
    "rack-counted": RackCounted,
    "rack-shown": RackShown,
    "rummikub-called": RummikubCalled,
    "round-stopped": RoundStopped,
    "rack-summed": RackSummed,
    "round-scored": RoundScored,
    "turn-reopened": TurnReopened,
    "round-corrected": RoundCorrected,
    "game-ended": GameEnded,
}


def _whole_table(make: Callable[[Laid], Command], rest: str) -> Command | None:
    return make(Laid.parse(rest)) if rest else None


def _alone(command: Command, rest: str) -> Command | None:
    return None if rest else command


def _correction(rest: str) -> Command | None:
    number, comma, rest = rest.partition(",")
    return RoundCorrected(int(number), Scores.parse(rest)) if comma and number.isdecimal() else None


_READERS: Final[Mapping[str, Callable[[str], Command | None]]] = {
    "tile": partial(of_player, StartDrawn, Tiles.parse),
    "begin": partial(by_player, BeginnerNamed),
    "lay": partial(_whole_table, LayTiles),
    "overrule": partial(_whole_table, partial(LayTiles, overruled=True)),
    "draw": lambda rest: DrawTile(Tiles.parse(rest)),
    **{act.value: partial(_alone, act) for act in TurnAct},
    "restore": partial(_whole_table, TableRestored),
    "count": partial(of_player, RackCounted, Count.parse),
    "rack": partial(of_player, RackShown, Tiles.parse),
    "points": partial(of_player, EnterRackPoints, parse_cost),
    "rummikub": partial(by_player, RummikubCalled),
    "stop": partial(by_player, RoundStopped),
    "round": lambda rest: RoundScored(Scores.parse(rest)) if rest else None,
    "fix": _correction,
    "end": partial(_alone, GameEnded()),
}


def written(event: Event) -> str:  # noqa: PLR0911, PLR0912, C901 -- one arm a member
    """The line of an event; empty if it followed from another."""
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
        case TurnEnded():
            return "next"
        case RackCounted(player, count):
            return f"count {quoted(player)}, {count}"
        case RackShown(player, tiles):
            return f"rack {quoted(player)}, {tiles}"
        case RackSummed(player, tiles, points, told=True):
            name = quoted(player)
            return f"rack {name}, {tiles}" if tiles.pieces else f"points {name}, {points}"
        case RummikubCalled(player, told=True):
            return f"rummikub {quoted(player)}"
        case RoundStopped(player, told=True):
            return f"stop {quoted(player)}"
        case RoundScored(points, told=True):
            return f"round {points}"
        case TurnReopened():
            return "extend"
        case RoundCorrected(number, points):
            return f"fix {number}, {points}"
        case GameEnded(told=True):
            return "end"
        case _:
            return ""


NOTATION: Final[Notation[Command, Event]] = Notation(_READERS, written)
