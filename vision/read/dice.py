"""The dice reader: finds every pipped die in a picture and reads its top face."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from scoreboard.message import Message, message
from vision.capture.frame import Frame, Image
from vision.capture.image_pyramid import Pyramid
from vision.read.confidence import DICE_WARNINGS, Thresholds, thresholds_of
from vision.read.detection import DICE, DIE_MARGIN, Candidate, Detector, die_crops
from vision.read.networks import FINDER, READER, Model, Network, load_model
from vision.read.observation import UNREADABLE, Detection, Observation

NAME: Final = "dice"
_FACES: Final = 7
_COSINE, _SINE, _LEANING, _PRESENT = 7, 8, 9, 10
_QUARTER_TURN: Final = 90.0
# Margin and whether it is mirrored. Twice as many crops cost twice as much and gained nothing.
_CLOSE_CROPS: Final = ((1.15, True), (DIE_MARGIN, False), (1.5, True))


@dataclass(frozen=True, slots=True)
class DieReading:
    """A place that may be a die, and the probabilities of no readable face and of 1 to 6 there.

    `angle` is the top face's, degrees clockwise in [-45, 45); `leaning` is the probability of a
    cocked die, `present` the reader's of a die, readable or not.
    """

    candidate: Candidate
    chances: tuple[float, ...]
    angle: float
    leaning: float
    present: float

    @property
    def value(self) -> int:
        """The likeliest face."""
        return max(range(1, len(self.chances)), key=lambda face: self.chances[face])

    @property
    def label(self) -> str:
        """The likeliest face's notation."""
        return str(self.value)

    @property
    def likelihood(self) -> float:
        """The estimated probability of the likeliest face, if it is a die."""
        return self.chances[self.value]

    @property
    def size(self) -> float:
        """The longer side in pixels."""
        return self.candidate.size

    def grey(self, image: Image) -> Image:
        """The die's box cut out of the picture, in grey."""
        left, top, right, bottom = (max(0, round(side)) for side in self.candidate.box)
        part = image[top : bottom + 1, left : right + 1]
        part = part if part.size else image
        return np.asarray(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), np.uint8)

    def ambiguity(self) -> Message:
        """The two likeliest faces."""
        faces = sorted(range(1, len(self.chances)), key=lambda face: -self.chances[face])
        return message("A die may show {first} or {second}.", first=faces[0], second=faces[1])

    def detection(self, shape: tuple[int, ...], limits: Thresholds) -> Detection:
        """What is reported of it in a picture of that height and width."""
        readable = limits.is_readable(self, shape)
        return Detection(
            label=self.label if readable else UNREADABLE,
            confidence=round(limits.confidence(self), 4),
            box=self.candidate.within(shape),
            angle=round(self.angle, 1),
            chances=tuple(round(each, 4) for each in self.chances),
            leaning=round(self.leaning, 4),
        )


class DiceRecogniser:
    """Reads six-sided dice with pips; keeps the promise of `vision.read.observation.Recogniser`.

    Two networks: a finder on the picture made small, and a reader on a crop of each found die
    from the full picture. A doubtful die is read again from crops of three margins, some mirrored,
    and the mean counts.

    Raises:
        WeightsError: its model cannot be loaded.
    """

    name = NAME

    def __init__(self, model: Model | None = None) -> None:
        model = model or load_model(NAME)
        outdated = message(
            "The card of the model “dice” is of another version; install Tablescore again."
        )
        self._limits = thresholds_of(model.card, outdated)
        self._detector = Detector(model.networks[FINDER], DICE, self._limits.candidate)
        self._reader = model.networks[READER]

    def __call__(self, frame: Frame, expected: int | None = None) -> Observation:  # noqa: ARG002
        """Read one frame."""
        image, limits = frame.image, self._limits
        pyramid = Pyramid(image)
        readings = self._readings(pyramid, self._detector.find(pyramid))
        if not any(map(limits.is_piece, readings)):
            readings += self._readings(pyramid, self._detector.find_large(pyramid))
        dice = [each for each in readings if limits.is_piece(each)]
        dice.sort(key=lambda each: (each.candidate.x, each.candidate.y))
        found = tuple(each.detection(image.shape, limits) for each in dice)
        warnings = DICE_WARNINGS.of(image, readings, limits)
        return Observation(frame.sequence, self.name, found, warnings)

    def _readings(self, pyramid: Pyramid, found: Sequence[Candidate]) -> list[DieReading]:
        readings = read_dice(self._reader, pyramid, found)
        again = [each.candidate for each in readings if self._limits.reads_again(each)]
        closer = read_dice_closely(self._reader, pyramid, again)
        better = dict(zip(again, closer, strict=True))
        return [better.get(each.candidate, each) for each in readings]


def read_dice(reader: Network, pyramid: Pyramid, places: Sequence[Candidate]) -> list[DieReading]:
    """Read every place once."""
    figures = reader(die_crops(pyramid, places)) if places else ()
    return [_reading(*each) for each in zip(places, figures, strict=True)]


def read_dice_closely(
    reader: Network, pyramid: Pyramid, places: Sequence[Candidate]
) -> list[DieReading]:
    """Read every place in crops of three margins, two of them mirrored; the mean counts."""
    if not places:
        return []
    crops = [die_crops(pyramid, places, margin) for margin, _ in _CLOSE_CROPS]
    mirrored = [is_mirrored for _, is_mirrored in _CLOSE_CROPS]
    seen = [cut[:, :, ::-1] if flip else cut for cut, flip in zip(crops, mirrored, strict=True)]
    figures = reader(np.concatenate(seen)).reshape(len(seen), len(places), -1)
    figures[mirrored, :, _SINE] *= -1  # a mirrored face turns the other way
    return [_reading(*each) for each in zip(places, figures.mean(axis=0), strict=True)]


def _reading(place: Candidate, figures: NDArray[np.float32]) -> DieReading:
    angle = math.degrees(math.atan2(float(figures[_SINE]), float(figures[_COSINE]))) / 4
    turned = (round(angle, 1) + _QUARTER_TURN / 2) % _QUARTER_TURN - _QUARTER_TURN / 2
    chances = tuple(float(each) for each in figures[:_FACES])
    return DieReading(place, chances, turned, float(figures[_LEANING]), float(figures[_PRESENT]))
