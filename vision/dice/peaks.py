"""From the finder's maps to boxes of dice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.observation import Box

Maps = NDArray[np.float32]

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
    kept: list[Peak] = []
    for each in found:
        if not any(_same(each, better) for better in kept):
            kept.append(each)
    return [each for each in kept if not any(_is_part(each, other) for other in kept)]


def _is_part(small: Peak, large: Peak) -> bool:
    """Whether the small one is a pip or a face of a die that is about as surely there."""
    inside = abs(small.x - large.x) < large.width / 2 and abs(small.y - large.y) < large.height / 2
    return inside and small.size < _PART * large.size and large.score > _PART * small.score


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


def _same(one: Peak, other: Peak) -> bool:
    apart = float(np.hypot(one.x - other.x, one.y - other.y))
    near = _SAME_DISTANCE * min(one.width, one.height, other.width, other.height)
    return apart < near or _overlap(one, other) > _SAME_OVERLAP


def _overlap(one: Peak, other: Peak) -> float:
    """Intersection over union."""
    across = (one.width + other.width) / 2 - abs(one.x - other.x)
    down = (one.height + other.height) / 2 - abs(one.y - other.y)
    shared = max(0.0, min(across, one.width, other.width)) * max(
        0.0, min(down, one.height, other.height)
    )
    return shared / (one.width * one.height + other.width * other.height - shared)
