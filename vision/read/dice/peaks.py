"""From the finder's maps to boxes of dice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.read.observation import Box

Maps = NDArray[np.float32]
Figures = NDArray[np.float64]

STRIDE: Final = 4
SIZE_UNIT: Final = 16.0
_LARGEST_EXPONENT: Final = 4.0
_SAME_OVERLAP: Final = 0.5
_SAME_DISTANCE: Final = 0.4
_PART: Final = 0.55


@dataclass(frozen=True, slots=True)
class Peak:
    """A place that looks like a die: how much (0 to 1), its middle and its size in pixels."""

    score: float
    x: float
    y: float
    width: float
    height: float

    @property
    def size(self) -> float:
        """The longer side."""
        return max(self.width, self.height)

    @property
    def box(self) -> Box:
        """Left, top, right, bottom."""
        right, down = self.width / 2, self.height / 2
        return (self.x - right, self.y - down, self.x + right, self.y + down)

    def scaled(self, across: float, down: float) -> Peak:
        """The same in a picture so many times as wide and as high."""
        return Peak(
            self.score, self.x * across, self.y * down, self.width * across, self.height * down
        )


def peaks(maps: Maps, threshold: float) -> list[Peak]:
    """Read the finder's 5 x H x W maps: local maxima of at least `threshold`, best first.

    The maps are the score, the middle's place right and down of the cell's middle in
    cells, and the logarithms of width and height in units of 16 pixels.
    """
    score = maps[0]
    rows, columns = np.nonzero((score >= threshold) & (score >= _neighbourhood(score)))
    order = np.argsort(-score[rows, columns], kind="stable")
    found = [
        _peak(maps[:, row, column], row, column) for row, column in _pairs(rows, columns, order)
    ]
    return distinct(found)


def distinct(found: list[Peak]) -> list[Peak]:
    """Drop what shows the same die as a better one, or a pip of one; `found` comes best first."""
    if not found:
        return []
    same = _same(_figures(found))
    kept: list[int] = []
    for each in range(len(found)):
        if not same[each, kept].any():
            kept.append(each)
    best = [found[each] for each in kept]
    parts = _parts(_figures(best))
    return [each for row, each in enumerate(best) if not parts[row].any()]


def _figures(found: list[Peak]) -> Figures:
    """Score, x, y, width and height of each, 5 x N."""
    return np.array([(each.score, each.x, each.y, each.width, each.height) for each in found]).T


def _parts(figures: Figures) -> NDArray[np.bool_]:
    """Whether each, a row, is a pip or a face of a die, a column, that is about as surely there."""
    score, x, y, width, height = figures
    size = np.maximum(width, height)
    inside = (_apart(x) < width / 2) & (_apart(y) < height / 2)
    sure = score[None] > _PART * score[:, None]
    return np.asarray(inside & sure & (size[:, None] < _PART * size[None]))


def _neighbourhood(score: Maps) -> Maps:
    padded = np.pad(score, 1, constant_values=-1)
    wide = np.maximum(np.maximum(padded[:, :-2], padded[:, 1:-1]), padded[:, 2:])
    return np.asarray(np.maximum(np.maximum(wide[:-2], wide[1:-1]), wide[2:]), np.float32)


def _pairs(
    rows: NDArray[np.intp], columns: NDArray[np.intp], order: NDArray[np.intp]
) -> list[tuple[int, int]]:
    return [(int(rows[each]), int(columns[each])) for each in order]


def _peak(figures: Maps, row: int, column: int) -> Peak:
    score, right, down = (float(each) for each in figures[:3])
    width, height = np.exp(np.minimum(figures[3:], _LARGEST_EXPONENT)) * SIZE_UNIT
    x, y = (column + 0.5 + right) * STRIDE, (row + 0.5 + down) * STRIDE
    return Peak(score, x, y, float(width), float(height))


def _same(figures: Figures) -> NDArray[np.bool_]:
    """Whether two show the same die, N x N."""
    _, x, y, width, height = figures
    across, down = _apart(x), _apart(y)
    shorter = np.minimum(width, height)
    near = np.hypot(across, down) < _SAME_DISTANCE * np.minimum(shorter[:, None], shorter[None])
    shared = _shared(across, width) * _shared(down, height)
    area = width * height
    return np.asarray(near | (shared > _SAME_OVERLAP * (area[:, None] + area[None] - shared)))


def _apart(places: Figures) -> Figures:
    return np.asarray(np.abs(places[:, None] - places[None]))


def _shared(apart: Figures, lengths: Figures) -> Figures:
    """How much of two boxes' sides lies over each other."""
    overlap = (lengths[:, None] + lengths[None]) / 2 - apart
    return np.clip(overlap, 0, np.minimum(lengths[:, None], lengths[None]))
