"""When the table is at rest: hands gone, dice still. Pure, on small grey frames."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.sway import MARGIN, Grey, gradient, inside_of, steadied

Mask = NDArray[np.uint8]

LONGER_SIDE: Final = 192
_KERNEL: Final = np.ones((3, 3), np.uint8)
_SATURATED: Final = 245.0
_LIGHT_RANGE: Final = (0.5, 2.0)
_FLICKER_RANGE: Final = (0.9, 1.1)
_NOISE_FACTOR: Final = 6.0  # times the median difference: six of these are far outside of noise
_NOISE_LIMIT: Final = 2.0  # times `changed_levels`: where half the picture changed it is no noise
_CLOCK_SECONDS: Final = 0.001  # frames' times are no more exact
_HAND_OF_CHANGE: Final = 0.4  # a hand is so much of all that changed; scattered change is none
_CUT_SECONDS: Final = 0.08  # no hand reaches in and lies still within so short a time
_SWAY_PLAY: Final = 0.5  # pixels: no sway is taken out more exactly
_SWAY_RESIDUE: Final = 2.0  # times `least_pixels`: so much is left where a sway is taken out


@dataclass(frozen=True, slots=True)
class StillnessSettings:
    """What counts as rest.

    A table at rest did not change for `rest_seconds`. A camera of few frames a second may not
    have so long: what it reads in `frames_read` frames has to be known `within_seconds` of
    the last motion, so it begins to read earlier, but not before one frame that equals the
    one before it. A pixel changed when it differs by `changed_levels` grey levels of 255 from
    what the change of light explains; something moved when `least_pixels` that touch each
    other changed, and a camera that swayed does not explain it. What changed since the last
    reading, reaches the picture's edge and covers more than `hand_share` of it is a hand: its
    rest counts only after `hand_patience_seconds`. A hand leaves two sides of the picture
    free, but for `free_share` of each; what changed along three is another scene.
    `adapt_seconds` is how slowly the light may change unseen.
    """

    rest_seconds: float = 0.3
    within_seconds: float = 0.5
    frames_read: int = 3
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
    at the last reading; `still_since`, `still_frames` and `still_seconds` tell how long
    nothing has moved, until `last_at`; `gap_seconds` is the longest time between two frames then;
    `moved` is the motion seen since the last reading, and `left_at` the last frame before it;
    `hand` whether something like a hand lies in the picture.
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

    def after(
        self, grey: Grey, at: datetime, settings: StillnessSettings = DEFAULT_SETTINGS
    ) -> Stillness:
        """Take the next frame, made small by `small_grey`, taken at `at`."""
        clock_set_back = self.last_at is not None and at < self.last_at
        steady = None if clock_set_back else self._steady(grey, settings)
        if steady is None:
            return self._moving(grey, at)
        gap = 0.0 if self.last_at is None else (at - self.last_at).total_seconds()
        return replace(
            self,
            anchor=self._adapted(steady, gap, settings),
            last_at=at,
            still_frames=self.still_frames + 1,
            gap_seconds=max(gap, self.gap_seconds),
            hand=self._hand_in(steady, settings),
        )

    @property
    def still_seconds(self) -> float:
        """How long nothing has moved."""
        if self.still_since is None or self.last_at is None:
            return 0.0
        return (self.last_at - self.still_since).total_seconds()

    def at_rest(self, settings: StillnessSettings = DEFAULT_SETTINGS) -> bool:
        """Whether hands are gone and nothing has moved for long enough to read the dice."""
        if not self.still_frames:
            return False
        if self.hand:
            return self.still_seconds >= settings.hand_patience_seconds
        return self.has_rested(settings) or not self._has_time_for(settings.frames_read, settings)

    def has_rested(self, settings: StillnessSettings = DEFAULT_SETTINGS) -> bool:
        """Whether nothing has moved for as long as a rest takes."""
        return self.still_seconds + _CLOCK_SECONDS >= settings.rest_seconds

    def has_time(self, settings: StillnessSettings = DEFAULT_SETTINGS) -> bool:
        """Whether another frame may be waited for before the dice are proposed."""
        return self._has_time_for(1, settings)

    def _has_time_for(self, frames: int, settings: StillnessSettings) -> bool:
        needed = self.still_seconds + frames * self.gap_seconds
        return needed <= settings.within_seconds + _CLOCK_SECONDS

    def read(self) -> Stillness:
        """The same table after a reading: what moves from now on is new."""
        return replace(self, reference=self.anchor, moved=False, hand=False)

    def _steady(self, grey: Grey, settings: StillnessSettings) -> Grey | None:
        """The frame as a camera that does not sway would have taken it; None after motion."""
        if self.anchor is None or self.anchor.shape != grey.shape:
            return None
        if _largest_blob(changed(self.anchor, grey, settings)) < settings.least_pixels:
            return grey
        beyond = changed_beyond_sway(self.anchor, grey, settings)
        if beyond is None or _largest_blob(beyond[0]) >= _SWAY_RESIDUE * settings.least_pixels:
            return None
        return beyond[1]

    def _moving(self, grey: Grey, at: datetime) -> Stillness:
        same_size = self.reference is not None and self.reference.shape == grey.shape
        return Stillness(
            anchor=grey,
            reference=self.reference if same_size else None,
            still_since=at,
            last_at=at,
            left_at=self.left_at if self.moved else self.last_at,
        )

    def _hand_in(self, grey: Grey, settings: StillnessSettings) -> bool:
        if self.reference is None or not self.moved or self._is_cut():
            return False
        mask = changed(self.reference, grey, settings)
        if _largest_edge_share(mask) <= settings.hand_share:
            return False
        mask = _changed_at_all(self.reference, grey, settings)
        sides = (mask[0], mask[-1], mask[:, 0], mask[:, -1])
        two_free = sorted(float(side.mean()) for side in sides)[1] <= settings.free_share
        least = max(settings.hand_share, _HAND_OF_CHANGE * float(mask.mean()))
        return two_free and _largest_edge_share(mask) > least

    def _is_cut(self) -> bool:
        """Whether another scene came so suddenly that no hand could have."""
        if self.left_at is None or self.still_since is None:
            return False
        return (self.still_since - self.left_at).total_seconds() <= _CUT_SECONDS

    def _adapted(self, grey: Grey, seconds: float, settings: StillnessSettings) -> Grey | None:
        if self.anchor is None:
            return grey
        share = 1.0 - float(np.exp(-seconds / settings.adapt_seconds))
        return cv2.addWeighted(self.anchor, 1.0 - share, grey, share, 0.0).astype(np.float32)


def small_grey(image: Image) -> Grey:
    """A small, smooth, grey copy for `Stillness.after`: LONGER_SIDE pixels on its longer side.

    A large picture is first thinned to twice that size: the noise that is left is less than
    what a change must exceed, and all pixels would take longer than everything else here.
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


