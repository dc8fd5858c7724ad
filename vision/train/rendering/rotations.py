"""Turns in space: 3 x 3 matrices and the quaternions (x, y, z, w) that poses hold."""

from __future__ import annotations

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


def product(after: Vector, before: Vector) -> Vector:
    """One turn after another."""
    return np.asarray(after @ before)


def any_upright(random: Random) -> Vector:
    """Any of the 24 turns of a cube that lies square."""
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
    return _half_turn(turn, sizes)


def _half_turn(turn: Vector, sizes: Vector) -> tuple[float, float, float, float]:
    """As `quaternion`, for turns of nearly half a circle, by the largest part's signs."""
    lead = int(np.argmax(sizes[:3]))
    one, two = (lead + 1) % 3, (lead + 2) % 3
    parts = np.zeros(4)
    parts[lead] = sizes[lead]
    parts[one] = (turn[one, lead] + turn[lead, one]) / (4 * sizes[lead])
    parts[two] = (turn[two, lead] + turn[lead, two]) / (4 * sizes[lead])
    parts[3] = (turn[two, one] - turn[one, two]) / (4 * sizes[lead])
    x, y, z, w = parts
    return float(x), float(y), float(z), float(w)
