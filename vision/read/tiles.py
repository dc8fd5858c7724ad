"""The tile reader: finds every Rummikub tile in a picture, whichever way it lies, and reads it."""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import itemgetter
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from scoreboard.games.rummikub.sets import LEAST
from scoreboard.games.rummikub.tiles import CLASSIC, COLOURS, JOKER, NUMBERS, Box, Piece, Tile
from scoreboard.message import Message, message
from vision.capture.frame import Frame, Image
from vision.capture.image_pyramid import Pyramid
from vision.read.confidence import TILE_WARNINGS, Thresholds, thresholds_of
from vision.read.detection import (
    TILE_MARGIN,
    TILES,
    Candidate,
    Detector,
    Maps,
    candidates,
    distinct,
    tile_crops,
    upright,
)
from vision.read.networks import FINDER, READER, Model, Network, load_model
from vision.read.observation import UNREADABLE, Detection, Observation, SeenSet
from vision.read.tile_rules import PieceLikelihoods, ResolvedTile, resolve
from vision.read.tile_sets import grouped, judged

Ink = tuple[float, float, float]
Figures = NDArray[np.float64]

KINDS: Final = len(NUMBERS) + 2  # nothing readable, the numbers, the joker
_INKS: Final = slice(KINDS, KINDS + len(COLOURS))
_OVER, _PRESENT = KINDS + len(COLOURS), KINDS + len(COLOURS) + 1
_EITHER_END: Final = 0.5
_CLOSE_MARGINS: Final = (1.08, TILE_MARGIN, 1.26)  # margins
_LIKELIEST: Final = 5
# Number by number
_FACES: Final[tuple[Piece, ...]] = (
    *(Tile(colour, number) for number in NUMBERS for colour in COLOURS),
    JOKER,
)


@dataclass(frozen=True)
class TileReading:
    """A place that may be a tile, turned with its top up, and the probabilities of what it shows.

    `kinds` are those of nothing readable, of 1 to 13 and of a joker; `inks` those of the colours;
    `over` of having been upside down, `present` of a tile, readable or not. `ink` is the measured
    colour of the print (see `inks_of`).
    """

    candidate: Candidate
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
    def label(self) -> str:
        """The likeliest tile's notation."""
        return str(self.piece)

    @property
    def pieces(self) -> list[tuple[Piece, float]]:
        """Every tile and the joker with their probabilities, likeliest first."""
        chances = [kind * ink for kind in self.kinds[1 : KINDS - 1] for ink in self.inks]
        pairs = zip(_FACES, (*chances, self.kinds[-1]), strict=True)
        return sorted(pairs, key=itemgetter(1), reverse=True)

    @cached_property
    def likelihood(self) -> float:
        """The estimated probability of the likeliest face, if it is a tile."""
        kind = max(self.kinds[1:])
        return kind if self.piece == JOKER else kind * max(self.inks)

    @property
    def leaning(self) -> float:
        """A tile lies flat."""
        return 0.0

    @property
    def size(self) -> float:
        """The shorter side in pixels."""
        return self.candidate.width

    def grey(self, image: Image) -> Image:
        """The tile cut out upright, 56 x 40, in grey."""
        part = upright(image, self.candidate.quad, 1.0)
        return np.asarray(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), np.uint8)

    def ambiguity(self) -> Message:
        """The two likeliest tiles."""
        (first, _), (second, _) = self.pieces[:2]
        return message("A tile may be {first} or {second}.", first=str(first), second=str(second))

    def detection(self, shape: tuple[int, ...], limits: Thresholds) -> Detection:
        """What is reported of it in a picture of that height and width."""
        readable = limits.is_readable(self, shape)
        quad = self.candidate.quad
        return Detection(
            label=self.label if readable else UNREADABLE,
            confidence=round(limits.confidence(self), 4),
            box=self.candidate.within(shape),
            angle=round(self.candidate.turn, 1) % 360,
            quad=tuple((round(float(x), 1), round(float(y), 1)) for x, y in quad),
            readings=tuple(
                (str(piece), round(chance, 4)) for piece, chance in self.pieces[:_LIKELIEST]
            ),
        )


