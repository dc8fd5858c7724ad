"""Tiles by the surer ones around them: doubtful ones read again, missed ones found, others dropped.

On a rack, and in a set, all tiles are turned the same way. The finder takes a tile whose foot is
hidden for a shorter or turned one; the reader then sees a crop that is askew or upside down. Surely
read neighbours show its real width, length and turn.
"""

from __future__ import annotations

import cmath
import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from scoreboard.games.rummikub.tiles import JOKER
from vision.capture.frame import Pyramid
from vision.read.detection import Candidate, tile_crops
from vision.read.networks import Network
from vision.read.tile_readings import (
    NINE,
    SIX,
    Figures,
    IsPiece,
    TileReading,
    by_shape,
    contested,
    read_upright,
    spread_of,
)

_SURE: Final = 0.9  # present and likely so much: a tile that others are measured by
_NEIGHBOURS: Final = 5  # the nearest sure ones show how a tile is turned
_FEWEST: Final = 2
_ALIGNED: Final = 0.97  # the least mean of their turns' unit vectors to be aligned
_STRAIGHT: Final = 20.0  # degrees from its neighbours' turn: it is in their row
_OVER: Final = 90.0  # degrees: it is upside down
_DOUBTED: Final = 0.97  # less likely readings are read again
_LEAST: Final = 0.1  # present less: not worth it
_SPACING: Final = 1.02  # widths between neighbours' middles
_TAKEN: Final = 0.7  # widths: nearer to a tile there is no room for another
_UNSEEN: Final = 0.35  # the finder's score of a tile that it has not seen
_ON_ITS_HEAD: Final = {"6": "9", "9": "6"}
_PLAUSIBLE: Final = 0.5  # from there on a 9 among upright tiles is a 6


@dataclass(frozen=True, slots=True)
class TilePlacement:
    """The placement of tiles here: their turn in degrees, width and height in pixels."""

    turn: float
    width: float
    height: float
    shear: float

    def off(self, tile: Candidate) -> float:
        """How far a tile is turned from it, in [0, 180]."""
        return abs((tile.turn - self.turn + 180) % 360 - 180)

    def moved(self, tile: Candidate, across: float, down: float) -> complex:
        """The tile's middle, moved that many pixels right and down along the tiles' axes."""
        way = complex(across, down) * cmath.rect(1, math.radians(self.turn))
        return complex(tile.x, tile.y) + way

    def fitted(self, tile: Candidate) -> Iterator[Candidate]:
        """Possible placements of the tile, with the found height and with a longer foot."""
        width = (tile.width + self.width) / 2
        for height in (tile.height, max(self.height, tile.height)):
            middle = self.moved(tile, 0, (height - tile.height) / 2)
            place = (middle.real, middle.imag, width, height, self.turn % 360, self.shear)
            yield Candidate(tile.score, *place)

    def adjacent(self, tile: Candidate) -> Iterator[list[Candidate]]:
        """Possible places of the tiles to its left and right, a few each."""
        low = (self.height - tile.height) / 2
        for side in (-_SPACING, _SPACING):
            ways = []
            for height in (self.height, 0.85 * self.height):
                for aside in (0.0, -0.07, 0.07):
                    down = low + (height - self.height) / 2
                    middle = self.moved(tile, (side + aside) * self.width, down)
                    place = (middle.real, middle.imag, self.width, height, self.turn % 360)
                    ways.append(Candidate(_UNSEEN, *place, self.shear))
            yield ways


def placement_at(place: Candidate, sure: Sequence[Candidate]) -> TilePlacement | None:
    """The placement of the nearest sure tiles; None if they are few or disordered."""
    near = sorted(
        (each for each in sure if each is not place),
        key=lambda each: math.hypot(each.x - place.x, each.y - place.y),
    )[:_NEIGHBOURS]
    if len(near) < _FEWEST:
        return None
    mean = sum(cmath.rect(1, math.radians(each.turn)) for each in near) / len(near)
    if abs(mean) < _ALIGNED:
        return None
    sides = [(each.width, each.height, each.shear) for each in near]
    return TilePlacement(math.degrees(cmath.phase(mean)), *np.median(sides, axis=0).tolist())


