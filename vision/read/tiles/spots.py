"""From the tile finder's maps to rectangles of tiles, turned as they lie."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Maps = NDArray[np.float32]
Points = NDArray[np.float32]
Figures = NDArray[np.float64]
Places = NDArray[np.intp]

STRIDE: Final = 4
SIZE_UNIT: Final = 16.0
_LARGEST_EXPONENT: Final = 4.0
_SAME_DISTANCE: Final = 0.45  # of the shorter side: nearer middles are one tile
_HALF_TURN: Final = 180.0


@dataclass(frozen=True, slots=True)
class Spot:
    """A place that looks like a tile: how much (0 to 1), and its rectangle in pixels.

    `width` is the shorter side, `length` the longer one; `angle` is how far the longer side is
    turned from upright, degrees clockwise in [0, 360). Which end is the top the finder does
    not tell: it gives angles below 180, and the reader turns those over that are upside down.
    """

    score: float
    x: float
    y: float
    width: float
    length: float
    angle: float

    @property
    def quad(self) -> Points:
        """Its corners, 4 x 2, clockwise from the top left of the upright tile."""
        turn = math.radians(self.angle)
        right, down = math.cos(turn), math.sin(turn)
        wide = (right * self.width / 2, down * self.width / 2)
        high = (-down * self.length / 2, right * self.length / 2)
        ends = ((-1, -1), (1, -1), (1, 1), (-1, 1))  # along the width, and along the length
        corners = [
            (self.x + i * wide[0] + j * high[0], self.y + i * wide[1] + j * high[1])
            for i, j in ends
        ]
        return np.array(corners, np.float32)

    def scaled(self, factor: float) -> Spot:
        """The same in a picture so many times as large."""
        x, y, width, length = (each * factor for each in (self.x, self.y, self.width, self.length))
        return replace(self, x=x, y=y, width=width, length=length)

    def turned_over(self) -> Spot:
        """The same tile with the other end up."""
        return replace(self, angle=(self.angle + _HALF_TURN) % 360)


def spots(maps: Maps, threshold: float) -> list[Spot]:
    """Read the finder's 7 x H x W maps: local maxima of at least `threshold`, best first.

    The maps are the score, the middle's place right and down of the cell's middle in cells, the
    logarithms of width and length in units of 16 pixels, and the cosine and sine of twice the
    angle.
    """
    score = maps[0]
    highest = cv2.dilate(score, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((score >= threshold) & (score >= highest))
    order = np.argsort(-score[rows, columns], kind="stable")
    rows, columns = rows[order], columns[order]
    return distinct(_spots(maps[:, rows, columns], rows, columns))


def distinct(found: list[Spot]) -> list[Spot]:
    """Drop what shows the same tile as a better one; `found` comes best first."""
    x, y, width = np.array([(spot.x, spot.y, spot.width) for spot in found]).reshape(-1, 3).T
    dropped = np.zeros(len(found), np.bool_)
    for at, near in enumerate(_columns(x, _SAME_DISTANCE * width)):
        if not dropped[at]:
            apart = np.hypot(x[near] - x[at], y[near] - y[at])
            dropped[near[apart < _SAME_DISTANCE * np.minimum(width[near], width[at])]] = True
            dropped[at] = False
    return [spot for spot, drop in zip(found, dropped.tolist(), strict=True) if not drop]


def _columns(x: Figures, reach: Figures) -> Iterator[Places]:
    """For each place the numbers of those within its reach across: a carpet has thousands."""
    order = np.argsort(x)
    first, last = (np.searchsorted(x, x + way * reach, sorter=order) for way in (-1, 1))
    return (order[one:other] for one, other in zip(first, last, strict=True))


def _spots(figures: Maps, rows: Places, columns: Places) -> list[Spot]:
    """The rectangles told by 7 x N figures of the cells at those rows and columns."""
    score, right, down, *_, cosine, sine = figures.astype(np.float64)
    width, length = np.exp(np.minimum(figures[3:5], _LARGEST_EXPONENT)) * SIZE_UNIT
    angle = np.degrees(np.arctan2(sine, cosine)) / 2 % _HALF_TURN
    x, y = (columns + 0.5 + right) * STRIDE, (rows + 0.5 + down) * STRIDE
    told = (score, x, y, width, length, angle)
    return [Spot(*each) for each in zip(*(column.tolist() for column in told), strict=True)]
