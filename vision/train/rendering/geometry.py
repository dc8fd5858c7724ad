"""Solids as meshes of triangles, dice among them, and rotations of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Random = np.random.Generator


def about(axis: Vector, angle: float) -> Vector:
    """A turn by an angle in radians about an axis of length one."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross)


def upright(heading: float) -> Vector:
    """A turn about the upright axis."""
    return about(np.array([0.0, 0.0, 1.0]), heading)


def heading_turn(heading: float) -> Vector:
    """The same, by its cosine and sine: not equal to the last bit."""
    sine, cosine = np.sin(heading), np.cos(heading)
    return np.array([[cosine, -sine, 0], [sine, cosine, 0], [0, 0, 1.0]])


def any_upright(random: Random) -> Vector:
    """Any of the 24 turns of an axis-aligned cube."""
    axes = random.permutation(3)
    turn = np.eye(3)[axes] * random.choice([-1.0, 1.0], size=3)[:, None]
    return np.asarray(turn if np.linalg.det(turn) > 0 else -turn)


def anyhow(random: Random) -> Vector:
    """Any turn, all equally likely."""
    basis, triangle = np.linalg.qr(random.normal(size=(3, 3)))
    basis *= np.sign(np.diag(triangle))  # without it some turns come up more often
    return np.asarray(basis if np.linalg.det(basis) > 0 else -basis)


def quaternion(turn: Vector) -> tuple[float, float, float, float]:
    """A turn as a quaternion x, y, z, w."""
    parts = np.array(
        [
            1 + turn[0, 0] - turn[1, 1] - turn[2, 2],
            1 - turn[0, 0] + turn[1, 1] - turn[2, 2],
            1 - turn[0, 0] - turn[1, 1] + turn[2, 2],
            1 + turn[0, 0] + turn[1, 1] + turn[2, 2],
        ]
    )
    sizes = np.sqrt(np.maximum(parts, 0)) / 2
    x, y, z, w = sizes
    if w > 0.1:  # noqa: PLR2004
        x, y, z = np.array(
            [turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]
        ) / (4 * w)
        return float(x), float(y), float(z), float(w)
    # A turn of nearly half a circle, by the largest part's signs
    lead = int(np.argmax(sizes[:3]))
    one, two = (lead + 1) % 3, (lead + 2) % 3
    parts = np.zeros(4)
    parts[lead] = sizes[lead]
    parts[one] = (turn[one, lead] + turn[lead, one]) / (4 * sizes[lead])
    parts[two] = (turn[two, lead] + turn[lead, two]) / (4 * sizes[lead])
    parts[3] = (turn[two, one] - turn[one, two]) / (4 * sizes[lead])
    x, y, z, w = parts
    return float(x), float(y), float(z), float(w)


# The Western right-handed die: opposite faces sum to seven; seen with 1, 2 and 3 around one
# corner, they run anticlockwise. Each face has its outward normal and its two edges (u, v),
# chosen so that u x v is the normal.
_AXES: Final = {
    1: ((0, 0, 1), (1, 0, 0), (0, 1, 0)),
    6: ((0, 0, -1), (0, 1, 0), (1, 0, 0)),
    2: ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    5: ((-1, 0, 0), (0, 0, 1), (0, 1, 0)),
    3: ((0, 1, 0), (0, 0, 1), (1, 0, 0)),
    4: ((0, -1, 0), (1, 0, 0), (0, 0, 1)),
}
PIP_SPREAD: Final = 0.26

_CORNERS: Final = ((-1, -1), (1, 1), (-1, 1), (1, -1))
# Where the pips of each number lie, in steps along both edges from the face's middle.
PIPS: Final[dict[int, tuple[tuple[int, int], ...]]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((0, 0), (-1, -1), (1, 1)),
    4: _CORNERS,
    5: (*_CORNERS, (0, 0)),
    6: (*_CORNERS, (-1, 0), (1, 0)),
}


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a die is and how it is turned: its centre, and a quaternion x, y, z, w.

    The table's top is the plane z = 0, z points up.
    """

    position: tuple[float, float, float]
    quaternion: tuple[float, float, float, float]

    @property
    def rotation(self) -> Vector:
        """The 3 x 3 matrix that turns the die's own axes into the table's."""
        x, y, z, w = np.asarray(self.quaternion) / np.linalg.norm(self.quaternion)
        return np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
            ]
        )

    @property
    def matrix(self) -> Vector:
        matrix = np.eye(4)
        matrix[:3, :3] = self.rotation
        matrix[:3, 3] = self.position
        return matrix

    @property
    def top(self) -> int:
        """The number on the face that looks up most."""
        heights = {face: float(self.rotation[2] @ normal(face)) for face in _AXES}
        return max(heights, key=heights.__getitem__)

    @property
    def lean_degrees(self) -> float:
        """How far the top face is from lying level."""
        height = float(self.rotation[2] @ normal(self.top))
        return float(np.degrees(np.arccos(min(height, 1.0))))

    @property
    def top_centre(self) -> Vector:
        """The middle of the top face, in the table's coordinates."""
        return np.asarray(self.position) + self.rotation @ (normal(self.top) * 0.5)

    def corners(self) -> Vector:
        """The die's eight corners in the table's coordinates, 8 x 3."""
        signs = np.array(np.meshgrid(*[(-0.5, 0.5)] * 3)).reshape(3, -1).T
        return np.asarray(self.position) + signs @ self.rotation.T


