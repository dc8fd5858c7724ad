"""Detect when the table is at rest: hands gone, dice still. Pure, on small grey frames."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image

Grey = NDArray[np.float32]
Mask = NDArray[np.uint8]

_MARGIN: Final = 3  # pixels of the small frame, 1/60 of its longer side: the most a camera moves
_TURN_RADIUS: Final = 96.0
_STEPS: Final = 5
_ROWS: Final = 2  # every second row gives the same result in half the time
_FINE_STEP: Final = 0.05
_NOISE: Final = 6.0  # levels: smaller differences are no motion
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
_CHANGED_LEVELS: Final = 10.0  # grey levels of 255 beyond what the light explains
_NOISE_FACTOR: Final = 6.0  # times the median difference: far outside the noise
_NOISE_LIMIT: Final = 2.0  # times it: if half the picture changed, the median is not noise
_MOTION_TOLERANCE: Final = 0.5  # pixels: how exactly camera motion is measured


def stabilized(before: Grey, now: Grey) -> Grey | None:
    """Undo the camera's motion between two frames of H x W grey levels in the same light.

    None if it moved too far, if something else moved, or if the picture has too little texture
    to tell. The outermost 3 pixels of the result are unreliable.

    Source: Lucas and Kanade 1981, with one shift and one turn for the whole picture.
    """
    # Usually a hand or a die, and cheap to check: pixels brighter or darker than any nearby before
    brighter, darker = now - cv2.dilate(before, _NEAR), cv2.erode(before, _NEAR) - now
    new = np.maximum(brighter, darker)[_REACH:-_REACH, _REACH:-_REACH] > _NEW_LEVELS
    if int(np.count_nonzero(new)) > _NEW_PIXELS:
        return None
    slopes = _slopes(before)
    parts = cv2.resize(
        slopes[0] ** 2 + slopes[1] ** 2, _TEXTURE_PARTS, interpolation=cv2.INTER_AREA
    )
    if int((parts > _TEXTURE).sum()) < _LEAST_PARTS:
        return None
    motion, steady, inside = np.zeros(3), now, _inside(before)
    columns = slopes.reshape(3, -1)
    matrix = (columns @ columns.T).astype(np.float64) + np.eye(3)
    apart = _misfit(inside, now)
    for _ in range(_STEPS):
        # Gradient of half the squared error by a shift right, a shift down and a turn
        error = (_inside(steady)[::_ROWS] - inside[::_ROWS]).reshape(-1)
        error[np.abs(error) > _OUTLIER] = 0.0
        step = np.linalg.solve(matrix, -(columns @ error).astype(np.float64))
        motion = motion + step
        steady = _moved_back(now, motion)
        left = _misfit(inside, steady)
        if np.abs(motion).max() > _MARGIN or left > _GAIN * apart:
            return None
        if np.abs(step).max() < _FINE_STEP:
            break
    return steady


def _slopes(grey: Grey) -> Grey:
    """Derivatives of every second row by a shift right, a shift down and a turn: 3 x H x W.

    A turn is measured in pixels at a distance of _TURN_RADIUS from the middle.
    """
    right, down = _gradient(grey)
    y, x = (
        ((np.arange(length, dtype=np.float32) - (length - 1) / 2) / _TURN_RADIUS).astype(np.float32)
        for length in right.shape
    )
    right, down, y = right[::_ROWS], down[::_ROWS], y[::_ROWS]
    return np.stack([right, down, x[None, :] * down - y[:, None] * right])


def _gradient(grey: Grey) -> tuple[Grey, Grey]:
    """Gradient of the inside of a picture to the right and down, in levels per pixel."""
    right = cv2.Sobel(grey, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
    down = cv2.Sobel(grey, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
    return _inside(right.astype(np.float32)), _inside(down.astype(np.float32))


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

    `lit` is `before` in the light of `now`: a pixel has changed if it differs from that.
    """

    before: Grey
    now: Grey
    lit: Grey

    @classmethod
    def between(cls, before: Grey, now: Grey) -> Change:
        lit = np.asarray(np.minimum(before * _light(before, now), 255.0), np.float32)
        return cls(before, now, lit)

    def mask(self, tolerance: Grey | float = 0.0) -> Mask:
        """Pixels that differ by more than light and noise explain: 1 where something changed.

        The change of brightness is removed first, overall and row by row (lamps flicker while a
        sensor reads its rows). The threshold grows with the noise of the picture, and by
        `tolerance` levels.
        """
        size = np.abs(self.now - self.lit)
        size[np.minimum(self.before, self.now) > _SATURATED] = 0.0  # light can't be measured there
        noise = float(_median(size[::2, ::2].reshape(1, -1))[0, 0])
        threshold = min(max(_CHANGED_LEVELS, _NOISE_FACTOR * noise), _NOISE_LIMIT * _CHANGED_LEVELS)
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
        inside = Change.between(_inside(self.before), _inside(steady))
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


