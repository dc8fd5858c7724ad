"""What the reader says of a place that may be a die."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.capture.image_pyramid import Pyramid
from vision.read.dice.crops import MARGIN, crops
from vision.read.dice.peaks import Peak
from vision.read.networks import Network

Figures = NDArray[np.float32]

_FACES: Final = 7
_COSINE, _SINE, _LEANING, _PRESENT = 7, 8, 9, 10
_QUARTER_TURN: Final = 90.0
# Width and whether it is mirrored. Twice as many crops cost twice as much and told no more.
_CLOSE_LOOKS: Final = ((1.15, True), (MARGIN, False), (1.5, True))


@dataclass(frozen=True, slots=True)
class Reading:
    """A place that may be a die, and the probabilities of nothing readable and of 1 to 6 there.

    `angle` is the top face's, degrees clockwise in [-45, 45); `leaning` is the probability
    that the die lies cocked, `present` what the reader gives for a die, readable or not.
    """

    peak: Peak
    chances: tuple[float, ...]
    angle: float
    leaning: float
    present: float

    @property
    def value(self) -> int:
        """The likeliest face."""
        return max(range(1, len(self.chances)), key=lambda face: self.chances[face])

    @property
    def second(self) -> int:
        """The face that is likeliest after that."""
        others = (face for face in range(1, len(self.chances)) if face != self.value)
        return max(others, key=lambda face: self.chances[face])

    @property
    def likelihood(self) -> float:
        """The estimated probability of that face, if a die it is."""
        return self.chances[self.value]


def read(reader: Network, pyramid: Pyramid, places: Sequence[Peak]) -> list[Reading]:
    """Read every place once."""
    figures = reader(crops(pyramid, places)) if places else ()
    return [_reading(*each) for each in zip(places, figures, strict=True)]


def read_closely(reader: Network, pyramid: Pyramid, places: Sequence[Peak]) -> list[Reading]:
    """Read every place in crops of three widths, two of them mirrored; the mean counts."""
    if not places:
        return []
    cut = [_seen(crops(pyramid, places, margin), mirrored) for margin, mirrored in _CLOSE_LOOKS]
    figures = reader(np.concatenate(cut)).reshape(len(cut), len(places), -1)
    for one, (_, mirrored) in zip(figures, _CLOSE_LOOKS, strict=True):
        one[:, _SINE] *= -1 if mirrored else 1  # a mirrored face turns the other way
    return [_reading(*each) for each in zip(places, figures.mean(axis=0), strict=True)]


def _seen(cut: Image, mirrored: bool) -> Image:  # noqa: FBT001 - one of a pair
    return cut[:, :, ::-1] if mirrored else cut


def _reading(peak: Peak, figures: Figures) -> Reading:
    angle = math.degrees(math.atan2(float(figures[_SINE]), float(figures[_COSINE]))) / 4
    chances = tuple(float(each) for each in figures[:_FACES])
    leaning, present = float(figures[_LEANING]), float(figures[_PRESENT])
    return Reading(peak, chances, _turned(angle), leaning, present)


def _turned(angle: float) -> float:
    return (round(angle, 1) + _QUARTER_TURN / 2) % _QUARTER_TURN - _QUARTER_TURN / 2
