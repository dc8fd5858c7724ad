"""Sets of tiles on the table: rows of neighbours, their legality, and what doubtful rows can be."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scoreboard.games.rummikub.sets import Kind, SetReading, best, fault_of, readings
from scoreboard.games.rummikub.tiles import COLOURS, JOKER, NUMBERS, Piece, Tile, Tiles
from vision.read.detection import Candidate
from vision.read.observation import UNREADABLE, SeenSet

Figures = NDArray[np.float64]

# Of one tile, as seen from the other in its own width and length: beside it, and in its row.
_NEAREST: Final = 0.7
_FARTHEST: Final = 1.4
_STEP: Final = 0.34
_TURN_DEGREES: Final = 15.0
_ALIKE: Final = 1.35  # neighbours differ in length by no more than this factor
_SAME_LINE: Final = 0.6  # sets whose middles lie within this part of a tile's length share a line


def grouped(tiles: Sequence[Candidate]) -> tuple[tuple[int, ...], ...]:
    """The indices of the tiles by sets, each from left to right as its tiles see it.

    The sets come in reading order: line by line from the top, each line from the left.
    """
    groups = [_in_row(tiles, group) for group in _components(tiles)]
    return tuple(group for line in _lines(tiles, groups) for group in line)


def _lines(
    tiles: Sequence[Candidate], groups: Sequence[tuple[int, ...]]
) -> Iterator[list[tuple[int, ...]]]:
    """The groups line by line; a line's middles lie near to that of its highest one."""
    height = {group: fmean(tiles[at].y for at in group) for group in groups}
    left = {group: min(tiles[at].x for at in group) for group in groups}
    rest = sorted(groups, key=height.__getitem__)
    while rest:
        reach = height[rest[0]] + _SAME_LINE * tiles[rest[0][0]].height
        line = [group for group in rest if height[group] <= reach]
        rest = rest[len(line) :]
        yield sorted(line, key=left.__getitem__)


def _components(tiles: Sequence[Candidate]) -> Iterator[list[int]]:
    """Tiles that are joined by neighbours."""
    left, near = set(range(len(tiles))), _neighbours(tiles)
    while left:
        group, edge = list[int](), [min(left)]
        left.discard(edge[0])
        while edge:
            at = edge.pop()
            group.append(at)
            joined = left & near[at]
            left -= joined
            edge += joined
        yield group


def _neighbours(tiles: Sequence[Candidate]) -> list[set[int]]:
    """For each tile the indices of its neighbours in its row, in its own axes."""
    told = [(tile.x, tile.y, tile.width, tile.height, tile.turn) for tile in tiles]
    figures = np.array(told).reshape(-1, 5).T
    # Which are neighbours, as the ones see it; each 5 x ... of x, y, width, length, angle
    ones = figures[:, :, None]
    others = figures[:, None, :]
    length, angle = ones[3:]
    turn = np.abs((angle - others[4] + 180) % 360 - 180)
    longer, shorter = np.maximum(others[3], length), np.minimum(others[3], length)
    alike = (turn <= _TURN_DEGREES) & (longer <= _ALIKE * shorter)
    along, athwart = (np.abs(each) for each in _seen_from(ones, others))
    near = (along >= _NEAREST) & (along <= _FARTHEST) & (athwart <= _STEP)
    beside = np.asarray(alike & near, np.bool_)
    return [set(np.nonzero(row)[0].tolist()) for row in beside]


def _seen_from(ones: Figures, others: Figures) -> tuple[Figures, Figures]:
    """How far the others lie to the right, in widths of the ones, and below, in lengths."""
    x, y, width, length, angle = ones
    cosine, sine = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    right, down = others[0] - x, others[1] - y
    return (right * cosine + down * sine) / width, (down * cosine - right * sine) / length


def _in_row(tiles: Sequence[Candidate], group: Sequence[int]) -> tuple[int, ...]:
    """The group from left to right, as its first tile sees it."""
    turn = math.radians(tiles[group[0]].turn)
    right, down = math.cos(turn), math.sin(turn)
    return tuple(sorted(group, key=lambda at: tiles[at].x * right + tiles[at].y * down))


