"""What the reader says of a place that may be a tile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from operator import itemgetter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scoreboard.games.rummikub.tiles import COLOURS, JOKER, NUMBERS, Piece, Tile
from vision.capture.image_pyramid import Pyramid
from vision.read.networks import Network
from vision.read.tiles.crops import MARGIN, crops
from vision.read.tiles.ink_color import Ink, inks_of
from vision.read.tiles.spots import Spot

Figures = NDArray[np.float32]

KINDS: Final = len(NUMBERS) + 2  # nothing readable, the numbers, the joker
_INKS: Final = slice(KINDS, KINDS + len(COLOURS))
_OVER, _PRESENT = KINDS + len(COLOURS), KINDS + len(COLOURS) + 1
_EITHER_END: Final = 0.5
_CLOSE_LOOKS: Final = (1.08, MARGIN, 1.26)  # how much more than the tile each of them sees


@dataclass(frozen=True)
class TileReading:
    """A place that may be a tile, turned with its top up, and the probabilities of what it shows.

    `kinds` are those of nothing readable, of 1 to 13 and of a joker; `inks` those of the
    colours; `over` of having been upside down, `present` of a tile, readable or not. `ink` is
    what `vision.read.tiles.ink_color` measured.
    """

    spot: Spot
    kinds: tuple[float, ...]
    inks: tuple[float, ...]
    over: float
    present: float
    ink: Ink

    @cached_property
    def piece(self) -> Piece:
        """The likeliest tile, or the joker."""
        kind = self.kinds.index(max(self.kinds[1:]), 1)
        if kind == KINDS - 1:
            return JOKER
        return Tile(COLOURS[self.inks.index(max(self.inks))], kind)

    @property
    def pieces(self) -> list[tuple[Piece, float]]:
        """Every tile and the joker with their probabilities, likeliest first."""
        chances = [kind * ink for kind in self.kinds[1 : KINDS - 1] for ink in self.inks]
        told = zip(_faces(), (*chances, self.kinds[-1]), strict=True)
        return sorted(told, key=itemgetter(1), reverse=True)

    @cached_property
    def likelihood(self) -> float:
        """The estimated probability of that, if a tile it is."""
        kind = max(self.kinds[1:])
        return kind if self.piece == JOKER else kind * max(self.inks)


@cache
def _faces() -> tuple[Piece, ...]:
    """Every tile, number by number, and the joker."""
    return (*(Tile(colour, number) for number in NUMBERS for colour in COLOURS), JOKER)


def read(reader: Network, pyramid: Pyramid, places: Sequence[Spot]) -> list[TileReading]:
    """Read every place; those that are upside down are turned over and read again."""
    first = _read(reader, pyramid, places)
    over = [at for at, reading in enumerate(first) if reading.over > _EITHER_END]
    again = _read(reader, pyramid, [places[at].turned_over() for at in over])
    better = {
        at: reading for at, reading in zip(over, again, strict=True) if _is_up(first[at], reading)
    }
    return [better.get(at, reading) for at, reading in enumerate(first)]


def read_closely(
    reader: Network, pyramid: Pyramid, readings: Sequence[TileReading]
) -> list[TileReading]:
    """Read tiles whose top is known once more in crops of three widths; the mean counts."""
    if not readings:
        return []
    places = [reading.spot for reading in readings]
    cut = [crops(pyramid, places, margin) for margin in _CLOSE_LOOKS]
    figures = reader(np.concatenate(cut)).reshape(len(cut), len(places), -1)
    inks = [reading.ink for reading in readings]
    return [_reading(*each) for each in zip(places, figures.mean(axis=0), inks, strict=True)]


def _is_up(first: TileReading, turned: TileReading) -> bool:
    """Whether the turned tile looks upright more than the first look did."""
    return turned.over < first.over


def _read(reader: Network, pyramid: Pyramid, places: Sequence[Spot]) -> list[TileReading]:
    if not places:
        return []
    cut = crops(pyramid, places)
    return [_reading(*each) for each in zip(places, reader(cut), inks_of(cut), strict=True)]


def _reading(spot: Spot, figures: Figures, ink: Ink) -> TileReading:
    told = tuple(figures.tolist())
    return TileReading(spot, told[:KINDS], told[_INKS], told[_OVER], told[_PRESENT], ink)
