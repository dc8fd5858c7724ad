"""A hand that reaches in over the table, built from round-ended rods."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Rod:
    """A round-ended rod between two points; `part` is `skin` or `sleeve`."""

    start: tuple[float, float, float]
    end: tuple[float, float, float]
    radius: float
    part: str


@dataclass(frozen=True, slots=True)
class Hand:
    """A right hand, palm down.

    `palm` is the middle of the palm in sides of a die, `heading_degrees` turns it to the left
    (0 reaches straight in from the player's side), `curl` bends the fingers, 0 flat to 1 closed.
    """

    palm: tuple[float, float, float]
    heading_degrees: float
    curl: float

    def back(self) -> tuple[Vector, Vector]:
        """The back of the hand, an ellipsoid turned as the hand is: its middle and its radii."""
        return np.asarray(self._placed(np.array([0.0, -0.4, 0.05]))), np.array([2.5, 3.0, 0.85])

    def rods(self) -> list[Rod]:
        """The hand, wrist and forearm in the table's coordinates."""
        return [
            Rod(self._placed(start), self._placed(end), radius, part)
            for start, end, radius, part in self._bones()
        ]

    def _placed(self, point: Vector) -> tuple[float, float, float]:
        heading = np.radians(self.heading_degrees)
        sine, cosine = np.sin(heading), np.cos(heading)
        turn = np.array([[cosine, -sine, 0], [sine, cosine, 0], [0, 0, 1]])
        x, y, z = np.asarray(self.palm) + turn @ point
        return float(x), float(y), float(z)

    def _bones(self) -> Iterator[tuple[Vector, Vector, float, str]]:
        for side, reach in _FINGERS:
            knuckle = np.array([side, 1.5 + 0.4 * reach, -0.05 * side**2])
            yield from self._finger(knuckle, reach)
            heel = np.array([side * 0.62, -2.6, -0.1])
            yield heel, knuckle, 0.66, "skin"
        thumb = [np.array(joint) for joint in ((-1.4, -1.9, -0.3), (-3.2, -0.2, -0.9))]
        thumb.append(thumb[-1] + np.array([0.5 + self.curl, 1.7, -0.6 - 0.5 * self.curl]))
        for start, end in pairwise(thumb):
            yield start, end, 0.62, "skin"
        yield np.array([0.0, -2.4, 0.0]), np.array([0.0, -4.6, 0.5]), 1.2, "skin"
        yield np.array([0.0, -4.9, 0.6]), np.array([0.0, -16.0, 3.0]), 1.9, "sleeve"

    def _finger(self, knuckle: Vector, reach: float) -> Iterator[tuple[Vector, Vector, float, str]]:
        joint, bend = knuckle, 0.0
        for length, share, radius in _BONES:
            bend += np.radians(share) * (0.25 + self.curl)
            tip = joint + length * reach * np.array([0.0, np.cos(bend), -np.sin(bend)])
            yield joint, tip, radius, "skin"
            joint = tip


_FINGERS: Final = ((-1.75, 0.95), (-0.6, 1.05), (0.6, 1.0), (1.7, 0.8))
_BONES: Final = ((2.2, 25.0, 0.58), (1.4, 45.0, 0.53), (1.1, 35.0, 0.47))
