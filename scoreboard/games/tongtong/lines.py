"""A match's acts as lines of text, read and written.

mission high-9       hand NAME, R8 B1 G4 ...      leader NAME
play R8              piles NAME, R5 B3 +2
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from scoreboard.games.engine.game import Notation
from scoreboard.games.tongtong.acts import (
    CardPlayed,
    ChooseMission,
    Command,
    Event,
    GameScored,
    HandShown,
    LeaderNamed,
    MissionChosen,
    NameLeader,
    PilesTold,
    PlayCard,
    ShowHand,
    TellPiles,
    TrickTaken,
)
from scoreboard.games.tongtong.cards import Card, Cards
from scoreboard.games.tongtong.piles import Piles
from scoreboard.players import quoted, unquoted


def _read_mission(rest: str) -> Command | None:
    return ChooseMission(rest) if rest else None


def _read_hand(rest: str) -> Command | None:
    name, comma, cards = rest.partition(",")
    return ShowHand(unquoted(name.strip()), Cards.parse(cards)) if comma else None


def _read_leader(rest: str) -> Command | None:
    return NameLeader(unquoted(rest)) if rest else None


def _read_play(rest: str) -> Command | None:
    return PlayCard(Card.parse(rest)) if rest else None


def _read_piles(rest: str) -> Command | None:
    name, comma, piles = rest.partition(",")
    return TellPiles(unquoted(name.strip()), Piles.parse(piles)) if comma else None


_READERS: Final[Mapping[str, Callable[[str], Command | None]]] = {
    "mission": _read_mission,
    "hand": _read_hand,
    "leader": _read_leader,
    "play": _read_play,
    "piles": _read_piles,
}


def written(event: Event) -> str:
    """The line of an event; none for what follows from the act before it."""
    match event:
        case MissionChosen(mission):
            return f"mission {mission}"
        case HandShown(player, hand):
            return f"hand {quoted(player)}, {hand}"
        case LeaderNamed(player):
            return f"leader {quoted(player)}"
        case CardPlayed(card=card):
            return f"play {card}"
        case PilesTold(player, piles):
            return f"piles {quoted(player)}, {piles}"
        case TrickTaken() | GameScored():
            return ""


NOTATION: Final[Notation[Command, Event]] = Notation(_READERS, written)