_RULES: Final[dict[Kind, str]] = {"group": "RK-3", "run": "RK-4"}


def judged(sets: Iterable[tuple[int, ...]], pieces: Sequence[Piece | None]) -> tuple[SeenSet, ...]:
    """Judge every set as it lies; `sets` are indices of `pieces` (RK-3, RK-4, RK-8, RK-16)."""
    return tuple(_judged(indices, [pieces[at] for at in indices]) for indices in sets)


def _judged(indices: tuple[int, ...], lying: Sequence[Piece | None]) -> SeenSet:
    told = tuple(UNREADABLE if each is None else str(each) for each in lying)
    known = Tiles(tuple(each for each in lying if each is not None))
    if len(known) < len(lying):
        return SeenSet(indices, told, legal=None, rule=None)
    fault = fault_of(known)
    if fault is not None:
        return SeenSet(indices, told, legal=False, rule=fault.rule)
    # The rule by which a legal set is one
    reading = best(known)
    return SeenSet(
        indices, told, legal=True, rule=None if reading is None else _RULES[reading.kind]
    )


_ASTRAY: Final = 0.2  # the weight of a run that does not lie in order: a custom, not a rule
_MOST_BLANKS: Final = 3  # with more of a set unreadable, its rules tell nothing

Way = tuple[Piece | None, ...]


@dataclass(frozen=True, slots=True)
class RowSlot:
    """One place in a row: what may lie there, each piece with its weight.

    `is_open` is false where it is known, `is_blank` true where nothing can be read.
    """

    weights: Mapping[Piece, float]
    is_open: bool = True
    is_blank: bool = False

    @classmethod
    def known(cls, piece: Piece) -> RowSlot:
        """A place where a piece lies for sure."""
        return cls({piece: 1.0}, is_open=False)


@cache
def shapes(size: int) -> tuple[SetReading, ...]:
    """Every legal set of that size: all sets of one tile with jokers."""
    jokers = (JOKER,) * (size - 1)
    tiles = [Tile(colour, number) for colour in COLOURS for number in NUMBERS]
    found = (each for tile in tiles for each in readings(Tiles((tile, *jokers))))
    return tuple(dict.fromkeys(found))


def ways(row: Sequence[RowSlot], left: Mapping[Piece, int]) -> dict[Way, float]:
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


def _known(row: Sequence[RowSlot]) -> frozenset[Piece]:
    lying = (each for place in row if not place.is_open for each in place.weights)
    return frozenset(each for each in lying if each != JOKER)


def _laid(
    row: Sequence[RowSlot], shape: SetReading, left: Mapping[Piece, int]
) -> Iterator[tuple[Way, float]]:
    """The ways in which the row is this very set."""
    for way in _filled(row, shape, (), left):
        if any(each != JOKER for each in way):
            weight = 1.0 if _in_order(shape, way) else _ASTRAY
            for place, piece in zip(row, way, strict=True):
                weight *= place.weights[piece]
            yield way, weight


def _filled(
    row: Sequence[RowSlot], shape: SetReading, laid: tuple[Piece, ...], left: Mapping[Piece, int]
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


def _next(row: Sequence[RowSlot], shape: SetReading, laid: tuple[Piece, ...]) -> Iterator[Piece]:
    """What the rules and the eye allow in the next place."""
    place = row[len(laid)]
    last = _last_blank(row, laid) if place.is_blank and shape.kind == "run" else 0
    for tile in shape.stands:
        if tile in place.weights and tile not in laid and tile.number > last:
            yield tile
    if JOKER in place.weights:
        yield JOKER


def _last_blank(row: Sequence[RowSlot], laid: tuple[Piece, ...]) -> int:
    """The highest number given to an unreadable tile so far."""
    told = (each for each, place in zip(laid, row, strict=False) if place.is_blank)
    return max((each.number for each in told if isinstance(each, Tile)), default=0)


def _in_order(shape: SetReading, way: Sequence[Piece]) -> bool:
    """Whether the tiles lie in the set's order; a group has no order."""
    pairs = zip(way, shape.stands, strict=True)
    return shape.kind == "group" or all(piece in (JOKER, stands) for piece, stands in pairs)
