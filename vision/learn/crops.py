"""Pieces cut out of a picture and laid flat, all of one set at one size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.capture.frame import Image
from vision.capture.image_pyramid import Pyramid
from vision.learn.quads import Quad, sides

AREA: Final = 3200  # pixels of a crop
_SHARPEST: Final = 16  # pixels: no side of a crop is shorter
_SQUASHED: Final = 1.75  # how much a slanted look may change a piece's proportion


@dataclass(frozen=True, slots=True)
class Format:
    """The size of a set's crops in pixels; `height` is the longer side."""

    width: int
    height: int

    @classmethod
    def of(cls, proportion: float) -> Format:
        """The format of pieces so many times as long as wide."""
        width = max(_SHARPEST, round((AREA / proportion) ** 0.5))
        return cls(width - width % 2, max(2, round(width * proportion / 2)) * 2)

    @property
    def proportion(self) -> float:
        """How many times as long as wide."""
        return self.height / self.width

    def turns(self, quad: Quad) -> tuple[int, ...]:
        """By how many quarters the quad's corners may be turned so that it shows the piece.

        A long strip can only be the right way up or upside down; what is nearly square, seen
        aslant, may lie all four ways.
        """
        wide, high = sides(quad)
        standing = high / max(wide, 1e-6) / self.proportion
        lying = wide / max(high, 1e-6) / self.proportion
        fits = [_fits(standing), _fits(lying)]
        nearer = 0 if _off(standing) <= _off(lying) else 1
        return tuple(turn for turn in range(4) if fits[turn % 2] or turn % 2 == nearer)


def _off(ratio: float) -> float:
    return abs(float(np.log(max(ratio, 1e-6))))


def _fits(ratio: float) -> bool:
    return bool(_off(ratio) < np.log(_SQUASHED))


def turned(quad: Quad, quarters: int) -> Quad:
    """The quad from another corner on: the piece as it looks turned by so many quarters."""
    return np.asarray(np.roll(quad, -quarters, axis=0), np.float32)


def cut(pyramid: Pyramid, quads: Sequence[Quad], size: Format) -> Image:
    """Every quad laid flat with its first corner at the top left, N x height x width x 3."""
    flat = [_flat(pyramid, quad, size) for quad in quads]
    return np.stack(flat) if flat else np.zeros((0, size.height, size.width, 3), np.uint8)


def _flat(pyramid: Pyramid, quad: Quad, size: Format) -> Image:
    wide, high = sides(quad)
    level = pyramid.above(max(1.0, min(wide / size.width, high / size.height)))
    source = (quad + 0.5) / 2**level - 0.5
    right, below = size.width - 0.5, size.height - 0.5
    target = np.array([(-0.5, -0.5), (right, -0.5), (right, below), (-0.5, below)], np.float32)
    warp = cv2.getPerspectiveTransform(source.astype(np.float32), target)
    return np.asarray(
        cv2.warpPerspective(
            pyramid.levels[level],
            warp,
            (size.width, size.height),
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        ),
        np.uint8,
    )