LONGER_SIDE: Final = 192
_REST_SECONDS: Final = 0.3  # without motion before the table is read
# A camera with few frames a second starts earlier, so that _FRAMES_READ readings are done this long
# after the last motion; it still needs one frame that equals the one before it.
_WITHIN_SECONDS: Final = 0.5
_FRAMES_READ: Final = 3
_CLOCK_SECONDS: Final = 0.001  # how exact the times of frames are
_LEAST_PIXELS: Final = 6  # adjacent changed ones that camera motion does not explain: it moved
_MOTION_RESIDUE: Final = 2.0  # times _LEAST_PIXELS: what undoing camera motion may leave
# What changed since the last reading is a hand if it reaches the edge, covers more than
# _HAND_SHARE of the picture and _HAND_OF_CHANGE of all that changed, and leaves two sides free
# except for _FREE_SHARE of each: a change along three sides is another scene.
_HAND_SHARE: Final = 0.08
_HAND_OF_CHANGE: Final = 0.4
_FREE_SHARE: Final = 0.15
_HAND_SECONDS: Final = 2.5  # how long a hand must be still before the table is read
_CUT_SECONDS: Final = 0.08  # no hand reaches in and is still this quickly
_ADAPT_SECONDS: Final = 4.0  # with which the scene follows slow changes of light


