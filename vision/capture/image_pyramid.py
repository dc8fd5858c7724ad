"""Smaller copies of a picture, made cheaply, and how sharp they are."""

from __future__ import annotations

import math
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image, PlayArea

LEAST_SIDE: Final = 8


def downscaled(image: Image, longer_side: int) -> Image:
    """Scale the picture to that longer side by averaging pixels, halving it first if possible."""
    while max(image.shape[:2]) >= 2 * longer_side and min(image.shape[:2]) > LEAST_SIDE:
        image = halved(image)
    scale = longer_side / max(image.shape[:2])
    height, width = (max(LEAST_SIDE, round(side * scale)) for side in image.shape[:2])
    return np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def halved(image: Image) -> Image:
    """Average 2 x 2 pixels, without an odd last row or column: OpenCV is fastest at this factor."""
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
        halvings = math.frexp(shrink)[1] - 1  # the whole ones
        return min(max(0, halvings), len(self.levels) - 1)


Grey = NDArray[np.uint8]

_WINDOW: Final = np.ones((13, 13), np.uint8)
_CLEAREST: Final = 0.998
CLEAR_EDGES: Final = 24.0  # grey levels: below that there is nothing to be sharp
_STRONG: Final = 0.6
_FEWEST_EDGES: Final = 20


def calm_grey(small: Image) -> Grey:
    """A small picture in grey, denoised."""
    return np.asarray(cv2.medianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), 3), np.uint8)


def sharpness(grey: Grey) -> tuple[float, float | None]:
    """The contrast at the clearest edges, and the share of it within their steepest step.

    The share is None without clear edges.
    """
    around = cv2.dilate(grey, _WINDOW), cv2.erode(grey, _WINDOW)
    contrast = np.asarray(cv2.subtract(*around), np.uint8)
    clearest = quantile(contrast, _CLEAREST)
    if clearest < CLEAR_EDGES:
        return clearest, None
    across = cv2.absdiff(grey[:-1, 1:], grey[:-1, :-1])
    down = cv2.absdiff(grey[1:, :-1], grey[:-1, :-1])
    steepest = cv2.dilate(cv2.max(across, down), _WINDOW)
    inner = contrast[:-1, :-1]
    clear = inner >= _STRONG * clearest
    if int(clear.sum()) < _FEWEST_EDGES:
        return clearest, None
    return clearest, float(np.median(steepest[clear] / inner[clear]))


def quantile(grey: Grey, share: float) -> float:
    """The level that only the remaining share of the pixels exceeds."""
    counts = cv2.calcHist([grey], [0], None, [256], [0, 256]).ravel()
    return float(np.searchsorted(np.cumsum(counts), share * grey.size))
