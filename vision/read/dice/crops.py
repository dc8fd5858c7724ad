"""Square crops of single dice, cut from the full picture at the size that the reader takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.capture.frame import Image
from vision.capture.image_pyramid import Pyramid
from vision.read.dice.peaks import Peak

CROP_SIDE: Final = 48
MARGIN: Final = 1.3


def crops(pyramid: Pyramid, dice: Sequence[Peak], margin: float = MARGIN) -> Image:
    """Cut every die out, N x 48 x 48 x 3; beyond the picture its edge is repeated."""
    cut = [_crop(pyramid, die, margin) for die in dice]
    return np.stack(cut) if cut else np.zeros((0, CROP_SIDE, CROP_SIDE, 3), np.uint8)


def _crop(pyramid: Pyramid, die: Peak, margin: float) -> Image:
    level = pyramid.above(die.size * margin / CROP_SIDE)
    side = max(4, round(die.size * margin / 2**level))
    left, top = (round(middle / 2**level - side / 2) for middle in (die.x, die.y))
    square = _square(pyramid.levels[level], left, top, side)
    method = cv2.INTER_AREA if side > CROP_SIDE else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(square, (CROP_SIDE, CROP_SIDE), interpolation=method), np.uint8)


def _square(image: Image, left: int, top: int, side: int) -> Image:
    height, width = image.shape[:2]
    part = image[max(0, top) : max(1, top + side), max(0, left) : max(1, left + side)]
    part = part if part.size else image[-1:, -1:]
    beyond = (
        max(0, -top),
        max(0, top + side - height),
        max(0, -left),
        max(0, left + side - width),
    )
    if not any(beyond):
        return part
    return np.asarray(cv2.copyMakeBorder(part, *beyond, cv2.BORDER_REPLICATE), np.uint8)
