"""Readings of possible tiles, and their colours compared with each other."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import itemgetter
from typing import ClassVar, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from scoreboard.games.rummikub.tiles import COLOURS, JOKER, NUMBERS, Piece, Tile
from scoreboard.message import Message, message
from vision.capture.frame import Image, Pyramid
from vision.read.confidence import Thresholds
from vision.read.detection import (
    TILE_MARGIN,
    TILES,
    Candidate,
    Detector,
    distinct,
    tile_crops,
    upright,
)
from vision.read.networks import Network
from vision.read.observation import UNREADABLE, Detection

Ink = tuple[float, float, float]
Figures = NDArray[np.float64]

KINDS: Final = len(NUMBERS) + 2  # nothing readable, the numbers, the joker
_INKS: Final = slice(KINDS, KINDS + len(COLOURS))
_OVER, _PRESENT = KINDS + len(COLOURS), KINDS + len(COLOURS) + 1
SIX: Final = 6
NINE: Final = 9
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
    """A possible tile, turned with its top up, and the probabilities of its faces.

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
    leaning: ClassVar[float] = 0.0  # a tile is flat

    @cached_property
    def piece(self) -> Piece:
        kind = self.kinds.index(max(self.kinds[1:]), 1)
        if kind == KINDS - 1:
            return JOKER
        return Tile(COLOURS[self.inks.index(max(self.inks))], kind)

    @property
    def label(self) -> str:
        return str(self.piece)

    @property
    def pieces(self) -> list[tuple[Piece, float]]:
        """Every tile and the joker with their probabilities, likeliest first."""
        chances = [kind * ink for kind in self.kinds[1 : KINDS - 1] for ink in self.inks]
        pairs = zip(_FACES, (*chances, self.kinds[-1]), strict=True)
        return sorted(pairs, key=itemgetter(1), reverse=True)

    @cached_property
    def likelihood(self) -> float:
        kind = max(self.kinds[1:])
        return kind if self.piece == JOKER else kind * max(self.inks)

    @property
    def size(self) -> float:
        return self.candidate.width

    def grey(self, image: Image) -> Image:
        """The tile cut out upright, 56 x 40, in grey."""
        part = upright(image, self.candidate.quad, 1.0)
        return np.asarray(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), np.uint8)

    def ambiguity(self) -> Message:
        (first, _), (second, _) = self.pieces[:2]
        return message("A tile may be {first} or {second}.", first=str(first), second=str(second))

    def detection(self, shape: tuple[int, ...], limits: Thresholds) -> Detection:
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


_SURELY_THERE: Final = 0.9  # present and likely so much: a tile that others are measured by
_SURELY_READ: Final = 0.7


def find_tiles(detector: Detector, reader: Network, pyramid: Pyramid) -> list[TileReading]:
    """Find possible tiles and read them; surely read ones give the size of tiles here.

    Wood and cloth have hundreds of places that look a little like small tiles: a nearer pass for
    their sake, and reading them all, cost more than everything else. Checks of a cloth pass for
    jokers: these give no size.
    """
    known: dict[Candidate, TileReading] = {}

    def read(places: Sequence[Candidate]) -> list[TileReading]:
        fresh = [place for place in places if place not in known]
        known.update(zip(fresh, read_tiles(reader, pyramid, fresh), strict=True))
        return [known[place] for place in places]

    def surely(likely: Sequence[Candidate]) -> list[Candidate]:
        return [
            place
            for place, reading in zip(likely, read(likely), strict=True)
            if reading.present >= _SURELY_THERE
            and reading.likelihood >= _SURELY_READ
            and reading.piece != JOKER
        ]

    return read(detector.find(pyramid, surely))


def read_tiles(reader: Network, pyramid: Pyramid, places: Sequence[Candidate]) -> list[TileReading]:
    """Read every place; those that are upside down are turned over and read again."""
    first = read_upright(reader, pyramid, places)
    over = [at for at, reading in enumerate(first) if reading.over > _EITHER_END]
    again = read_upright(reader, pyramid, [places[at].turned_over() for at in over])
    better = {
        at: turned for at, turned in zip(over, again, strict=True) if turned.over < first[at].over
    }
    return [better.get(at, reading) for at, reading in enumerate(first)]


