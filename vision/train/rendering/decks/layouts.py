"""Pieces laid on a table: in a row to be taught, scattered to be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.train.rendering.chance import Random, between
from vision.train.rendering.clutter import Thing
from vision.train.rendering.decks.design import Design
from vision.train.rendering.material import Material, Picture
from vision.train.rendering.mesh import DieShape, Mesh, atlas_place, die_mesh
from vision.train.rendering.rotations import upright
from vision.train.rendering.solids import moved, prism_mesh

Vector = NDArray[np.float64]
_GAP: Final = 0.16
_GAP_OF_DICE: Final = 0.7  # their sides are seen too
_EDGE: Final = 0.11
_CELLS: Final = 16
_TRIES: Final = 200
_FRESH_STARTS: Final = 30
_ROUND: Final = 5  # points along a corner


@dataclass(frozen=True, slots=True)
class Laid:
    """A piece on the table: its face, its middle and its turn, radians anticlockwise."""

    face: str
    x: float
    y: float
    heading: float

    def corners(self, length: float, grown: float = 0.0) -> Vector:
        """Its corners on the table, 4 x 2, clockwise from its top left, perhaps grown a little."""
        wide, high = 0.5 + grown, length / 2 + grown
        square = np.array([(-wide, high), (wide, high), (wide, -high), (-wide, -high)])
        return np.asarray(square @ upright(self.heading)[:2, :2].T + [self.x, self.y])


def in_rows(random: Random, design: Design, faces: Sequence[str], across: int) -> list[Laid]:
    """The faces in reading order, so many a row, laid by hand: never quite straight."""
    rows = -(-len(faces) // across)
    wide, high = 2.2 if design.is_die else 1.55, design.length * 1.1 + 0.3
    middle = (min(across, len(faces)) - 1) / 2, (rows - 1) / 2
    laid = []
    for number, face in enumerate(faces):
        down, right = divmod(number, across)
        x, y = (right - middle[0]) * wide, (middle[1] - down) * high
        nudge = random.normal(0, 0.05, 2)
        turn = float(random.normal(0, 0.035))
        laid.append(Laid(face, x + float(nudge[0]), y + float(nudge[1]), turn))
    return laid


def scattered(
    random: Random, design: Design, faces: Sequence[str], half: tuple[float, float]
) -> list[Laid]:
    """The faces anywhere within the half width and depth, turned anyhow, none touching another.

    Raises:
        RuntimeError: there is not room for all.
    """
    for _ in range(_FRESH_STARTS):
        laid = _thrown(random, design, faces, half)
        if len(laid) == len(faces):
            return laid
    raise RuntimeError("the table is too small for so many pieces")


def _thrown(
    random: Random, design: Design, faces: Sequence[str], half: tuple[float, float]
) -> list[Laid]:
    """As many of them as find room at once."""
    laid: list[Laid] = []
    for _ in range(_TRIES):
        if len(laid) == len(faces):
            break
        x, y = (between(random, -side, side) for side in half)
        one = Laid(faces[len(laid)], x, y, between(random, 0, 2 * np.pi))
        if all(_apart(design, one, other) for other in laid):
            laid.append(one)
    return laid


def _apart(design: Design, one: Laid, other: Laid) -> bool:
    """Whether some side of either separates the two."""
    gap = _GAP_OF_DICE if design.is_die else _GAP
    first, second = (each.corners(design.length, gap / 2) for each in (one, other))
    sides = [points[1] - points[0] for points in (first, second)]
    sides += [points[2] - points[1] for points in (first, second)]
    return any(_separates(np.array([-side[1], side[0]]), first, second) for side in sides)


def _separates(way: Vector, first: Vector, second: Vector) -> bool:
    one, other = first @ way, second @ way
    return bool(one.max() < other.min() or other.max() < one.min())


def piece(design: Design, laid: Laid, roughness: float) -> Thing:
    """The piece as a thing on the table."""
    flat = _cube() if design.is_die else prism_mesh(_outline(design), design.height, bevel=0.004)
    mesh = moved(flat, upright(laid.heading), np.array([laid.x, laid.y, 0.0]))
    paint = _around(design, laid.face) if design.is_die else design.paint(laid.face)
    half = (0.5, design.length / 2, design.height / 2)
    middle = (laid.x, laid.y, design.height / 2)
    return Thing("card", mesh, Material(paint, roughness), middle, half, laid.heading)


def _cube() -> Mesh:
    """A die without pips that stands on the table."""
    mesh = die_mesh(DieShape(edge_radius=_EDGE, pip_depth=0.0, cells=_CELLS))
    return moved(mesh, np.eye(3), np.array([0, 0, 0.5]))


def _around(design: Design, top: str) -> Picture:
    """The atlas of a die that shows a face on top, the others around it in their order."""
    others = [face for face in design.faces if face != top]
    faces = [design.paint(face)[::-1] for face in (top, *others)]
    size = faces[0].shape[0]
    atlas = np.zeros((2 * size, 3 * size, 3), np.uint8)
    for number, face in enumerate(faces, start=1):
        column, row = atlas_place(number)
        atlas[row * size : (row + 1) * size, column * size : (column + 1) * size] = face
    return atlas


def _outline(design: Design) -> Vector:
    """A rectangle with round corners, anticlockwise."""
    wide, high, radius = 0.5, design.length / 2, design.corner
    turn = np.linspace(0, np.pi / 2, _ROUND)
    parts = []
    for number, (right, up) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        middle = np.array([right * (wide - radius), up * (high - radius)])
        angle = turn + number * np.pi / 2
        parts.append(middle + radius * np.stack([np.cos(angle), np.sin(angle)], axis=1))
    return np.vstack(parts)