def changed(
    before: Grey,
    now: Grey,
    settings: StillnessSettings = DEFAULT_SETTINGS,
    play: Grey | float = 0.0,
) -> Mask:
    """Which pixels differ by more than light and noise explain: 1 where something changed.

    Brightness as a whole, and row by row (lamps flicker while a sensor reads its rows), is
    taken out first; the threshold grows with the noise of the picture itself. `play` is by
    how many levels more a pixel may differ.
    """
    limit = settings.changed_levels
    size = np.abs(now - _lit(before, now))
    size[np.minimum(before, now) > _SATURATED] = 0.0  # there the light cannot be told
    noise = float(np.median(size[::2, ::2]))
    threshold = min(max(limit, _NOISE_FACTOR * noise), _NOISE_LIMIT * limit)
    mask = (size > threshold + play).astype(np.uint8)
    return cv2.morphologyEx(mask, cv2.MORPH_CLOSE, _KERNEL).astype(np.uint8)


def changed_beyond_sway(
    before: Grey, now: Grey, settings: StillnessSettings = DEFAULT_SETTINGS
) -> tuple[Mask, Grey] | None:
    """As `changed`, but a camera that has swayed is no change; with the frame steadied.

    None where no sway explains what changed.
    """
    steady = steadied(_lit(before, now), now)
    if steady is None:
        return None
    play = np.asarray(_SWAY_PLAY * np.hypot(*gradient(before)), np.float32)
    mask = changed(inside_of(before), inside_of(steady), settings, play)
    edge = (MARGIN, MARGIN, MARGIN, MARGIN)
    return cv2.copyMakeBorder(mask, *edge, cv2.BORDER_REPLICATE).astype(np.uint8), steady


def _changed_at_all(before: Grey, now: Grey, settings: StillnessSettings) -> Mask:
    beyond = changed_beyond_sway(before, now, settings)
    return changed(before, now, settings) if beyond is None else beyond[0]


def _lit(before: Grey, now: Grey) -> Grey:
    """The frame `before` in the light of `now`."""
    return np.asarray(np.minimum(before * _light(before, now), 255.0), np.float32)


def _light(before: Grey, now: Grey) -> Grey:
    """How much brighter it got: the median of all, times what each row differs from it."""
    ratio = (now[:, ::2] + 1.0) / (before[:, ::2] + 1.0)
    overall = float(np.clip(np.median(ratio[::2]), *_LIGHT_RANGE))
    rows = np.median(ratio, axis=1, keepdims=True) / overall
    light: Grey = (overall * np.clip(rows, *_FLICKER_RANGE)).astype(np.float32)
    return light


def _largest_blob(mask: Mask) -> int:
    left, top, width, height = cv2.boundingRect(mask)
    if not width:
        return 0
    part = mask[top : top + height, left : left + width]
    _, _, statistics, _ = cv2.connectedComponentsWithStats(part)
    return int(statistics[1:, cv2.CC_STAT_AREA].max())


def _largest_edge_share(mask: Mask) -> float:
    """The share of the picture that the largest changed patch touching its edge covers."""
    _, _, statistics, _ = cv2.connectedComponentsWithStats(mask)
    areas = [int(each[cv2.CC_STAT_AREA]) for each in statistics[1:] if _at_edge(each, mask)]
    return max(areas, default=0) / mask.size


def _at_edge(patch: NDArray[np.int32], mask: Mask) -> bool:
    left, top, width, height = (int(patch[column]) for column in range(4))
    right, bottom = left + width, top + height
    return left == 0 or top == 0 or right == mask.shape[1] or bottom == mask.shape[0]