def read_tiles_closely(
    reader: Network, pyramid: Pyramid, readings: Sequence[TileReading]
) -> list[TileReading]:
    """Read tiles whose top is known again in crops of three margins, and average."""
    if not readings:
        return []
    places = [reading.candidate for reading in readings]
    cut = [tile_crops(pyramid, places, margin) for margin in _CLOSE_MARGINS]
    figures = reader(np.concatenate(cut)).reshape(len(cut), len(places), -1)
    inks = [reading.ink for reading in readings]
    return [_reading(*each) for each in zip(places, figures.mean(axis=0), inks, strict=True)]


IsPiece = Callable[[TileReading], bool]


def read_upright(
    reader: Network, pyramid: Pyramid, places: Sequence[Candidate]
) -> list[TileReading]:
    """Read every place without turning it over, even if it seems upside down."""
    if not places:
        return []
    cut = tile_crops(pyramid, places)
    return [_reading(*each) for each in zip(places, reader(cut), inks_of(cut), strict=True)]


def coloured(
    reader: Network, pyramid: Pyramid, readings: Sequence[TileReading]
) -> list[TileReading]:
    """The readings with the colours that another picture of the same tiles shows."""
    shown = read_upright(reader, pyramid, [each.candidate for each in readings])
    pairs = zip(readings, shown, strict=True)
    return [replace(each, inks=other.inks, ink=other.ink) for each, other in pairs]


def spread_of(crops: Figures) -> tuple[Figures, Figures, Figures]:
    """N crops' figures split into kinds, upside down, and present."""
    return crops[:, :KINDS], crops[:, _OVER], crops[:, _PRESENT]


def by_shape(kinds: Figures, over: Figures) -> Figures:
    """The kinds of N crops whose top is known: then shape alone tells 6 from 9."""
    known = kinds.copy()
    known[:, SIX] = (1 - over) * kinds[:, SIX] + over * kinds[:, NINE]
    known[:, NINE] = (1 - over) * kinds[:, NINE] + over * kinds[:, SIX]
    return known


def _reading(place: Candidate, figures: NDArray[np.float32], ink: Ink) -> TileReading:
    values = tuple(figures.tolist())
    return TileReading(place, values[:KINDS], values[_INKS], values[_OVER], values[_PRESENT], ink)


_CONTESTED: Final = 0.5  # present and likely so much: another face that counts
_HALF: Final = 0.5  # of the smaller tile: two that share so much are one


def once_each(readings: Sequence[TileReading]) -> list[TileReading]:
    """The likeliest of several readings of each tile."""
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


def contested(better: TileReading, other: TileReading) -> TileReading:
    """The better of two readings of one tile; if the other sees another face, the mean counts.

    The likelier of two looks is no surer than both together.
    """
    if better.label == other.label or other.present * other.likelihood < _CONTESTED:
        return better
    kinds, inks = (
        tuple((np.add(*each) / 2).tolist())
        for each in ((better.kinds, other.kinds), (better.inks, other.inks))
    )
    return replace(better, kinds=kinds, inks=inks)


def _is_half_under(tile: Candidate, better: Candidate) -> bool:
    if math.hypot(tile.x - better.x, tile.y - better.y) > (tile.height + better.height) / 2:
        return False
    shared, _ = cv2.intersectConvexConvex(tile.quad, better.quad)
    return shared > _HALF * min(tile.width * tile.height, better.width * better.height)


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
    pixels = crops.astype(np.float32) + 1
    smooth = np.stack([cv2.blur(crop, _PATCH) for crop in pixels]).reshape(len(crops), -1, 3)
    at = (smooth.shape[1] - 1) * _FACE / 100
    low = int(at)
    # The percentile of all crops at once: numpy's own takes them one by one
    parted = np.partition(smooth, (low, low + 1), axis=1)
    face = parted[:, low] + (at - low) * (parted[:, low + 1] - parted[:, low])
    printed = np.log(pixels[:, _PRINTED[0], _PRINTED[1]].reshape(len(crops), -1, 3) / face[:, None])
    count = round(_INK * printed.shape[1])
    darkest = np.argpartition(printed.min(axis=2), count, axis=1)[:, :count]
    means = np.take_along_axis(printed, darkest[..., None], axis=1).mean(axis=1)
    return [(blue, green, red) for blue, green, red in means.tolist()]


