"""A camera anywhere over the table: where points fall in its picture, and what its pixels see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.train.rendering.chance import Random, between

Vector = NDArray[np.float64]
_NEAREST: Final = 5.0
_SIZES: Final = ((640, 480), (512, 384), (480, 640), (640, 360), (512, 512), (384, 512))
_SIZE_SHARES: Final = (0.34, 0.2, 0.1, 0.1, 0.2, 0.06)


@dataclass(frozen=True, slots=True)
class Lens:
    """A camera that looks at a point of the table; lengths are in sides of a die.

    `field_degrees` is the angle of the picture's longer side; `roll_degrees` turns the picture
    around its middle. `aperture` is the lens's radius and `focus` the distance that is sharp.
    """

    width: int
    height: int
    target: tuple[float, float, float]
    elevation_degrees: float
    azimuth_degrees: float
    roll_degrees: float
    distance: float
    field_degrees: float
    aperture: float
    focus: float

    @property
    def focal_pixels(self) -> float:
        """The distance of the picture's plane, in pixels."""
        half = np.tan(np.radians(self.field_degrees) / 2)
        return float(max(self.width, self.height) / 2 / half)

    @property
    def eye(self) -> Vector:
        """The camera's place."""
        return np.asarray(np.asarray(self.target) - self.distance * self.axes[2])

    @property
    def axes(self) -> Vector:
        """The camera's right, down and forward directions, 3 x 3, one a row."""
        elevation, azimuth = np.radians([self.elevation_degrees, self.azimuth_degrees])
        level = np.array([np.sin(azimuth), -np.cos(azimuth), 0.0])
        forward = -(np.cos(elevation) * level + np.sin(elevation) * np.array([0.0, 0.0, 1.0]))
        right = np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
        down = np.cross(forward, right)
        sine, cosine = np.sin(np.radians(self.roll_degrees)), np.cos(np.radians(self.roll_degrees))
        return np.array([cosine * right + sine * down, cosine * down - sine * right, forward])

    def pixels(self, points: Vector) -> Vector:
        """Where points (N x 3) fall: N x 2, pixels from the picture's left and top."""
        right, down, depth = ((points - self.eye) @ self.axes.T).T
        depth = np.maximum(depth, 1e-3)
        middle = np.array([self.width / 2, self.height / 2])
        return middle + self.focal_pixels * np.stack([right / depth, down / depth], axis=-1)

    def ground(self, pixels: Vector, height: float = 0.0) -> Vector:
        """The points (N x 3) of a level plane that pixels (N x 2) see."""
        off = (pixels - np.array([self.width / 2, self.height / 2])) / self.focal_pixels
        ways = np.column_stack([off, np.ones(len(off))]) @ self.axes
        reach = (height - self.eye[2]) / np.minimum(ways[:, 2], -1e-3)
        return np.asarray(self.eye + ways * reach[:, None])

    def die_pixels(self) -> float:
        """How wide a side of length one at the target is in the picture."""
        return float(self.focal_pixels / self.distance)


def any_lens(random: Random, die_share: float) -> Lens:
    """A camera of a phone, a webcam or a Pi, 40 to 90 degrees above the table.

    `die_share` is a die's side as a share of the picture's longer side.
    """
    width, height = _size(random)
    elevation = float(random.choice([random.uniform(74, 90), random.uniform(40, 80)], p=[0.4, 0.6]))
    longer = max(width, height)
    roll = float(random.choice([random.normal(0, 6), random.uniform(-180, 180)], p=[0.8, 0.2]))
    upward = abs(np.cos(np.radians(roll))) * height + abs(np.sin(np.radians(roll))) * width
    field = _field(random, elevation, float(upward / longer), die_share)
    distance = float(0.5 / np.tan(np.radians(field) / 2) / die_share)
    focus = distance * float(random.choice([1.0, random.normal(1, 0.08)], p=[0.6, 0.4]))
    azimuth = between(random, -180, 180)
    return Lens(
        width, height, (0.0, 0.0, 0.3), elevation, azimuth, roll, distance, field,
        _aperture(random, distance, longer, field), focus,
    )  # fmt: skip


def _field(random: Random, elevation: float, upward: float, die_share: float) -> float:
    """An angle of the longer side that neither sees the horizon nor comes too near the dice.

    `upward` is how far the picture reaches up and down, as a share of the longer side.
    """
    field = float(random.choice([random.uniform(22, 45), random.uniform(45, 72)]))
    to_horizon = np.tan(np.radians(elevation - 14)) / upward
    to_dice = 0.5 / (_NEAREST * die_share)
    return float(min(field, 2 * np.degrees(np.arctan(min(to_horizon, to_dice)))))


def _size(random: Random) -> tuple[int, int]:
    """One of a few sizes: the tracer compiles its kernels anew for each."""
    return _SIZES[int(random.choice(len(_SIZES), p=_SIZE_SHARES))]


def _aperture(random: Random, distance: float, longer: int, field: float) -> float:
    """A lens's radius that blurs what is a tenth out of focus by 0.1 to 3 pixels."""
    blur = float(random.choice([0.1, random.exponential(0.8)], p=[0.6, 0.4]))
    focal = longer / 2 / np.tan(np.radians(field) / 2)
    return float(min(blur, 4.0) / 0.1 * distance / focal / 2 + 1e-4)
