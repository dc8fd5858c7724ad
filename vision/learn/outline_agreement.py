"""Outlines of the same face in several photographs, moved until they agree.

A die photographed from nearly above shows a little of one side or another, and its shadow may
look like a part of it. What its photographs have in common is its upper face.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.capture.image_pyramid import Pyramid
from vision.learn.crops import Format, cut
from vision.learn.descriptor import Figures, describe
from vision.learn.outline_search import Far, nearest_outline
from vision.learn.quads import Quad

_ROUNDS: Final = 3

Piece = tuple[str, Pyramid, Quad]  # its face, its picture, where it lies there: the right way up


def agreeing(pieces: Sequence[Piece], size: Format) -> list[Quad]:
    """The pieces' quads, each moved to where it looks most like the others of its face.

    A piece that is the only one of its face stays where it is.
    """
    quads = [quad for _, _, quad in pieces]
    for _ in range(_ROUNDS):
        figures = _figures(pieces, quads, size)
        for at, (face, pyramid, _) in enumerate(pieces):
            others = [to for to, each in enumerate(pieces) if each[0] == face and to != at]
            if others:
                far = _far_from(figures[others].mean(axis=0))
                quads[at] = nearest_outline(pyramid, quads[at], size, far)
    return quads


def _figures(pieces: Sequence[Piece], quads: Sequence[Quad], size: Format) -> Figures:
    pairs = zip(pieces, quads, strict=True)
    return describe(np.concatenate([cut(each[1], [quad], size) for each, quad in pairs]))


def _far_from(middle: Figures) -> Far:
    """The squared distance from some figures (D), not whitened: nothing has been learned yet."""

    def far(figures: Figures) -> Figures:
        return np.asarray(((figures - middle) ** 2).sum(axis=1), np.float32)

    return far
