"""Tiles that lie together as a set: side by side, the same way up, in one row."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.read.tiles.spots import Spot

Figures = NDArray[np.float64]

# Of one tile, as seen from the other in its own width and length: beside it, and in its row.
_NEAREST: Final = 0.7
_FARTHEST: Final = 1.4
_STEP: Final = 0.34
_TURN_DEGREES: Final = 15.0
_ALIKE: Final = 1.35  # neighbours differ in length by no more than this factor
_SAME_LINE: Final = 0.6  # sets whose middles lie within this part of a tile's length share a line


def grouped(tiles: Sequence[Spot]) -> tuple[tuple[int, ...], ...]:
    """The indices of the tiles by sets, each from left to right as its tiles see it.

    The sets come in reading order: line by line from the top, each line from the left.
    """
    groups = [_in_row(tiles, group) for group in _components(tiles)]
    return tuple(group for line in _lines(tiles, groups) for group in line)


def _lines(
    tiles: Sequence[Spot], groups: Sequence[tuple[int, ...]]
) -> Iterator[list[tuple[int, ...]]]:
    """The groups line by line; a line's middles lie near to that of its highest one."""
    height = {group: fmean(tiles[at].y for at in group) for group in groups}
    left = {group: min(tiles[at].x for at in group) for group in groups}
    rest = sorted(groups, key=height.__getitem__)
    while rest:
        reach = height[rest[0]] + _SAME_LINE * tiles[rest[0][0]].length
        line = [group for group in rest if height[group] <= reach]
        rest = rest[len(line) :]
        yield sorted(line, key=left.__getitem__)


def _components(tiles: Sequence[Spot]) -> Iterator[list[int]]:
    """Tiles that are joined by neighbours."""
    left, near = set(range(len(tiles))), _neighbours(tiles)
    while left:
        group, edge = list[int](), [min(left)]
        left.discard(edge[0])
        while edge:
            at = edge.pop()
            group.append(at)
            joined = left & near[at]
            left -= joined
            edge += joined
        yield group


def _neighbours(tiles: Sequence[Spot]) -> list[set[int]]:
    """For each tile the indices of those that lie beside it in its row, as it sees them itself."""
    told = [(tile.x, tile.y, tile.width, tile.length, tile.angle) for tile in tiles]
    figures = np.array(told).reshape(-1, 5).T
    beside = _are_beside(figures[:, :, None], figures[:, None, :])
    return [set(np.nonzero(row)[0].tolist()) for row in beside]


def _are_beside(ones: Figures, others: Figures) -> NDArray[np.bool_]:
    """Which are neighbours, as the ones see it; each 5 x ... of x, y, width, length, angle."""
    length, angle = ones[3:]
    turn = np.abs((angle - others[4] + 180) % 360 - 180)
    longer, shorter = np.maximum(others[3], length), np.minimum(others[3], length)
    alike = (turn <= _TURN_DEGREES) & (longer <= _ALIKE * shorter)
    along, athwart = (np.abs(each) for each in _seen_from(ones, others))
    near = (along >= _NEAREST) & (along <= _FARTHEST) & (athwart <= _STEP)
    return np.asarray(alike & near, np.bool_)


def _seen_from(ones: Figures, others: Figures) -> tuple[Figures, Figures]:
    """How far the others lie to the right, in widths of the ones, and below, in lengths."""
    x, y, width, length, angle = ones
    cosine, sine = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    right, down = others[0] - x, others[1] - y
    return (right * cosine + down * sine) / width, (down * cosine - right * sine) / length


def _in_row(tiles: Sequence[Spot], group: Sequence[int]) -> tuple[int, ...]:
    """The group from left to right, as its first tile sees it."""
    turn = math.radians(tiles[group[0]].angle)
    right, down = math.cos(turn), math.sin(turn)
    return tuple(sorted(group, key=lambda at: tiles[at].x * right + tiles[at].y * down))
