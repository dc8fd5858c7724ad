"""Where dice lie in a picture: the finder's looks, as near as the first one asks for."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.dice.peaks import Peak, distinct, peaks
from vision.frame import Image
from vision.weights import Network

_CELL: Final = 32
_FIRST: Final = 448  # the longer side, in pixels, of what the finder looks at
_WIDE: Final = 192  # for dice that fill much of the picture
_NEAR: Final = 960  # for dice that are dots in the first look
_LARGE: Final = 90.0
_SMALL: Final = 18.0
_LIKELY: Final = 0.35


def look(finder: Network, image: Image, threshold: float) -> list[Peak]:
    """Find what may be dice, best first, in pixels of the picture.

    The wide look is cheap, and always taken: in the first one, the pips of a large die
    pass for dice.
    """
    small = _resized(image, _FIRST)
    found = _looked(finder, small, image, threshold)
    found += _large(_looked(finder, _resized(small, _WIDE), image, threshold), image)
    if _asks_for_nearer(found, image):
        found += _looked(finder, _resized(image, _NEAR), image, threshold)
    return distinct(sorted(found, key=lambda peak: -peak.score))


def _asks_for_nearer(found: list[Peak], image: Image) -> bool:
    """Whether nothing looks much like a die, or what does is mostly dots."""
    likely = [peak.size for peak in found if peak.score >= _LIKELY]
    return not likely or float(np.median(likely)) * _FIRST < _SMALL * max(image.shape[:2])


def _large(seen: list[Peak], image: Image) -> list[Peak]:
    limit = _LARGE * max(image.shape[:2]) / _FIRST
    return [peak for peak in seen if peak.size > limit]


def _resized(image: Image, longer: int) -> Image:
    """Bring the longer side to that length, and both sides to whole cells of the finder."""
    height, width = image.shape[:2]
    factor = longer / max(height, width)
    shape = [max(_CELL, round(side * factor / _CELL) * _CELL) for side in (width, height)]
    method = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, shape, interpolation=method), np.uint8)


def _looked(finder: Network, small: Image, image: Image, threshold: float) -> list[Peak]:
    """Look at the picture made small, and tell places in its own pixels."""
    maps = finder(small[None])[0]
    across, down = image.shape[1] / small.shape[1], image.shape[0] / small.shape[0]
    return [peak.scaled(across, down) for peak in peaks(maps, threshold)]
