"""Pieces of an unknown kind on a plain table: flat ones by outline, dice by their upper faces.

Tiles, which touch each other in their sets, are found by Rummikub's network.

A die's silhouette is its lower face, its upper one, and the sides between. Shifted by as much as
the die's height shifts a point in the picture, it overlaps itself in exactly the upper face.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image, Pyramid, downscaled
from vision.learn.quads import (
    Outline,
    Quad,
    area,
    covered,
    fitted,
    in_reading_order,
    is_shaped,
    overlap,
    proportion,
)
from vision.read.detection import TILES, Detector
from vision.read.networks import FINDER, load_model
from vision.read.tiles import aimed

Plane = NDArray[np.float32]

SEARCHED_SIDE: Final = 1000  # the longer side, in pixels, of the copy that is searched
_SMALLEST, _LARGEST = 0.0012, 0.6  # of the picture
_LONGEST: Final = 8.0  # times as long as wide
_STRAIGHT: Final = 0.86  # how much of its four-cornered shape a blob fills
_STEPS: Final = (3.0, 4.5, 6.5, 9.5, 14.0, 20.0, 30.0, 45.0)
_CALMEST: Final = 2.0  # in Lab: the least unevenness of any table
_INSIDE: Final = 0.8
_RIM: Final = 2  # pixels of that copy: nearer to the picture's edge a piece may be cut off
_ROUNDS: Final = 6
_GRAIN: Final = 2  # pixels: blobs whose extents differ less are one
_DIM: Final = 10.0  # in Lab: what is darker has hardly a hue,
_HUE: Final = 40.0  # and what makes a difference of hues as large as others
_NEAR_HULL: Final = 2.5  # pixels


@dataclass(frozen=True, slots=True, eq=False)
class FoundPiece:
    """A possible piece: its corners in pixels of the picture, and how clear it is (0 to 1).

    `quad` is 4 x 2, clockwise from the corner nearest to the picture's top left; of a whole die
    from any side it is its convex outline, N x 2.
    """

    quad: Quad
    clear: float

    @property
    def width(self) -> float:
        """The side of a square of the same area, in pixels."""
        return float(area(self.quad) ** 0.5)

    @property
    def standing(self) -> float:
        """Clearness first; a whole piece rather than a frame printed on it."""
        return self.clear + 0.15 * float(np.log(max(area(self.quad), 1.0)))


def candidates(image: Image) -> list[FoundPiece]:
    """Every distinct four-cornered shape, including those inside others."""
    small = downscaled(image, SEARCHED_SIDE) if max(image.shape[:2]) > SEARCHED_SIDE else image
    scale = np.array([image.shape[1] / small.shape[1], image.shape[0] / small.shape[0]])
    lab = as_lab(small)
    strength = edges(lab)
    kept: list[FoundPiece] = []
    for outline in blobs(lab):
        quad = _piece(outline)
        if quad is None:
            continue
        clear = clearness(quad, strength)
        same = [at for at, one in enumerate(kept) if overlap(one.quad, quad) > _INSIDE]
        if same and kept[same[0]].clear >= clear:
            continue
        kept = [one for at, one in enumerate(kept) if at not in same]
        kept.append(FoundPiece(quad, clear))
    factor = scale.astype(np.float32)
    return [FoundPiece((one.quad + 0.5) * factor - 0.5, one.clear) for one in kept]


def as_lab(small: Image) -> Plane:
    """Lightness and colour in perceptually even steps (CIE 1976), slightly blurred."""
    lab = cv2.cvtColor(small.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
    return np.asarray(cv2.GaussianBlur(lab, (0, 0), 1.0), np.float32)


def edges(lab: Plane) -> Plane:
    """The change of colour at each pixel of a Lab picture, in Lab units a pixel."""
    across, down = (cv2.Scharr(lab, cv2.CV_32F, dx, 1 - dx, scale=1 / 32) for dx in (1, 0))
    return np.asarray(np.sqrt((across**2 + down**2).sum(axis=2)), np.float32)


def blobs(lab: Plane) -> Iterator[Outline]:
    """The outline of each region that differs from the table; equal regions once.

    What is far too small or large for a piece, or cut off by the picture's edge, is left out.
    """
    size = lab.shape[0] * lab.shape[1]
    seen: set[tuple[int, ...]] = set()
    for mask in _masks(lab):
        outlines, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
        for outline in outlines:
            left, top, width, height = cv2.boundingRect(outline)
            extent = tuple(edge // _GRAIN for edge in (left, top, width, height))
            if extent in seen or not _SMALLEST < cv2.contourArea(outline) / size < _LARGEST:
                continue
            seen.add(extent)
            right, bottom = lab.shape[1] - left - width, lab.shape[0] - top - height
            if min(left, top, right, bottom) >= _RIM:
                yield np.asarray(outline, np.int32)


def _piece(outline: Outline) -> Quad | None:
    """The outline as a piece, or None."""
    hull = cv2.convexHull(outline)
    if cv2.contourArea(outline) < _STRAIGHT * cv2.contourArea(hull):
        return None
    quad = fitted(hull_outline(outline))
    if quad is None or proportion(quad) > _LONGEST:
        return None
    filled = cv2.contourArea(outline) / max(area(quad), 1e-6)
    return quad if _STRAIGHT < filled < 2 - _STRAIGHT else None


def hull_outline(outline: Outline) -> Outline:
    """The outline's points on or near its hull; dents are left out."""
    hull = cv2.convexHull(outline).reshape(-1, 2).astype(np.float32)
    points = outline.reshape(-1, 2).astype(np.float32)
    along = np.roll(hull, -1, axis=0) - hull
    lengths = np.maximum(np.hypot(*along.T), 1e-6)
    outward = np.stack([along[:, 1], -along[:, 0]], axis=1) / lengths[:, None]
    away = ((points[:, None] - hull[None]) * outward[None]).sum(axis=2)
    return np.asarray(outline[np.abs(away).min(axis=1) < _NEAR_HULL], np.int32)


