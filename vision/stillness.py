"""When the table is at rest: hands gone, dice still. Pure, on small grey frames."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image

Grey = NDArray[np.float32]
Mask = NDArray[np.uint8]

LONGER_SIDE: Final = 192
_KERNEL: Final = np.ones((3, 3), np.uint8)
_SATURATED: Final = 245.0
_LIGHT_RANGE: Final = (0.5, 2.0)
_FLICKER_RANGE: Final = (0.9, 1.1)
_NOISE_FACTOR: Final = 6.0  # times the median difference: six of these are far outside of noise
_NOISE_LIMIT: Final = 2.0  # times `changed_levels`: where half the picture changed it is no noise


@dataclass(frozen=True, slots=True)
class StillnessSettings:
    """What counts as rest.

    At rest is a table that did not change for `rest_frames` frames and `rest_seconds`. A
    pixel changed when it differs by `changed_levels` grey levels of 255 from what the change
    of light explains; something moved when `least_pixels` that touch each other changed.
    What changed since the last reading, reaches the picture's edge and covers more than
    `hand_share` of it is a hand: its rest counts only after `hand_patience_seconds`. A hand
    leaves two sides of the picture free, but for `free_share` of each; what changed along
    three is another scene. `adapt_seconds` is how slowly the light may change unseen.
    """

    rest_frames: int = 3
    rest_seconds: float = 0.4
    changed_levels: float = 10.0
    least_pixels: int = 6
    hand_share: float = 0.08
    free_share: float = 0.15
    hand_patience_seconds: float = 2.5
    adapt_seconds: float = 4.0


DEFAULT_SETTINGS: Final = StillnessSettings()


@dataclass(frozen=True, slots=True, eq=False)
class Stillness:
    """What is known of the table's rest after some frames.

    `anchor` is the scene since it came to rest (it follows slow light), `reference` the scene
    at the last reading; `still_since` and `still_frames` tell how long nothing has moved,
    until `last_at`; `moved` is the motion seen since the last reading; `hand` whether
    something like a hand lies in the picture.
    """

    anchor: Grey | None = None
    reference: Grey | None = None
    still_since: datetime | None = None
    last_at: datetime | None = None
    still_frames: int = 0
    moved: bool = True
    hand: bool = False

    def after(
        self, grey: Grey, at: datetime, settings: StillnessSettings = DEFAULT_SETTINGS
    ) -> Stillness:
        """Take the next frame, made small by `small_grey`, taken at `at`."""
        clock_set_back = self.last_at is not None and at < self.last_at
        if clock_set_back or self._moved_until(grey, settings):
            return self._moving(grey, at)
        hand = self._hand_in(grey, settings)
        anchor = self._adapted(grey, at, settings)
        frames = self.still_frames + 1
        return replace(self, anchor=anchor, last_at=at, still_frames=frames, hand=hand)

    def at_rest(self, settings: StillnessSettings = DEFAULT_SETTINGS) -> bool:
        """Whether hands are gone and nothing has moved for long enough."""
        if self.still_since is None or self.last_at is None:
            return False
        seconds = settings.hand_patience_seconds if self.hand else settings.rest_seconds
        long_enough = self.last_at - self.still_since >= timedelta(seconds=seconds)
        return long_enough and self.still_frames >= settings.rest_frames

    def read(self) -> Stillness:
        """The same table after a reading: what moves from now on is new."""
        return replace(self, reference=self.anchor, moved=False, hand=False)

    def _moved_until(self, grey: Grey, settings: StillnessSettings) -> bool:
        if self.anchor is None or self.anchor.shape != grey.shape:
            return True
        return _largest_blob(changed(self.anchor, grey, settings)) >= settings.least_pixels

    def _moving(self, grey: Grey, at: datetime) -> Stillness:
        same_size = self.reference is not None and self.reference.shape == grey.shape
        return Stillness(
            anchor=grey,
            reference=self.reference if same_size else None,
            still_since=at,
            last_at=at,
        )

    def _hand_in(self, grey: Grey, settings: StillnessSettings) -> bool:
        if self.reference is None or not self.moved:
            return False
        mask = changed(self.reference, grey, settings)
        sides = (mask[0], mask[-1], mask[:, 0], mask[:, -1])
        two_free = sorted(float(side.mean()) for side in sides)[1] <= settings.free_share
        return two_free and _largest_edge_share(mask) > settings.hand_share

    def _adapted(self, grey: Grey, at: datetime, settings: StillnessSettings) -> Grey | None:
        if self.anchor is None or self.last_at is None:
            return grey
        seconds = max(0.0, (at - self.last_at).total_seconds())
        share = 1.0 - float(np.exp(-seconds / settings.adapt_seconds))
        return cv2.addWeighted(self.anchor, 1.0 - share, grey, share, 0.0).astype(np.float32)


def small_grey(image: Image) -> Grey:
    """A small, smooth, grey copy for `Stillness.after`: LONGER_SIDE pixels on its longer side."""
    step = max(1, max(image.shape[:2]) // (LONGER_SIDE * 4))
    scale = LONGER_SIDE * step / max(image.shape[:2])
    size = (
        max(8, round(image.shape[1] / step * scale)),
        max(8, round(image.shape[0] / step * scale)),
    )
    thinned = np.ascontiguousarray(image[::step, ::step])
    small = cv2.resize(thinned, size, interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return cv2.blur(grey, (3, 3)).astype(np.float32)


def changed(before: Grey, now: Grey, settings: StillnessSettings = DEFAULT_SETTINGS) -> Mask:
    """Which pixels differ by more than light and noise explain: 1 where something changed.

    Brightness as a whole, and row by row (lamps flicker while a sensor reads its rows), is
    taken out first; the threshold grows with the noise of the picture itself.
    """
    limit = settings.changed_levels
    size = np.abs(now - np.minimum(before * _light(before, now), 255.0))
    size[np.minimum(before, now) > _SATURATED] = 0.0  # there the light cannot be told
    noise = float(np.median(size[::2, ::2]))
    threshold = min(max(limit, _NOISE_FACTOR * noise), _NOISE_LIMIT * limit)
    mask = (size > threshold).astype(np.uint8)
    return cv2.morphologyEx(mask, cv2.MORPH_CLOSE, _KERNEL).astype(np.uint8)


def _light(before: Grey, now: Grey) -> Grey:
    """How much brighter it got: the median of all, times what each row differs from it."""
    ratio = (now[:, ::2] + 1.0) / (before[:, ::2] + 1.0)
    overall = float(np.clip(np.median(ratio[::2]), *_LIGHT_RANGE))
    rows = np.median(ratio, axis=1, keepdims=True) / overall
    light: Grey = (overall * np.clip(rows, *_FLICKER_RANGE)).astype(np.float32)
    return light


def _largest_blob(mask: Mask) -> int:
    if not mask.any():
        return 0
    _, _, statistics, _ = cv2.connectedComponentsWithStats(mask)
    return int(statistics[1:, cv2.CC_STAT_AREA].max())


def _largest_edge_share(mask: Mask) -> float:
    """The share of the picture that the largest changed patch touching its edge covers."""
    height, width = mask.shape
    _, _, statistics, _ = cv2.connectedComponentsWithStats(mask)
    patches = statistics[1:]
    left, top = patches[:, cv2.CC_STAT_LEFT], patches[:, cv2.CC_STAT_TOP]
    right, bottom = left + patches[:, cv2.CC_STAT_WIDTH], top + patches[:, cv2.CC_STAT_HEIGHT]
    at_edge = (left == 0) | (top == 0) | (right == width) | (bottom == height)
    areas = patches[at_edge, cv2.CC_STAT_AREA]
    return float(areas.max() / mask.size) if areas.size else 0.0
