"""What an event was, in words, as in “undo takes back ...”."""

from __future__ import annotations

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
from scoreboard.games.rummikub.state import State
from scoreboard.message import Message, message


def describe(_state: State, event: Event) -> Message:  # noqa: PLR0911, PLR0912, C901 -- one arm a member
    """Say what the event was."""
    match event:
        case StartDrawn(player, tile):
            return message("{tile} drawn by {player}", tile=str(tile), player=player)
        case BeginnerNamed(player):
            return message("{player} beginning", player=player)
        case TilesLaid(player, laid=laid, overruled=False):
            return message("{tiles} laid by {player}", tiles=str(laid), player=player)
        case TilesLaid(player, laid=laid):
            return message("{tiles} of {player}, overruled", tiles=str(laid), player=player)
        case TileDrawn(player):
            return message("a tile drawn by {player}", player=player)
        case TurnPassed(player):
            return message("{player} passing", player=player)
        case TurnFailed(player, drawn):
            return message("{player}’s penalty of {tiles} tiles", player=player, tiles=drawn)
        case TableRestored():
            return message("the table put back")
        case PenaltyReduced(player, drawn):
            return message("{player}’s penalty down to {tiles}", player=player, tiles=drawn)
        case RackCounted(player, count):
            return message("{player}’s rack counted: {count}", player=player, count=str(count))
        case RackShown(player):
            return message("{player}’s rack told", player=player)
        case RummikubCalled(player):
            return message("Rummikub of {player}", player=player)
        case RoundStopped():
            return message("the end of the round, nobody out")
        case RackSummed(player, points=points):
            return message("{points} on {player}’s rack", points=points, player=player)
        case RoundScored(points):
            return message("the round’s scores {scores}", scores=str(points))
        case GameEnded():
            return message("the end of the game")
