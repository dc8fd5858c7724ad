"""Okey's tiles: like Rummikub's, with a heart in a dish below the number.

Both games have 1 to 13 in four colours twice and two jokers (Okey's false ones). A reader trained
on Rummikub's tiles takes the heart for a lying 4, and half a tile for a whole one, so the hearts
are painted over before the photo is read again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

import cv2
import numpy as np

from vision.capture.frame import Image
from vision.capture.image_pyramid import Pyramid
from vision.read.detection import Candidate

Edition = Literal["rummikub", "okey", "auto"]
EDITIONS: Final[tuple[Edition, ...]] = ("rummikub", "okey", "auto")

_INK: Final = 0.22  # darker than the face by so much of it
_LEAST: Final = 0.1  # of a tile's width: a heart's longer side
_MOST: Final = 0.34
_THINNEST: Final = 0.06  # its shorter side
_FILLED: Final = 0.42  # of its box
_CLOSING: Final = 0.55  # of a tile's width: wider than any stroke and heart
_BEYOND: Final = 2  # pixels around it
_FINE: Final = 48.0  # pixels of a tile's width: enough to see its heart
_REACH: Final = 0.75  # of a tile's length from its middle


def without_hearts(pyramid: Pyramid, tiles: Sequence[Candidate]) -> tuple[Image, float]:
    """The photo with blots of a heart's size painted over, and the share of tiles that had one.

    There is at least one tile.
    """
    width = float(np.median([each.width for each in tiles]))
    level = pyramid.above(width / _FINE)
    image, scale = pyramid.levels[level], 2**level
    width /= scale
    side = round(_CLOSING * width) | 1
    closed = cv2.morphologyEx(image, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8))
    lighter = cv2.subtract(closed, image).max(axis=2)
    ink = (lighter > _INK * closed.max(axis=2)).astype(np.uint8)
    _, blots, found, middles = cv2.connectedComponentsWithStats(ink, connectivity=8)
    across, down, area = found[:, 2:].T
    longer, shorter = np.maximum(across, down), np.minimum(across, down)
    is_heart = (longer >= _LEAST * width) & (longer <= _MOST * width)
    is_heart &= (shorter >= _THINNEST * width) & (area >= _FILLED * across * down)
    is_heart[0] = False  # what is no blot
    hearts = middles[is_heart] * scale
    reach = _REACH * np.array([each.height for each in tiles])
    away = [np.hypot(*(hearts - (each.x, each.y)).T).min(initial=np.inf) for each in tiles]
    over = cv2.dilate(is_heart[blots].astype(np.uint8), np.ones((2 * _BEYOND + 1,) * 2, np.uint8))
    size = pyramid.image.shape[1::-1]
    paint, mask = (cv2.resize(each, size) for each in (cv2.blur(closed, (5, 5)), over))
    painted = cv2.copyTo(paint, mask, pyramid.image.copy())
    return np.asarray(painted, np.uint8), float(np.mean(np.array(away) < reach))
