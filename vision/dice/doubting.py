"""What may be misread, and how a player is told."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from scoreboard.phrase import Phrase, phrase
from vision.dice.peaks import Peak
from vision.frame import Image

_DARK: Final = 40.0
_BLURRED: Final = 0.3
_SMALL: Final = 22.0


@dataclass(frozen=True, slots=True)
class Reading:
    """A place that may be a die, and the probabilities of nothing readable and of 1 to 6 there.

    `angle` is the top face's, degrees clockwise in [-45, 45); `leaning` is the probability
    that the die lies cocked.
    """

    peak: Peak
    chances: tuple[float, ...]
    angle: float
    leaning: float = 0.0

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
        """The estimated probability of that face, if a face it is."""
        return self.chances[self.value] / max(1e-6, 1 - self.chances[0])


@dataclass(frozen=True, slots=True)
class Limits:
    """What the model's card states, chosen on photographs kept out of training.

    `bias`, `finder` and `reader` weigh what both networks say of a die's presence;

    `candidate`: the finder's least score; `present`: the least presence of a die;
    `absent`: below that presence nobody is asked; `sure`: the confidence from which a
    value is believed; `readable`: that below which no value is given; `smallest_pixels` and
    `smallest_share` (of the picture's longer side): a die's least shorter side.
    """

    bias: float
    finder: float
    reader: float
    candidate: float
    present: float
    absent: float
    sure: float
    readable: float
    smallest_pixels: float
    smallest_share: float

    def presence(self, reading: Reading) -> float:
        """The estimated probability that a die with a readable face lies there."""
        said = self.finder * _logit(reading.peak.score) + self.reader * _logit(
            1 - reading.chances[0]
        )
        return 1 / (1 + math.exp(-self.bias - said))

    def confidence(self, reading: Reading) -> float:
        """The estimated probability that a die lies there and shows the likeliest face."""
        return self.presence(reading) * reading.likelihood

    def is_die(self, reading: Reading) -> bool:
        """Whether a die lies there."""
        return self.presence(reading) >= self.present

    def is_readable(self, reading: Reading, shape: tuple[int, ...]) -> bool:
        """Whether its value may be told."""
        return self.confidence(reading) >= self.readable and not self.is_small(reading, shape)

    def is_small(self, reading: Reading, shape: tuple[int, ...]) -> bool:
        """Whether it is too small to be read."""
        shorter = min(reading.peak.width, reading.peak.height)
        return shorter < max(self.smallest_pixels, self.smallest_share * max(shape[:2]))

    def reads_again(self, reading: Reading) -> bool:
        """Whether a second look may tell more."""
        return self.presence(reading) >= self.absent and self.confidence(reading) < max(
            0.97, self.sure
        )


def doubts(image: Image, readings: Sequence[Reading], limits: Limits) -> tuple[Phrase, ...]:
    """Say what a person should look at, each sentence once; nothing when all is clear."""
    said = (_doubt(image, each, limits) for each in readings)
    return tuple(dict.fromkeys(each for each in said if each is not None))


def _logit(chance: float) -> float:
    kept = min(max(chance, 1e-4), 1 - 1e-4)
    return math.log(kept / (1 - kept))


def _doubt(image: Image, reading: Reading, limits: Limits) -> Phrase | None:
    if not limits.is_die(reading):
        return _possible_die() if limits.presence(reading) >= limits.absent else None
    if limits.is_small(reading, image.shape):
        return phrase("A die is too small to be read: bring the camera nearer.")
    if limits.confidence(reading) >= limits.sure and limits.presence(reading) >= limits.present:
        return None
    return _reason(image, reading, limits)


def _possible_die() -> Phrase:
    return phrase("Something here may be a die, or may not.")


def _reason(image: Image, reading: Reading, limits: Limits) -> Phrase:
    """Find the likeliest cause of an unsure reading."""
    if _at_edge(reading.peak, image):
        return phrase("A die lies at the picture's edge.")
    grey = _grey(reading.peak, image)
    if float(grey.mean()) < _DARK:
        return phrase("It is too dark to read a die surely.")
    if min(reading.peak.width, reading.peak.height) < _SMALL:
        return phrase("A die is nearly too small to be read: bring the camera nearer.")
    if _is_blurred(grey):
        return phrase("A die is blurred.")
    if limits.confidence(reading) < limits.readable:
        return phrase("A die's top face cannot be read.")
    return phrase("A die may show {first} or {second}.", first=reading.value, second=reading.second)


def _at_edge(peak: Peak, image: Image) -> bool:
    height, width = image.shape[:2]
    left, top, right, bottom = peak.box
    beyond = float(max(-left, -top, right - width, bottom - height))
    return beyond > 0.02 * peak.size


def _grey(peak: Peak, image: Image) -> Image:
    left, top, right, bottom = (max(0, round(side)) for side in peak.box)
    part = image[top : bottom + 1, left : right + 1]
    part = part if part.size else image
    return np.asarray(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), np.uint8)


def _is_blurred(grey: Image) -> bool:
    """Whether neighbouring pixels differ little compared with the whole die's contrast."""
    reduced = np.asarray(cv2.resize(grey, (32, 32), interpolation=cv2.INTER_AREA), np.float32)
    contrast = float(reduced.std())
    detail = float(np.abs(cv2.Laplacian(reduced, cv2.CV_32F)).mean())
    return detail < _BLURRED * contrast
