"""Where the sets of an evening lie: each keeps its place, and only what a hand touched moves.

Lengths are in widths of a tile.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from scoreboard.games.rummikub.sets import Laid
from scoreboard.games.rummikub.tiles import COLOURS, Piece, Tile, Tiles
from vision.train.rendering.chance import Random
from vision.train.rendering.tiles.tile_poses import Lying, axes, flat
from vision.train.rendering.tiles.top import JOKER, Printed

_PITCH: Final = 1.035
_COLUMNS: Final = (-6.2, -0.4, 5.3)
_LINES: Final = (3.7, 0.4, -2.9, -5.9)
_FIRST: Final = ((1, 1), (1, 0), (2, 1), (0, 2), (2, 2), (0, 1), (1, 2))
_ASIDE: Final = (0.3, 0.14, 0.035)  # of a set: along, down (widths), heading (radians)
_UNEVEN: Final = (0.012, 0.03, 0.014)  # of a tile in its row, likewise
_TOUCHED: Final = 0.3  # widths; a tile nearer to its old place than this is the one that lay there


@dataclass(frozen=True, slots=True)
class Placed:
    """A tile and where it lies in its row: places along it, and how unevenly it was laid."""

    piece: Piece
    along: float
    uneven: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class PlacedSet:
    """A set on its spot of the table: middle (x, y) and heading in radians."""

    spot: int
    middle: tuple[float, float]
    heading: float
    row: tuple[Placed, ...]

    @property
    def tiles(self) -> Tiles:
        """What lies in it."""
        return Tiles(tuple(each.piece for each in self.row))

    def lie(self) -> Iterator[Lying]:
        """Its tiles on the table."""
        across, along = axes(self.heading)
        for each in self.row:
            aside, step, turn = each.uneven
            place = np.array(self.middle) + (each.along * _PITCH + aside) * across + step * along
            yield flat(printed(each.piece), place, self.heading + turn)


Table = tuple[PlacedSet, ...]


def printed(piece: Piece) -> Printed:
    """What is printed on a piece; all jokers of this box are red."""
    if isinstance(piece, Tile):
        return Printed(piece.number, COLOURS.index(piece.colour))
    return Printed(JOKER, COLOURS.index("R"))


def laid_anew(before: Table, table: Laid, random: Random) -> Table:
    """The table after somebody made it look so: sets that go on lie where they lay."""
    homes = _homes(before, table.sets)
    taken = {home.spot for home in homes.values()}
    free = iter(spot for spot in _spots() if spot not in taken)
    return tuple(
        _continued(homes[at], tiles, random) if at in homes else _begun(next(free), tiles, random)
        for at, tiles in enumerate(table.sets)
    )


def _homes(before: Table, sets: Iterable[Tiles]) -> Mapping[int, PlacedSet]:
    """For each set that goes on, by its number, the one before with most in common."""
    numbered = list(enumerate(sets))
    pairs = [(_shared(old.tiles, tiles), -at, old.spot) for at, tiles in numbered for old in before]
    homes: dict[int, PlacedSet] = {}
    by_spot = {old.spot: old for old in before}
    for shared, at, spot in sorted(pairs, reverse=True):
        if shared and -at not in homes and spot in by_spot:
            homes[-at] = by_spot.pop(spot)
    return homes


def _shared(one: Tiles, other: Tiles) -> int:
    return (one.counts & other.counts).total()


def _spots() -> Iterator[int]:
    """Spots in the order in which players take them: from the middle outwards."""
    wide = len(_COLUMNS)
    chosen = [line * wide + column for column, line in _FIRST]
    yield from chosen
    yield from (spot for spot in range(wide * len(_LINES)) if spot not in chosen)


def _begun(spot: int, tiles: Tiles, random: Random) -> PlacedSet:
    line, column = divmod(spot, len(_COLUMNS))
    along, down, turn = random.normal(0, _ASIDE)
    middle = (_COLUMNS[column] + float(along), _LINES[line] + float(down))
    start = -len(tiles) / 2  # players leave room to the right, where runs grow
    row = [Placed(each, start + at, _unevenness(random)) for at, each in enumerate(tiles.pieces)]
    return PlacedSet(spot, middle, float(turn), tuple(row))


def _continued(home: PlacedSet, tiles: Tiles, random: Random) -> PlacedSet:
    """The set on its old spot, shifted so that as many tiles as possible stay where they lay."""
    shift = _shift(home, tiles)
    row = [
        _as_it_lay(home, each, shift + at) or Placed(each, shift + at, _unevenness(random))
        for at, each in enumerate(tiles.pieces)
    ]
    return PlacedSet(home.spot, home.middle, home.heading, tuple(row))


def _shift(home: PlacedSet, tiles: Tiles) -> float:
    shifts = [
        old.along - at
        for at, each in enumerate(tiles.pieces)
        for old in home.row
        if old.piece == each
    ]
    return max(sorted(set(shifts)), key=shifts.count)


def _as_it_lay(home: PlacedSet, piece: Piece, along: float) -> Placed | None:
    lay = (old for old in home.row if old.piece == piece and abs(old.along - along) < _TOUCHED)
    return next(lay, None)


def _unevenness(random: Random) -> tuple[float, float, float]:
    aside, step, turn = (float(each) for each in random.normal(0, _UNEVEN))
    return aside, step, turn