def read_tiles(reader: Network, pyramid: Pyramid, places: Sequence[Candidate]) -> list[TileReading]:
    """Read every place; those that are upside down are turned over and read again."""
    first = _read_once(reader, pyramid, places)
    over = [at for at, reading in enumerate(first) if reading.over > _EITHER_END]
    again = _read_once(reader, pyramid, [places[at].turned_over() for at in over])
    better = {
        at: turned for at, turned in zip(over, again, strict=True) if turned.over < first[at].over
    }
    return [better.get(at, reading) for at, reading in enumerate(first)]


def read_tiles_closely(
    reader: Network, pyramid: Pyramid, readings: Sequence[TileReading]
) -> list[TileReading]:
    """Read tiles whose top is known once more in crops of three margins; the mean counts."""
    if not readings:
        return []
    places = [reading.candidate for reading in readings]
    cut = [tile_crops(pyramid, places, margin) for margin in _CLOSE_MARGINS]
    figures = reader(np.concatenate(cut)).reshape(len(cut), len(places), -1)
    inks = [reading.ink for reading in readings]
    return [_reading(*each) for each in zip(places, figures.mean(axis=0), inks, strict=True)]


def _read_once(reader: Network, pyramid: Pyramid, places: Sequence[Candidate]) -> list[TileReading]:
    if not places:
        return []
    cut = tile_crops(pyramid, places)
    return [_reading(*each) for each in zip(places, reader(cut), inks_of(cut), strict=True)]


def _reading(place: Candidate, figures: NDArray[np.float32], ink: Ink) -> TileReading:
    values = tuple(figures.tolist())
    return TileReading(place, values[:KINDS], values[_INKS], values[_OVER], values[_PRESENT], ink)


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
_HALF: Final = 0.5  # of the smaller tile: two that share so much are one
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
        """What is seen in it, 96 x 96 x 3; beyond the picture its edge goes on."""
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
        """What the finder names nearest its middle, in pixels of the picture; None if too far."""
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
    """The readings, doubtful ones as they are read after a second pass, where that is likelier.

    Of two that turn out to be of one tile the likelier stays.
    """
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
    return _once_each([better.get(at, each) for at, each in enumerate(readings)])


def _once_each(readings: Sequence[TileReading]) -> list[TileReading]:
    likeliest = sorted(readings, key=lambda each: -each.present * each.likelihood)
    by_place = {each.candidate: each for each in reversed(likeliest)}
    kept: list[Candidate] = []
    for tile in distinct([each.candidate for each in likeliest], TILES):
        if not any(_is_half_under(tile, better) for better in kept):
            kept.append(tile)
    apart = set(kept)
    return [
        each for each in readings if each.candidate in apart and by_place[each.candidate] is each
    ]


def _is_half_under(tile: Candidate, better: Candidate) -> bool:
    if math.hypot(tile.x - better.x, tile.y - better.y) > (tile.height + better.height) / 2:
        return False
    shared, _ = cv2.intersectConvexConvex(tile.quad, better.quad)
    return shared > _HALF * min(tile.width * tile.height, better.width * better.height)


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
    places = np.array([(each.x, each.y, each.width, each.height) for each in found])
    x, y, width, length = (weights @ places / weights.sum()).tolist()
    turns = (cmath.rect(each.score, math.radians(2 * each.turn)) for each in found)
    angle = math.degrees(cmath.phase(sum(turns))) / 2
    over = 180.0 * round((place.turn - angle) / 180)
    return Candidate(place.score, x, y, width, length, (angle + over) % 360)


# The colours of tiles, compared with each other.
#
# White balance differs more between photographs than the four inks do within one: the reader's
# probabilities for each tile are weighed against how like the other tiles' inks this one is (a
# mixture of four Gaussians fitted by expectation and maximisation, Dempster et al. 1977, whose
# means start from those probabilities).

_PRINTED: Final = (slice(8, 34), slice(6, 34))  # of a crop: where a number is printed
_FACE: Final = 85  # the percentile of brightness that is face rather than ink or glare
_INK: Final = 0.06  # of the printed part: its darkest pixels are ink, however thin the number
_PATCH: Final = (4, 4)


def inks_of(crops: Image) -> list[Ink]:
    """Logarithms of ink by face in blue, green and red, for upright crops, N x 56 x 40 x 3."""
    inks = []
    for crop in crops.astype(np.float32) + 1:
        face = np.percentile(cv2.blur(crop, _PATCH).reshape(-1, 3), _FACE, axis=0)
        printed = np.log(crop[_PRINTED].reshape(-1, 3) / face)
        count = round(_INK * len(printed))
        darkest = np.argpartition(printed.min(axis=1), count)[:count]
        blue, green, red = printed[darkest].mean(axis=0).tolist()
        inks.append((blue, green, red))
    return inks