def _masks(lab: Plane) -> Iterator[NDArray[np.uint8]]:
    """Regions that differ from the table, at several thresholds and by several measures."""
    table, spread = _table(lab)
    off = (lab - table) / spread
    # Colours relative to their lightness: a table's dark grain keeps its hue
    hues, usual = (each[..., 1:] / (each[..., :1] + _DIM) for each in (lab, table))
    # brighter and darker apart: a shadow next to a piece is no part of it
    senses = (
        np.sqrt((off**2).sum(axis=2)),
        np.hypot(off[..., 1], off[..., 2]),
        off[..., 0],
        -off[..., 0],
        (_HUE * np.sqrt(((hues - usual) ** 2).sum(axis=2))).astype(np.float32),
    )
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
    for far in senses:
        for step in _STEPS:
            mask = (far > step).astype(np.uint8) * 255
            yield mask
            for change in (cv2.MORPH_OPEN, cv2.MORPH_CLOSE):
                yield np.asarray(cv2.morphologyEx(mask, change, disc), np.uint8)


def _table(lab: Plane) -> tuple[Plane, Plane]:
    """The table's colour at each pixel, and how uneven it is in each region.

    Light falls off smoothly: a curved surface is fitted to pixels near the last fit, repeatedly.
    """
    rows, columns = (np.linspace(-1, 1, size, dtype=np.float32) for size in lab.shape[:2])
    y, x = (axis[::4, ::4] for axis in np.meshgrid(rows, columns, indexing="ij"))
    seen = lab[::4, ::4].reshape(-1, 3)
    terms = _terms(x.ravel(), y.ravel())
    # Begin with the middle of the fullest cell of colours
    cells = np.round(seen / 8).astype(np.int64)
    _, number, counts = np.unique(cells, axis=0, return_inverse=True, return_counts=True)
    commonest = np.median(seen[number.ravel() == np.argmax(counts)], axis=0).astype(np.float32)
    model, width = np.tile(commonest, (len(seen), 1)), np.full(3, 12.0)
    weights = np.zeros((6, 3))
    for turn in range(_ROUNDS):
        near = (np.abs(seen - model) < np.maximum(2.5 * width, 3.0)).all(axis=1)
        used = 3 if turn < _ROUNDS // 2 else 6
        weights[:] = 0
        weights[:used] = np.linalg.lstsq(terms[near][:, :used], seen[near], rcond=None)[0]
        model = np.asarray(terms @ weights, np.float32)
        width = 1.48 * np.median(np.abs(seen - model)[near], axis=0)
    full = _terms(*(axis.ravel() for axis in reversed(np.meshgrid(rows, columns, indexing="ij"))))
    spread = np.maximum(width, [_CALMEST, 0.6 * _CALMEST, 0.6 * _CALMEST])
    return (full @ weights).reshape(lab.shape).astype(np.float32), spread.astype(np.float32)


