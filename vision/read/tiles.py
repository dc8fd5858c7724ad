"""The tile reader: finds and reads every Rummikub tile in a picture, in any orientation."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from scoreboard.games.rummikub.sets import LEAST
from scoreboard.games.rummikub.tiles import CLASSIC, Box
from scoreboard.message import Message, message
from vision.capture.frame import Frame, Image, Pyramid
from vision.read.confidence import TILE_WARNINGS, Thresholds, thresholds_of
from vision.read.detection import TILES, Candidate, Detector, Maps, candidates
from vision.read.networks import FINDER, READER, Model, Network, load_model
from vision.read.observation import Observation, SeenSet
from vision.read.tile_neighbours import adjacent_tiles, nudged, of_one_box, stood_upright
from vision.read.tile_readings import (
    TileReading,
    coloured,
    compared,
    find_tiles,
    once_each,
    read_tiles,
    read_tiles_closely,
)
from vision.read.tile_rules import PieceLikelihoods, ResolvedTile, resolve
from vision.read.tile_sets import RowSlot, grouped, judged, ways
from vision.read.tile_views import Edition, are_doubtful, legible, seen_from_above, without_hearts

# A second pass of the finder over doubtful tiles, one at a time and turned as they seem to lie.
#
# The first pass has one scale for all tiles, and finds the turn of a loose tile to about ten
# degrees; the reader needs better. At the size and turn that the finder was trained on most, and
# once more turned by 45 degrees, it finds it to a few.

_SIDE: Final = 96  # of a window, in pixels
_LENGTH: Final = 44.0  # of the tile in it
_TURNS: Final = (0.0, 45.0)  # degrees
_FAINTEST: Final = 0.05  # the finder's score in a window
_OFF: Final = 0.4  # of the tile's width: farther from the middle it is another tile
_DOUBTED: Final = 0.97  # less likely readings get a second pass
_PRESENT_ENOUGH: Final = 0.3  # the least presence that is worth it


@dataclass(frozen=True, slots=True)
class _Window:
    """A square part of a picture around a point, turned; `factor` is the side of its pixels."""

    x: float
    y: float
    angle: float
    factor: float

    @property
    def _turn(self) -> complex:
        return cmath.rect(self.factor, math.radians(self.angle))

    def cut(self, pyramid: Pyramid) -> Image:
        """The window's pixels, 96 x 96 x 3; beyond the picture its edge is repeated."""
        level = pyramid.above(self.factor)
        middle = complex(self.x + 0.5, self.y + 0.5) / 2**level - (0.5 + 0.5j)
        turn = self._turn / 2**level
        corner = middle - turn * complex(_SIDE - 1, _SIDE - 1) / 2
        warp = np.array([(turn.real, -turn.imag, corner.real), (turn.imag, turn.real, corner.imag)])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        size, edge = (_SIDE, _SIDE), cv2.BORDER_REPLICATE
        cut = cv2.warpAffine(pyramid.levels[level], warp, size, flags=flags, borderMode=edge)
        return np.asarray(cut, np.uint8)

    def found(self, maps: Maps) -> Candidate | None:
        """The find nearest to its middle, in pixels of the picture; None if too far."""
        near = min(candidates(maps, _FAINTEST, TILES), key=_off_middle, default=None)
        if near is None or _off_middle(near) > _OFF * near.width:
            return None
        away = self._turn * complex(near.x - _SIDE / 2, near.y - _SIDE / 2)
        placed = replace(near.scaled(self.factor), x=self.x + away.real, y=self.y + away.imag)
        return replace(placed, angle=near.turn + self.angle)


def _off_middle(tile: Candidate) -> float:
    return math.hypot(tile.x - _SIDE / 2, tile.y - _SIDE / 2)


def reconsidered(
    finder: Network, reader: Network, pyramid: Pyramid, readings: Sequence[TileReading]
) -> list[TileReading]:
    """The readings, doubtful ones after a second pass if that is likelier; each tile once."""
    doubted = [
        at
        for at, each in enumerate(readings)
        if (each.present >= _PRESENT_ENOUGH and each.likelihood < _DOUBTED)
    ]
    again = read_tiles(
        reader, pyramid, aimed(finder, pyramid, [readings[at].candidate for at in doubted])
    )
    better = {
        at: reading
        for at, reading in zip(doubted, again, strict=True)
        if reading.likelihood > readings[at].likelihood
    }
    return once_each([better.get(at, each) for at, each in enumerate(readings)])


