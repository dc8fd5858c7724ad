"""A six-sided die: where its numbers sit, where their pips sit, and which one is on top.

Lengths are in sides of the die, which is a cube of side 1 around its centre.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

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

_CENTRE: Final = ((0, 0),)
_DIAGONAL: Final = ((-1, -1), (1, 1))
_CORNERS: Final = ((-1, -1), (1, 1), (-1, 1), (1, -1))
_SIDES: Final = ((-1, 0), (1, 0))
_PIPS: Final = {
    1: _CENTRE,
    2: _DIAGONAL,
    3: _CENTRE + _DIAGONAL,
    4: _CORNERS,
    5: _CORNERS + _CENTRE,
    6: _CORNERS + _SIDES,
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

    `numbers` are what stands on the six places whose axes are those of the Western die's
    1 to 6; a left-handed die has 4 where the right-handed one has 3. `turned` numbers (2, 3, 6)
    lie across the other diagonal or the other edge; `spread` is the pips' distance from the
    face's middle along an edge, in sides.
    """

    numbers: tuple[int, ...] = (1, 2, 3, 4, 5, 6)
    turned: frozenset[int] = frozenset()
    spread: float = PIP_SPREAD

    def number(self, place: int) -> int:
        """The number on a place, 1 to 6."""
        return self.numbers[place - 1]

    def pips(self, place: int) -> list[tuple[float, float]]:
        """Where the pips of the number on a place sit, along its two edges from its middle."""
        number = self.number(place)
        spots = _PIPS[number]
        if number in self.turned:
            spots = tuple((-v, u) for u, v in spots)
        return [(u * self.spread, v * self.spread) for u, v in spots]


WESTERN: Final = Layout()
LEFT_HANDED: Final = (1, 2, 4, 3, 5, 6)


def pips(face: int) -> list[tuple[float, float]]:
    """Where the pips of a face of the Western die sit, along its two edges from its middle."""
    return WESTERN.pips(face)