def _terms(x: Plane, y: Plane) -> Plane:
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)


def clearness(quad: Quad, strength: Plane) -> float:
    """The share of a shape's rim (N corners) with a clear change of colour, 0 to 1."""
    shares = []
    for start, end in zip(quad, np.roll(quad, -1, axis=0), strict=True):
        at = np.linspace(0.12, 0.88, 24, dtype=np.float32)[:, None]
        line = start * (1 - at) + end * at
        way = (end - start) / max(float(np.hypot(*(end - start))), 1e-6)
        aside = np.array([-way[1], way[0]], np.float32)
        seen = []
        for off in (-2.0, -1.0, 0.0, 1.0, 2.0):
            x, y = (np.ascontiguousarray((line + off * aside)[None, :, at], "f4") for at in (0, 1))
            seen.append(cv2.remap(strength, x, y, cv2.INTER_LINEAR)[0])
        shares.append(np.clip(np.max(seen, axis=0) / 4.0, 0, 1).mean())
    return float(np.mean(shares) * 0.5 + np.min(shares) * 0.5)


# Of a die's width: how far up its top is moved.
LIFTS: Final = (0.0, 0.12, 0.24, 0.36, 0.48, 0.6, 0.72, 0.84)
SIDE_SHIFTS: Final = (0.0, -0.22, 0.22)  # of that, sideways: a camera is not held quite level
_OUTWARD: Final = 0.9  # of a die's width, over the picture's: a nearer top moves outwards, too
_ROUND: Final = 0.9  # how much of its hull a die fills
_SAME_DIE: Final = 0.5
_CLEAR_DIE: Final = 0.35
_SIMILAR_DICE: Final = 1.7  # dice of one photograph differ less in area


def find_solids(image: Image) -> list[FoundPiece]:
    """Everything that may be a die seen from some side, of about one size, clearest first."""
    small = downscaled(image, SEARCHED_SIDE) if max(image.shape[:2]) > SEARCHED_SIDE else image
    factor = image.shape[1] / small.shape[1]
    lab = as_lab(small)
    strength = edges(lab)
    kept: list[FoundPiece] = []
    for outline in blobs(lab):
        hull = cv2.convexHull(outline)
        if cv2.contourArea(outline) > _ROUND * cv2.contourArea(hull):
            points = np.asarray(hull.reshape(-1, 2), np.float32)
            around = cv2.arcLength(points, closed=True)
            # The hull with at most eight corners: sides that are long enough to be judged
            for share in (0.01, 0.02, 0.03, 0.05):
                rough = cv2.approxPolyDP(points, share * around, closed=True)
                if len(rough) <= 8:  # noqa: PLR2004 -- six sides, and a little more
                    break
            clear = clearness(np.asarray(rough.reshape(-1, 2), np.float32), strength)
            same = [one for one in kept if covered(points, one.quad) > _SAME_DIE]
            if all(one.clear < clear for one in same):
                kept = [one for one in kept if one not in same]
                kept.append(FoundPiece(points, clear))
    scaled = (FoundPiece(((one.quad + 0.5) * factor - 0.5).astype("f4"), one.clear) for one in kept)
    clearest = sorted(scaled, key=lambda one: -one.clear)
    solids = [one for one in clearest if one.clear > _CLEAR_DIE]
    # Those that are as large as most clear ones are
    groups = (
        [one for one in solids if abs(2 * np.log(one.width / first.width)) < np.log(_SIMILAR_DICE)]
        for first in solids
    )
    return max(groups, key=lambda group: sum(one.clear * one.width for one in group), default=[])


def top_face(solid: FoundPiece, lift: float, shift: float, shape: tuple[int, ...]) -> Quad | None:
    """The upper face of a solid whose height raises it by the share `lift` of its width.

    `shift` is the share of the lift by which it is moved sideways. None if no four-cornered face
    remains.
    """
    middle = np.array([shape[1], shape[0]], np.float32) / 2
    outward = _OUTWARD * (solid.quad.mean(axis=0) - middle) / max(shape[:2])
    upward = np.array([shift * lift, -lift], np.float32)
    move = (outward + upward) * solid.width
    moved = (solid.quad + move).astype(np.float32)
    found, face = cv2.intersectConvexConvex(solid.quad, moved)
    if found <= 0 or face is None:
        return None
    return fitted(_traced(np.asarray(face, np.float32).reshape(-1, 2)))


