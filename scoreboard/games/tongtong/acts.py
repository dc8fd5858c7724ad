"""Commands and events of Tong Tong, and their notation.

mission high-9       hand NAME, R8 B1 G4 ...      leader NAME
play R8              piles NAME, R5 B3 +2
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from scoreboard.games.engine.game import Notation
from scoreboard.games.engine.scoresheet import Scores
from scoreboard.games.tongtong.cards import Card, Cards, Piles
from scoreboard.players import by_player, of_player, quoted


@dataclass(frozen=True, slots=True)
class PlayCard:
    """The player whose turn it is played this card (TT-4)."""

    card: Card


@dataclass(frozen=True, slots=True)
class MissionChosen:
    """A mission was turned up, and a game began (TT-2)."""

    mission: str


@dataclass(frozen=True, slots=True)
class HandShown:
    """The player took these cards (TT-2)."""

    player: str
    hand: Cards


@dataclass(frozen=True, slots=True)
class LeaderNamed:
    """The player was named as holding red 8 (TT-3)."""

    player: str


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """The player played a card (TT-4)."""

    player: str
    card: Card


@dataclass(frozen=True, slots=True)
class TrickTaken:
    """The player took the cards of the trick, and `leader` leads the next (TT-5, TT-6)."""

    player: str
    leader: str


@dataclass(frozen=True, slots=True)
class PilesEntered:
    """The player's piles were entered (TT-7)."""

    player: str
    piles: Piles


@dataclass(frozen=True, slots=True)
class GameScored:
    """A game of the match ended; all figures in seat order.

    `sums` are those of the tops by the mission's rule (TT-8, TT-10), `points` the mission's (TT-10,
    TT-11), `bonuses` those for 6s (TT-9), `totals` everyone's new totals (TT-12).
    """

    mission: str
    sums: Scores
    points: Scores
    bonuses: Scores
    totals: Scores


Event = (
    MissionChosen | HandShown | LeaderNamed | CardPlayed | TrickTaken | PilesEntered | GameScored
)
# What of these people enter happened as they entered it
Command = MissionChosen | HandShown | LeaderNamed | PlayCard | PilesEntered

KINDS: Final[Mapping[str, type[Event]]] = {
    "mission-chosen": MissionChosen,
    "hand-shown": HandShown,
    "leader-named": LeaderNamed,
    "card-played": CardPlayed,
    "trick-taken": TrickTaken,
    "piles-told": PilesEntered,
    "game-scored": GameScored,
}


_READERS: Final[Mapping[str, Callable[[str], Command | None]]] = {
    "mission": lambda rest: MissionChosen(rest) if rest else None,
    "hand": partial(of_player, HandShown, Cards.parse),
    "leader": partial(by_player, LeaderNamed),
    "play": lambda rest: PlayCard(Card.parse(rest)) if rest else None,
    "piles": partial(of_player, PilesEntered, Piles.parse),
}


def written(event: Event) -> str:
    """The line of an event; none for one that follows from another."""
    match event:
        case MissionChosen(mission):
            return f"mission {mission}"
        case HandShown(player, hand):
            return f"hand {quoted(player)}, {hand}"
        case LeaderNamed(player):
            return f"leader {quoted(player)}"
        case CardPlayed(card=card):
            return f"play {card}"
        case PilesEntered(player, piles):
            return f"piles {quoted(player)}, {piles}"
        case TrickTaken() | GameScored():
            return ""


NOTATION: Final[Notation[Command, Event]] = Notation(_READERS, written)
