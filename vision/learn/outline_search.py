"""A piece's corners moved, step by step, to where its crop comes nearest to what is sought."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from vision.capture.image_pyramid import Pyramid
from vision.learn.crops import Format, cut
from vision.learn.descriptor import Figures, describe
from vision.learn.quads import Quad, sides

Far = Callable[[Figures], Figures]  # how far crops' figures (N x D) are from what is sought, N

_STEPS: Final = (0.12, 0.05)  # of the shorter side
_TRIES: Final = 3  # moves by one step


def nearest_outline(pyramid: Pyramid, quad: Quad, size: Format, far: Far) -> Quad:
    """The quad, its first corner where it was, moved for as long as it comes nearer."""
    best, least = quad, far(describe(cut(pyramid, [quad], size)))[0]
    for step in _STEPS:
        for _ in range(_TRIES):
            moves = list(_moved(best, step * min(sides(quad))))
            distances = far(describe(cut(pyramid, moves, size)))
            at = int(distances.argmin())
            if distances[at] >= least:
                break
            best, least = moves[at], distances[at]
    return best


def _moved(quad: Quad, reach: float) -> Iterator[Quad]:
    """Each side, and each corner along each of its sides, outwards and inwards."""
    for side in range(4):
        along = np.roll(quad, -side, axis=0)
        for corners in ((0, 1), (0,), (1,)):
            for way in (reach, -reach):
                moved = along.copy()
                for corner in corners:
                    spoke = along[corner] - along[3 - corner]
                    moved[corner] += way * spoke / max(float(np.hypot(*spoke)), 1e-6)
                yield np.asarray(np.roll(moved, side, axis=0), np.float32)
