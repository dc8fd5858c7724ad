"""When the table is at rest: hands gone, dice still. Pure, on small grey frames."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.watch.camera_motion import Grey
from vision.watch.change import Change, Mask

LONGER_SIDE: Final = 192
_CLOCK_SECONDS: Final = 0.001  # frames' times are no more exact
_HAND_OF_CHANGE: Final = 0.4  # a hand is so much of all that changed; scattered change is none
_CUT_SECONDS: Final = 0.08  # no hand reaches in and lies still within so short a time
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

    def again(self) -> Stillness:
        """The same table, to be read once more although nothing moved."""
        return replace(self, moved=True)

    def _steady(self, grey: Grey, settings: StillnessSettings) -> Grey | None:
        """The frame as a camera that does not sway would have taken it; None after motion."""
        if self.anchor is None or self.anchor.shape != grey.shape:
            return None
        change = Change.between(self.anchor, grey, settings.changed_levels)
        if _largest_blob(change.mask()) < settings.least_pixels:
            return grey
        beyond = change.beyond_sway()
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
        change = Change.between(self.reference, grey, settings.changed_levels)
        mask = change.mask()
        if _largest_edge_share(mask) <= settings.hand_share:
            return False
        beyond = change.beyond_sway()
        mask = mask if beyond is None else beyond[0]
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
