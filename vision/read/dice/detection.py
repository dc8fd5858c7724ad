"""Where dice lie in a picture: the finder's looks, at the scales that the first one asks for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.capture.frame import Image
from vision.capture.image_pyramid import Pyramid
from vision.read.dice.peaks import Peak, distinct, peaks
from vision.read.networks import Network

_CELL: Final = 32
_LIKELY: Final = 0.35
# The longer side, in pixels, that the picture is brought to: first, for dice that fill much of
# it, and for small ones as near as they ask for.
_FIRST: Final = 448
_WIDE: Final = 192
_NEAREST: Final = 1280
_LARGE: Final = 115.0  # in pixels of the first look: dice that the wide look boxes better
_SMALL: Final = 18.0  # and those that a nearer look does
_COMFORTABLE: Final = 30.0  # the size that a nearer look brings them to
_FEW: Final = 0.1  # of the dice: so many small ones ask for a nearer look
_ENLARGED: Final = 1.75  # a nearer look at more than the picture's own pixels shows nothing more
# Specks: less, in pixels and as a share of the longer side, than what is told as too small.
_SPECK_PIXELS: Final = 7.0
_SPECK_SHARE: Final = 0.008
_MOST: Final = 90  # places that are read, the best first; more are clutter


def detect(finder: Network, pyramid: Pyramid, threshold: float) -> list[Peak]:
    """Find what may be dice, best first, in pixels of the picture."""
    found = _looked(finder, pyramid, _FIRST, threshold)
    sizes = _sizes_in_first(found, pyramid)
    if sizes and max(sizes) > _LARGE:
        found += detect_wide(finder, pyramid, threshold)
    nearer = min(_nearer(sizes), _cells(pyramid.longer * _ENLARGED))
    if nearer > _FIRST:
        found += _looked(finder, pyramid, nearer, threshold)
    return distinct(sorted(found, key=lambda peak: -peak.score))[:_MOST]


def detect_wide(finder: Network, pyramid: Pyramid, threshold: float) -> list[Peak]:
    """Find large dice alone; from near, the pips of one that fills the picture pass for dice."""
    found = _looked(finder, pyramid, _WIDE, threshold)
    return [each for each in found if each.size > _LARGE * pyramid.longer / _FIRST]


def _sizes_in_first(found: Sequence[Peak], pyramid: Pyramid) -> list[float]:
    """How large what looks much like dice is in the first look, in its pixels."""
    return [each.size * _FIRST / pyramid.longer for each in found if each.score >= _LIKELY]


def _nearer(sizes: Sequence[float]) -> int:
    """The longer side of the nearer look that dots ask for; no die at all may be one, too."""
    if not sizes:
        return 2 * _FIRST
    small = float(np.quantile(sizes, _FEW))
    if small >= _SMALL:
        return _FIRST
    return min(_NEAREST, _cells(_FIRST * _COMFORTABLE / small))


def _cells(longer: float) -> int:
    return round(longer / _CELL) * _CELL


def _looked(finder: Network, pyramid: Pyramid, longer: int, threshold: float) -> list[Peak]:
    """Look once, and tell places in the picture's own pixels."""
    small = _resized(pyramid, longer)
    height, width = pyramid.image.shape[:2]
    across, down = width / small.shape[1], height / small.shape[0]
    found = (peak.scaled(across, down) for peak in peaks(finder(small[None])[0], threshold))
    speck = max(_SPECK_PIXELS, _SPECK_SHARE * pyramid.longer)
    return [peak for peak in found if peak.size >= speck]


def _resized(pyramid: Pyramid, longer: int) -> Image:
    """Bring the longer side to that length, and both sides to whole cells of the finder."""
    shrink = pyramid.longer / longer
    height, width = pyramid.image.shape[:2]
    shape = [max(_CELL, round(side / shrink / _CELL) * _CELL) for side in (width, height)]
    source = pyramid.levels[pyramid.above(shrink)]
    return np.asarray(cv2.resize(source, shape, interpolation=cv2.INTER_LINEAR), np.uint8)
