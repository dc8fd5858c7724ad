"""The hobbyist's dice reader: OpenCV's blob detector, and pips close together make a die.

Most projects with a camera over a tray do this: round blobs are pips, a clustering by
distance (DBSCAN with a least size of one, which is single linkage; Ester et al., 1996) joins
them to dice, and the number of pips is the value. The settings are the best of those tried
on the train photographs of four sources (dice right, less a fiftieth for each false one a photo).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Frame, Image
from vision.read.observation import UNREADABLE, Box, Detection, Observation

LONGEST: Final = 1280
_FACES: Final = 6


@dataclass(frozen=True, slots=True)
class Settings:
    """Limits for a blob, and the largest gap, in diameters, between the pips of one die.

    Areas are in pixels of a picture of at most LONGEST; `alike` is the most by which one
    pip's diameter exceeds another's.
    """

    least_area: float = 15.0
    most_area: float = 6000.0
    circularity: float = 0.55
    inertia: float = 0.55
    convexity: float = 0.75
    step: float = 14.0
    reach: float = 3.3
    alike: float = 2.0


@dataclass(frozen=True, slots=True)
class Pip:
    """A round blob: its centre and its diameter, in pixels of the picture."""

    x: float
    y: float
    diameter: float


class BlobRecogniser:
    """A recogniser that reads dice by counting round blobs, and never doubts."""

    name = "blobs"

    def __init__(self, settings: Settings | None = None) -> None:
        self._settings = settings or Settings()
        self._detector: Any = cv2.SimpleBlobDetector.create(_parameters(self._settings))

    def __call__(self, frame: Frame, expected: int | None = None) -> Observation:  # noqa: ARG002
        """Read one frame."""
        dice = clusters(self._pips(frame.image), self._settings.reach, self._settings.alike)
        return Observation(frame.sequence, self.name, tuple(_detection(die) for die in dice))

    def _pips(self, image: Image) -> list[Pip]:
        small = _reduced(image)
        factor = image.shape[1] / small.shape[1]
        found = self._detector.detect(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY))
        return [Pip(at.pt[0] * factor, at.pt[1] * factor, at.size * factor) for at in found]


def _reduced(image: Image) -> Image:
    """The picture reduced to LONGEST at most: halved as often as possible, which is quick."""
    height, width = image.shape[:2]
    while max(height, width) >= 2 * LONGEST:
        height, width = height // 2, width // 2
        even = image[: 2 * height, : 2 * width]  # halving exactly has its own fast path
        image = np.asarray(cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA))
    factor = LONGEST / max(height, width)
    if factor >= 1:
        return image
    size = (round(width * factor), round(height * factor))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_LINEAR), np.uint8)


def clusters(pips: list[Pip], reach: float, alike: float) -> list[list[Pip]]:
    """Join pips within `reach` diameters of each other into chains."""
    if not pips:
        return []
    near = _near(pips, reach, alike)
    group = np.arange(len(pips))
    for _ in pips:
        spread = np.where(near, group[None], len(pips)).min(axis=1)
        if np.array_equal(spread, group):
            break
        group = spread
    return [
        [pip for pip, mine in zip(pips, group, strict=True) if mine == number]
        for number in np.unique(group)
    ]


def _near(pips: list[Pip], reach: float, alike: float) -> NDArray[np.bool_]:
    places = np.array([(pip.x, pip.y) for pip in pips])
    sizes = np.array([pip.diameter for pip in pips])
    apart = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))
    mean = (sizes[:, None] + sizes[None]) / 2
    ratio = np.maximum(sizes[:, None], sizes[None]) / np.minimum(sizes[:, None], sizes[None])
    return np.asarray((apart <= reach * mean) & (ratio <= alike), np.bool_)


def _detection(pips: list[Pip]) -> Detection:
    label = str(len(pips)) if len(pips) <= _FACES else UNREADABLE
    return Detection(label, 1.0, _box(pips), 0.0)


def _box(pips: list[Pip]) -> Box:
    """The pips' box with a margin of one pip's width, like a die's."""
    left, top = (min(at - pip.diameter for at, pip in _along(pips, axis)) for axis in (0, 1))
    right, bottom = (max(at + pip.diameter for at, pip in _along(pips, axis)) for axis in (0, 1))
    return (left, top, right, bottom)


def _along(pips: list[Pip], axis: int) -> list[tuple[float, Pip]]:
    return [((pip.x, pip.y)[axis], pip) for pip in pips]


def _parameters(settings: Settings) -> Any:
    parameters: Any = cv2.SimpleBlobDetector.Params()
    parameters.filterByColor = False  # pips are dark on light, or light on dark
    parameters.minArea, parameters.maxArea = settings.least_area, settings.most_area
    parameters.filterByCircularity, parameters.minCircularity = True, settings.circularity
    parameters.filterByInertia, parameters.minInertiaRatio = True, settings.inertia
    parameters.filterByConvexity, parameters.minConvexity = True, settings.convexity
    parameters.minThreshold, parameters.maxThreshold = 10.0, 240.0
    parameters.thresholdStep, parameters.minDistBetweenBlobs = settings.step, 3.0
    return parameters