def aimed(finder: Network, pyramid: Pyramid, places: Sequence[Candidate]) -> list[Candidate]:
    """The places corrected by a second pass, unchanged where it finds nothing."""
    if not places:
        return []
    windows = [
        _Window(place.x, place.y, place.turn + turn, place.height / _LENGTH)
        for place in places
        for turn in _TURNS
    ]
    maps = finder(np.stack([window.cut(pyramid) for window in windows]))
    found = [window.found(seen) for window, seen in zip(windows, maps, strict=True)]
    each = len(_TURNS)
    return [
        _mean(place, [again for again in found[each * at : each * (at + 1)] if again is not None])
        for at, place in enumerate(places)
    ]


def _mean(place: Candidate, found: Sequence[Candidate]) -> Candidate:
    """The mean of several finds by their scores, with the same end up as before."""
    if not found:
        return place
    weights = np.array([each.score for each in found])
    places = np.array([(each.x, each.y, each.width, each.height, each.shear) for each in found])
    x, y, width, length, shear = (weights @ places / weights.sum()).tolist()
    turns = (cmath.rect(each.score, math.radians(2 * each.turn)) for each in found)
    angle = math.degrees(cmath.phase(sum(turns))) / 2
    over = 180.0 * round((place.turn - angle) / 180)
    return Candidate(place.score, x, y, width, length, (angle + over) % 360, shear)


NAME: Final = "tiles"
_BEYOND_DOUBT: Final = 0.95  # confidence from which the rules never change a reading
_HEARTS: Final = 0.6  # the share of tiles with a heart: from there on they may be Okey's
_SURER: Final = 0.005  # in the likelihood of each tile: then they are
_ANYTHING: Final = dict.fromkeys((*CLASSIC.tiles.counts,), 1.0)
_KNOWN_SHARE: Final = 0.6  # of a row's tiles: from there on it tells whether it can be a set
_LEGAL_SHARE: Final = 0.65  # of such rows: from there on it is a settled table


@dataclass(frozen=True, slots=True)
class InferredTiles:
    """Tiles in reading order, their inferred pieces, and their sets."""

    readings: tuple[TileReading, ...]
    settled: tuple[ResolvedTile, ...]
    sets: tuple[SeenSet, ...]

    @property
    def doubts(self) -> tuple[Message, ...]:
        """The rules' objections and additions, each message once."""
        found = []
        for row in self.sets:
            tiles = [self.settled[at] for at in row.indices]
            if shown := " ".join(str(each.piece) for each in tiles if each.inferred):
                found.append(message("Told by the rules, not seen: {tiles}.", tiles=shown))
            found += (
                message("A tile looks like {tile}, which does not fit.", tile=str(each.piece))
                for each in tiles
                if each.disputed
            )
        return tuple(dict.fromkeys(found))


def inferred(tiles: Sequence[TileReading], limits: Thresholds, copies: Box) -> InferredTiles:
    """Put tiles in reading order, and weigh them by the rules.

    If most surely read rows of three and more are legal sets, it is a settled table; on a rack, and
    among loose tiles, only the copies in the box count.
    """
    groups = grouped([each.candidate for each in tiles])
    ordered = tuple(tiles[at] for group in groups for at in group)
    numbers = iter(range(len(ordered)))
    rows = [tuple(next(numbers) for _ in group) for group in groups]
    chances = [PieceLikelihoods(e.kinds, e.inks, limits.confidence(e)) for e in ordered]
    # A row that needs the rules has a doubtful tile: the others tell whether it can be a set
    slots = [
        RowSlot({each.piece: 1.0}, is_open=False)
        if each.piece is not None and each.confidence >= limits.sure
        else RowSlot(_ANYTHING, is_blank=True)
        for each in chances
    ]
    box = copies.tiles.counts
    legal = [
        bool(ways([slots[at] for at in row], box))
        for row in rows
        if sum(not slots[at].is_blank for at in row) >= max(LEAST, _KNOWN_SHARE * len(row))
    ]
    is_table = bool(legal) and sum(legal) >= _LEGAL_SHARE * len(legal)
    resolved = resolve(chances, rows, copies, sure=_BEYOND_DOUBT, settled_table=is_table)
    settled = tuple(
        # Where the rules only confirm what would be accepted anyway, nothing is inferred
        ResolvedTile(rule.piece, max(rule.confidence, eye.confidence))
        if rule.inferred and rule.piece == eye.piece and eye.confidence >= limits.sure
        else rule
        for rule, eye in zip(resolved, chances, strict=True)
    )
    pieces = [
        rule.piece if rule.inferred or eye.confidence >= limits.readable else None
        for rule, eye in zip(settled, chances, strict=True)
    ]
    return InferredTiles(ordered, settled, judged(rows, pieces))


Weigh = Callable[[Pyramid, Sequence[TileReading]], list[TileReading]]


