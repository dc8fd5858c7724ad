"""Four-cornered outlines of pieces, and crops cut out along them, all of one set at one size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image, Pyramid
from vision.quality.tray import crossing

Quad = NDArray[np.float32]
Outline = NDArray[np.int32]

_MIDDLE_OF_SIDE: Final = (0.16, 0.84)  # the part of a side that round corners leave straight
_NEAR_SIDE: Final = 0.06  # of the shorter side: points that far from a side belong to it
_FEWEST: Final = 4
_FLAT: Final = 0.25  # of the shorter side: nearer corners are no corners
_SAME_LINE: Final = 0.5
_SHARPEST_ANGLE: Final = 0.2  # a sine: below twelve degrees two sides make no corner of a piece
_TRACE: Final = np.array([0.113, 0.071], np.float32)  # pixels, along no edge's likely direction


def fitted(outline: Outline) -> Quad | None:
    """Fit a four-cornered shape to an outline (N x 1 x 2); None if straight sides are missing.

    Each side is a line through the outline's points near that side of the smallest rectangle around
    it, so that round corners count as sharp ones, and a slanted view of the piece is followed.
    Corners run clockwise from the rectangle's first.
    """
    box = _start(outline)
    points = outline.reshape(-1, 2).astype(np.float32)
    for _ in range(2):
        found = [_line(points, box, side) for side in range(4)]
        lines = [line for line in found if line is not None]
        pairs = [(lines[side - 1], lines[side]) for side in range(len(lines))]
        corners = [at for each in pairs if (at := crossing(*each, _SHARPEST_ANGLE)) is not None]
        if len(corners) < len(found):
            return None
        box = np.array(corners, np.float32)
    shortest = np.hypot(*(np.roll(box, -1, axis=0) - box).T).min()
    is_shape = cv2.isContourConvex(box.reshape(-1, 1, 2)) and shortest > _FLAT * _FEWEST
    return _clockwise(box) if is_shape else None


def _start(outline: Outline) -> Quad:
    """The smallest rectangle around, or the outline's own four corners where it has four."""
    hull = cv2.convexHull(outline)
    around = cv2.arcLength(hull, closed=True)
    for share in (0.02, 0.035, 0.05, 0.07):
        rough = cv2.approxPolyDP(hull, share * around, closed=True)
        if len(rough) == 4:  # noqa: PLR2004 -- four corners
            return _clockwise(rough.reshape(4, 2).astype(np.float32))
    return _clockwise(np.asarray(cv2.boxPoints(cv2.minAreaRect(hull)), np.float32))


