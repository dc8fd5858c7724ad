"""The part of a picture that shows what was read, small enough to be kept for long."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class PhotoCrop:
    """A part of a picture as JPEG, `width` x `height` pixels.

    It begins at `left`, `top` of the picture, whose pixels are `scale` times as large in it.
    """

    jpeg: bytes
    width: int
    height: int
    left: float
    top: float
    scale: float

    def placed(self, corner: Corner) -> Corner:
        """Where a pixel of the whole picture lies in this part, to a tenth of a pixel."""
        x, y = corner
        return round((x - self.left) * self.scale, 1), round((y - self.top) * self.scale, 1)


def crop_photo(image: Image, quads: Iterable[tuple[Corner, ...]], most_bytes: int) -> PhotoCrop:
    """Cut out what has these corners, with some of what is around it; all where there is none.

    It is made smaller, and then coarser, until it has at most `most_bytes`: the smallest is 160
    pixels wide or high, and fits into 60,000 whatever it shows.
    """
    height, width = image.shape[:2]
    left, top, right, bottom = _edges(tuple(filter(None, quads)), width, height)
    part = image[top:bottom, left:right]
    for side, quality in product(_LONGEST_SIDES, _QUALITIES):
        scale = min(1.0, side / max(part.shape[:2]))
        size = max(1, round(part.shape[1] * scale)), max(1, round(part.shape[0] * scale))
        small = part if scale == 1 else cv2.resize(part, size, interpolation=cv2.INTER_AREA)
        jpeg = encode_jpeg(np.asarray(small, np.uint8), quality)
        if len(jpeg) <= most_bytes:
            break
    return PhotoCrop(jpeg, *size, left, top, scale)


def _edges(
    quads: tuple[tuple[Corner, ...], ...], width: int, height: int
) -> tuple[int, int, int, int]:
    """The part around the pieces: its left, top, right and bottom edge in whole pixels."""
    if not quads:
        return 0, 0, width, height
    spans = [(max(axis) - min(axis)) for quad in quads for axis in zip(*quad, strict=True)]
    margin = _MARGIN * max(spans)
    across, down = zip(*(corner for quad in quads for corner in quad), strict=True)
    left, top = max(0, round(min(across) - margin)), max(0, round(min(down) - margin))
    right, bottom = min(width, round(max(across) + margin)), min(height, round(max(down) + margin))
    if right - left < 2 or bottom - top < 2:  # noqa: PLR2004 -- corners outside of the picture
        return 0, 0, width, height
    return left, top, right, bottom
