"""Cards in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from scoreboard.cards import Card, CardColour
from scoreboard.phrase import Phrase, phrase

_NAMED: Final[Mapping[CardColour, Callable[[int], Phrase]]] = {
    "R": lambda number: phrase("red {number}", number=number),
    "B": lambda number: phrase("blue {number}", number=number),
    "G": lambda number: phrase("green {number}", number=number),
    "P": lambda number: phrase("purple {number}", number=number),
    "Y": lambda number: phrase("yellow {number}", number=number),
}


def named(card: Card) -> Phrase:
    """One card in words: “red 8”."""
    return _NAMED[card.colour](card.number)
