"""How a row of tiles, some of them doubtful, can be a legal set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from scoreboard.games.rummikub.sets import SetReading, readings
from scoreboard.games.rummikub.tiles import COLOURS, JOKER, NUMBERS, Piece, Tile, Tiles

_ASTRAY: Final = 0.2  # the weight of a run that does not lie in order: a custom, not a rule
_MOST_BLANKS: Final = 3  # with more of a set unreadable, its rules tell nothing

Way = tuple[Piece | None, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """One place in a row: what may lie there, each piece with its weight.

    `is_open` is false where it is known, `is_blank` true where nothing can be read.
    """

    weights: Mapping[Piece, float]
    is_open: bool = True
    is_blank: bool = False

    @classmethod
    def known(cls, piece: Piece) -> Place:
        """A place where a piece lies for sure."""
        return cls({piece: 1.0}, is_open=False)


@cache
def shapes(size: int) -> tuple[SetReading, ...]:
    """Every legal set of so many tiles: all that one tile can be part of, jokers beside it."""
    jokers = (JOKER,) * (size - 1)
    tiles = [Tile(colour, number) for colour in COLOURS for number in NUMBERS]
    found = (each for tile in tiles for each in readings(Tiles((tile, *jokers))))
    return tuple(dict.fromkeys(found))


def ways(row: Sequence[Place], left: Mapping[Piece, int]) -> dict[Way, float]:
    """Every legal set that the row can be, with its weight (RK-3, RK-4, RK-16).

    `left` says how many of each piece the box has for the row's open places. Runs that lie in
    disorder weigh less. Unreadable tiles of a run are told from left to right, as their order
    among themselves is nobody's guess.
    """
    if sum(place.is_blank for place in row) > _MOST_BLANKS:
        return {}
    known = _known(row)
    found: dict[Way, float] = {}
    for shape in shapes(len(row)):
        if known <= frozenset(shape.stands):
            for way, weight in _laid(row, shape, left):
                found[way] = max(weight, found.get(way, 0.0))
    return found


def _known(row: Sequence[Place]) -> frozenset[Piece]:
    lying = (each for place in row if not place.is_open for each in place.weights)
    return frozenset(each for each in lying if each != JOKER)


def _laid(
    row: Sequence[Place], shape: SetReading, left: Mapping[Piece, int]
) -> Iterator[tuple[Way, float]]:
    """The ways in which the row is this very set."""
    for way in _filled(row, shape, (), left):
        if any(each != JOKER for each in way):
            yield way, _weight(row, shape, way)


def _filled(
    row: Sequence[Place], shape: SetReading, laid: tuple[Piece, ...], left: Mapping[Piece, int]
) -> Iterator[tuple[Piece, ...]]:
    """Every way to go on to the right of what is laid."""
    if len(laid) == len(row):
        yield laid
        return
    is_open = row[len(laid)].is_open
    for piece in _next(row, shape, laid):
        there = left.get(piece, 0)
        if not is_open or there > 0:
            rest = {**left, piece: there - 1} if is_open else left
            yield from _filled(row, shape, (*laid, piece), rest)


def _next(row: Sequence[Place], shape: SetReading, laid: tuple[Piece, ...]) -> Iterator[Piece]:
    """What the rules and the eye allow in the next place."""
    place = row[len(laid)]
    last = _last_blank(row, laid) if place.is_blank and shape.kind == "run" else 0
    for tile in shape.stands:
        if tile in place.weights and tile not in laid and tile.number > last:
            yield tile
    if JOKER in place.weights:
        yield JOKER


def _last_blank(row: Sequence[Place], laid: tuple[Piece, ...]) -> int:
    """The highest number that was told of an unreadable tile so far."""
    told = (each for each, place in zip(laid, row, strict=False) if place.is_blank)
    return max((each.number for each in told if isinstance(each, Tile)), default=0)


def _weight(row: Sequence[Place], shape: SetReading, way: Sequence[Piece]) -> float:
    weight = 1.0 if _in_order(shape, way) else _ASTRAY
    for place, piece in zip(row, way, strict=True):
        weight *= place.weights[piece]
    return weight


def _in_order(shape: SetReading, way: Sequence[Piece]) -> bool:
    """Whether the set lies as it is told; a group has no order."""
    pairs = zip(way, shape.stands, strict=True)
    return shape.kind == "group" or all(piece in (JOKER, stands) for piece, stands in pairs)
