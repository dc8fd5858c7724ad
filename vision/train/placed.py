"""A die at its place in a picture, and where it goes when the picture is warped."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.train.chance import Chance

Points = NDArray[np.float32]
Affine = NDArray[np.float64]

UNKNOWN: Final = -1
# Seen from less than so many degrees above the table, a picture upside down would show a side
# face where the top face should be: such pictures are turned little, and seldom more.
STEEP_DEGREES: Final = 60.0
UPRIGHT: Final = 0.9  # how often a picture taken from the side is turned little
ANY_WAY_UP: Final = 0.4  # and one taken from above
_MUCH_STRETCHED: Final = 0.1
_STRETCHES: Final = (0.75, 1.34)  # of each side; the ratio of both changes by the square


@dataclass(frozen=True, slots=True, eq=False)
class PlacedDie:
    """A die in a picture: middle and size of its box, its value, its top face's corners if known.

    The value is 0 for what is no die, and UNKNOWN where nobody could tell it.

    `sized` tells whether the box is known to be that of the whole die; `lean_degrees` how far
    its top face is from level, None where nobody knows.
    """

    x: float
    y: float
    width: float
    height: float
    value: int
    sized: bool = True
    corners: Points | None = None
    lean_degrees: float | None = None

    @property
    def size(self) -> float:
        """The longer side of the box."""
        return max(self.width, self.height)

    def moved(self, warp: Affine) -> PlacedDie:
        """The die after the 2 x 3 affine warp of its picture.

        The box of a turned die cannot be told from the box before; that of a disc filling
        the box can, and is never far off.
        """
        x, y = warp @ (self.x, self.y, 1.0)
        width, height = np.sqrt((warp[:, :2] ** 2) @ (self.width**2, self.height**2))
        corners = None if self.corners is None else _moved(self.corners, warp)
        return replace(
            self, x=float(x), y=float(y), width=float(width), height=float(height), corners=corners
        )


def _moved(points: Points, warp: Affine) -> Points:
    return np.asarray(points @ warp[:, :2].T + warp[:, 2], np.float32)


def warp_of(start: tuple[float, float], end: tuple[float, float], linear: Affine) -> Affine:
    """The 2 x 3 warp that does what the 2 x 2 `linear` does, and brings `start` to `end`."""
    shift = np.array(end) - linear @ np.array(start)
    return np.hstack([linear, shift[:, None]])


def turned_and_stretched(upright: float, chance: Chance) -> Affine:
    """A 2 x 2 warp that keeps the area: mirrored or not, stretched, turned.

    Mostly stretched little, as lenses and a lower camera do; at times, along any line, by as
    much as pictures are that people bring into another shape.
    """
    little, much = chance.scale(0.85, 1.18), chance.happens(_MUCH_STRETCHED)
    linear = np.diag([-little if chance.happens(0.5) else little, 1 / little])
    if much:
        factor, along = chance.scale(*_STRETCHES), turned(chance.between(0, 180))
        linear = along @ np.diag([factor, 1 / factor]) @ along.T @ linear
    return np.asarray(turned(chance.turn(upright)) @ linear, np.float64)


def turned(degrees: float) -> Affine:
    """The clockwise turn by that angle, 2 x 2."""
    angle = np.radians(degrees)
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
