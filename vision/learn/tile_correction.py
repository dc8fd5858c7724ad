"""Rummikub's network corrected by a family's own tiles: it stays the prior.

The network reads each taught face once. Its answers show what a kind or an ink that it sees on this
set really is; an ordinary set changes nothing. Figures that it still confuses are weighed by the
tile's distance from each taught face.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scoreboard.games.rummikub.tiles import COLOURS, NUMBERS
from vision.capture.frame import Image
from vision.capture.image_pyramid import Pyramid
from vision.learn.prototypes import describe
from vision.learn.quads import cut, turned
from vision.learn.taught_reader import STRANGE, TILE_FACES
from vision.learn.taught_sets import TaughtSet
from vision.read.detection import Candidate
from vision.read.networks import Network
from vision.read.tile_readings import KINDS, TileReading, compared, read_tiles

Shares = NDArray[np.float64]
Numbers = NDArray[np.int64]

_KINDS: Final = np.array([*(number for _ in COLOURS for number in NUMBERS), KINDS - 1])
_INKS: Final = np.repeat(np.arange(len(COLOURS)), len(NUMBERS))  # of all faces but the joker
_KNOWN: Final = 1.0  # examples that weigh as much as the network's own word
_SELDOM: Final = 0.05  # of a face's examples: so seldom it is not taken for another
_DISTINCT: Final = 0.8  # right this often: it tells an ink from the others
_OPEN: Final = 0.97  # likelier readings are not weighed by the taught faces
_STEEP: Final = 6.0  # how much nearer faces are likelier; measured on drawn sets
_AT_LEAST: Final = 0.005  # a badly taught face does not undo what the network is sure of
_LEAST: Final = 1e-12


class TileCorrection:
    """What a taught set adds to `TilesRecogniser`'s readings."""

    def __init__(self, reader: Network, taught: TaughtSet) -> None:
        """All of Rummikub's faces are taught; without pictures of all the network is trusted."""
        self._likeness = taught.likeness
        self._columns = [taught.likeness.faces.index(face) for face in TILE_FACES]
        shown = TILE_FACES if taught.pictures.keys() >= {*TILE_FACES} else ()
        read = [_read_alone(reader, taught.pictures[face]) for face in shown]
        coloured = read[: len(_INKS)]
        self._kinds = _meant(KINDS, _KINDS, [each.kinds for each in read])
        self._inks = _meant(len(COLOURS), _INKS, [each.inks for each in coloured])
        # Inks that the network tells apart are compared as those of any set
        self._means = None
        if self._inks.diagonal().min() < _DISTINCT:
            inks = np.array([each.ink for each in coloured])
            self._means = inks.reshape(len(COLOURS), len(NUMBERS), -1).mean(axis=1)

    def __call__(self, pyramid: Pyramid, readings: Sequence[TileReading]) -> list[TileReading]:
        """The readings, colours compared, corrected for this set's tiles."""
        corrected = [
            replace(
                each,
                kinds=tuple((self._kinds @ each.kinds).tolist()),
                inks=tuple((self._inks @ each.inks).tolist()),
            )
            for each in readings
        ]
        return [
            each if each.likelihood >= _OPEN else self._weighed(pyramid, each)
            for each in compared(corrected, self._means)
        ]

    def _weighed(self, pyramid: Pyramid, reading: TileReading) -> TileReading:
        """The reading times the tile's likeness to each taught face, either end up."""
        size, quad = self._likeness.size, reading.candidate.quad
        figures = describe(cut(pyramid, [turned(quad, turn) for turn in (0, 2)], size))
        apart = self._likeness.distances(figures).min(axis=0)[self._columns]
        if apart.min() > STRANGE:
            return reading
        chances = np.array(reading.kinds)[_KINDS] * np.append(np.array(reading.inks)[_INKS], 1.0)
        likeness = np.exp(_STEEP * (1 - apart / max(float(apart.min()), _LEAST)))
        chances *= np.maximum(likeness, _AT_LEAST)
        chances /= chances.sum() + _LEAST
        kinds = np.bincount(_KINDS, chances, KINDS)
        inks = np.bincount(_INKS, chances[:-1], len(COLOURS)) + _LEAST
        inks /= inks.sum()
        return replace(reading, kinds=tuple(kinds.tolist()), inks=tuple(inks.tolist()))


def _read_alone(reader: Network, face: Image) -> TileReading:
    """A face laid flat, as the network reads it."""
    height, width = face.shape[:2]
    whole = Candidate(1.0, (width - 1) / 2, (height - 1) / 2, width, height, 0.0)
    return read_tiles(reader, Pyramid(face), [whole])[0]


def _meant(count: int, true: Numbers, seen: Sequence[Sequence[float]]) -> Shares:
    """The real values, down the columns, behind each of `count` values that the network sees.

    `true` are the values of N examples, `seen` the network's chances for them.
    """
    shares = np.eye(count) * _KNOWN
    for value, chances in zip(true, seen, strict=False):  # the network is trusted without any
        shares[value] += chances
    shares /= shares.sum(axis=1, keepdims=True)
    shares[shares < _SELDOM] = 0
    return np.asarray(shares / shares.sum(axis=0))
