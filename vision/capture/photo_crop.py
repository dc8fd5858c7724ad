"""The part of a picture that shows what was read, small enough to be kept for long."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Final

import cv2
import numpy as np

from vision.capture.frame import Image
from vision.capture.photo import encode_jpeg

Corner = tuple[float, float]

_MARGIN: Final = 0.6  # of the largest piece's longer side: what lies beside them tells the place
_LONGEST_SIDES: Final = (800, 640, 480, 320, 160)
_QUALITIES: Final = (75, 60, 45)


def crop_photo(
    image: Image, quads: Iterable[tuple[Corner, ...]], most_bytes: int
) -> tuple[bytes, tuple[int, int], tuple[int, int, float]]:
    """Cut out what has these corners, with some of what is around it; all where there is none.

    It is made smaller, and then coarser, until it has at most `most_bytes`: the smallest is 160
    pixels wide or high, and fits into 60,000 whatever it shows. Gives it as JPEG, with its width
    and height, and its left and top edge in the picture, of which it is so many times the size.
    """
    height, width = image.shape[:2]
    left, top, right, bottom = 0, 0, width, height
    if found := tuple(filter(None, quads)):
        sides = [max(axis) - min(axis) for quad in found for axis in zip(*quad, strict=True)]
        margin = _MARGIN * max(sides)
        across, down = zip(*(corner for quad in found for corner in quad), strict=True)
        left, top = max(0, round(min(across) - margin)), max(0, round(min(down) - margin))
        right, bottom = round(max(across) + margin), round(max(down) + margin)
    part = image[top : max(top, bottom), left : max(left, right)]
    if not part.size:  # all corners lie outside
        return crop_photo(image, (), most_bytes)
    for side, quality in product(_LONGEST_SIDES, _QUALITIES):
        scale = min(1.0, side / max(part.shape[:2]))
        size = max(1, round(part.shape[1] * scale)), max(1, round(part.shape[0] * scale))
        small = part if scale == 1 else cv2.resize(part, size, interpolation=cv2.INTER_AREA)
        jpeg = encode_jpeg(np.asarray(small, np.uint8), quality)
        if len(jpeg) <= most_bytes:
            break
    return jpeg, size, (left, top, scale)
