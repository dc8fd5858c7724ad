"""Cards in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from scoreboard.games.tongtong.cards import Card, CardColour
from scoreboard.message import Message, message

_NAMED: Final[Mapping[CardColour, Callable[[int], Message]]] = {
    "R": lambda number: message("red {number}", number=number),
    "B": lambda number: message("blue {number}", number=number),
    "G": lambda number: message("green {number}", number=number),
    "P": lambda number: message("purple {number}", number=number),
    "Y": lambda number: message("yellow {number}", number=number),
}


def named(card: Card) -> Message:
    """One card in words: “red 8”."""
    return _NAMED[card.colour](card.number)
