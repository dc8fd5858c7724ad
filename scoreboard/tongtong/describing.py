"""What an event was, in words, as in “undo takes back red 8 of Ann”."""

from __future__ import annotations

from scoreboard.phrase import Phrase, phrase
from scoreboard.tongtong.acts import (
    CardPlayed,
    Event,
    GameScored,
    HandShown,
    LeaderNamed,
    MissionChosen,
    PilesTold,
    TrickTaken,
)
from scoreboard.tongtong.mission import NAMED
from scoreboard.tongtong.naming import named
from scoreboard.tongtong.state import State


def describe(state: State, event: Event) -> Phrase:  # noqa: PLR0911 -- one arm a member
    """Say what the event was, in a match that stands as `state` after it."""
    match event:
        case MissionChosen(mission):
            return phrase("the mission “{mission}”", mission=NAMED[mission].title)
        case HandShown(player):
            return phrase("the hand of {player}", player=player)
        case LeaderNamed(player):
            return phrase("that {player} holds red 8", player=player)
        case CardPlayed(player, card):
            return phrase("{card} of {player}", card=named(card), player=player)
        case TrickTaken(player):
            return phrase("the trick of {player}", player=player)
        case PilesTold(player, piles):
            return phrase("the piles {piles} of {player}", piles=str(piles), player=player)
        case GameScored():
            return phrase("the points of game {game}", game=len(state.games))
