"""Small copies of pictures, made cheaply."""

from __future__ import annotations

import cv2
import numpy as np

from vision.frame import Image

LEAST_SIDE = 8


def shrunk(image: Image, longer_side: int) -> Image:
    """The whole picture with that longer side, each pixel the mean of what it covers.

    It is halved as often as that goes first: OpenCV halves ten times as fast as it resizes
    by any other factor.
    """
    while max(image.shape[:2]) >= 2 * longer_side and min(image.shape[:2]) > LEAST_SIDE:
        even = image[: image.shape[0] // 2 * 2, : image.shape[1] // 2 * 2]
        half = (even.shape[1] // 2, even.shape[0] // 2)
        image = np.asarray(cv2.resize(even, half, interpolation=cv2.INTER_AREA), np.uint8)
    scale = longer_side / max(image.shape[:2])
    height, width = (max(LEAST_SIDE, round(side * scale)) for side in image.shape[:2])
    return np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
