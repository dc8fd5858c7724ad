"""Where dice lie in a picture: the finder's looks, more of them only where one asks for it."""

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
_SMALL: Final = 15.0


def look(finder: Network, image: Image, threshold: float) -> list[Peak]:
    """Find what may be dice, best first, in pixels of the picture."""
    first = _looked(finder, image, _FIRST, threshold)
    sizes = [peak.size * _FIRST / max(image.shape[:2]) for peak in first]
    found = list(first)
    if not sizes or max(sizes) > _LARGE:
        found = _with_wide(found, _looked(finder, image, _WIDE, threshold), image)
    if not found or (sizes and float(np.median(sizes)) < _SMALL):
        found += _looked(finder, image, _NEAR, threshold)
    return distinct(sorted(found, key=lambda peak: -peak.score))


def _with_wide(first: list[Peak], wide: list[Peak], image: Image) -> list[Peak]:
    """Take large dice from the wide look, the others from the first."""
    limit = _LARGE * max(image.shape[:2]) / _FIRST
    large = [peak for peak in wide if peak.size > limit]
    return large + [peak for peak in first if not _within_any(peak, large)]


def _within_any(peak: Peak, large: list[Peak]) -> bool:
    """Whether the peak is a part of a large die, such as one of its pips."""
    return any(
        abs(peak.x - die.x) < die.width / 2 and abs(peak.y - die.y) < die.height / 2
        for die in large
    )


def _looked(finder: Network, image: Image, longer: int, threshold: float) -> list[Peak]:
    height, width = image.shape[:2]
    factor = longer / max(height, width)
    shape = [max(_CELL, round(side * factor / _CELL) * _CELL) for side in (width, height)]
    shrinks = factor < 1
    small = cv2.resize(image, shape, interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR)
    maps = finder(np.asarray(small, np.uint8)[None])[0]
    across, down = width / shape[0], height / shape[1]
    return [peak.scaled(across, down) for peak in peaks(maps, threshold)]