class TilesRecogniser:
    """Reads Rummikub's tiles; keeps the promise of `vision.read.observation.Recogniser`.

    Two networks: a finder of quadrangles on the shrunk picture, and a reader on an upright crop of
    each from the full picture. Doubtful tiles are looked at again: by the finder, from higher up or
    from the front, in line with their neighbours, and in many crops. Readings of another size are
    dropped. Tiles come in reading order, with their sets; the rules may resolve what the networks
    leave open, by the pieces of a box with `copies`. Okey's tiles are an `edition` of their own;
    `auto` takes a doubtful photo for one of them if that makes it surer. `weigh` applies a family's
    taught set; without it a picture's readings are compared by their colours alone. Raises
    WeightsError: its model cannot be loaded.
    """

    name = NAME

    def __init__(
        self,
        model: Model | None = None,
        copies: Box = CLASSIC,
        edition: Edition = "auto",
        weigh: Weigh | None = None,
    ) -> None:
        model = model or load_model(NAME)
        self._weigh: Weigh = weigh or (lambda _, readings: compared(readings))
        outdated = message(
            "The card of the model “tiles” is of another version; install Tablescore again."
        )
        self._limits = thresholds_of(model.card, outdated)
        self._detector = Detector(model.networks[FINDER], TILES, self._limits.candidate)
        self._reader = model.networks[READER]
        self._copies = copies
        self._edition = edition

    def _look(self, pyramid: Pyramid) -> list[TileReading]:
        reader, is_piece = self._reader, self._limits.is_piece
        once = find_tiles(self._detector, reader, pyramid)
        twice = reconsidered(self._detector.finder, reader, pyramid, once)
        stood = stood_upright(reader, pyramid, twice)
        return once_each(adjacent_tiles(reader, pyramid, stood, is_piece))

    def _readings(self, pyramid: Pyramid) -> tuple[list[TileReading], Pyramid]:
        """All possible tiles, and the picture they were read in: Okey's are without hearts."""
        seen = self._among_others(pyramid)
        tiles = [each for each in seen if self._limits.is_piece(each)]
        is_okey = self._edition == "okey"
        if not tiles or not (is_okey or (self._edition == "auto" and are_doubtful(tiles))):
            return seen, pyramid
        image, hearts = without_hearts(pyramid, [each.candidate for each in tiles])
        if not is_okey and hearts < _HEARTS:
            return seen, pyramid
        bare = Pyramid(image, pyramid.area)
        again = self._among_others(bare)
        more = legible([each for each in again if self._limits.is_piece(each)]) - legible(tiles)
        return (again, bare) if is_okey or more > _SURER * len(tiles) else (seen, pyramid)

    def _among_others(self, pyramid: Pyramid) -> list[TileReading]:
        """All possible tiles, doubtful ones read again by their neighbours."""
        is_piece = self._limits.is_piece
        seen = seen_from_above(self._look, pyramid.image, self._look(pyramid), is_piece)
        found = of_one_box(once_each(stood_upright(self._reader, pyramid, seen)))
        area, shape = pyramid.area, pyramid.image.shape
        places = ((each, each.candidate) for each in found)
        return [each for each, at in places if area is None or area.holds(at.x, at.y, shape)]

    def __call__(self, frame: Frame, expected: int | None = None) -> Observation:
        """Read one frame, and ask where it shows more or fewer tiles than expected."""
        image, limits, pyramid = frame.image, self._limits, Pyramid(frame.image, frame.area)
        twice, bare = self._readings(pyramid)
        again = [each for each in twice if limits.reads_again(each)]
        closer = read_tiles_closely(self._reader, bare, again)
        better = dict(zip([each.candidate for each in again], closer, strict=True))
        read = [better.get(each.candidate, each) for each in twice]
        read = nudged(self._reader, bare, read, limits.is_piece)
        if bare is not pyramid:  # a heart has its tile's colour
            read = coloured(self._reader, pyramid, read)
        readings = self._weigh(pyramid, read)
        table = inferred([each for each in readings if limits.is_piece(each)], limits, self._copies)
        found = []
        settled = set[int]()  # what the rules settle needs no doubt about its looks
        for each, rule in zip(table.readings, table.settled, strict=True):
            seen = each.detection(image.shape, limits)
            if rule.inferred:
                settled.add(id(each))
                label, confidence = str(rule.piece), round(rule.confidence, 4)
                seen = replace(seen, label=label, confidence=confidence, inferred=True)
            found.append(seen)
        open_ones = [each for each in readings if id(each) not in settled]
        doubts = dict.fromkeys((*table.doubts, *TILE_WARNINGS.of(image, open_ones, limits)))
        if expected is not None and len(found) != expected:
            counts = {"seen": len(found), "tiles": expected}
            doubts = {message("I see {seen} tiles instead of {tiles}.", **counts): None, **doubts}
        return Observation(frame.sequence, self.name, tuple(found), tuple(doubts), table.sets)
