"""One picture of the table: its time, its play area, its smaller copies, and how sharp it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from math import atan2, dist, frexp
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from scoreboard.message import message
from vision.errors import TrayError

Image = NDArray[np.uint8]
Point = tuple[float, float]

FEWEST: Final = 3
MOST: Final = 8
LEAST_SIDE: Final = 0.02  # of the picture: nearer corners were tapped twice
LEAST_AREA: Final = 0.01
_LEAST_BEYOND: Final = 0.05


@dataclass(frozen=True, slots=True)
class PlayArea:
    """A polygon; `around` are its corners, as shares of the picture's width and height, 0 to 1.

    A piece whose middle is outside is ignored: neither reported nor doubted.

    Raises TrayError: it has not three to eight corners in the picture, or next to no area.
    """

    around: tuple[Point, ...]

    def __post_init__(self) -> None:
        if not FEWEST <= len(self.around) <= MOST:
            raise TrayError(
                message(
                    "A play area has {fewest} to {most} corners: tap them one after the other.",
                    fewest=FEWEST,
                    most=MOST,
                )
            )
        refuse_misplaced(self.around, LEAST_SIDE)
        if self.share < LEAST_AREA:
            raise TrayError(message("That is too small for a play area: tap farther out."))

    @classmethod
    def around_taps(cls, taps: Sequence[Point]) -> PlayArea:
        """The area whose corners were tapped, in any order. Raises TrayError."""
        return cls(clockwise(taps))

    @classmethod
    def around_boxes(
        cls, boxes: Sequence[tuple[float, float, float, float]], size: tuple[float, float]
    ) -> PlayArea | None:
        """The area that a player might tap: one piece's side wider than all boxes together.

        The boxes are left, top, right and bottom in a picture of that width and height. The margin
        is at least a twentieth of the picture; None for no boxes.
        """
        if not boxes:
            return None
        edges = np.array(boxes)
        far = np.maximum(edges[:, 2] - edges[:, 0], edges[:, 3] - edges[:, 1])
        far = np.maximum(far, _LEAST_BEYOND * max(size))
        left, top = np.clip((edges[:, :2] - far[:, None]).min(axis=0) / size, 0.0, 1.0).tolist()
        right, bottom = np.clip((edges[:, 2:] + far[:, None]).max(axis=0) / size, 0.0, 1.0).tolist()
        return cls(((left, top), (right, top), (right, bottom), (left, bottom)))

    @property
    def share(self) -> float:
        """Its share of the picture, 0 to 1."""
        return float(cv2.contourArea(np.array(self.around, np.float32)))

    def cut(self, image: Image) -> Image:
        """The bounding rectangle of the area, cut out of a grey or colour picture."""
        corners = np.array(self.around) * image.shape[1::-1]
        left, top = np.floor(corners.min(axis=0)).astype(int)
        right, bottom = np.ceil(corners.max(axis=0)).astype(int)
        return image[top:bottom, left:right]

    def holds(self, x: float, y: float, shape: tuple[int, ...]) -> bool:
        """Whether a point, in pixels of a picture of that height and width, is inside."""
        corners = np.array(self.around, np.float32) * np.array(shape[1::-1], np.float32)
        return cv2.pointPolygonTest(corners, (x, y), measureDist=False) >= 0


def refuse_misplaced(taps: Sequence[Point], least_side: float) -> None:
    """Raises TrayError: a tap is outside of the picture, or two are nearer than that share."""
    if not all(0 <= share <= 1 for tap in taps for share in tap):
        raise TrayError(message("A corner lies outside of the picture: tap it again."))
    if min(dist(one, other) for one, other in combinations(taps, 2)) < least_side:
        raise TrayError(message("Two corners lie on top of each other: move one away."))


def clockwise(taps: Sequence[Point]) -> tuple[Point, ...]:
    """The taps clockwise around their middle, from the upper left one."""
    if not taps:
        return ()
    across = sum(x for x, _ in taps) / len(taps)
    down = sum(y for _, y in taps) / len(taps)
    turned = sorted(taps, key=lambda tap: atan2(tap[1] - down, tap[0] - across))
    first = turned.index(min(turned, key=sum))
    return (*turned[first:], *turned[:first])


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A picture as a camera gave it.

    `sequence` counts from 0 per camera run; `captured_at` is aware UTC; `image` is H x W x 3,
    blue-green-red, 8 bits, upright; `single` marks a lone photo, which is read at once instead of
    waiting for stillness; `known` one taken before the start. `area` is where pieces can be, None
    for anywhere; readers ignore the rest. `small` is a copy of the picture in which motion is
    looked for, where the camera has one.

    Raises ValueError: the image has another shape or type, or the time has no zone.
    """

    sequence: int
    captured_at: datetime
    image: Image
    single: bool = False
    known: bool = False
    area: PlayArea | None = None
    small: Image | None = None

    def __post_init__(self) -> None:
        if self.image.ndim != 3 or self.image.shape[2] != 3 or self.image.dtype != np.uint8:  # noqa: PLR2004
            raise ValueError(f"a frame's image is H x W x 3 of uint8, not {self.image.shape}")
        if self.captured_at.tzinfo is None:
            raise ValueError("a frame's time must know its zone (UTC)")


