"""What an event was, in words, as in “undo takes back ...”."""

from __future__ import annotations

from scoreboard.phrase import Phrase, phrase
from scoreboard.rummikub.acts import (
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
from scoreboard.rummikub.state import State


def describe(_state: State, event: Event) -> Phrase:  # noqa: PLR0911, PLR0912, C901 -- one arm a member
    """Say what the event was."""
    match event:
        case StartDrawn(player, tile):
            return phrase("{tile} drawn by {player}", tile=str(tile), player=player)
        case BeginnerNamed(player):
            return phrase("{player} beginning", player=player)
        case TilesLaid(player, laid=laid, overruled=False):
            return phrase("{tiles} laid by {player}", tiles=str(laid), player=player)
        case TilesLaid(player, laid=laid):
            return phrase("{tiles} of {player}, overruled", tiles=str(laid), player=player)
        case TileDrawn(player):
            return phrase("a tile drawn by {player}", player=player)
        case TurnPassed(player):
            return phrase("{player} passing", player=player)
        case TurnFailed(player, drawn):
            return phrase("{player}’s penalty of {tiles} tiles", player=player, tiles=drawn)
        case TableRestored():
            return phrase("the table put back")
        case PenaltyReduced(player, drawn):
            return phrase("{player}’s penalty down to {tiles}", player=player, tiles=drawn)
        case RackCounted(player, count):
            return phrase("{player}’s rack counted: {count}", player=player, count=str(count))
        case RackShown(player):
            return phrase("{player}’s rack told", player=player)
        case RummikubCalled(player):
            return phrase("Rummikub of {player}", player=player)
        case RoundStopped():
            return phrase("the end of the round, nobody out")
        case RackSummed(player, points=points):
            return phrase("{points} on {player}’s rack", points=points, player=player)
        case RoundScored(points):
            return phrase("the round’s scores {scores}", scores=str(points))
        case GameEnded():
            return phrase("the end of the game")
