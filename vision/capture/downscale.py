"""Small copies of pictures, made cheaply."""

from __future__ import annotations

import cv2
import numpy as np

from vision.capture.frame import Image

LEAST_SIDE = 8


def downscaled(image: Image, longer_side: int) -> Image:
    """The whole picture with that longer side, each pixel the mean of what it covers.

    It is halved as often as that goes first.
    """
    while max(image.shape[:2]) >= 2 * longer_side and min(image.shape[:2]) > LEAST_SIDE:
        image = halved(image)
    scale = longer_side / max(image.shape[:2])
    height, width = (max(LEAST_SIDE, round(side * scale)) for side in image.shape[:2])
    return np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def halved(image: Image) -> Image:
    """Half the picture, each pixel the mean of two by two; an odd last row or column is left out.

    OpenCV halves ten times as fast as it resizes by any other factor.
    """
    height, width = (side // 2 for side in image.shape[:2])
    even = image[: 2 * height, : 2 * width]
    return np.asarray(cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
