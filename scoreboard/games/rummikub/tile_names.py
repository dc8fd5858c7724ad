"""Tiles in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Final

from scoreboard.games.rummikub.tiles import Colour, Joker, Piece, Tiles
from scoreboard.message import Message, message

_NAMED: Final[Mapping[Colour, Callable[[int], Message]]] = {
    "K": lambda number: message("black {number}", number=number),
    "R": lambda number: message("red {number}", number=number),
    "B": lambda number: message("blue {number}", number=number),
    "O": lambda number: message("orange {number}", number=number),
}


def named(each: Piece) -> Message:
    """One tile in words: “blue 4”."""
    return message("joker") if isinstance(each, Joker) else _NAMED[each.colour](each.number)


def listed(tiles: Tiles) -> Message:
    """Some tiles in words: “blue 4, red 4”."""
    if not tiles.pieces:
        return message("no tiles")
    names = [named(each) for each in tiles.pieces]
    return reduce(lambda one, two: message("{one}, {two}", one=one, two=two), names)
