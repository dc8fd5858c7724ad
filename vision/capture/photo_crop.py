"""Pictures to keep: the part that shows what was read, and the portrait of a player."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Final

import numpy as np

from vision.capture.frame import Image
from vision.capture.photo import encode_small, open_photo

_MARGIN: Final = 0.6  # of the largest piece's longer side: surroundings show the place
_LONGEST_SIDES: Final = (800, 640, 480, 320, 160)
_QUALITIES: Final = (75, 60, 45)


def crop_photo(
    image: Image, quads: Sequence[Sequence[tuple[float, float]]], most_bytes: int
) -> tuple[bytes, tuple[int, int], list[list[list[float]]]]:
    """Cut out the pieces with these corners and some surroundings; the whole picture without any.

    It is shrunk, then compressed harder, until it has at most `most_bytes`: at the smallest it is
    160 pixels wide or high, which always fits into 60,000. Returns JPEG bytes, (width, height) and
    the corners in the crop.
    """
    found = [np.reshape(quad, (-1, 2)) for quad in quads]
    part, edge = image, np.zeros(2, int)
    if sides := [np.ptp(quad, axis=0).max() for quad in found if len(quad)]:
        corners, margin = np.concatenate(found), _MARGIN * max(sides)
        edge = np.maximum(0, (corners.min(axis=0) - margin).round()).astype(int)
        right, bottom = np.maximum(0, (corners.max(axis=0) + margin).round()).astype(int)
        part = image[edge[1] : bottom, edge[0] : right]
    if not part.size:  # all corners are outside
        part, edge = image, np.zeros(2, int)
    for side, quality in product(_LONGEST_SIDES, _QUALITIES):
        jpeg = encode_small(part, side, quality)
        if len(jpeg) <= most_bytes:
            break
    scale = min(1.0, side / max(part.shape[:2]))
    size = max(1, round(part.shape[1] * scale)), max(1, round(part.shape[0] * scale))
    return jpeg, size, [((quad - edge) * scale).round(1).tolist() for quad in found]


SIDE: Final = 256  # pixels
MOST_PORTRAIT_BYTES: Final = 30_000
_PORTRAIT_QUALITIES: Final = (85, 70, 50, 30, 15)


def portrait(photo: bytes) -> bytes:
    """The middle of a photo as a JPEG file of at most 256 x 256 pixels and 30 KB.

    It is upright and carries no metadata: no place, time or camera.

    Raises:
        PhotoError: as for `open_photo`.
    """
    image = open_photo(photo)
    height, width = image.shape[:2]
    side = min(height, width)
    top, left = (height - side) // 2, (width - side) // 2
    square = image[top : top + side, left : left + side]
    encoded = (encode_small(square, SIDE, quality) for quality in _PORTRAIT_QUALITIES)
    return next(jpeg for jpeg in encoded if len(jpeg) <= MOST_PORTRAIT_BYTES)
