"""How sharp a picture is, by its clearest edges."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image

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
