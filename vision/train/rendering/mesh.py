"""The surface of a die as triangles: rounded edges, pips drilled or painted.

Lengths are in sides of the die.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.train.rendering.die import WESTERN, Layout, edges, normal

_CELLS: Final = 48
_ATLAS_COLUMNS: Final = 3
_ATLAS_ROWS: Final = 2


@dataclass(frozen=True, slots=True)
class DieShape:
    """How a die is cut: the radius of its edges, the radius of its pips and their depth.

    A `ball_radius` below the cube's half space diagonal (0.87) cuts its corners off round;
    `lone_scale` is how much larger the pip of the one is, `cells` how finely each edge is cut
    into triangles, `layout` where which pips are.
    """

    edge_radius: float = 0.09
    pip_radius: float = 0.09
    pip_depth: float = 0.03
    ball_radius: float = 1.0
    lone_scale: float = 1.0
    cells: int = _CELLS
    layout: Layout = WESTERN

    def pip_radius_of(self, place: int) -> float:
        """The radius of the pips on a place."""
        return self.pip_radius * (self.lone_scale if self.layout.number(place) == 1 else 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """Triangles: points and normals N x 3, places in the painted atlas N x 2, corners M x 3."""

    points: NDArray[np.float32]
    normals: NDArray[np.float32]
    atlas: NDArray[np.float32]
    triangles: NDArray[np.int32]

    def save_ply(self, path: Path) -> None:
        """Write the mesh as a binary PLY file."""
        columns = ("x", "y", "z", "nx", "ny", "nz", "u", "v")
        header = ["ply", "format binary_little_endian 1.0", f"element vertex {len(self.points)}"]
        header += [f"property float {column}" for column in columns]
        header += [f"element face {len(self.triangles)}"]
        header += ["property list uchar int vertex_indices", "end_header", ""]
        vertices = np.hstack([self.points, self.normals, self.atlas]).astype("<f4")
        faces = np.zeros(len(self.triangles), dtype=[("count", "u1"), ("corners", "<i4", 3)])
        faces["count"] = 3
        faces["corners"] = self.triangles
        path.write_bytes("\n".join(header).encode() + vertices.tobytes() + faces.tobytes())


def ball_mesh(cells: int = _CELLS) -> Mesh:
    """A ball of radius 1, to be stretched into an ellipsoid."""
    along = np.linspace(0, np.pi, cells + 1)
    height, around = (axis.ravel() for axis in np.meshgrid(along, 2 * along, indexing="ij"))
    level = np.sin(height)
    points = np.stack([level * np.cos(around), level * np.sin(around), np.cos(height)], axis=1)
    atlas = np.stack([height, around], axis=1)
    surface = points.astype(np.float32)
    triangles = grid_triangles(cells).astype(np.int32)
    return Mesh(surface, surface, atlas.astype(np.float32), triangles)


def die_mesh(shape: DieShape) -> Mesh:
    """The whole die, face by face, in the order of the numbers."""
    parts = [_face(shape, face) for face in range(1, 7)]
    count = len(parts[0][0])
    grid = grid_triangles(shape.cells)
    triangles = np.vstack([grid + index * count for index in range(6)])
    points, normals, atlas = (
        np.vstack([part[column] for part in parts]).astype(np.float32) for column in range(3)
    )
    return Mesh(points, normals, atlas, triangles.astype(np.int32))


def atlas_place(face: int) -> tuple[int, int]:
    """The column and row of a face in the painted atlas of three by two faces."""
    return (face - 1) % _ATLAS_COLUMNS, (face - 1) // _ATLAS_COLUMNS


def _face(
    shape: DieShape, face: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    along = np.linspace(-0.5, 0.5, shape.cells + 1)
    u, v = (axis.ravel() for axis in np.meshgrid(along, along, indexing="ij"))
    across, up = edges(face)
    cube = normal(face) * 0.5 + np.outer(u, across) + np.outer(v, up)
    inner = np.clip(cube, -0.5 + shape.edge_radius, 0.5 - shape.edge_radius)
    outward = cube - inner
    outward /= np.linalg.norm(outward, axis=1, keepdims=True)
    depth, slope_u, slope_v = _drill(shape, face, u, v)
    points = inner + outward * shape.edge_radius
    reach = np.linalg.norm(points, axis=1, keepdims=True)
    outward = np.where(reach > shape.ball_radius, points / reach, outward)
    points = points * np.minimum(1, shape.ball_radius / reach) - np.outer(depth, normal(face))
    tilted = outward + np.outer(slope_u, across) + np.outer(slope_v, up)
    column, row = atlas_place(face)
    atlas = np.stack([(column + u + 0.5) / _ATLAS_COLUMNS, (row + v + 0.5) / _ATLAS_ROWS], axis=1)
    return points, tilted / np.linalg.norm(tilted, axis=1, keepdims=True), atlas


def _drill(
    shape: DieShape, face: int, u: NDArray[np.float64], v: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """How deep each point of a face lies in a pip, and how the surface slopes there."""
    depth, slope_u, slope_v = np.zeros((3, len(u)))
    radius = shape.pip_radius_of(face)
    for pip_u, pip_v in shape.layout.pips(face):
        off_u, off_v = (u - pip_u) / radius, (v - pip_v) / radius
        inside = off_u**2 + off_v**2 < 1
        bowl = shape.pip_depth * (1 - off_u**2 - off_v**2)
        depth = np.where(inside, bowl, depth)
        steep = 2 * shape.pip_depth / radius
        slope_u = np.where(inside, -steep * off_u, slope_u)
        slope_v = np.where(inside, -steep * off_v, slope_v)
    return depth, slope_u, slope_v


def grid_triangles(cells: int) -> NDArray[np.int64]:
    """The triangles of a grid of so many cells along each edge, their corners' numbers M x 3."""
    index = np.arange((cells + 1) ** 2).reshape(cells + 1, cells + 1)
    a, b, c, d = index[:-1, :-1], index[1:, :-1], index[1:, 1:], index[:-1, 1:]
    halves = [np.stack(corners, axis=-1).reshape(-1, 3) for corners in ((a, b, c), (a, c, d))]
    return np.vstack(halves)
