"""Light that washes a piece out."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.capture.frame import Image

_GLARING: Final = 250


def is_glaring(grey: Image, shares: tuple[float, float]) -> bool:
    """Whether part of a piece is lost in light while the rest is not nearly white.

    `shares` are those of the piece: below the first it is a highlight, above the second a white
    piece.
    """
    few, many = shares
    share = float((grey >= _GLARING).mean())
    return few < share < many and float(np.median(grey)) < 0.9 * _GLARING
