"""A slab with a painted top: a tile, a card or a number strip, as triangles and a material.

Lengths are in any one unit. A slab is on z = 0 around the origin, its picture's upper edge towards
+y, so that it reads upright from above with x to the right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.train.rendering.geometry import Colour, Mesh, Picture, band_triangles

Vector = NDArray[np.float64]
Relief = NDArray[np.float32]
_BEVEL: Final = 0.8  # how steeply a chamfer falls
_RIM_CELLS: Final = 6
_EDGE_PIXELS: Final = 8
_SOFT: Final = 0.3  # share of the chamfer over which its upper edge is rounded


@dataclass(frozen=True, slots=True)
class Slab:
    """A flat box with rounded corners whose upper and lower edges are chamfered.

    `chamfer` is how far in from the outline the slope begins; both faces have it.

    Raises:
        ValueError: the chamfers or corners leave nothing of the thickness or the width.
    """

    width: float
    length: float
    thickness: float
    chamfer: float
    corner_radius: float

    def __post_init__(self) -> None:
        shorter = min(self.width, self.length)
        if 2 * self.drop >= self.thickness or 2 * max(self.rim, self.corner_radius) >= shorter:
            raise ValueError(f"{self} has more edge than slab")

    @property
    def drop(self) -> float:
        """How far below the top's level the chamfer ends."""
        return _BEVEL * self.chamfer

    @property
    def rim(self) -> float:
        """The breadth of the band along the outline that is cut finely."""
        return 1.15 * max(self.chamfer, self.corner_radius) + 1e-6

    def corners(self) -> Vector:
        """The top face's corners, 4 x 3, clockwise from above from the upper left one.

        They lie on the outline, where the chamfer ends, as if the corners were not rounded.
        """
        x, y, z = self.width / 2, self.length / 2, self.thickness - self.drop
        return np.array([(-x, y, z), (x, y, z), (x, -y, z), (-x, -y, z)])

    def local(self, u: float, v: float) -> tuple[float, float, float]:
        """The point of the top at a share of its width from the left and of its length down."""
        return (u - 0.5) * self.width, (0.5 - v) * self.length, self.thickness


def slab_paint(top: Picture, back: Picture | Colour | None = None) -> Picture:
    """Top (chamfers included), back and the colour of the sides, as a slab's mesh looks for them.

    Without `back` the underside has the colour of the top's corner.
    """
    height, width = top.shape[:2]
    colour = tuple(int(part) for part in top[0, 0]) if back is None else back
    plain = np.full((height, width, 3), 0, dtype=np.uint8)
    if isinstance(colour, tuple):
        plain[:] = colour
    else:
        plain[:] = cv2.resize(colour, (width, height), interpolation=cv2.INTER_AREA)
    side = np.broadcast_to(plain[:1, :1], (height, _EDGE_PIXELS, 3))
    return np.ascontiguousarray(np.hstack([top, plain, side]))


def slab_mesh(shape: Slab, pixels: int = 256, relief: Relief | None = None, cells: int = 8) -> Mesh:
    """The slab's triangles for the paint of a top that is that many pixels wide.

    `relief` are heights over the top's level, an H x W grid that covers the whole top, in the
    slab's unit; the top is cut into `cells` across to follow it.
    """
    top, coarse = _Face(shape, cells), _Face(shape, 2)
    # Points, normals and triangles between the two chamfers
    level, outward = coarse.outline()
    count, heights = len(level), (shape.drop, shape.thickness - shape.drop)
    wall = np.vstack([np.column_stack([level, np.full(count, z)]) for z in heights])
    facing = np.tile(np.column_stack([outward, np.zeros(count)]), (2, 1))
    painted = 2 * pixels + _EDGE_PIXELS
    parts = [
        top.upper(relief, _inset(0, pixels, painted)),
        coarse.lower(_inset(pixels, pixels, painted)),
        (wall, facing, np.full((len(wall), 2), [1 - 0.5 * _EDGE_PIXELS / painted, 0.5])),
    ]
    firsts = np.cumsum([0, *(len(part[0]) for part in parts)])
    triangles = [top.triangles(), coarse.triangles()[:, ::-1], band_triangles(0, count)]
    joined = [part + first for part, first in zip(triangles, firsts, strict=False)]
    points, normals, atlas = (np.vstack([part[at] for part in parts]) for at in range(3))
    return Mesh.of(points, normals, atlas, np.vstack(joined))


def _inset(first: int, count: int, whole: int) -> tuple[float, float]:
    """Where some pixels of a row begin and how far they reach, half a pixel in from both ends."""
    return (first + 0.5) / whole, (count - 1) / whole


