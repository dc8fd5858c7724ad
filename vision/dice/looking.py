"""Where dice lie in a picture: the finder's looks, at the scales that the first one asks for."""

from __future__ import annotations

from enum import Enum
from typing import Final

import cv2
import numpy as np

from vision.dice.peaks import Peak, distinct, peaks
from vision.dice.pyramid import Pyramid
from vision.frame import Image
from vision.weights import Network

_CELL: Final = 32
_LIKELY: Final = 0.35
_LARGE: Final = 90.0  # in pixels of the first look: dice that the wide look boxes better
_SMALL: Final = 14.0  # and those that the near look does
_FEW: Final = 0.25  # of the dice: so many small ones ask for the near look


class Look(Enum):
    """How the finder looks at a picture: the longer side, in pixels, that it is brought to."""

    WIDE = 160
    FIRST = 352
    NEAR = 960


def look(finder: Network, pyramid: Pyramid, threshold: float) -> list[Peak]:
    """Find what may be dice, best first, in pixels of the picture."""
    found = looked(finder, pyramid, Look.FIRST, threshold)
    for other in asked_for(found, pyramid):
        found += looked(finder, pyramid, other, threshold)
    return distinct(sorted(found, key=lambda peak: -peak.score))


def asked_for(found: list[Peak], pyramid: Pyramid) -> list[Look]:
    """The looks that the first one asks for: wider for large dice, nearer for dots."""
    unit = pyramid.longer / Look.FIRST.value
    likely = [peak.size / unit for peak in found if peak.score >= _LIKELY]
    if not likely:
        return [Look.WIDE, Look.NEAR]
    wide = [Look.WIDE] if max(likely) > _LARGE else []
    return wide + ([Look.NEAR] if float(np.quantile(likely, _FEW)) < _SMALL else [])


def looked(finder: Network, pyramid: Pyramid, at: Look, threshold: float) -> list[Peak]:
    """Look once, and tell places in the picture's own pixels."""
    small = _resized(pyramid, at.value)
    height, width = pyramid.image.shape[:2]
    across, down = width / small.shape[1], height / small.shape[0]
    found = [peak.scaled(across, down) for peak in peaks(finder(small[None])[0], threshold)]
    if at is not Look.WIDE:
        return found
    return [each for each in found if each.size > _LARGE * pyramid.longer / Look.FIRST.value]


def _resized(pyramid: Pyramid, longer: int) -> Image:
    """Bring the longer side to that length, and both sides to whole cells of the finder."""
    shrink = pyramid.longer / longer
    height, width = pyramid.image.shape[:2]
    shape = [max(_CELL, round(side / shrink / _CELL) * _CELL) for side in (width, height)]
    source = pyramid.levels[pyramid.above(shrink)]
    return np.asarray(cv2.resize(source, shape, interpolation=cv2.INTER_LINEAR), np.uint8)
