"""Tiles in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Final

from scoreboard.phrase import Phrase, phrase
from scoreboard.tiles import Colour, Joker, Piece, Tiles

_NAMED: Final[Mapping[Colour, Callable[[int], Phrase]]] = {
    "K": lambda number: phrase("black {number}", number=number),
    "R": lambda number: phrase("red {number}", number=number),
    "B": lambda number: phrase("blue {number}", number=number),
    "O": lambda number: phrase("orange {number}", number=number),
}


def named(each: Piece) -> Phrase:
    """One tile in words: “blue 4”."""
    return phrase("joker") if isinstance(each, Joker) else _NAMED[each.colour](each.number)


def listed(tiles: Tiles) -> Phrase:
    """Some tiles in words: “blue 4, red 4”."""
    if not tiles.pieces:
        return phrase("no tiles")
    names = [named(each) for each in tiles.pieces]
    return reduce(lambda one, two: phrase("{one}, {two}", one=one, two=two), names)