class _Face:
    """A grid over the rounded rectangle, fine along its outline."""

    def __init__(self, shape: Slab, cells: int) -> None:
        self.shape = shape
        across = _lines(shape.width, shape.rim, cells)
        along = _lines(shape.length, shape.rim, max(1, round(cells * shape.length / shape.width)))
        self.rows, self.columns = len(along), len(across)
        square = np.stack(np.meshgrid(across, along), axis=-1).reshape(-1, 2)
        self.level, self.outward, self.inside = _rounded(shape, square)

    def upper(
        self, relief: Relief | None, span: tuple[float, float]
    ) -> tuple[Vector, Vector, Vector]:
        """Points, normals and places in the paint of the upper face."""
        shape, share = self.shape, self._share()
        height, slope = np.zeros(len(share)), self.outward * self._steep()[:, None]
        if relief is not None:
            height, across, down = _sampled(relief, share)
            rows, columns = relief.shape
            slope -= np.column_stack([across * columns / shape.width, -down * rows / shape.length])
        points = np.column_stack([self.level, shape.thickness - self._drop() + height])
        return points, _normals(slope), share * [span[1], 1] + [span[0], 0]

    def lower(self, span: tuple[float, float]) -> tuple[Vector, Vector, Vector]:
        """The same of the lower face, which reads upright when the slab is turned about y."""
        share = self._share() * [-1, 1] + [1, 0]
        points = np.column_stack([self.level, self._drop()])
        normals = _normals(self.outward * self._steep()[:, None]) * [1, 1, -1]
        return points, normals, share * [span[1], 1] + [span[0], 0]

    def triangles(self) -> NDArray[np.int64]:
        """Corners' numbers, M x 3, anticlockwise from above."""
        index = np.arange(self.rows * self.columns).reshape(self.rows, self.columns)
        a, b, c, d = index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]
        halves = [np.stack(each, axis=-1).reshape(-1, 3) for each in ((a, b, c), (a, c, d))]
        return np.vstack(halves)

    def outline(self) -> tuple[Vector, Vector]:
        index = np.arange(self.rows * self.columns).reshape(self.rows, self.columns)
        around = np.concatenate([index[0, :-1], index[:-1, -1], index[-1, :0:-1], index[:0:-1, 0]])
        return self.level[around], self.outward[around]

    def _share(self) -> Vector:
        size = np.array([self.shape.width, -self.shape.length])
        return np.asarray(self.level / size + 0.5)

    def _drop(self) -> Vector:
        return np.asarray(_BEVEL * np.clip(self.shape.chamfer - self.inside, 0, None))

    def _steep(self) -> Vector:
        chamfer = max(self.shape.chamfer, 1e-9)
        over = (1 + _SOFT / 2) * chamfer - self.inside
        return np.asarray(_BEVEL * np.clip(over / (_SOFT * chamfer), 0, 1))


def _lines(length: float, rim: float, cells: int) -> Vector:
    """Where the grid's lines cross a side: closely along both ends, evenly between."""
    edge = np.linspace(0, rim, _RIM_CELLS + 1)[:-1]
    middle = np.linspace(rim, length - rim, cells + 1)
    return np.asarray(np.concatenate([edge, middle, length - edge[::-1]]) - length / 2)


def _rounded(shape: Slab, square: Vector) -> tuple[Vector, Vector, Vector]:
    """Points of the rectangle moved into the rounded one, the way out, and how far inside."""
    core = np.array([shape.width, shape.length]) / 2 - shape.corner_radius
    over = np.abs(square) - core
    corner = np.asarray((over > 0).all(axis=1))
    reach = np.linalg.norm(np.clip(over, 1e-12, None), axis=1)
    pull = np.where(corner, over.max(axis=1) / reach, 1.0)
    level = np.where(corner[:, None], core + over * pull[:, None], np.abs(square))
    off = level - core
    straight = np.where(off[:, :1] > off[:, 1:], [[1.0, 0.0]], [[0.0, 1.0]])
    outward = np.where(corner[:, None], off / np.maximum(reach * pull, 1e-12)[:, None], straight)
    away = np.where(corner, reach * pull, off.max(axis=1))
    sign = np.where(square < 0, -1.0, 1.0)
    return level * sign, outward * sign, shape.corner_radius - away


def _sampled(relief: Relief, share: Vector) -> tuple[Vector, Vector, Vector]:
    """Height and its change a pixel, to the right and down, at shares of the relief."""
    down, across = np.gradient(relief.astype(np.float32))
    rows, columns = relief.shape
    at = (share * [columns, rows] - 0.5).astype(np.float32)
    height, right, below = (
        cv2.remap(
            np.ascontiguousarray(plane), at[:, :1], at[:, 1:], cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )[:, 0].astype(np.float64)
        for plane in (relief.astype(np.float32), across, down)
    )  # fmt: skip
    return height, right, below


def _normals(slope: Vector) -> Vector:
    raw = np.column_stack([slope, np.ones(len(slope))])
    return np.asarray(raw / np.linalg.norm(raw, axis=1, keepdims=True))


@dataclass(frozen=True, slots=True, eq=False)
class PaintAtlas:
    """Many slabs' paints as one picture, so that many slabs can be one mesh of one material."""

    paint: Picture
    columns: int
    rows: int

    @classmethod
    def of(cls, paints: Sequence[Picture]) -> PaintAtlas:
        """Paints of one size (see `slab_paint`), side by side."""
        columns = max(1, int(np.ceil(len(paints) ** 0.5)))
        rows = -(-len(paints) // columns)
        height, width = paints[0].shape[:2]
        paint = np.zeros((rows * height, columns * width, 3), dtype=np.uint8)
        for number, one in enumerate(paints):
            top, left = number // columns * height, number % columns * width
            paint[top : top + height, left : left + width] = one
        return cls(paint, columns, rows)

    def cut(self, mesh: Mesh, number: int) -> Mesh:
        """The mesh of one slab, wearing the paint of that number."""
        place = np.array([number % self.columns, number // self.columns])
        inset = np.clip(mesh.atlas, 1e-3, 1 - 1e-3)
        atlas = (inset + place) / [self.columns, self.rows]
        return Mesh.of(mesh.points, mesh.normals, atlas, mesh.triangles)