# Measured on rendered tiles and on the training photographs, in the order of COLOURS: how much
# darker ink is than face (logarithms of blue, green, red), and how far that strays in a picture.
_MEANS: Final = np.array(
    [(-1.79, -1.61, -1.48), (-1.24, -1.33, -0.20), (-0.31, -0.77, -1.89), (-1.09, -0.44, -0.07)]
)
_STRAYING: Final = np.array([(0.063, 0.036, 0.020), (0.036, 0.045, 0.023), (0.020, 0.023, 0.058)])

_FEWEST: Final = 5  # tiles: with fewer there is nothing to compare
_WEIGHT: Final = 0.15  # of the likeness: it comes from the same pixels as the reader's colours
_KNOWN: Final = 1.0  # tiles that weigh as much as what is known of inks beforehand,
_TAUGHT: Final = 10.0  # and as what was taught of a set's own
_ROUNDS: Final = 5
_FLOOR: Final = 1e-4
_LEGIBLE: Final = 0.5


def compared(readings: Sequence[TileReading], means: Figures | None = None) -> list[TileReading]:
    """The readings, their colours weighed against each other; unchanged if there are too few.

    `means`, 4 x 3, are a set's own inks in the order of COLOURS, None for those of most sets.
    """
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
        away = inks[:, None] - _means(inks, chances, means)
        unlike = np.einsum("nci,ij,ncj->nc", away, precision, away) / 2
        odds = np.log(alone) - _WEIGHT * unlike
        chances = np.exp(odds - odds.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
    if means is None:
        blue, green, red = inks.T
        # Glare thins both equally: green's distance from red shrinks, its share of blue's stays
        chances = _split(chances, (green - red) / np.maximum(_FAINTEST, red - blue), (1, 3))
        chances = _split(chances, blue - red, (0, 2))
    weighed = dict(zip(coloured, np.asarray(chances), strict=True))
    return [
        replace(each, inks=tuple(weighed[at].tolist())) if at in weighed else each
        for at, each in enumerate(readings)
    ]


# Some lights and woods bring two colours near to each other; a hue still parts them.
_FAINTEST: Final = 0.05  # an ink that swallows hardly more blue than red tells no hue
_BOTH: Final = 0.8  # the chance of one of the two
_EACH: Final = 2  # tiles of each
_APART: Final = 0.25
_CLEARLY: Final = 3.5  # times as far apart as they stray
_SURELY: Final = 0.995  # the reader's chance of a colour: from there on it is not changed
_SEPARATED: Final = 0.9  # the chance of a colour that differs from what the reader sees


def _split(chances: Figures, hues: Figures, pair: tuple[int, int]) -> Figures:
    """The chances, with two near colours separated if the photo's hues form two groups."""
    less, more = pair
    members = np.nonzero(chances[:, less] + chances[:, more] >= _BOTH)[0]
    order = members[np.argsort(hues[members])]
    parted = hues[order]
    best = None
    for cut in range(_EACH, len(order) - _EACH + 1):
        low, high = parted[:cut], parted[cut:]
        stray = float(np.sqrt((low.var() * len(low) + high.var() * len(high)) / len(order)))
        away = float(high.mean() - low.mean())
        if best is None or stray < best[0]:
            best = stray, away, cut
    if best is None or best[1] < max(_APART, _CLEARLY * best[0]):
        return chances
    split = chances.copy()
    for rows, right, wrong in ((order[: best[2]], less, more), (order[best[2] :], more, less)):
        seen = chances[rows, wrong]
        against = rows[(seen > chances[rows, right]) & (seen < _SURELY)]
        both = chances[against, right] + chances[against, wrong]
        split[against, right], split[against, wrong] = _SEPARATED * both, (1 - _SEPARATED) * both
    return split


def _means(inks: Figures, chances: Figures, taught: Figures | None) -> Figures:
    """The picture's four mean inks, 4 x 3: all shifted by its light, each by its own tiles."""
    usual, known = (_MEANS, _KNOWN) if taught is None else (taught, _TAUGHT)
    away = inks[:, None] - usual
    shift = np.einsum("nc,nci->i", chances, away) / (chances.sum() + 2 * _KNOWN)
    count = chances.sum(axis=0)[:, None]
    return np.asarray((chances.T @ inks + known * (usual + shift)) / (count + known))