def _traced(face: Quad) -> Outline:
    """A polygon's outline pixel by pixel, in the format of `blobs`."""
    low = np.floor(face.min(axis=0)).astype(np.int32) - 2
    size = np.ceil(face.max(axis=0)).astype(np.int32) - low + 3
    mask = np.zeros((int(size[1]), int(size[0])), np.uint8)
    cv2.fillConvexPoly(mask, np.rint((face - low) * 16).astype(np.int32), 255, shift=4)
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    largest = max(outlines, key=cv2.contourArea)
    return np.asarray(largest + low, np.int32)


def top_faces(image: Image) -> Iterator[list[FoundPiece]]:
    """The upper faces of all dice for each likely camera angle, straight from above first."""
    solids = find_solids(image)
    for lift, shift in product(LIFTS, SIDE_SHIFTS):
        if lift or not shift:
            faces = ((one, top_face(one, lift, shift, image.shape)) for one in solids)
            yield [
                FoundPiece(face, one.clear)
                for one, face in faces
                if face is not None and area(face)
            ]


_PERHAPS_A_TILE: Final = 0.3  # the finder's score


def find_tiles(image: Image) -> list[FoundPiece]:
    """Every tile, whatever is printed on it; the first corner is at its upper end in the picture.

    Raises WeightsError: the model of tiles cannot be loaded.
    """
    detector, pyramid = _tile_detector(), Pyramid(image)
    places = aimed(detector.finder, pyramid, detector.find(pyramid))
    # Photos for a set are taken from above: shear measured there is noise
    level = (replace(place, shear=0.0) for place in places)
    return [FoundPiece(place.quad, place.score) for place in level]


@cache
def _tile_detector() -> Detector:
    return Detector(load_model("tiles").networks[FINDER], TILES, _PERHAPS_A_TILE)


_SIZES: Final = 1.6  # how much pieces of one photograph may differ in area,
_PROPORTIONS: Final = 1.35  # and in proportion
_APART: Final = 0.25
_CLEAR: Final = 0.55
_SIMILAR: Final = 1.2  # several pieces of one face in one photograph differ less in area


def similar_pieces(
    found: Sequence[FoundPiece], wanted: int, shape: float | None = None
) -> list[Quad]:
    """The group of similar shapes whose number is nearest to `wanted`, in reading order.

    Ties go to the clearest and largest. `shape` is the proportion of the set's pieces if known.
    """
    clear = _clear(found, shape)
    best = max(
        [_group(each, clear) for each in clear],
        key=lambda group: (-abs(len(group) - wanted), np.mean([each.standing for each in group])),
        default=[],
    )
    quads = [each.quad for each in best]
    return [quads[at] for at in in_reading_order(quads)]


def pieces_of_one_face(found: Sequence[FoundPiece], shape: float | None = None) -> list[Quad]:
    """The clearest piece, and others in the photograph that are as clear and as large."""
    clear = _clear(found, shape)
    if not clear:
        return []
    best = max(clear, key=lambda each: each.standing)
    size = max(area(best.quad), 1e-6)
    return [
        each.quad
        for each in _group(best, clear)
        if each is best
        or (each.clear > 0.9 * best.clear and 1 / _SIMILAR < area(each.quad) / size < _SIMILAR)
    ]


def _clear(found: Sequence[FoundPiece], shape: float | None) -> list[FoundPiece]:
    """The clear ones, only those of the set's shape if it is known."""
    return [
        each
        for each in found
        if each.clear > _CLEAR and (shape is None or is_shaped(each.quad, shape))
    ]


def _group(first: FoundPiece, among: Sequence[FoundPiece]) -> list[FoundPiece]:
    """Those of similar size and proportion, none covering another; clear large ones first."""
    kept = [first]
    for each in sorted(among, key=lambda each: each.standing, reverse=True):
        is_large = abs(np.log(area(first.quad) / area(each.quad))) < np.log(_SIZES)
        is_like = is_large and is_shaped(first.quad, proportion(each.quad), _PROPORTIONS)
        if is_like and all(covered(each.quad, other.quad) < _APART for other in kept):
            kept.append(each)
    return kept
