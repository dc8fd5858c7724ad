"""What changed between two small grey frames, light, noise and a swaying camera aside; pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.watch.camera_motion import MARGIN, Grey, gradient, inside_of, stabilized

Mask = NDArray[np.uint8]

_KERNEL: Final = np.ones((3, 3), np.uint8)
_SATURATED: Final = 245.0
_LIGHT_RANGE: Final = (0.5, 2.0)
_FLICKER_RANGE: Final = (0.9, 1.1)
_NOISE_FACTOR: Final = 6.0  # times the median difference: six of these are far outside of noise
_NOISE_LIMIT: Final = 2.0  # times `levels`: where half the picture changed it is no noise
_SWAY_PLAY: Final = 0.5  # pixels: no sway is taken out more exactly


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """Two frames of H x W grey levels, and `lit`, the earlier one in the light of the later.

    A pixel changed when it differs by `levels` of 255 from what the change of light explains.
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

    def mask(self, play: Grey | float = 0.0) -> Mask:
        """Which pixels differ by more than light and noise explain: 1 where something changed.

        Brightness as a whole, and row by row (lamps flicker while a sensor reads its rows), is
        taken out first; the threshold grows with the noise of the picture itself. `play` is by
        how many levels more a pixel may differ.
        """
        size = np.abs(self.now - self.lit)
        size[np.minimum(self.before, self.now) > _SATURATED] = 0.0  # the light can't be told there
        noise = float(_median(size[::2, ::2].reshape(1, -1))[0, 0])
        threshold = min(max(self.levels, _NOISE_FACTOR * noise), _NOISE_LIMIT * self.levels)
        mask = (size > threshold + play).astype(np.uint8)
        return cv2.morphologyEx(mask, cv2.MORPH_CLOSE, _KERNEL).astype(np.uint8)

    def beyond_sway(self) -> tuple[Mask, Grey] | None:
        """As `mask`, but a camera that has swayed is no change; with the frame steadied.

        None where no sway explains what changed.
        """
        steady = stabilized(self.lit, self.now)
        if steady is None:
            return None
        play = np.asarray(_SWAY_PLAY * cv2.magnitude(*gradient(self.before)), np.float32)
        inside = Change.between(inside_of(self.before), inside_of(steady), self.levels)
        mask = inside.mask(play)
        edge = (MARGIN, MARGIN, MARGIN, MARGIN)
        return cv2.copyMakeBorder(mask, *edge, cv2.BORDER_REPLICATE).astype(np.uint8), steady


def _light(before: Grey, now: Grey) -> Grey:
    """How much brighter it got: the median of all, times what each row differs from it."""
    ratio = (now[:, ::2] + 1.0) / (before[:, ::2] + 1.0)
    overall = float(np.clip(_median(ratio[::2].reshape(1, -1))[0, 0], *_LIGHT_RANGE))
    rows = _median(ratio) / overall
    light: Grey = (overall * np.clip(rows, *_FLICKER_RANGE)).astype(np.float32)
    return light


def _median(rows: Grey) -> Grey:
    """The upper median of each row, H x 1: numpy's own, the mean of two, takes thrice as long."""
    middle = rows.shape[1] // 2
    return np.partition(rows, middle, axis=1)[:, middle : middle + 1]
