"""Trays drawn on a table: where they lie is known."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.quality.tray import Outline, TrayCorners

Colour = tuple[int, int, int]
CORNERS = TrayCorners(((0.2, 0.16), (0.83, 0.14), (0.9, 0.88), (0.13, 0.9)))
WOOD: Colour = (60, 90, 130)
GREEN: Colour = (60, 120, 30)
OAK: Colour = (120, 165, 200)


@dataclass(frozen=True)
class Scene:
    """A tray with a rim on a grained table in 640 x 480, with dice that lie in it."""

    corners: TrayCorners = CORNERS
    rim: Colour = WOOD
    felt: Colour = GREEN
    table: Colour = OAK
    dice: tuple[tuple[int, int], ...] = ((260, 180), (360, 300))
    seed: int = 3
    noise: float = 3.0

    def picture(self) -> Image:
        drawn = self._table()
        fill(drawn, self.corners, self.rim)
        fill(drawn, shrunk(self.corners, 0.9), self.felt)
        for left, top in self.dice:
            cv2.rectangle(drawn, (left, top), (left + 36, top + 36), (235, 240, 240), -1)
            cv2.circle(drawn, (left + 18, top + 18), 5, (20, 20, 20), -1)
        return self.photographed(drawn)

    def photographed(self, drawn: NDArray[np.uint8]) -> Image:
        """A little soft, and with the camera's noise."""
        grains = np.random.default_rng(self.seed + 1).normal(0, self.noise, drawn.shape)
        soft = cv2.GaussianBlur(drawn, (0, 0), 0.8).astype(np.float64)
        return np.clip(soft + grains, 0, 255).astype(np.uint8)

    def _table(self) -> NDArray[np.uint8]:
        """Boards with knots, so that there is something to know the place by."""
        rng = np.random.default_rng(self.seed)
        drawn = np.full((480, 640, 3), self.table, np.uint8)
        for row in range(40, 480, 110):
            cv2.line(drawn, (0, row), (640, row + 6), (70, 100, 120), 2)
        for x, y in rng.integers(0, 480, (24, 2)):
            cv2.ellipse(drawn, (int(x * 1.3), int(y)), (9, 5), 20, 0, 360, (80, 115, 145), -1)
        return drawn


def fill(drawn: NDArray[np.uint8], corners: TrayCorners, colour: Colour) -> None:
    """Fill a tray's outline."""
    size = np.array([drawn.shape[1], drawn.shape[0]])
    cv2.fillConvexPoly(drawn, (np.array(corners.around) * size).astype(np.int32), colour)


def shrunk(corners: TrayCorners, scale: float) -> TrayCorners:
    """The same outline, nearer to its middle."""
    points = np.array(corners.around)
    middle = points.mean(axis=0)
    scaled = middle + scale * (points - middle)
    return TrayCorners(tuple((float(x), float(y)) for x, y in scaled))


def moved(image: Image, across: float, down: float, *, degrees: float = 0.0) -> Image:
    """The picture as a camera sees it that was pushed; in shares of the width."""
    height, width = image.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1.0)
    matrix[:, 2] += (across * width, down * width)
    pushed = cv2.warpAffine(image, matrix, (width, height), borderMode=cv2.BORDER_REFLECT)
    return np.asarray(pushed, np.uint8)


def lit(image: Image, gain: float) -> Image:
    """The picture in other light."""
    return np.asarray(np.clip(image * gain, 0, 255), np.uint8)


def furthest(found: Outline, true: Outline) -> float:
    """How far the worst corner is off, as a share of the picture."""
    return float(np.abs(np.array(found.around) - np.array(true.around)).max())
