"""Sets of tiles on the table: rows of neighbours, their legality, and what doubtful rows can be."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean
from typing import Final

import numpy as np

from scoreboard.games.rummikub.sets import Kind, SetReading, best, fault_of, readings
from scoreboard.games.rummikub.tiles import COLOURS, JOKER, NUMBERS, Piece, Tile, Tiles
from vision.read.detection import Candidate
from vision.read.observation import UNREADABLE, SeenSet

# Of one tile, as seen from the other in its own width and length: next to it, and in its row.
_NEAREST: Final = 0.7
_FARTHEST: Final = 1.4
_STEP: Final = 0.34
_TURN_DEGREES: Final = 15.0
_SIMILAR: Final = 1.35  # neighbours differ in length by no more than this factor
_SAME_LINE: Final = 0.6  # sets whose middles lie within this part of a tile's length share a line


def grouped(tiles: Sequence[Candidate]) -> tuple[tuple[int, ...], ...]:
    """The indices of the tiles by sets, each from left to right as its tiles see it.

    The sets come in reading order: line by line from the top, each line from the left.
    """
    groups = []
    for group in _components(tiles):
        turn = math.radians(tiles[group[0]].turn)
        right, down = math.cos(turn), math.sin(turn)
        order = sorted(group, key=lambda at: tiles[at].x * right + tiles[at].y * down)
        groups.append(tuple(order))
    return tuple(group for line in _lines(tiles, groups) for group in line)


def _lines(
    tiles: Sequence[Candidate], groups: Sequence[tuple[int, ...]]
) -> Iterator[list[tuple[int, ...]]]:
    """The groups line by line; a line's middles are close to that of its highest one."""
    height = {group: fmean(tiles[at].y for at in group) for group in groups}
    left = {group: min(tiles[at].x for at in group) for group in groups}
    rest = sorted(groups, key=height.__getitem__)
    while rest:
        reach = height[rest[0]] + _SAME_LINE * tiles[rest[0][0]].height
        line = [group for group in rest if height[group] <= reach]
        rest = rest[len(line) :]
        yield sorted(line, key=left.__getitem__)


def _components(tiles: Sequence[Candidate]) -> Iterator[list[int]]:
    """Groups of tiles joined by neighbours."""
    left, near = set(range(len(tiles))), _neighbours(tiles)
    while left:
        group = [min(left)]
        for at in group:  # it grows meanwhile
            left.discard(at)
            group += left & near[at]
            left -= near[at]
        yield group


def _neighbours(tiles: Sequence[Candidate]) -> list[set[int]]:
    """For each tile the indices of its neighbours in its row, in its own axes."""
    figures = np.array([(each.x, each.y, each.width, each.height, each.turn) for each in tiles])
    figures = figures.reshape(-1, 5).T
    # Which are neighbours, as the ones see it; each 5 x ... of x, y, width, length, angle
    ones = figures[:, :, None]
    others = figures[:, None, :]
    x, y, width, length, angle = ones
    turn = np.abs((angle - others[4] + 180) % 360 - 180)
    longer, shorter = np.maximum(others[3], length), np.minimum(others[3], length)
    similar = (turn <= _TURN_DEGREES) & (longer <= _SIMILAR * shorter)
    # How far they are to the right, in widths, and below, in lengths
    cosine, sine = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    right, down = others[0] - x, others[1] - y
    along = np.abs((right * cosine + down * sine) / width)
    athwart = np.abs((down * cosine - right * sine) / length)
    near = (along >= _NEAREST) & (along <= _FARTHEST) & (athwart <= _STEP)
    adjacent = np.asarray(similar & near, np.bool_)
    return [set(np.nonzero(row)[0].tolist()) for row in adjacent]


_RULES: Final[dict[Kind, str]] = {"group": "RK-3", "run": "RK-4"}


def judged(sets: Iterable[tuple[int, ...]], pieces: Sequence[Piece | None]) -> tuple[SeenSet, ...]:
    """Judge every set as laid; `sets` are indices of `pieces` (RK-3, RK-4, RK-8, RK-16)."""
    found = []
    for indices in sets:
        laid = [pieces[at] for at in indices]
        known = Tiles(tuple(each for each in laid if each is not None))
        legal, rule = None, None
        if len(known) == len(laid):
            fault = fault_of(known)
            legal = fault is None
            if fault is not None:
                rule = fault.rule
            elif (reading := best(known)) is not None:
                rule = _RULES[reading.kind]
        names = tuple(UNREADABLE if each is None else str(each) for each in laid)
        found.append(SeenSet(indices, names, legal, rule))
    return tuple(found)


_ASTRAY: Final = 0.2  # the weight of a run out of order: a custom, not a rule
_MOST_BLANKS: Final = 3  # with more of a set unreadable, the rules decide nothing

Way = tuple[Piece | None, ...]


@dataclass(frozen=True, slots=True)
class RowSlot:
    """One place in a row: its possible pieces with their weights.

    `is_open` is false if it is known, `is_blank` true if it is unreadable.
    """

    weights: Mapping[Piece, float]
    is_open: bool = True
    is_blank: bool = False


@cache
def shapes(size: int) -> tuple[SetReading, ...]:
    """Every legal set of that size: all sets of one tile with jokers."""
    jokers = (JOKER,) * (size - 1)
    tiles = [Tile(colour, number) for colour in COLOURS for number in NUMBERS]
    found = (each for tile in tiles for each in readings(Tiles((tile, *jokers))))
    return tuple(dict.fromkeys(found))


def ways(row: Sequence[RowSlot], left: Mapping[Piece, int]) -> dict[Way, float]:
    """Every legal set that the row can be, with its weight (RK-3, RK-4, RK-16).

    `left` is how many of each piece the box has for the row's open places. Runs out of order
    weigh less, and unreadable tiles of a run count in ascending order alone.
    """
    if sum(place.is_blank for place in row) > _MOST_BLANKS:
        return {}
    known = {each for place in row if not place.is_open for each in place.weights} - {JOKER}
    found: dict[Way, float] = {}
    for shape in shapes(len(row)):
        if known <= frozenset(shape.meanings):
            for way in _filled(row, shape, (), left):
                if any(each != JOKER for each in way):
                    pairs = zip(way, shape.meanings, strict=True)
                    is_in_order = all(piece in (JOKER, meant) for piece, meant in pairs)
                    weight = 1.0 if shape.kind == "group" or is_in_order else _ASTRAY
                    for place, piece in zip(row, way, strict=True):
                        weight *= place.weights[piece]
                    found[way] = max(weight, found.get(way, 0.0))
    return found


def _filled(
    row: Sequence[RowSlot], shape: SetReading, laid: tuple[Piece, ...], left: Mapping[Piece, int]
) -> Iterator[tuple[Piece, ...]]:
    """Every way to continue to the right of `laid`."""
    if len(laid) == len(row):
        yield laid
        return
    place, last = row[len(laid)], 0
    if place.is_blank and shape.kind == "run":  # above what unreadable tiles were taken for so far
        blanks = (each for each, slot in zip(laid, row, strict=False) if slot.is_blank)
        last = max((each.number for each in blanks if isinstance(each, Tile)), default=0)
    allowed: list[Piece] = [
        tile
        for tile in shape.meanings
        if tile in place.weights and tile not in laid and tile.number > last
    ]
    for piece in (*allowed, *((JOKER,) if JOKER in place.weights else ())):
        there = left.get(piece, 0)
        if not place.is_open or there > 0:
            rest = {**left, piece: there - 1} if place.is_open else left
            yield from _filled(row, shape, (*laid, piece), rest)