@dataclass(frozen=True, slots=True, eq=False)
class Stillness:
    """The state of rest after some frames.

    `anchor` is the scene since it came to rest (it follows slow light), `reference` the scene at
    the last reading. Nothing has moved from `still_since` to `last_at`, in `still_frames` frames at
    most `gap_seconds` apart. `moved`: something moved since the last reading, and `left_at` is the
    last frame before that. `hand`: a hand seems to be in the picture.
    """

    anchor: Grey | None = None
    reference: Grey | None = None
    still_since: datetime | None = None
    last_at: datetime | None = None
    still_frames: int = 0
    gap_seconds: float = 0.0
    left_at: datetime | None = None
    moved: bool = True
    hand: bool = False

    def after(self, grey: Grey, at: datetime) -> Stillness:
        """The state after the next frame (from `small_grey`), taken at `at`."""
        clock_set_back = self.last_at is not None and at < self.last_at
        steady = None if clock_set_back else self._steady(grey)
        if steady is None or self.anchor is None:
            same_size = self.reference is not None and self.reference.shape == grey.shape
            return Stillness(
                anchor=grey,
                reference=self.reference if same_size else None,
                still_since=at,
                last_at=at,
                left_at=self.left_at if self.moved else self.last_at,
            )
        gap = 0.0 if self.last_at is None else (at - self.last_at).total_seconds()
        share = 1.0 - float(np.exp(-gap / _ADAPT_SECONDS))
        adapted = cv2.addWeighted(self.anchor, 1.0 - share, steady, share, 0.0)
        return replace(
            self,
            anchor=adapted.astype(np.float32),
            last_at=at,
            still_frames=self.still_frames + 1,
            gap_seconds=max(gap, self.gap_seconds),
            hand=self._hand_in(steady),
        )

    @property
    def still_seconds(self) -> float:
        if self.still_since is None or self.last_at is None:
            return 0.0
        return (self.last_at - self.still_since).total_seconds()

    def at_rest(self) -> bool:
        """Whether hands are gone and the dice have been still long enough to be read."""
        if not self.still_frames:
            return False
        if self.hand:
            return self.still_seconds >= _HAND_SECONDS
        return self.has_rested() or not self.has_time(_FRAMES_READ)

    def is_settling(self) -> bool:
        """Whether nothing moves any more, and the dice are about to be read."""
        return self.still_frames > 0 and not self.hand and not self.at_rest()

    def has_rested(self) -> bool:
        return self.still_seconds + _CLOCK_SECONDS >= _REST_SECONDS

    def has_time(self, frames: int = 1) -> bool:
        """Whether there is time for that many more before the dice must be proposed."""
        needed = self.still_seconds + frames * self.gap_seconds
        return needed <= _WITHIN_SECONDS + _CLOCK_SECONDS

    def read(self) -> Stillness:
        """The state after a reading: only later motion counts as new."""
        return replace(self, reference=self.anchor, moved=False, hand=False)

    def _steady(self, grey: Grey) -> Grey | None:
        """The frame with camera motion undone; None if something on the table moved."""
        if self.anchor is None or self.anchor.shape != grey.shape:
            return None
        change = Change.between(self.anchor, grey)
        if _largest_blob(change.mask()) < _LEAST_PIXELS:
            return grey
        other = change.without_camera_motion()
        if other is None or _largest_blob(other[0]) >= _MOTION_RESIDUE * _LEAST_PIXELS:
            return None
        return other[1]

    def _hand_in(self, grey: Grey) -> bool:
        if self.reference is None or not self.moved:
            return False
        if self.left_at is not None and self.still_since is not None:
            moved_seconds = (self.still_since - self.left_at).total_seconds()
            if moved_seconds <= _CUT_SECONDS:
                return False
        change = Change.between(self.reference, grey)
        mask = change.mask()
        if edge_areas(mask)[1].max() / mask.size <= _HAND_SHARE:
            return False
        other = change.without_camera_motion()
        mask = mask if other is None else other[0]
        sides = (mask[0], mask[-1], mask[:, 0], mask[:, -1])
        two_free = sorted(float(side.mean()) for side in sides)[1] <= _FREE_SHARE
        least = max(_HAND_SHARE, _HAND_OF_CHANGE * float(mask.mean()))
        return two_free and bool(edge_areas(mask)[1].max() / mask.size > least)


def small_grey(image: Image) -> Grey:
    """A small, smooth, grey copy for `Stillness.after`: LONGER_SIDE pixels on its longer side.

    A large picture is first subsampled to twice that size. The noise this leaves is below the
    threshold for change, and averaging all pixels would take longer than everything else here.
    """
    longer = max(image.shape[:2])
    if longer > 2 * LONGER_SIDE:
        size = _size(image, 2 * LONGER_SIDE)
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_LINEAR), np.uint8)
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, _size(image, LONGER_SIDE), interpolation=cv2.INTER_AREA)
    return cv2.blur(small.astype(np.float32), (3, 3)).astype(np.float32)


def _size(image: Image, longer_side: int) -> tuple[int, int]:
    height, width = image.shape[:2]
    scale = longer_side / max(height, width)
    return max(8, round(width * scale)), max(8, round(height * scale))


def _largest_blob(mask: Mask) -> int:
    left, top, width, height = cv2.boundingRect(mask)
    if not width:
        return 0
    part = mask[top : top + height, left : left + width]
    _, _, statistics, _ = cv2.connectedComponentsWithStats(part)
    return int(statistics[1:, cv2.CC_STAT_AREA].max())


def edge_areas(mask: Mask) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The numbered patches of a mask, and by number their areas, 0 for those not at the edge."""
    _, labels, statistics, _ = cv2.connectedComponentsWithStats(mask)
    left, top, across, down, areas = np.asarray(statistics, np.int32).T
    height, width = mask.shape
    at_edge = (left == 0) | (top == 0) | (left + across == width) | (top + down == height)
    at_edge[0] = False  # what is no patch
    return np.asarray(labels, np.int32), areas * at_edge