def sure_places(readings: Sequence[TileReading]) -> list[Candidate]:
    """The places of sure tiles whose number shows the top."""
    return [each.candidate for each in readings if _is_sure(each) and not _has_two_ways(each)]


def stood_upright(
    reader: Network, pyramid: Pyramid, readings: Sequence[TileReading]
) -> list[TileReading]:
    """The readings, doubtful ones read again with their neighbours' placement.

    A new look counts only if it is surer. An upside-down 6 among upright tiles is no 9.
    """
    sure = sure_places(readings)
    placements = {}
    for at, each in enumerate(readings):
        doubted = each.present >= _LEAST and each.likelihood < _DOUBTED
        if doubted or _has_two_ways(each):
            placement = placement_at(each.candidate, sure)
            if placement is not None and (doubted or placement.off(each.candidate) > _OVER):
                placements[at] = placement
    ways = [(at, way) for at in placements for way in placements[at].fitted(readings[at].candidate)]
    better = list(readings)
    new = map(_by_shape, read_upright(reader, pyramid, [way for _, way in ways]))
    for (at, _), reading in zip(ways, new, strict=True):
        if _is_better(reading, better[at], placements[at]):
            better[at] = contested(reading, better[at])
    return better


def adjacent_tiles(
    reader: Network, pyramid: Pyramid, readings: Sequence[TileReading], is_piece: IsPiece
) -> list[TileReading]:
    """The readings, with tiles that the finder missed next to those of a row."""
    found, fresh = list(readings), list(readings)
    width, height = pyramid.image.shape[1::-1]
    while fresh:
        taken = [each.candidate for each in found if is_piece(each)]
        sure = [each.candidate for each in found if _is_sure(each)]
        places: list[list[Candidate]] = []
        for tile in (each.candidate for each in fresh if _is_sure(each)):
            if not _has_room(tile, taken):
                continue
            placement = placement_at(tile, sure)
            if placement is None or placement.off(tile) > _STRAIGHT:
                continue
            for ways in placement.adjacent(tile):
                place = ways[0]
                others = (*taken, *(each[0] for each in places))
                if 0 < place.x < width and 0 < place.y < height and _is_free(place, others):
                    places.append(ways)
        # Most are the bare table past a row's end
        first = read_upright(reader, pyramid, [ways[0] for ways in places])
        likely = [ways for ways, each in zip(places, first, strict=True) if each.present >= _LEAST]
        read = iter(read_upright(reader, pyramid, [way for ways in likely for way in ways]))
        best = [max((next(read) for _ in ways), key=_worth) for ways in likely]
        fresh = [each for each in best if _is_sure(each)]
        found += fresh
    return found


def _has_room(tile: Candidate, others: Sequence[Candidate]) -> bool:
    """Whether there is room for another on its left or right."""
    step = cmath.rect(_SPACING * tile.width, math.radians(tile.turn))
    return any(
        _is_free(replace(tile, x=tile.x + side.real, y=tile.y + side.imag), others)
        for side in (-step, step)
    )


def _is_free(place: Candidate, others: Sequence[Candidate]) -> bool:
    return all(
        math.hypot(place.x - each.x, place.y - each.y) > _TAKEN * place.width for each in others
    )


def _worth(reading: TileReading) -> float:
    return reading.present * reading.likelihood


def _is_sure(reading: TileReading) -> bool:
    return reading.present >= _SURE and reading.likelihood >= _SURE


def _has_two_ways(reading: TileReading) -> bool:
    return reading.label[1:] in _ON_ITS_HEAD


