"""How much darker the ink of a tile is than its own face."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image

Ink = tuple[float, float, float]

_PRINTED: Final = (slice(8, 34), slice(6, 34))  # of a crop: where a number is printed
_FACE: Final = 85  # the percentile of brightness that is face rather than ink or glare
_INK: Final = 0.06  # of the printed part: its darkest pixels are ink, however thin the number
_PATCH: Final = (4, 4)


def inks_of(crops: Image) -> list[Ink]:
    """Logarithms of ink by face in blue, green and red, for upright crops, N x 56 x 40 x 3."""
    return [_ink(crop.astype(np.float32) + 1) for crop in crops]


def _ink(crop: NDArray[np.float32]) -> Ink:
    face = np.percentile(cv2.blur(crop, _PATCH).reshape(-1, 3), _FACE, axis=0)
    printed = np.log(crop[_PRINTED].reshape(-1, 3) / face)
    count = round(_INK * len(printed))
    darkest = np.argpartition(printed.min(axis=1), count)[:count]
    blue, green, red = printed[darkest].mean(axis=0).tolist()
    return blue, green, red
