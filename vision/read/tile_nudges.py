"""Doubtful tiles read in many crops around their place; the majority counts.

The reader was not trained on crops that end at a hidden foot or are half beyond the number. It
reads a good crop surely and a bad one not, so crops weigh by how surely they are read. Their
agreement is the confidence: a single lucky crop is no proof.
"""

from __future__ import annotations

import cmath
import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from vision.capture.image_pyramid import Pyramid
from vision.read.detection import Candidate, tile_crops
from vision.read.networks import Network
from vision.read.tile_readings import (
    NINE,
    SIX,
    Figures,
    IsPiece,
    TileReading,
    by_shape,
    spread_of,
)
from vision.read.tile_uprights import is_upright, sure_places

_HEIGHTS: Final = (0.9, 1.05, 1.25)  # of the height found
_DOWN: Final = (-0.06, 0.08)  # heights
_ASIDE: Final = (-0.1, 0.0, 0.1)  # widths
_SHEARS: Final = ((0.0,), (-0.3, 0.3))  # the others where the straight ones disagree
_PIVOT: Final = 0.12  # heights
_AGREED: Final = 0.9  # likely so much: the crops agree
_DOUBTED: Final = 0.97  # less likely readings are nudged
_NEAR: Final = 80.0  # pixels: a smaller tile shows too little to be nudged
_POWER: Final = 8
_LEAST: Final = 1e-9
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
        ways = [way for at in doubted for way in _around(readings[at].candidate, shears)]
        figures = np.asarray(reader(tile_crops(pyramid, ways)), np.float64)
        for at, crops in zip(doubted, np.split(figures, len(doubted)), strict=True):
            seen[at].append(crops)
            upright = is_upright(readings[at].candidate, sure)
            better[at] = _agreed(readings[at], np.concatenate(seen[at]), upright=upright)
        doubted = [at for at in doubted if better[at].likelihood < _AGREED]
    return better


def _around(place: Candidate, shears: Sequence[float]) -> Iterator[Candidate]:
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
        kinds[:, [SIX, NINE]] = both * seen / max(seen.sum(), _LEAST)
    likely = kinds[:, 1:].max(axis=1)
    over[kinds[:, [SIX, NINE]].max(axis=1) == likely] = 0
    weights = present * ((1 - over) * likely) ** _POWER
    if weights.max() < _SEEN:
        return old
    return replace(old, kinds=tuple((weights @ kinds / weights.sum()).tolist()))
