"""Trays, lids and rings around the dice: a floor, a rim that stops them, and the table beyond."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.train.rendering.chance import pick
from vision.train.rendering.mesh import Mesh
from vision.train.rendering.settled import Block
from vision.train.rendering.solids import box_mesh, joined, moved, prism_mesh, sheet_mesh

Vector = NDArray[np.float64]
DROP: Final = 0.3
_FRAME: Final = 4
_ROUND: Final = 28
_WALL_HEIGHT: Final = 30.0


@dataclass(frozen=True, slots=True)
class Rim:
    """A tray's rim: half its inner width and depth, height, thickness, turned by `heading`.

    One of more than four `sides` has the inner radius `half_width`; 28 look round.
    """

    half_width: float
    half_depth: float
    height: float
    thickness: float
    heading: float
    sides: int = 4

    @property
    def many_sided(self) -> bool:
        """Whether it is round or nearly, rather than a frame."""
        return self.sides > _FRAME

    def bars(self) -> list[Block]:
        """The straight pieces that the rim is made of, from below the floor to its top."""
        return self._ring() if self.many_sided else self._frame()

    def walls(self) -> list[Block]:
        """Walls without height's end that keep falling dice over the tray or its rim."""
        return [
            Block(
                _shifted(bar.middle, self.thickness * _AWAY, _WALL_HEIGHT),
                (bar.half[0] * 1.5, bar.half[1], _WALL_HEIGHT),
                bar.heading,
            )
            for bar in self.bars()
        ]

    def mesh(self) -> Mesh:
        """The rim's surface."""
        return joined([_placed(bar) for bar in self.bars()])

    def floor(self, repeats_over: float) -> Mesh:
        """The floor at z = 0; its paint repeats after so many sides."""
        width, depth = self.half_width + 0.05, self.half_depth + 0.05
        if self.many_sided:
            return self._plate(width, repeats_over)
        corners = np.array(
            [(-width, -depth, 0), (width, -depth, 0), (width, depth, 0), (-width, depth, 0)]
        )
        flat = sheet_mesh(corners, repeats_over)
        return moved(flat, _upright(self.heading), np.zeros(3))

    def inside(self, point: Vector, margin: float) -> bool:
        """Whether a point of the table is inside, so far from the rim."""
        across, along = self.turned(point)
        if self.many_sided:
            return bool(np.hypot(across, along) < self.half_width - margin)
        return abs(across) < self.half_width - margin and abs(along) < self.half_depth - margin

    def turned(self, point: Vector) -> tuple[float, float]:
        """A point (x, y) of the table along the tray's own width and depth."""
        sine, cosine = np.sin(self.heading), np.cos(self.heading)
        across, along = cosine * point[0] + sine * point[1], cosine * point[1] - sine * point[0]
        return float(across), float(along)

    def _plate(self, radius: float, repeats_over: float) -> Mesh:
        """A floor of as many sides as the rim has, of that inner radius."""
        half = np.pi / self.sides
        angles = self.heading + half + 2 * half * np.arange(self.sides)
        outline = np.stack([np.cos(angles), np.sin(angles)], axis=1) * radius / np.cos(half)
        plate = prism_mesh(outline, DROP)
        atlas = (plate.points[:, :2] * [1, -1] / repeats_over).astype(np.float32)
        low = plate.points - np.array([0, 0, DROP], dtype=np.float32)
        return Mesh(low, plate.normals, atlas, plate.triangles)

    def _frame(self) -> list[Block]:
        width, depth, half = self.half_width, self.half_depth, self.thickness / 2
        bars = [((0.0, sign * (depth + half)), (width + 2 * half, half), 0.0) for sign in (-1, 1)]
        bars += [((sign * (width + half), 0.0), (depth, half), np.pi / 2) for sign in (-1, 1)]
        turn = _upright(self.heading)[:2, :2]
        return [self._bar(turn @ np.array(at), size, self.heading + a) for at, size, a in bars]

    def _ring(self) -> list[Block]:
        radius, half = self.half_width + self.thickness / 2, self.thickness / 2
        length = (self.half_width + self.thickness) * np.tan(np.pi / self.sides)
        angles = self.heading + np.arange(self.sides) * 2 * np.pi / self.sides
        return [
            self._bar(radius * np.array([np.cos(a), np.sin(a)]), (length, half), a + np.pi / 2)
            for a in angles
        ]

    def _bar(self, at: Vector, size: tuple[float, float], heading: float) -> Block:
        half = (float(size[0]), float(size[1]), (self.height + DROP) / 2)
        middle = (float(at[0]), float(at[1]), (self.height - DROP) / 2)
        return Block(middle, half, float(heading))


_AWAY: Final = 0.8


def _shifted(
    middle: tuple[float, float, float], out: float, up: float
) -> tuple[float, float, float]:
    """A place moved outward from the table's middle and upward."""
    level = np.array(middle[:2])
    way = level / max(float(np.linalg.norm(level)), 1e-9)
    x, y = level + way * out
    return float(x), float(y), middle[2] + up


def _upright(heading: float) -> Vector:
    sine, cosine = np.sin(heading), np.cos(heading)
    return np.array([[cosine, -sine, 0], [sine, cosine, 0], [0, 0, 1.0]])


def _placed(bar: Block) -> Mesh:
    return moved(box_mesh(bar.half), _upright(bar.heading), np.asarray(bar.middle))


def any_rim(random: np.random.Generator, width: float, depth: float, heading: float) -> Rim:
    """A tray of about that inner width and depth."""
    height = float(random.choice([random.uniform(0.25, 0.8), random.uniform(0.8, 2.2)]))
    thickness = float(random.choice([random.uniform(0.08, 0.2), random.uniform(0.2, 0.8)]))
    sides = pick(random, ((0.68, _FRAME), (0.1, 6), (0.04, 8), (0.18, _ROUND)))
    half_width = width / 2 if sides == _FRAME else (width + depth) / 4
    return Rim(half_width, depth / 2, height, thickness, heading, sides)
