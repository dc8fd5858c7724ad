"""The part of a picture that shows what was read, small enough to be kept for long."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Final

import numpy as np

from vision.capture.frame import Image
from vision.capture.photo import encode_small

_MARGIN: Final = 0.6  # of the largest piece's longer side: what lies beside them tells the place
_LONGEST_SIDES: Final = (800, 640, 480, 320, 160)
_QUALITIES: Final = (75, 60, 45)


def crop_photo(
    image: Image, quads: Sequence[Sequence[tuple[float, float]]], most_bytes: int
) -> tuple[bytes, tuple[int, int], list[list[list[float]]]]:
    """Cut out what has these corners, with some of what is around it; all where there is none.

    It is made smaller, and then coarser, until it has at most `most_bytes`: the smallest is 160
    pixels wide or high, and fits into 60,000 whatever it shows. Gives it as JPEG, with its width
    and height, and the corners in it.
    """
    found = [np.reshape(quad, (-1, 2)) for quad in quads]
    part, edge = image, np.zeros(2, int)
    if sides := [np.ptp(quad, axis=0).max() for quad in found if len(quad)]:
        corners, margin = np.concatenate(found), _MARGIN * max(sides)
        edge = np.maximum(0, (corners.min(axis=0) - margin).round()).astype(int)
        right, bottom = np.maximum(0, (corners.max(axis=0) + margin).round()).astype(int)
        part = image[edge[1] : bottom, edge[0] : right]
    if not part.size:  # all corners lie outside
        part, edge = image, np.zeros(2, int)
    for side, quality in product(_LONGEST_SIDES, _QUALITIES):
        jpeg = encode_small(part, side, quality)
        if len(jpeg) <= most_bytes:
            break
    scale = min(1.0, side / max(part.shape[:2]))
    size = max(1, round(part.shape[1] * scale)), max(1, round(part.shape[0] * scale))
    return jpeg, size, [((quad - edge) * scale).round(1).tolist() for quad in found]
