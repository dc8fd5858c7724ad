"""Where tiles lie in a picture: the finder's looks, one of them as near as small tiles ask for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.capture.frame import Image
from vision.capture.image_pyramid import Pyramid
from vision.read.networks import Network
from vision.read.tiles.spots import Spot, distinct, spots

_CELL: Final = 32
_FIRST: Final = 640  # the longer side, in pixels, that the picture is brought to first
_FARTHER: Final = 320  # one more look for tiles that fill the picture
_LARGE: Final = 60.0  # in pixels of that look: what a first look is too near for, or nearly
_SURE: Final = 0.5
_WITHIN: Final = 0.5  # of a tile's length: what is so near its middle and so small is a part of it
_NEAREST: Final = 1600
_SMALL: Final = 26.0  # in pixels of the first look: tiles that ask for a nearer one
_COMFORTABLE: Final = 40.0  # the length that a nearer look brings them to
_LIKELY: Final = 0.35
_FEW: Final = 0.1  # of the tiles: so many small ones ask for a nearer look
_ENLARGED: Final = 1.5  # a nearer look at more than the picture's own pixels shows nothing more
_QUARTER_TURN: Final = 90.0
_MOST: Final = 220  # places that are read, the best first


def detect(finder: Network, pyramid: Pyramid, threshold: float) -> list[Spot]:
    """Find what may be tiles, best first, in pixels of the picture."""
    large = _large(finder, pyramid, threshold)
    found = _looked(finder, pyramid, _FIRST, threshold)
    nearer = min(_nearer(_beside(large, found), pyramid), _cells(pyramid.longer * _ENLARGED))
    if nearer > _FIRST:
        found += _looked(finder, pyramid, nearer, threshold)
    told = sorted([*large, *_beside(large, found)], key=lambda spot: -spot.score)
    return [_likely_up(spot) for spot in distinct(told)[:_MOST]]


def _large(finder: Network, pyramid: Pyramid, threshold: float) -> list[Spot]:
    least = _LARGE * pyramid.longer / _FARTHER
    seen = _looked(finder, pyramid, _FARTHER, threshold)
    return [spot for spot in seen if spot.length >= least]


def _beside(large: Sequence[Spot], found: Sequence[Spot]) -> list[Spot]:
    """What is not just a part of a large tile: the moulded word, the number's own outline."""
    sure = [spot for spot in large if spot.score >= _SURE]
    return [spot for spot in found if not any(_is_part(spot, whole) for whole in sure)]


def _is_part(spot: Spot, whole: Spot) -> bool:
    within = math.hypot(spot.x - whole.x, spot.y - whole.y) < _WITHIN * whole.length
    return within and spot.length < _WITHIN * whole.length


def _likely_up(spot: Spot) -> Spot:
    """With the end for its top that is higher in the picture: tiles face the camera, mostly.

    The finder calls a tile that lies a little to the left of upright nearly upside down; it would
    be read twice.
    """
    return spot.turned_over() if _QUARTER_TURN < spot.angle < 3 * _QUARTER_TURN else spot


def _nearer(found: list[Spot], pyramid: Pyramid) -> int:
    """The longer side of the nearer look that small tiles ask for; no tile at all may be some."""
    shrink = pyramid.longer / _FIRST
    lengths = [spot.length / shrink for spot in found if spot.score >= _LIKELY]
    if not lengths:
        return 2 * _FIRST
    small = float(np.quantile(lengths, _FEW))
    if small >= _SMALL:
        return _FIRST
    return min(_NEAREST, _cells(_FIRST * _COMFORTABLE / small))


def _cells(longer: float) -> int:
    return round(longer / _CELL) * _CELL


def _looked(finder: Network, pyramid: Pyramid, longer: int, threshold: float) -> list[Spot]:
    """Look once, and tell places in the picture's own pixels."""
    small, factor = _fitted(pyramid, longer)
    return [spot.scaled(factor) for spot in spots(finder(small[None])[0], threshold)]


def _fitted(pyramid: Pyramid, longer: int) -> tuple[Image, float]:
    """The picture with that longer side, filled up to whole cells, and how much it was shrunk.

    A tile's turn would not survive another shape, so that nothing is stretched.
    """
    factor = pyramid.longer / longer
    source = pyramid.levels[pyramid.above(factor)]
    height, width = (max(1, round(side / factor)) for side in pyramid.image.shape[:2])
    small = cv2.resize(source, (width, height), interpolation=cv2.INTER_LINEAR)
    below, right = (-side % _CELL for side in (height, width))
    filled = cv2.copyMakeBorder(small, 0, below, 0, right, cv2.BORDER_REPLICATE)
    return np.asarray(filled, np.uint8), factor
