"""Drops what cannot be a tile of this table: parts of tiles, and things of another size.

All tiles of a box are of one size, and perspective shrinks them evenly towards the far side.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from scoreboard.games.rummikub.tiles import JOKER
from vision.read.detection import Candidate
from vision.read.tile_readings import TileReading

Corners = NDArray[np.float32]
Figures = NDArray[np.float64]
_SURE: Final = 0.9  # present and likely so much: a tile that others are measured by
_LENGTH: Final = 1.4  # of every tile, in its widths, also where its foot is hidden
_TURNED: Final = 20.0  # degrees
_SMALL: Final = 0.5  # of its area
_FEWEST: Final = 5  # sure tiles: fewer tell no size
_ALONG: Final = 0.05  # of the longer spread: less is a single row
_OFF: Final = 0.45  # logarithm of the size by what the others' would be here: no tile of the box
_ASTRAY: Final = 0.3  # a sure one so far off is left out when the others' sizes are measured


def of_one_box(readings: Sequence[TileReading]) -> list[TileReading]:
    """The readings, except those inside a surer tile or of another size than the tiles here.

    A dish with a heart below an Okey tile's number passes for a lying 4, and a playing card for an
    11.
    """
    sure = [each for each in readings if each.present * each.likelihood >= _SURE]
    surely = {id(each) for each in sure}
    # A sure one is dropped only within what was found of another, not below it
    corners = [(each, each.candidate.quad, _whole(each.candidate)) for each in sure]
    apart = [
        each
        for each in readings
        if not any(
            _is_part(each.candidate, other.candidate, found if id(each) in surely else whole)
            for other, found, whole in corners
            if other.present * other.likelihood > each.present * each.likelihood
        )
    ]
    places = _places([each.candidate for each in apart])
    sizes = np.log([_breadth(each.candidate) for each in apart])
    # Checks of a cloth pass for jokers
    known = np.array([id(each) in surely and each.piece != JOKER for each in apart], np.bool_)
    while known.sum() >= _FEWEST:
        trend, *_ = np.linalg.lstsq(places[known], sizes[known], rcond=_ALONG)
        off = np.abs(sizes - places @ trend)
        worst = int(np.argmax(np.where(known, off, 0)))
        if off[worst] <= _ASTRAY:
            return [each for each, away in zip(apart, off, strict=True) if away <= _OFF]
        known[worst] = False
    return apart


def _is_part(tile: Candidate, other: Candidate, whole: Corners) -> bool:
    """Whether it is inside the whole of another, smaller or turned.

    On a rack the tile before another one may have its middle there, but it is as large and turned
    the same way.
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


def _breadth(tile: Candidate) -> float:
    """A measure of size hardly changed by a hidden foot or a slanting box."""
    return float(np.sqrt(tile.width * tile.height / _LENGTH))


def _places(tiles: Sequence[Candidate]) -> Figures:
    """1 and the offset from the mean: along a single row sizes tell nothing across it."""
    places = np.array([(each.x, each.y) for each in tiles], np.float64).reshape(-1, 2)
    if len(places):
        places -= places.mean(axis=0)
        places /= max(1.0, float(places.std(axis=0).max()))
    return np.column_stack([np.ones(len(places)), places])
