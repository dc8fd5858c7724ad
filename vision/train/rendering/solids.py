"""Solids beside the dice: discs, prisms, balls, rods and sheets as triangles.

Lengths are in sides of a die; the paint of a disc's or a prism's top fills the whole atlas.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.train.rendering.mesh import Mesh, ball_mesh

Vector = NDArray[np.float64]
_AROUND: Final = 40


def disc_mesh(radius: float, height: float, bevel: float = 0.02) -> Mesh:
    """A round disc that stands on z = 0, its upper edge bevelled."""
    angle = np.linspace(0, 2 * np.pi, _AROUND, endpoint=False)
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return prism_mesh(circle * radius, height, bevel)


def prism_mesh(outline: Vector, height: float, bevel: float = 0.0) -> Mesh:
    """A prism over an outline that runs anticlockwise around the origin (N x 2, star-shaped)."""
    count = len(outline)
    inner = outline * (1 - bevel / np.linalg.norm(outline, axis=1).max())
    wall = _ring(outline, 0, "out"), _ring(outline, height - bevel, "out")
    slope = _ring(outline, height - bevel, "slant"), _ring(inner, height, "slant")
    top = _ring(inner, height, "up"), _ring(inner * 0, height, "up")
    base = _ring(outline * 0, 0, "down"), _ring(outline, 0, "down")
    rings = [ring for pair in (wall, slope, top, base) for ring in pair]
    points, normals = (np.vstack([ring[part] for ring in rings]) for part in range(2))
    bands = [_band(index * 2 * count, count) for index in range(4)]
    return _mesh(points, normals, _planar(points), np.vstack(bands))


def _ring(outline: Vector, height: float, facing: str) -> tuple[Vector, Vector]:
    points = np.column_stack([outline, np.full(len(outline), height)])
    along = np.roll(outline, -1, axis=0) - np.roll(outline, 1, axis=0)
    level = np.stack([along[:, 1], -along[:, 0]], axis=1)
    level /= np.maximum(np.linalg.norm(level, axis=1, keepdims=True), 1e-9)
    rise = {"out": (1.0, 0.0), "slant": (0.7, 0.7), "up": (0.0, 1.0), "down": (0.0, -1.0)}[facing]
    return points, np.column_stack([level * rise[0], np.full(len(outline), rise[1])])


def _band(first: int, count: int) -> NDArray[np.int64]:
    """The triangles between two rings of points that follow each other."""
    here = np.arange(count)
    after = (here + 1) % count
    low = np.stack([first + here, first + after, first + count + after], axis=1)
    high = np.stack([first + here, first + count + after, first + count + here], axis=1)
    return np.vstack([low, high])


def _planar(points: Vector) -> Vector:
    level = points[:, :2]
    low, high = level.min(axis=0), level.max(axis=0)
    share = (level - low) / np.maximum(high - low, 1e-9)
    return np.column_stack([share[:, 0], 1 - share[:, 1]])


def sheet_mesh(corners: Vector, repeats_over: float) -> Mesh:
    """A flat four-cornered sheet (4 x 3, anticlockwise from above).

    Its paint repeats after `repeats_over` sides, whatever the corners.
    """
    up = np.cross(corners[1] - corners[0], corners[3] - corners[0])
    normals = np.tile(up / np.linalg.norm(up), (4, 1))
    triangles = np.array([[0, 1, 2], [0, 2, 3]])
    return _mesh(corners, normals, corners[:, :2] * [1, -1] / repeats_over, triangles)


def box_mesh(half: Sequence[float]) -> Mesh:
    """A sharp-edged box around the origin, by its half lengths; every side has all the paint."""
    parts = []
    for axis in range(3):
        for sign in (1.0, -1.0):
            normal = np.zeros(3)
            normal[axis] = sign
            across = np.roll(normal, 1) * sign
            up = np.cross(normal, across)
            parts.append([normal + a * across + b * up for a, b in _SQUARE])
    points = np.array(parts).reshape(-1, 3) * np.asarray(half)
    normals = np.repeat([np.mean(part, axis=0) for part in parts], 4, axis=0)
    atlas = np.tile((np.array(_SQUARE) + 1) / 2, (6, 1))
    quads = np.arange(24).reshape(6, 4)
    return _mesh(points, normals, atlas, np.vstack([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]))


def rod_mesh(start: Vector, end: Vector, radius: float) -> Mesh:
    """A round-ended rod between two points."""
    ball = ball_mesh(cells=16)
    way = end - start
    length = float(np.linalg.norm(way))
    axis = way / length if length > 0 else np.array([0.0, 0.0, 1.0])
    turn = _frame(axis)
    points = ball.points @ turn.T * radius + start
    points += np.where(ball.points[:, 2:] > 0, 1.0, 0.0) * way
    return _mesh(points, ball.normals @ turn.T, ball.atlas.astype(np.float64), ball.triangles)


def _frame(axis: Vector) -> Vector:
    """A turn whose third direction is the axis."""
    aside = np.array([1.0, 0, 0]) if abs(axis[0]) < 0.8 else np.array([0, 1.0, 0])  # noqa: PLR2004
    first = np.cross(aside, axis)
    first /= np.linalg.norm(first)
    return np.column_stack([first, np.cross(axis, first), axis])


def joined(meshes: Sequence[Mesh]) -> Mesh:
    """Several meshes as one."""
    firsts = np.cumsum([0, *(len(mesh.points) for mesh in meshes)])
    triangles = [mesh.triangles + first for mesh, first in zip(meshes, firsts, strict=False)]
    return _mesh(
        np.vstack([mesh.points for mesh in meshes]),
        np.vstack([mesh.normals for mesh in meshes]),
        np.vstack([mesh.atlas for mesh in meshes]),
        np.vstack(triangles),
    )


def moved(mesh: Mesh, turn: Vector, place: Vector) -> Mesh:
    """The mesh turned by a 3 x 3 matrix, then moved."""
    points = mesh.points @ turn.T + place
    return _mesh(points, mesh.normals @ turn.T, mesh.atlas, mesh.triangles)


def _mesh(
    points: NDArray[np.floating], normals: NDArray[np.floating], atlas: NDArray[np.floating],
    triangles: NDArray[np.integer],
) -> Mesh:  # fmt: skip
    return Mesh(
        points.astype(np.float32),
        normals.astype(np.float32),
        atlas.astype(np.float32),
        triangles.astype(np.int32),
    )


_SQUARE: Final = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))