# Measured on rendered tiles and on the training photographs, in the order of COLOURS: how much
# darker ink is than face (logarithms of blue, green, red), and how far that strays in a picture.
_MEANS: Final = np.array(
    [(-1.79, -1.61, -1.48), (-1.24, -1.33, -0.20), (-0.31, -0.77, -1.89), (-1.09, -0.44, -0.07)]
)
_STRAYING: Final = np.array([(0.063, 0.036, 0.020), (0.036, 0.045, 0.023), (0.020, 0.023, 0.058)])

_FEWEST: Final = 5  # tiles: with fewer there is nothing to compare
_WEIGHT: Final = 0.15  # of the likeness: it comes from the same pixels as the reader's colours
_KNOWN: Final = 1.0  # tiles that weigh as much as what is known of inks beforehand
_ROUNDS: Final = 5
_FLOOR: Final = 1e-4
_LEGIBLE: Final = 0.5


def compared(readings: Sequence[TileReading]) -> list[TileReading]:
    """The same readings, their colours weighed against each other; too few are left as they are."""
    # Whether a number can be read on it: a joker's picture may have inks of its own
    coloured = [
        at
        for at, each in enumerate(readings)
        if (each.present >= _LEGIBLE and max(each.kinds[1:-1]) >= _LEGIBLE)
    ]
    if len(coloured) < _FEWEST:
        return [*readings]
    alone = np.array([readings[at].inks for at in coloured]) + _FLOOR
    inks = np.array([readings[at].ink for at in coloured])
    # The chances of four colours for N inks, N x 4, at first those that the reader gives each alone
    precision = np.linalg.inv(_STRAYING)
    chances = alone / alone.sum(axis=1, keepdims=True)
    for _ in range(_ROUNDS):
        away = inks[:, None] - _means(inks, chances)
        unlike = np.einsum("nci,ij,ncj->nc", away, precision, away) / 2
        odds = np.log(alone) - _WEIGHT * unlike
        chances = np.exp(odds - odds.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
    weighed = dict(zip(coloured, np.asarray(chances), strict=True))
    return [
        replace(each, inks=tuple(weighed[at].tolist())) if at in weighed else each
        for at, each in enumerate(readings)
    ]


def _means(inks: Figures, chances: Figures) -> Figures:
    """Where the picture's four inks lie, 4 x 3: all shifted by its light, each by its own tiles."""
    away = inks[:, None] - _MEANS
    shift = np.einsum("nc,nci->i", chances, away) / (chances.sum() + 2 * _KNOWN)
    count = chances.sum(axis=0)[:, None]
    return np.asarray((chances.T @ inks + _KNOWN * (_MEANS + shift)) / (count + _KNOWN))


NAME: Final = "tiles"
_BEYOND_DOUBT: Final = 0.95  # confidence from which the rules never change a reading
_LEGAL_SHARE: Final = 0.75  # of the surely read rows: from there on it is a settled table


@dataclass(frozen=True, slots=True)
class InferredTiles:
    """Tiles in reading order, what each is taken for, and the sets that they lie in."""

    readings: tuple[TileReading, ...]
    settled: tuple[ResolvedTile, ...]
    sets: tuple[SeenSet, ...]

    @property
    def doubts(self) -> tuple[Message, ...]:
        """What the rules object to or add, each message once."""
        return rule_doubts(self.settled)


def rule_doubts(settled: Sequence[ResolvedTile]) -> tuple[Message, ...]:
    """What the rules object to or add, each message once."""
    found = []
    for each in settled:
        tile = str(each.piece)
        if each.inferred:
            found.append(message("A tile is told by the rules, not seen: {tile}.", tile=tile))
        if each.disputed:
            found.append(message("A tile looks like {tile}, which does not fit.", tile=tile))
    return tuple(dict.fromkeys(found))


def inferred(tiles: Sequence[TileReading], limits: Thresholds, copies: Box) -> InferredTiles:
    """Put tiles in reading order, and weigh them by the rules."""
    places = [each.candidate for each in tiles]
    seen = [PieceLikelihoods(each.kinds, each.inks, limits.confidence(each)) for each in tiles]
    order, settled, sets = settled_rows(
        places, seen, copies, sure=limits.sure, readable=limits.readable
    )
    return InferredTiles(tuple(tiles[at] for at in order), settled, sets)


SettledRows = tuple[tuple[int, ...], tuple[ResolvedTile, ...], tuple[SeenSet, ...]]


def settled_rows(
    places: Sequence[Candidate],
    seen: Sequence[PieceLikelihoods],
    copies: Box,
    *,
    sure: float,
    readable: float,
) -> SettledRows:
    """The tiles' indices in reading order, what the rules take each for, and their sets.

    From a confidence of `sure` on a reading is accepted, from `readable` on it is reported. If
    most surely read rows of three and more are legal sets, it is a settled table; on a rack, and
    among loose tiles, only the copies in the box count.
    """
    groups = grouped(places)
    order = tuple(at for group in groups for at in group)
    numbers = iter(range(len(order)))
    rows = [tuple(next(numbers) for _ in group) for group in groups]
    chances = [seen[at] for at in order]
    # A table where the rows that are beyond doubt are legal sets for the most part
    certain = [
        row
        for row in rows
        if len(row) >= LEAST and all(chances[at].confidence >= sure for at in row)
    ]
    legal = [bool(each.legal) for each in judged(certain, [each.piece for each in chances])]
    is_table = bool(legal) and sum(legal) >= _LEGAL_SHARE * len(legal)
    resolved = resolve(chances, rows, copies, sure=_BEYOND_DOUBT, settled_table=is_table)
    settled = tuple(
        # Where the rules only confirm what would be accepted anyway, nothing is inferred
        ResolvedTile(rule.piece, max(rule.confidence, eye.confidence))
        if rule.inferred and rule.piece == eye.piece and eye.confidence >= sure
        else rule
        for rule, eye in zip(resolved, chances, strict=True)
    )
    pieces = [
        rule.piece if rule.inferred or eye.confidence >= readable else None
        for rule, eye in zip(settled, chances, strict=True)
    ]
    return order, settled, judged(rows, pieces)


class TilesRecogniser:
    """Reads Rummikub's tiles; keeps the promise of `vision.read.observation.Recogniser`.

    Two networks: a finder of turned rectangles on the picture made small, and a reader on an
    upright crop of each from the full picture. A doubtful tile gets a second pass of the finder; if
    it is still doubtful, it is read again from crops of three margins, and the mean counts. Colours
    are compared with those of the other tiles. Tiles come in reading order, with their sets; the
    rules may resolve what the networks leave open, by what a box with `copies` holds.

    Raises:
        WeightsError: its model cannot be loaded.
    """

    name = NAME

    def __init__(self, model: Model | None = None, copies: Box = CLASSIC) -> None:
        model = model or load_model(NAME)
        outdated = message(
            "The card of the model “tiles” is of another version; install Tablescore again."
        )
        self._limits = thresholds_of(model.card, outdated)
        self._detector = Detector(model.networks[FINDER], TILES, self._limits.candidate)
        self._reader = model.networks[READER]
        self._copies = copies

    def __call__(self, frame: Frame, expected: int | None = None) -> Observation:  # noqa: ARG002
        """Read one frame."""
        image, limits, pyramid = frame.image, self._limits, Pyramid(frame.image, frame.area)
        once = read_tiles(self._reader, pyramid, self._detector.find(pyramid))
        twice = reconsidered(self._detector.finder, self._reader, pyramid, once)
        again = [each for each in twice if limits.reads_again(each)]
        closer = read_tiles_closely(self._reader, pyramid, again)
        better = dict(zip([each.candidate for each in again], closer, strict=True))
        readings = compared([better.get(each.candidate, each) for each in twice])
        table = inferred([each for each in readings if limits.is_piece(each)], limits, self._copies)
        found = []
        for each, rule in zip(table.readings, table.settled, strict=True):
            seen = each.detection(image.shape, limits)
            if rule.inferred:
                label, confidence = str(rule.piece), round(rule.confidence, 4)
                seen = replace(seen, label=label, confidence=confidence, inferred=True)
            found.append(seen)
        doubts = dict.fromkeys((*table.doubts, *TILE_WARNINGS.of(image, readings, limits)))
        return Observation(frame.sequence, self.name, tuple(found), tuple(doubts), table.sets)
