"""What an event was, in words, as in “undo takes back red 8 of Ann”."""

from __future__ import annotations

from scoreboard.games.tongtong.acts import (
    CardPlayed,
    Event,
    GameScored,
    HandShown,
    LeaderNamed,
    MissionChosen,
    PilesTold,
    TrickTaken,
)
from scoreboard.games.tongtong.card_names import named
from scoreboard.games.tongtong.mission import NAMED
from scoreboard.games.tongtong.state import State
from scoreboard.message import Message, message


def describe(state: State, event: Event) -> Message:  # noqa: PLR0911 -- one arm a member
    """Say what the event was, in a match that stands as `state` after it."""
    match event:
        case MissionChosen(mission):
            return message("the mission “{mission}”", mission=NAMED[mission].title)
        case HandShown(player):
            return message("the hand of {player}", player=player)
        case LeaderNamed(player):
            return message("that {player} holds red 8", player=player)
        case CardPlayed(player, card):
            return message("{card} of {player}", card=named(card), player=player)
        case TrickTaken(player):
            return message("the trick of {player}", player=player)
        case PilesTold(player, piles):
            return message("the piles {piles} of {player}", piles=str(piles), player=player)
        case GameScored():
            return message("the points of game {game}", game=len(state.games))