def normal(face: int) -> Vector:
    """The direction, in the die's own axes, that the face with this number looks to."""
    return np.array(_AXES[face][0], dtype=np.float64)


def edges(face: int) -> tuple[Vector, Vector]:
    """The two directions along the face with this number, u and v."""
    _, u, v = _AXES[face]
    return np.array(u, dtype=np.float64), np.array(v, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Layout:
    """How a die is numbered, and how its pips lie.

    `numbers` are those on the six places whose axes are those of the Western die's 1 to 6; a
    left-handed die has 4 where the right-handed one has 3. `turned` numbers (2, 3, 6) lie across
    the other diagonal or the other edge; `spread` is the pips' distance from the face's middle
    along an edge, in sides.
    """

    numbers: tuple[int, ...] = (1, 2, 3, 4, 5, 6)
    turned: frozenset[int] = frozenset()
    spread: float = PIP_SPREAD

    def number(self, place: int) -> int:
        return self.numbers[place - 1]

    def pips(self, place: int) -> list[tuple[float, float]]:
        """Where the pips of the number on a place sit, along its two edges from its middle."""
        number = self.number(place)
        spots = PIPS[number]
        if number in self.turned:
            spots = tuple((-v, u) for u, v in spots)
        return [(u * self.spread, v * self.spread) for u, v in spots]


WESTERN: Final = Layout()
LEFT_HANDED: Final = (1, 2, 4, 3, 5, 6)
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
        return self.pip_radius * (self.lone_scale if self.layout.number(place) == 1 else 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """Triangles: points and normals N x 3, places in the painted atlas N x 2, corners M x 3."""

    points: NDArray[np.float32]
    normals: NDArray[np.float32]
    atlas: NDArray[np.float32]
    triangles: NDArray[np.int32]

    @classmethod
    def of(
        cls, points: NDArray[np.floating], normals: NDArray[np.floating],
        atlas: NDArray[np.floating], triangles: NDArray[np.integer],
    ) -> Mesh:  # fmt: skip
        """Triangles from numbers of any precision."""
        where, facing, paint = (each.astype(np.float32) for each in (points, normals, atlas))
        return cls(where, facing, paint, triangles.astype(np.int32))

    def sized(self, share: float) -> Mesh:
        return Mesh(self.points * np.float32(share), self.normals, self.atlas, self.triangles)

    def save_ply(self, path: Path) -> None:
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
    return Mesh.of(points, points, atlas, grid_triangles(cells))


def die_mesh(shape: DieShape) -> Mesh:
    """The whole die, face by face, in the order of the numbers."""
    parts = [_face(shape, face) for face in range(1, 7)]
    count = len(parts[0][0])
    grid = grid_triangles(shape.cells)
    triangles = np.vstack([grid + index * count for index in range(6)])
    points, normals, atlas = (np.vstack([part[column] for part in parts]) for column in range(3))
    return Mesh.of(points, normals, atlas, triangles)


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
    """How deep each point of a face is in a pip, and the slope of the surface there."""
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
    """The triangles of a grid of that many cells along each edge, their corners' numbers M x 3."""
    index = np.arange((cells + 1) ** 2).reshape(cells + 1, cells + 1)
    a, b, c, d = index[:-1, :-1], index[1:, :-1], index[1:, 1:], index[:-1, 1:]
    halves = [np.stack(corners, axis=-1).reshape(-1, 3) for corners in ((a, b, c), (a, c, d))]
    return np.vstack(halves)


_AROUND: Final = 40


def disc_mesh(radius: float, height: float, bevel: float = 0.02) -> Mesh:
    """A round disc on z = 0, its upper edge bevelled."""
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
    bands = [band_triangles(index * 2 * count, count) for index in range(4)]
    level = points[:, :2]
    low, high = level.min(axis=0), level.max(axis=0)
    share = (level - low) / np.maximum(high - low, 1e-9)
    return Mesh.of(
        points, normals, np.column_stack([share[:, 0], 1 - share[:, 1]]), np.vstack(bands)
    )


def _ring(outline: Vector, height: float, facing: str) -> tuple[Vector, Vector]:
    points = np.column_stack([outline, np.full(len(outline), height)])
    along = np.roll(outline, -1, axis=0) - np.roll(outline, 1, axis=0)
    level = np.stack([along[:, 1], -along[:, 0]], axis=1)
    level /= np.maximum(np.linalg.norm(level, axis=1, keepdims=True), 1e-9)
    rise = {"out": (1.0, 0.0), "slant": (0.7, 0.7), "up": (0.0, 1.0), "down": (0.0, -1.0)}[facing]
    return points, np.column_stack([level * rise[0], np.full(len(outline), rise[1])])


def band_triangles(first: int, count: int) -> NDArray[np.int64]:
    """The triangles between two rings of points that follow each other."""
    here = np.arange(count)
    after = (here + 1) % count
    low = np.stack([first + here, first + after, first + count + after], axis=1)
    high = np.stack([first + here, first + count + after, first + count + here], axis=1)
    return np.vstack([low, high])


def sheet_mesh(corners: Vector, repeats_over: float) -> Mesh:
    """A flat four-cornered sheet (4 x 3, anticlockwise from above).

    Its paint repeats after `repeats_over` sides, whatever the corners.
    """
    up = np.cross(corners[1] - corners[0], corners[3] - corners[0])
    normals = np.tile(up / np.linalg.norm(up), (4, 1))
    triangles = np.array([[0, 1, 2], [0, 2, 3]])
    return Mesh.of(corners, normals, corners[:, :2] * [1, -1] / repeats_over, triangles)


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
    return Mesh.of(points, normals, atlas, np.vstack([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]))


def rod_mesh(start: Vector, end: Vector, radius: float) -> Mesh:
    """A round-ended rod between two points."""
    ball = ball_mesh(cells=16)
    way = end - start
    length = float(np.linalg.norm(way))
    axis = way / length if length > 0 else np.array([0.0, 0.0, 1.0])
    # A turn whose third direction is the axis
    aside = np.array([1.0, 0, 0]) if abs(axis[0]) < 0.8 else np.array([0, 1.0, 0])  # noqa: PLR2004
    first = np.cross(aside, axis)
    first /= np.linalg.norm(first)
    turn = np.column_stack([first, np.cross(axis, first), axis])
    points = ball.points @ turn.T * radius + start
    points += np.where(ball.points[:, 2:] > 0, 1.0, 0.0) * way
    return Mesh.of(points, ball.normals @ turn.T, ball.atlas.astype(np.float64), ball.triangles)


def joined(meshes: Sequence[Mesh]) -> Mesh:
    """Several meshes as one."""
    firsts = np.cumsum([0, *(len(mesh.points) for mesh in meshes)])
    triangles = [mesh.triangles + first for mesh, first in zip(meshes, firsts, strict=False)]
    parts = zip(*((mesh.points, mesh.normals, mesh.atlas) for mesh in meshes), strict=True)
    points, normals, atlas = map(np.vstack, parts)
    return Mesh.of(points, normals, atlas, np.vstack(triangles))


def moved(mesh: Mesh, turn: Vector, place: Vector) -> Mesh:
    """The mesh turned by a 3 x 3 matrix, then moved."""
    points = mesh.points @ turn.T + place
    return Mesh.of(points, mesh.normals @ turn.T, mesh.atlas, mesh.triangles)


_SQUARE: Final = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))


Colour = tuple[int, int, int]
Picture = NDArray[np.uint8]
Share = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """A painted surface.

    `paint` is H x W x 3, red-green-blue, 8 bits, as a display shows it. `roughness` is 0
    (mirror) to 1 (chalk); `metal` and `clear` are shares from 0 to 1, one for the whole surface
    or H x W. `repeats` is how often the paint is laid side by side along each direction.
    """

    paint: Picture
    roughness: float
    metal: Share | float = 0.0
    clear: Share | float = 0.0
    repeats: tuple[float, float] = (1.0, 1.0)


def plain(colour: Colour, roughness: float, metal: float = 0.0) -> Material:
    """One colour all over."""
    return Material(np.full((2, 2, 3), colour, dtype=np.uint8), roughness, metal)
