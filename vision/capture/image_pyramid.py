"""Smaller copies of a picture, made cheaply."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.capture.frame import Image
from vision.capture.play_area import PlayArea

LEAST_SIDE = 8


def downscaled(image: Image, longer_side: int) -> Image:
    """Scale the picture to that longer side by averaging pixels, halving it first if possible."""
    while max(image.shape[:2]) >= 2 * longer_side and min(image.shape[:2]) > LEAST_SIDE:
        image = halved(image)
    scale = longer_side / max(image.shape[:2])
    height, width = (max(LEAST_SIDE, round(side * scale)) for side in image.shape[:2])
    return np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def halved(image: Image) -> Image:
    """Halve the picture, averaging 2 x 2 pixels; an odd last row or column is dropped.

    OpenCV halves ten times as fast as it resizes by any other factor.
    """
    height, width = (side // 2 for side in image.shape[:2])
    even = image[: 2 * height, : 2 * width]
    return np.asarray(cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


_SMALLEST: Final = 320  # the longer side below which nothing is halved any more


class Pyramid:
    """One H x W x 3 picture and its successive halves.

    Shrinking a large picture in one go costs more than running a network on it; from a level at
    most twice too large it costs next to nothing. `area` is where pieces can be, None for anywhere.
    """

    def __init__(self, image: Image, area: PlayArea | None = None) -> None:
        self.levels = [image]
        self.area = area
        while max(image.shape[:2]) >= 2 * _SMALLEST and min(image.shape[:2]) > 1:
            image = halved(image)
            self.levels.append(image)

    @property
    def image(self) -> Image:
        return self.levels[0]

    @property
    def longer(self) -> int:
        return int(max(self.image.shape[:2]))

    def above(self, shrink: float) -> int:
        """The index of the smallest level that is not smaller than the picture shrunk this much."""
        level = 0
        while level + 1 < len(self.levels) and shrink >= 2 ** (level + 1):
            level += 1
        return level