def _by_shape(reading: TileReading) -> TileReading:
    kinds = by_shape(np.array([reading.kinds]), np.array([reading.over]))
    return replace(reading, kinds=tuple(kinds[0].tolist()))


def _is_better(new: TileReading, old: TileReading, placement: TilePlacement) -> bool:
    is_over = _has_two_ways(old) and placement.off(old.candidate) > _OVER
    if is_over and new.label[1:] == _ON_ITS_HEAD[old.label[1:]]:
        return _worth(new) >= _PLAUSIBLE
    return _worth(new) > _worth(old) and (new.label == old.label or _worth(new) >= _SURE)


# Doubtful tiles read in many crops around their place; the majority counts.
#
# The reader was not trained on crops that end at a hidden foot or are half beyond the number. It
# reads a good crop surely and a bad one not, so crops weigh by how surely they are read. Their
# agreement is the confidence: a single lucky crop is no proof.

_HEIGHTS: Final = (0.9, 1.05, 1.25)  # of the height found
_DOWN: Final = (-0.06, 0.08)  # heights
_ASIDE: Final = (-0.1, 0.0, 0.1)  # widths
_SHEARS: Final = ((0.0,), (-0.3, 0.3))  # the others where the straight ones disagree
_PIVOT: Final = 0.12  # heights
_AGREED: Final = 0.9  # likely so much: the crops agree
_NEAR: Final = 80.0  # pixels: a smaller tile shows too little to be nudged
_POWER: Final = 8
_LEAST_LIKELIHOOD: Final = 1e-9
_SEEN: Final = 0.3  # the weight of the best crop


def nudged(
    reader: Network, pyramid: Pyramid, readings: Sequence[TileReading], is_piece: IsPiece
) -> list[TileReading]:
    """The readings; doubtful ones by the majority of good crops around them."""
    better, sure = list(readings), sure_places(readings)
    doubted = [
        at
        for at, each in enumerate(readings)
        if each.likelihood < _DOUBTED and each.size >= _NEAR and is_piece(each)
    ]
    seen: dict[int, list[Figures]] = {at: [] for at in doubted}
    for shears in _SHEARS:
        if not doubted:
            break
        ways = [way for at in doubted for way in _nudges(readings[at].candidate, shears)]
        figures = np.asarray(reader(tile_crops(pyramid, ways)), np.float64)
        for at, crops in zip(doubted, np.split(figures, len(doubted)), strict=True):
            seen[at].append(crops)
            tile = readings[at].candidate
            placement = placement_at(tile, sure)
            upright = placement is not None and placement.off(tile) <= _STRAIGHT
            better[at] = _agreed(readings[at], np.concatenate(seen[at]), upright=upright)
        doubted = [at for at in doubted if better[at].likelihood < _AGREED]
    return better


def _nudges(place: Candidate, shears: Sequence[float]) -> Iterator[Candidate]:
    turn = cmath.rect(1, math.radians(place.turn))
    for high, down, aside, shear in itertools.product(_HEIGHTS, _DOWN, _ASIDE, shears):
        # A sheared crop keeps the number, which is above the middle, where it was
        right = aside * place.width + shear * _PIVOT * place.height
        middle = complex(place.x, place.y) + complex(right, down * place.height) * turn
        size = {"height": place.height * high, "shear": place.shear + shear}
        yield replace(place, x=middle.real, y=middle.imag, **size)


def _agreed(old: TileReading, crops: Figures, *, upright: bool) -> TileReading:
    """The majority of good crops; the old reading if none is good."""
    kinds, over, present = spread_of(crops)
    if upright:
        kinds = by_shape(kinds, over)
    else:  # a crop that is off may take either for the other
        seen = np.array(old.kinds)[[SIX, NINE]]
        both = kinds[:, [SIX, NINE]].sum(axis=1, keepdims=True)
        kinds[:, [SIX, NINE]] = both * seen / max(seen.sum(), _LEAST_LIKELIHOOD)
    likely = kinds[:, 1:].max(axis=1)
    over[kinds[:, [SIX, NINE]].max(axis=1) == likely] = 0
    weights = present * ((1 - over) * likely) ** _POWER
    if weights.max() < _SEEN:
        return old
    return replace(old, kinds=tuple((weights @ kinds / weights.sum()).tolist()))


