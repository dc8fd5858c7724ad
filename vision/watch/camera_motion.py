"""How far a camera has swayed between two small grey frames; pure."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.float32]

MARGIN: Final = 3  # pixels of the small frame, a sixtieth of its longer side: so far a camera sways
_TURN_RADIUS: Final = 96.0
_STEPS: Final = 5
_ROWS: Final = 2  # every second row tells the sway as well, in half the time
_FINE_STEP: Final = 0.05
_NOISE: Final = 6.0  # levels: smaller differences tell nothing of a sway
_GAIN: Final = 0.85  # of the misfit: where more is left after a step, it is no sway
_OUTLIER: Final = 60.0  # grey levels: so large a difference is no sway
# A turned and shifted picture shows at each place what lay so near before; else something came.
_REACH: Final = 2 * MARGIN
_NEAR: Final = np.ones((2 * _REACH + 1, 2 * _REACH + 1), np.uint8)
_NEW_LEVELS: Final = 20.0
_NEW_PIXELS: Final = 40
_TEXTURE: Final = 4.0  # mean squared gradient: so much has a part of the picture that shows sway
_TEXTURE_PARTS: Final = (6, 4)
_LEAST_PARTS: Final = 5  # one die lies in four at most: alone it must not pass for the table


def stabilized(before: Grey, now: Grey) -> Grey | None:
    """The frame `now`, in the light of `before`, as if the camera had not swayed since.

    None where it swayed too far, where something else moved, or the picture has too little
    texture to tell. The outermost MARGIN pixels are not to be trusted.

    Source: Lucas and Kanade 1981, with one shift and turn for the whole picture.
    """
    if _shows_something_new(before, now):  # seldom anything but a hand or a die: and told soon
        return None
    slopes = _slopes(before)
    if not _is_textured(slopes):
        return None
    sway, steady, inside = np.zeros(3), now, inside_of(before)
    columns = slopes.reshape(3, -1)
    matrix = (columns @ columns.T).astype(np.float64) + np.eye(3)
    apart = _misfit(inside, now)
    for _ in range(_STEPS):
        step = np.linalg.solve(matrix, -_pull(inside, steady, columns))
        sway = sway + step
        steady = _swayed(now, sway)
        left = _misfit(inside, steady)
        if np.abs(sway).max() > MARGIN or left > _GAIN * apart:
            return None
        if np.abs(step).max() < _FINE_STEP:
            break
    return steady


def _shows_something_new(before: Grey, now: Grey) -> bool:
    """Whether many pixels are brighter or darker than all that lay where a sway may bring it."""
    brighter, darker = now - cv2.dilate(before, _NEAR), cv2.erode(before, _NEAR) - now
    new = np.maximum(brighter, darker)[_REACH:-_REACH, _REACH:-_REACH] > _NEW_LEVELS
    return int(np.count_nonzero(new)) > _NEW_PIXELS


def _slopes(grey: Grey) -> Grey:
    """How the rows that count change when the picture moves right, down, or turns: 3 x H x W.

    A turn is measured by how many pixels it moves what lies _TURN_RADIUS from the middle.
    """
    right, down = gradient(grey)
    y, x = (_from_middle(length) for length in right.shape)
    right, down, y = right[::_ROWS], down[::_ROWS], y[::_ROWS]
    return np.stack([right, down, x[None, :] * down - y[:, None] * right])


def gradient(grey: Grey) -> tuple[Grey, Grey]:
    """How the inside of a picture changes to the right and down, levels a pixel."""
    right = cv2.Sobel(grey, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
    down = cv2.Sobel(grey, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
    return inside_of(right.astype(np.float32)), inside_of(down.astype(np.float32))


def _from_middle(length: int) -> Grey:
    places = np.arange(length, dtype=np.float32)
    return np.asarray((places - (length - 1) / 2) / _TURN_RADIUS, np.float32)


def _is_textured(slopes: Grey) -> bool:
    square = slopes[0] ** 2 + slopes[1] ** 2
    parts = cv2.resize(square, _TEXTURE_PARTS, interpolation=cv2.INTER_AREA)
    return int((parts > _TEXTURE).sum()) >= _LEAST_PARTS


def _pull(before: Grey, now: Grey, columns: Grey) -> NDArray[np.float64]:
    """How much the differences pull `now` right, down, and round."""
    error = (inside_of(now)[::_ROWS] - before[::_ROWS]).reshape(-1)
    error[np.abs(error) > _OUTLIER] = 0.0
    return (columns @ error).astype(np.float64)


def _misfit(before: Grey, now: Grey) -> float:
    """By how much two frames differ beyond their noise, in levels of all pixels."""
    apart = cv2.absdiff(inside_of(now), before)
    seen = cv2.threshold(apart, _NOISE, 0, cv2.THRESH_TOZERO)[1]
    return float(cv2.norm(seen, cv2.NORM_L1))


def _swayed(now: Grey, sway: NDArray[np.float64]) -> Grey:
    """The picture moved back by this sway."""
    height, width = now.shape
    middle = ((width - 1) / 2, (height - 1) / 2)
    degrees = float(np.degrees(sway[2] / _TURN_RADIUS))
    matrix = np.asarray(cv2.getRotationMatrix2D(middle, degrees, 1.0), np.float64)
    matrix[:, 2] -= sway[:2]
    moved = cv2.warpAffine(now, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
    return moved.astype(np.float32)


def inside_of(grey: Grey) -> Grey:
    """Without its outermost pixels, about which `stabilized` knows nothing."""
    return grey[MARGIN:-MARGIN, MARGIN:-MARGIN]
