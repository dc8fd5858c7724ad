"""Drawn blocks that resemble dice and are none: plugs, beads of cables, erasers, with a shine."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.train.chance import Chance
from vision.train.colours import any_colour
from vision.train.placed import PlacedDie

_FINENESS: Final = 4  # bits behind the comma of a drawn coordinate
_DARK: Final = 0.6  # of all blocks: tools and plugs are mostly black
_NOTHING: Final = 0

_Points = NDArray[np.float64]
_Tone = NDArray[np.float64]


def lay_block(picture: Image, chance: Chance) -> PlacedDie:
    """Draw a block anywhere on a square picture, in place; tell where it lies."""
    side = picture.shape[0]
    middle = np.array([chance.between(0, side), chance.between(0, side)])
    size = chance.scale(0.05, 0.4) * side
    top = _rectangle(size, chance)
    down = np.array([chance.near(0, 0.2), chance.between(0.0, 0.6)]) * size
    tone = np.array(any_colour(chance)) * (chance.between(0.1, 0.4) if chance.happens(_DARK) else 1)
    rounding = max(1, int(size * chance.between(0.02, 0.2)))
    whole = cv2.convexHull(np.concatenate([top, top + down]).astype(np.float32))[:, 0]
    _fill(picture, middle + whole, tone * chance.between(0.4, 0.9), rounding)
    _fill(picture, middle + top, tone, rounding)
    for _ in range(chance.below(3)):
        _shine(picture, middle + top + down * chance.between(0, 0.8), tone, chance)
    return PlacedDie(float(middle[0]), float(middle[1]), size, size, _NOTHING)


def _rectangle(size: float, chance: Chance) -> _Points:
    shape = (size, size * chance.between(0.6, 1.4))
    return np.asarray(cv2.boxPoints(((0.0, 0.0), shape, chance.between(0, 90))), np.float64)


def _shine(picture: Image, face: _Points, tone: _Tone, chance: Chance) -> None:
    """Mirror a lamp or a window as a bar along an edge; never as a spot, which would be a pip."""
    light = np.minimum(255, tone + chance.between(60, 220))
    middle, bright = face.mean(axis=0), (float(light[0]), float(light[1]), float(light[2]))
    first = chance.below(4)
    ends = middle + (face[[first, (first + 1) % 4]] - middle) * chance.between(0.4, 0.9)
    length = float(np.hypot(*(ends[1] - ends[0])))
    start, end = _fixed(ends)
    width = max(1, int(length * chance.between(0.05, 0.2)))
    cv2.line(picture, start, end, bright, width, cv2.LINE_AA, _FINENESS)


def _fill(picture: Image, outline: _Points, tone: _Tone, rounding: int) -> None:
    fixed, colour = np.array(_fixed(outline)), (float(tone[0]), float(tone[1]), float(tone[2]))
    cv2.fillPoly(picture, [fixed], colour, cv2.LINE_AA, _FINENESS)
    cv2.polylines(
        picture,
        [fixed],
        isClosed=True,
        color=colour,
        thickness=rounding,
        lineType=cv2.LINE_AA,
        shift=_FINENESS,
    )


def _fixed(points: _Points) -> list[tuple[int, int]]:
    return [(round(float(x) * 2**_FINENESS), round(float(y) * 2**_FINENESS)) for x, y in points]