SMALLEST_SIDE: Final = 8


def downscaled(image: Image, longer_side: int) -> Image:
    """Scale the picture to that longer side by averaging pixels, halving it first if possible."""
    while max(image.shape[:2]) >= 2 * longer_side and min(image.shape[:2]) > SMALLEST_SIDE:
        image = halved(image)
    scale = longer_side / max(image.shape[:2])
    height, width = (max(SMALLEST_SIDE, round(side * scale)) for side in image.shape[:2])
    return np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def halved(image: Image) -> Image:
    """Average 2 x 2 pixels, without an odd last row or column: OpenCV is fastest at this factor."""
    height, width = (side // 2 for side in image.shape[:2])
    even = image[: 2 * height, : 2 * width]
    return np.asarray(cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


_SMALLEST: Final = 320  # the longer side below which nothing is halved any more


class Pyramid:
    """One H x W x 3 picture and its successive halves.

    Shrinking a large picture in one go costs more than running a network on it; from a level at
    most twice too large it costs next to nothing. `area` is where pieces can be, None for anywhere.
    """

    def __init__(self, image: Image, area: PlayArea | None = None) -> None:
        self.levels = [image]
        self.area = area
        while max(image.shape[:2]) >= 2 * _SMALLEST and min(image.shape[:2]) > 1:
            image = halved(image)
            self.levels.append(image)

    @property
    def image(self) -> Image:
        return self.levels[0]

    @property
    def longer(self) -> int:
        return int(max(self.image.shape[:2]))

    def above(self, shrink: float) -> int:
        """The index of the smallest level that is not smaller than the picture shrunk this much."""
        halvings = frexp(shrink)[1] - 1  # the whole ones
        return min(max(0, halvings), len(self.levels) - 1)


_WINDOW: Final = np.ones((13, 13), np.uint8)
_CLEAREST: Final = 0.998
CLEAR_EDGES: Final = 24.0  # grey levels: below that there is nothing to be sharp
_STRONG: Final = 0.6
_FEWEST_EDGES: Final = 20


def calm_grey(small: Image) -> Image:
    """A small picture in grey, denoised."""
    return np.asarray(cv2.medianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), 3), np.uint8)


def sharpness(grey: Image) -> tuple[float, float | None]:
    """The contrast at the clearest edges, and the share of it within their steepest step.

    The share is None without clear edges.
    """
    around = cv2.dilate(grey, _WINDOW), cv2.erode(grey, _WINDOW)
    contrast = np.asarray(cv2.subtract(*around), np.uint8)
    clearest = quantile(contrast, _CLEAREST)
    if clearest < CLEAR_EDGES:
        return clearest, None
    across = cv2.absdiff(grey[:-1, 1:], grey[:-1, :-1])
    down = cv2.absdiff(grey[1:, :-1], grey[:-1, :-1])
    steepest = cv2.dilate(cv2.max(across, down), _WINDOW)
    inner = contrast[:-1, :-1]
    clear = inner >= _STRONG * clearest
    if int(clear.sum()) < _FEWEST_EDGES:
        return clearest, None
    return clearest, float(np.median(steepest[clear] / inner[clear]))


def quantile(grey: Image, share: float) -> float:
    """The level that only the remaining share of the pixels exceeds."""
    counts = cv2.calcHist([grey], [0], None, [256], [0, 256]).ravel()
    return float(np.searchsorted(np.cumsum(counts), share * grey.size))
