"""Change between two small grey frames, ignoring light, noise and camera motion. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.float32]
Mask = NDArray[np.uint8]

_MARGIN: Final = 3  # pixels of the small frame, 1/60 of its longer side: the most a camera sways
_TURN_RADIUS: Final = 96.0
_STEPS: Final = 5
_ROWS: Final = 2  # every second row gives the same result in half the time
_FINE_STEP: Final = 0.05
_NOISE: Final = 6.0  # levels: smaller differences say nothing about motion
_GAIN: Final = 0.85  # of the misfit: if more is left after a step, it was not the camera
_OUTLIER: Final = 60.0  # grey levels: a larger difference is not camera motion
# A shifted and turned picture only shows pixels that were this close before; others are new.
_REACH: Final = 2 * _MARGIN
_NEAR: Final = np.ones((2 * _REACH + 1, 2 * _REACH + 1), np.uint8)
_NEW_LEVELS: Final = 20.0
_NEW_PIXELS: Final = 40
_TEXTURE: Final = 4.0  # mean squared gradient of a part in which motion can be measured
_TEXTURE_PARTS: Final = (6, 4)
_LEAST_PARTS: Final = 5  # one die covers at most four: it must not pass for the table

_KERNEL: Final = np.ones((3, 3), np.uint8)
_SATURATED: Final = 245.0
_LIGHT_RANGE: Final = (0.5, 2.0)
_FLICKER_RANGE: Final = (0.9, 1.1)
_NOISE_FACTOR: Final = 6.0  # times the median difference: far outside the noise
_NOISE_LIMIT: Final = 2.0  # times `levels`: if half the picture changed, the median is not noise
_MOTION_TOLERANCE: Final = 0.5  # pixels: how exactly camera motion is measured


def stabilized(before: Grey, now: Grey) -> Grey | None:
    """Undo the camera's motion between two frames of H x W grey levels in the same light.

    None if it moved too far, if something else moved, or if the picture has too little texture
    to tell. The outermost 3 pixels of the result are unreliable.

    Source: Lucas and Kanade 1981, with one shift and one turn for the whole picture.
    """
    if _shows_something_new(before, now):  # usually a hand or a die, and cheap to check
        return None
    slopes = _slopes(before)
    if not _is_textured(slopes):
        return None
    motion, steady, inside = np.zeros(3), now, _inside(before)
    columns = slopes.reshape(3, -1)
    matrix = (columns @ columns.T).astype(np.float64) + np.eye(3)
    apart = _misfit(inside, now)
    for _ in range(_STEPS):
        step = np.linalg.solve(matrix, -_pull(inside, steady, columns))
        motion = motion + step
        steady = _moved_back(now, motion)
        left = _misfit(inside, steady)
        if np.abs(motion).max() > _MARGIN or left > _GAIN * apart:
            return None
        if np.abs(step).max() < _FINE_STEP:
            break
    return steady


def _shows_something_new(before: Grey, now: Grey) -> bool:
    """Whether many pixels are brighter or darker than anything camera motion could bring there."""
    brighter, darker = now - cv2.dilate(before, _NEAR), cv2.erode(before, _NEAR) - now
    new = np.maximum(brighter, darker)[_REACH:-_REACH, _REACH:-_REACH] > _NEW_LEVELS
    return int(np.count_nonzero(new)) > _NEW_PIXELS


def _slopes(grey: Grey) -> Grey:
    """Derivatives of every second row by a shift right, a shift down and a turn: 3 x H x W.

    A turn is measured in pixels at a distance of _TURN_RADIUS from the middle.
    """
    right, down = _gradient(grey)
    y, x = (_from_middle(length) for length in right.shape)
    right, down, y = right[::_ROWS], down[::_ROWS], y[::_ROWS]
    return np.stack([right, down, x[None, :] * down - y[:, None] * right])


def _gradient(grey: Grey) -> tuple[Grey, Grey]:
    """Gradient of the inside of a picture to the right and down, in levels per pixel."""
    right = cv2.Sobel(grey, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
    down = cv2.Sobel(grey, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
    return _inside(right.astype(np.float32)), _inside(down.astype(np.float32))


def _from_middle(length: int) -> Grey:
    places = np.arange(length, dtype=np.float32)
    return np.asarray((places - (length - 1) / 2) / _TURN_RADIUS, np.float32)


def _is_textured(slopes: Grey) -> bool:
    square = slopes[0] ** 2 + slopes[1] ** 2
    parts = cv2.resize(square, _TEXTURE_PARTS, interpolation=cv2.INTER_AREA)
    return int((parts > _TEXTURE).sum()) >= _LEAST_PARTS


def _pull(before: Grey, now: Grey, columns: Grey) -> NDArray[np.float64]:
    """Gradient of half the squared error by a shift right, a shift down and a turn."""
    error = (_inside(now)[::_ROWS] - before[::_ROWS]).reshape(-1)
    error[np.abs(error) > _OUTLIER] = 0.0
    return (columns @ error).astype(np.float64)


def _misfit(before: Grey, now: Grey) -> float:
    """Sum of the differences that exceed the noise, in levels."""
    apart = cv2.absdiff(_inside(now), before)
    seen = cv2.threshold(apart, _NOISE, 0, cv2.THRESH_TOZERO)[1]
    return float(cv2.norm(seen, cv2.NORM_L1))


def _moved_back(now: Grey, motion: NDArray[np.float64]) -> Grey:
    """The picture shifted and turned back by `motion` (right, down, turn; pixels)."""
    height, width = now.shape
    middle = ((width - 1) / 2, (height - 1) / 2)
    degrees = float(np.degrees(motion[2] / _TURN_RADIUS))
    matrix = np.asarray(cv2.getRotationMatrix2D(middle, degrees, 1.0), np.float64)
    matrix[:, 2] -= motion[:2]
    moved = cv2.warpAffine(now, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
    return moved.astype(np.float32)


def _inside(grey: Grey) -> Grey:
    """The picture without its margin, which `stabilized` cannot restore."""
    return grey[_MARGIN:-_MARGIN, _MARGIN:-_MARGIN]


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """The difference between two frames of H x W grey levels.

    `lit` is `before` in the light of `now`. A pixel has changed if it differs from `lit` by more
    than `levels` of 255.
    """

    before: Grey
    now: Grey
    lit: Grey
    levels: float

    @classmethod
    def between(cls, before: Grey, now: Grey, levels: float) -> Change:
        """Compare two frames of the same size."""
        lit = np.asarray(np.minimum(before * _light(before, now), 255.0), np.float32)
        return cls(before, now, lit, levels)

    def mask(self, tolerance: Grey | float = 0.0) -> Mask:
        """Pixels that differ by more than light and noise explain: 1 where something changed.

        The change of brightness is removed first, overall and row by row (lamps flicker while a
        sensor reads its rows). The threshold grows with the noise of the picture, and by
        `tolerance` levels.
        """
        size = np.abs(self.now - self.lit)
        size[np.minimum(self.before, self.now) > _SATURATED] = 0.0  # light can't be measured there
        noise = float(_median(size[::2, ::2].reshape(1, -1))[0, 0])
        threshold = min(max(self.levels, _NOISE_FACTOR * noise), _NOISE_LIMIT * self.levels)
        mask = (size > threshold + tolerance).astype(np.uint8)
        return cv2.morphologyEx(mask, cv2.MORPH_CLOSE, _KERNEL).astype(np.uint8)

    def without_camera_motion(self) -> tuple[Mask, Grey] | None:
        """The mask after undoing camera motion, and the stabilized frame.

        None if camera motion does not explain the change.
        """
        steady = stabilized(self.lit, self.now)
        if steady is None:
            return None
        slope = cv2.magnitude(*_gradient(self.before))
        inside = Change.between(_inside(self.before), _inside(steady), self.levels)
        mask = inside.mask(np.asarray(_MOTION_TOLERANCE * slope, np.float32))
        edge = (_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        return cv2.copyMakeBorder(mask, *edge, cv2.BORDER_REPLICATE).astype(np.uint8), steady


def _light(before: Grey, now: Grey) -> Grey:
    """Brightness ratio of each row, H x 1: the overall median times the row's deviation from it."""
    ratio = (now[:, ::2] + 1.0) / (before[:, ::2] + 1.0)
    overall = float(np.clip(_median(ratio[::2].reshape(1, -1))[0, 0], *_LIGHT_RANGE))
    rows = _median(ratio) / overall
    light: Grey = (overall * np.clip(rows, *_FLICKER_RANGE)).astype(np.float32)
    return light


def _median(rows: Grey) -> Grey:
    """The upper median of each row, H x 1; three times faster than numpy's."""
    middle = rows.shape[1] // 2
    return np.partition(rows, middle, axis=1)[:, middle : middle + 1]
