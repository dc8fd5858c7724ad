"""The tray as seen from straight above."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import dist
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from scoreboard.message import message
from vision.capture.frame import Frame, Image
from vision.capture.play_area import PlayArea, Point, clockwise
from vision.errors import TrayError

CORNERS: Final = 4
LEAST_AREA: Final = 0.02
LEAST_SIDE: Final = 0.05


@dataclass(frozen=True, slots=True)
class TrayCorners:
    """The tray's four corners in the picture, as shares of its width and height, 0 to 1.

    Raises:
        ValueError: the corners are outside of the picture, or not clockwise around a
            convex tray.
    """

    top_left: Point
    top_right: Point
    bottom_right: Point
    bottom_left: Point

    def __post_init__(self) -> None:
        shares = [share for point in self.around for share in point]
        if not all(0 <= share <= 1 for share in shares):
            raise ValueError("the tray's corners are shares of the picture, from 0 to 1")
        if not all(turn > 0 for turn in _turns(self.around)):
            raise ValueError("the tray's corners must go clockwise around it, from the top left")

    @classmethod
    def around_taps(cls, taps: Sequence[Point]) -> TrayCorners:
        """The tray of four taps in any order.

        Raises:
            TrayError: there are not four, one is outside of the picture, or their shape cannot
                be a tray.
        """
        if len(taps) != CORNERS:
            raise TrayError(message("Tap all four corners of the tray, one after the other."))
        if not all(0 <= share <= 1 for tap in taps for share in tap):
            raise TrayError(message("A corner lies outside of the picture: tap it again."))
        if min(dist(one, other) for one, other in combinations(taps, 2)) < LEAST_SIDE:
            raise TrayError(message("Two corners lie on top of each other: move one away."))
        around = clockwise(taps)
        if not all(turn > 0 for turn in _turns(around)):
            raise TrayError(
                message("One corner lies between the others: a tray’s corners stick out.")
            )
        # The share of the picture inside
        if float(cv2.contourArea(np.array(around, np.float32))) < LEAST_AREA:
            raise TrayError(message("That is too small for a tray: take the camera nearer."))
        top_left, top_right, bottom_right, bottom_left = around
        return cls(top_left, top_right, bottom_right, bottom_left)

    @property
    def around(self) -> tuple[Point, Point, Point, Point]:
        """The corners clockwise, from the top left."""
        return self.top_left, self.top_right, self.bottom_right, self.bottom_left


Outline = TrayCorners | PlayArea


def narrowed(frame: Frame, outline: Outline | None) -> Frame:
    """The frame for a reader: the tray alone, or with its play area."""
    if isinstance(outline, TrayCorners):
        return replace(frame, image=rectify(frame.image, outline))
    return frame if outline is None else replace(frame, area=outline)


def rectify(image: Image, corners: TrayCorners, most: int | None = None) -> Image:
    """The tray alone, as a rectangle with the mean lengths of its sides.

    With `most` it is shrunk so that no side has more pixels than that.
    """
    matrix, (width, height) = homography(corners, (image.shape[1], image.shape[0]))
    if most is not None and max(width, height) > most:
        scale = most / max(width, height)
        small = max(1, round(width * scale)), max(1, round(height * scale))
        matrix = np.diag([small[0] / width, small[1] / height, 1.0]) @ matrix
        width, height = small
    warped = cv2.warpPerspective(image, matrix, (width, height), flags=cv2.INTER_LINEAR)
    return np.asarray(warped, np.uint8)


def homography(
    corners: TrayCorners, size: tuple[int, int]
) -> tuple[NDArray[np.float64], tuple[int, int]]:
    """The 3 x 3 matrix from a picture of `size` to the tray's own rectangle, and its size."""
    points = np.array(corners.around) * np.array(size)
    top, right, bottom, left = np.linalg.norm(np.roll(points, -1, axis=0) - points, axis=1)
    width, height = max(1, round((top + bottom) / 2)), max(1, round((left + right) / 2))
    target = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    matrix = cv2.getPerspectiveTransform(points.astype(np.float32), target)
    return np.asarray(matrix, np.float64), (width, height)


def _turns(around: tuple[Point, ...]) -> list[float]:
    """At each corner the cross product of its sides: above 0 turns clockwise on a screen."""
    points = np.array(around)
    sides = np.roll(points, -1, axis=0) - points
    following = np.roll(sides, -1, axis=0)
    return list(sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0])
