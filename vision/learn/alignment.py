"""A piece's corners moved until it looks most like some face.

Where a piece's edge is of the table's colour, its outline was found too small, too large or askew.
"""

from __future__ import annotations

import numpy as np

from vision.capture.image_pyramid import Pyramid
from vision.learn.descriptor import Figures
from vision.learn.outline_search import nearest_outline
from vision.learn.prototypes import Likeness
from vision.learn.quads import Quad


def aligned(pyramid: Pyramid, quad: Quad, likeness: Likeness) -> Quad:
    """The quad, its first corner where it was, fitted to the face that it comes nearest to."""

    def far(figures: Figures) -> Figures:
        return np.asarray(likeness.distances(figures).min(axis=1), np.float32)

    return nearest_outline(pyramid, quad, likeness.size, far)