# What cannot be a tile of this table: parts of tiles, and things of another size. All tiles of a
# box are of one size, and perspective shrinks them evenly towards the far side.

Corners = NDArray[np.float32]
_LENGTH: Final = 1.4  # of every tile, in its widths, also where its foot is hidden
_TURNED: Final = 20.0  # degrees
_SMALL: Final = 0.5  # of its area
_FEWEST_OF_SIZE: Final = 5  # sure tiles: fewer tell no size
_ALONG: Final = 0.05  # of the longer spread: less is a single row
_OFF: Final = 0.45  # logarithm of the size by what the others' would be here: no tile of the box
_ASTRAY: Final = 0.3  # a sure one so far off is left out when the others' sizes are measured


def of_one_box(readings: Sequence[TileReading]) -> list[TileReading]:
    """The readings, except those inside a surer tile or of another size than the tiles here.

    An Okey tile's heart in its dish passes for a lying 4, and a playing card for an 11.
    """
    sure = [each for each in readings if _worth(each) >= _SURE]
    surely = {id(each) for each in sure}
    # A sure one is dropped only within what was found of another, not below it
    corners = [(each, each.candidate.quad, _whole(each.candidate)) for each in sure]
    apart = [
        each
        for each in readings
        if not any(
            _is_part(each.candidate, other.candidate, found if id(each) in surely else whole)
            for other, found, whole in corners
            if _worth(other) > _worth(each)
        )
    ]
    places = _places([each.candidate for each in apart])
    # A measure of size hardly changed by a hidden foot or a slanting box
    areas = [each.candidate.width * each.candidate.height for each in apart]
    sizes = np.log(np.sqrt(np.array(areas) / _LENGTH))
    # Checks of a cloth pass for jokers
    known = np.array([id(each) in surely and each.piece != JOKER for each in apart], np.bool_)
    while known.sum() >= _FEWEST_OF_SIZE:
        trend, *_ = np.linalg.lstsq(places[known], sizes[known], rcond=_ALONG)
        off = np.abs(sizes - places @ trend)
        worst = int(np.argmax(np.where(known, off, 0)))
        if off[worst] <= _ASTRAY:
            return [each for each, away in zip(apart, off, strict=True) if away <= _OFF]
        known[worst] = False
    return apart


def _is_part(tile: Candidate, other: Candidate, whole: Corners) -> bool:
    """Whether it is inside the whole of another, smaller or turned.

    A tile before another one on a rack may be inside, but is as large and turned the same way.
    """
    if math.hypot(tile.x - other.x, tile.y - other.y) > other.height + other.width:
        return False
    if cv2.pointPolygonTest(whole, (tile.x, tile.y), measureDist=False) <= 0:
        return False
    turned = abs((tile.turn - other.turn + 90) % 180 - 90)
    return turned > _TURNED or tile.width * tile.height < _SMALL * other.width * other.height


def _whole(tile: Candidate) -> Corners:
    """The corners of the whole tile, from its top on."""
    top, right, below, left = tile.quad
    stretch = max(1.0, _LENGTH * tile.width / tile.height)
    return np.array(
        [top, right, right + (below - right) * stretch, top + (left - top) * stretch], np.float32
    )


def _places(tiles: Sequence[Candidate]) -> Figures:
    """1 and the offset from the mean: along a single row sizes tell nothing across it."""
    places = np.array([(each.x, each.y) for each in tiles], np.float64).reshape(-1, 2)
    if len(places):
        places -= places.mean(axis=0)
        places /= max(1.0, float(places.std(axis=0).max()))
    return np.column_stack([np.ones(len(places)), places])
