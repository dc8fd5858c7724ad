"""Grain taken out of traced light with the help of the bare paint, which has none.

Light divided by paint is smooth where the light is, whatever is printed there: so it can be
smoothed far more boldly than the picture itself, and print stays sharp.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Light = NDArray[np.float32]
_DARKEST_PAINT: Final = 0.03
_DARKEST: Final = 0.02
# OpenCV sums the differences of the three channels: these are about 0.4 and 0.2 of each.
_GRAIN: Final = (1.2, 0.6)
_STRAY: Final = (0.65, 1.5)  # a pixel's least and most beside the median around it


def denoise(light: Light, paint: Light) -> Light:
    """The light with little of the tracer's grain; both are H x W x 3 and linear."""
    cover = paint + np.float32(_DARKEST_PAINT)
    fallen = _without_strays(np.asarray(light / cover, dtype=np.float32))
    level = np.log(fallen + _DARKEST).astype(np.float32)
    level = np.asarray(cv2.bilateralFilter(level, 7, _GRAIN[0], 1.7), dtype=np.float32)
    level = np.asarray(cv2.bilateralFilter(level, 9, _GRAIN[1], 2.4), dtype=np.float32)
    return np.asarray(np.maximum(np.exp(level) - _DARKEST, 0) * cover, dtype=np.float32)


def _without_strays(fallen: Light) -> Light:
    """Single pixels that a path lit far more or far less than those around come near to them."""
    usual = cv2.medianBlur(np.ascontiguousarray(fallen), 3).mean(axis=2, keepdims=True)
    mine = fallen.mean(axis=2, keepdims=True)
    least, most = _STRAY
    near = np.clip(mine, usual * least - _DARKEST, usual * most + _DARKEST)
    return np.asarray(fallen * (near / np.maximum(mine, 1e-4)), dtype=np.float32)