def _line(points: Quad, box: Quad, side: int) -> NDArray[np.float32] | None:
    """The line through the points near one side: its direction and a point."""
    start, end = box[side], box[(side + 1) % 4]
    along = end - start
    length = float(np.hypot(*along))
    shorter = min(length, float(np.hypot(*(box[side] - box[side - 1]))))
    if length < _FEWEST:
        return None
    way = along / length
    off = points - start
    share = off @ way / length
    away = np.abs(off @ np.array([-way[1], way[0]], np.float32))
    low, high = _MIDDLE_OF_SIDE
    chosen = points[(share > low) & (share < high) & (away < max(2.0, _NEAR_SIDE * 2 * shorter))]
    if len(chosen) < _FEWEST:
        return None
    return np.asarray(cv2.fitLine(chosen, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel(), np.float32)


def _clockwise(box: Quad) -> Quad:
    """The corners clockwise as seen in the picture, from the one nearest to its top left."""
    middle = box.mean(axis=0)
    order = np.argsort(np.arctan2(box[:, 1] - middle[1], box[:, 0] - middle[0]))
    turned = box[order]
    first = int(np.argmin(turned.sum(axis=1)))
    return np.asarray(np.roll(turned, -first, axis=0), np.float32)


def area(quad: Quad) -> float:
    """Area in pixels."""
    return float(cv2.contourArea(quad.reshape(-1, 1, 2)))


def overlap(one: Quad, other: Quad) -> float:
    """Intersection over union, 0 to 1."""
    both = _shared(one, other)
    return float(both / max(area(one) + area(other) - both, 1e-6))


def covered(one: Quad, other: Quad) -> float:
    """The share of the smaller quad inside the other, 0 to 1."""
    return float(_shared(one, other) / max(min(area(one), area(other)), 1e-6))


def _shared(one: Quad, other: Quad) -> float:
    """The area of the intersection.

    OpenCV sometimes finds none when edges nearly coincide, so a slightly shifted one is tried too.
    """
    return float(max(cv2.intersectConvexConvex(one, each)[0] for each in (other, other + _TRACE)))


def sides(quad: Quad) -> tuple[float, float]:
    """Width and height in pixels: the means of opposite sides."""
    lengths = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
    return float(lengths[0] + lengths[2]) / 2, float(lengths[1] + lengths[3]) / 2


def proportion(quad: Quad) -> float:
    """Length over width, at least 1."""
    width, height = sides(quad)
    return max(width, height) / max(min(width, height), 1e-6)


def is_shaped(quad: Quad, shape: float, most: float = 1.5) -> bool:
    """Whether its proportion is that shape, up to a factor of `most`."""
    return bool(abs(np.log(proportion(quad) / shape)) < np.log(most))


def in_reading_order(quads: Sequence[Quad]) -> list[int]:
    """Indices line by line from the top, each line from the left.

    A line's middles are within half a height of its highest one's, along the row's own slant.
    """
    middles = np.array([quad.mean(axis=0) for quad in quads]).reshape(-1, 2)
    heights = [float(np.ptp(quad[:, 1])) for quad in quads]
    rest = sorted(range(len(quads)), key=lambda at: float(middles[at, 1]))
    order: list[int] = []
    while rest:
        # Those that follow the highest one from neighbour to neighbour, never a half height aside
        line = rest[:1]
        for _ in rest:
            for at in rest:
                near = min(line, key=lambda other: abs(float(middles[at, 0] - middles[other, 0])))
                drop = abs(float(middles[at, 1] - middles[near, 1]))
                if at not in line and drop < _SAME_LINE * min(heights[at], heights[near]):
                    line.append(at)
        order += sorted(line, key=lambda at: float(middles[at, 0]))
        rest = [at for at in rest if at not in line]
    return order


AREA: Final = 3200  # pixels of a crop
_SHARPEST: Final = 16  # pixels: no side of a crop is shorter
_SQUASHED: Final = 1.75  # how much a slanted view may change a piece's proportion


@dataclass(frozen=True, slots=True)
class Format:
    """The size of a set's crops in pixels; `height` is the longer side."""

    width: int
    height: int

    @classmethod
    def of(cls, proportion: float) -> Format:
        """The format of pieces of that proportion, length to width."""
        width = max(_SHARPEST, round((AREA / proportion) ** 0.5))
        return cls(width - width % 2, max(2, round(width * proportion / 2)) * 2)

    @property
    def proportion(self) -> float:
        return self.height / self.width

    def turns(self, quad: Quad) -> tuple[int, ...]:
        """The quarter turns of the quad's corners that may show the piece upright.

        A long strip can only be the right way up or upside down; a nearly square piece, seen
        aslant, may be turned all four ways.
        """
        wide, high = sides(quad)
        standing = high / max(wide, 1e-6) / self.proportion
        lying = wide / max(high, 1e-6) / self.proportion
        off = [abs(float(np.log(max(ratio, 1e-6)))) for ratio in (standing, lying)]
        nearer = 0 if off[0] <= off[1] else 1
        return tuple(
            turn for turn in range(4) if off[turn % 2] < np.log(_SQUASHED) or turn % 2 == nearer
        )


def turned(quad: Quad, quarters: int) -> Quad:
    """The quad from another corner on: the piece turned by that number of quarters."""
    return np.asarray(np.roll(quad, -quarters, axis=0), np.float32)


def cut(pyramid: Pyramid, quads: Sequence[Quad], size: Format) -> Image:
    """Every quad laid flat with its first corner at the top left, N x height x width x 3."""
    shape, right, below = (size.width, size.height), size.width - 0.5, size.height - 0.5
    target = np.array([(-0.5, -0.5), (right, -0.5), (right, below), (-0.5, below)], np.float32)
    flat = np.zeros((len(quads), size.height, size.width, 3), np.uint8)
    for at, quad in enumerate(quads):
        wide, high = sides(quad)
        level = pyramid.above(max(1.0, min(wide / size.width, high / size.height)))
        source = ((quad + 0.5) / 2**level - 0.5).astype(np.float32)
        warp = cv2.getPerspectiveTransform(source, target)
        flat[at] = cv2.warpPerspective(
            pyramid.levels[level], warp, shape, borderMode=cv2.BORDER_REPLICATE
        )
    return flat
