"""Where the camera stands, and where a point of the table falls in its picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

WIDTH_PIXELS = 640
HEIGHT_PIXELS = 480


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """A camera that looks at the middle of the table.

    `elevation_degrees` is its height over the table's plane (90 looks straight down),
    `azimuth_degrees` 0 stands at the player's side, `die_pixels` is how wide a die in the
    middle of the table is in the picture, `field_degrees` the picture's angle from left to right.
    """

    elevation_degrees: float
    azimuth_degrees: float
    die_pixels: float
    field_degrees: float = 27.0

    @property
    def distance(self) -> float:
        """How far the camera is from the middle of the table, in sides of a die."""
        half_width = WIDTH_PIXELS / self.die_pixels / 2
        return float(half_width / np.tan(np.radians(self.field_degrees) / 2))

    @property
    def eye(self) -> NDArray[np.float64]:
        """The camera's place."""
        elevation, azimuth = np.radians([self.elevation_degrees, self.azimuth_degrees])
        level = np.cos(elevation) * np.array([np.sin(azimuth), -np.cos(azimuth)])
        return self.distance * np.array([*level, np.sin(elevation)])

    @property
    def up(self) -> NDArray[np.float64]:
        """The direction on the table that points up in the picture."""
        azimuth = np.radians(self.azimuth_degrees)
        return np.array([-np.sin(azimuth), np.cos(azimuth), 0.0])

    def pixel(self, point: NDArray[np.float64]) -> tuple[float, float]:
        """Where a point falls: pixels from the picture's left and from its top."""
        forward = -self.eye / self.distance
        right = np.cross(forward, self.up)
        right /= np.linalg.norm(right)
        down = np.cross(forward, right)
        offset = point - self.eye
        scale = WIDTH_PIXELS / 2 / np.tan(np.radians(self.field_degrees) / 2)
        across, along = offset @ right / (offset @ forward), offset @ down / (offset @ forward)
        return WIDTH_PIXELS / 2 + float(scale * across), HEIGHT_PIXELS / 2 + float(scale * along)
