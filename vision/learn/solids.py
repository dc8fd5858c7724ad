"""Dice seen from above or a little aslant: their upper faces, whatever they bear.

What is seen of a die is its lower face and its upper one, and all that lies between. Moved by as
much as its height moves a point in the picture, it covers itself in exactly the upper face.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import cv2
import numpy as np

from vision.capture.downscale import downscaled
from vision.capture.frame import Image
from vision.learn.piece_finder import LOOK, Found, as_lab, blobs, clearness, edges
from vision.learn.quads import Outline, Quad, area, covered, fitted

# Of a die's width: how far up its top is moved.
LIFTS: Final = (0.0, 0.12, 0.24, 0.36, 0.48, 0.6, 0.72, 0.84)
SWAYS: Final = (0.0, -0.22, 0.22)  # of that, sideways: a camera is not held quite level
_OUTWARD: Final = 0.9  # of a die's width, over the picture's: a nearer top moves outwards, too
_ROUND: Final = 0.9  # how much of its hull a die fills
_SAME: Final = 0.5
_CLEAR: Final = 0.35
_ALIKE: Final = 1.7  # dice of one photograph differ less in area


@dataclass(frozen=True, slots=True, eq=False)
class Solid:
    """A die's whole outline in the picture (N x 2, convex), and how clear its rim is."""

    hull: Quad
    clear: float

    @property
    def width(self) -> float:
        """The side of a square as large, in pixels."""
        return float(cv2.contourArea(self.hull) ** 0.5)


def find_solids(image: Image) -> list[Solid]:
    """Everything that looks like a die from some side, clearest first, all about as large."""
    small = downscaled(image, LOOK) if max(image.shape[:2]) > LOOK else image
    factor = image.shape[1] / small.shape[1]
    lab = as_lab(small)
    strength = edges(lab)
    kept: list[Solid] = []
    for outline in blobs(lab):
        hull = cv2.convexHull(outline)
        if cv2.contourArea(outline) > _ROUND * cv2.contourArea(hull):
            points = np.asarray(hull.reshape(-1, 2), np.float32)
            kept = _with(kept, Solid(points, clearness(_rim(points), strength)))
    scaled = [Solid(((one.hull + 0.5) * factor - 0.5).astype("f4"), one.clear) for one in kept]
    return _alike(scaled)


def _rim(hull: Quad) -> Quad:
    """The hull with at most eight corners: sides that are long enough to be judged."""
    for share in (0.01, 0.02, 0.03, 0.05):
        rough = cv2.approxPolyDP(hull, share * cv2.arcLength(hull, closed=True), closed=True)
        if len(rough) <= 8:  # noqa: PLR2004 -- six sides, and a little more
            break
    return np.asarray(rough.reshape(-1, 2), np.float32)


def _with(kept: Sequence[Solid], one: Solid) -> list[Solid]:
    """The solids with another, the clearer one of any two that are the same."""
    same = [other for other in kept if covered(one.hull, other.hull) > _SAME]
    if any(other.clear >= one.clear for other in same):
        return list(kept)
    return [*(other for other in kept if other not in same), one]


def _alike(solids: Sequence[Solid]) -> list[Solid]:
    """Those that are as large as most clear ones are."""
    clear = sorted((one for one in solids if one.clear > _CLEAR), key=lambda one: -one.clear)
    if not clear:
        return []
    groups = [[one for one in clear if _is_as_large(one, first)] for first in clear]
    return max(groups, key=lambda group: sum(one.clear * one.width for one in group))


def _is_as_large(one: Solid, other: Solid) -> bool:
    return bool(abs(2 * np.log(one.width / other.width)) < np.log(_ALIKE))


def tops(solid: Solid, lift: float, sway: float, shape: tuple[int, ...]) -> Quad | None:
    """The upper face of a solid, if its height moves it up by that share of its width.

    `sway` is the share of the lift by which it is moved sideways, too. None where no four-cornered
    face is left.
    """
    middle = np.array([shape[1], shape[0]], np.float32) / 2
    outward = _OUTWARD * (solid.hull.mean(axis=0) - middle) / max(shape[:2])
    upward = np.array([sway * lift, -lift], np.float32)
    move = (outward + upward) * solid.width
    moved = (solid.hull + move).astype(np.float32)
    found, face = cv2.intersectConvexConvex(solid.hull, moved)
    if found <= 0 or face is None:
        return None
    return fitted(_traced(np.asarray(face, np.float32).reshape(-1, 2)))


def _traced(face: Quad) -> Outline:
    """A polygon's outline pixel by pixel, as blobs have it."""
    low = np.floor(face.min(axis=0)).astype(np.int32) - 2
    size = np.ceil(face.max(axis=0)).astype(np.int32) - low + 3
    mask = np.zeros((int(size[1]), int(size[0])), np.uint8)
    cv2.fillConvexPoly(mask, np.rint((face - low) * 16).astype(np.int32), 255, shift=4)
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    largest = max(outlines, key=cv2.contourArea)
    return np.asarray(largest + low, np.int32)


def looks(image: Image) -> Iterator[list[Found]]:
    """The upper faces of all dice, once for each way in which the camera may be held.

    The first way is straight from above.
    """
    solids = find_solids(image)
    for lift, sway in product(LIFTS, SWAYS):
        if lift or not sway:
            faces = ((one, tops(one, lift, sway, image.shape)) for one in solids)
            yield [Found(face, one.clear) for one, face in faces if face is not None and area(face)]
