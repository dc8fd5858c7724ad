"""The dice reader: finds every pipped die in a picture and reads its top face."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from scoreboard.phrase import phrase
from vision.dice.cropping import crops
from vision.dice.doubting import Limits, Reading, doubts
from vision.dice.looking import look
from vision.dice.peaks import Peak
from vision.dice.pyramid import Pyramid
from vision.errors import WeightsError
from vision.frame import Frame, Image
from vision.observation import UNREADABLE, Box, Detection, Observation
from vision.weights import Model, Network, load_model

Chances = NDArray[np.float32]

NAME: Final = "dice"
FINDER: Final = "finder.onnx"
READER: Final = "reader.onnx"
_FACES: Final = 7
_COSINE, _SINE, _LEANING = 7, 8, 9
_FULL_TURN: Final = 90.0


class DiceRecogniser:
    """Reads six-sided dice with pips; keeps the promise of `vision.recogniser.Recogniser`.

    Two networks: a finder on the picture made small, and a reader on a crop of each found
    die from the full picture. A die whose reading is doubtful is read again from crops of
    other widths, mirrored too, and the mean counts.

    Raises:
        WeightsError: its model cannot be loaded.
    """

    name = NAME

    def __init__(self, model: Model | None = None) -> None:
        model = model or load_model(NAME)
        self._finder: Network = model.networks[FINDER]
        self._reader: Network = model.networks[READER]
        self._limits = _limits(model.card)

    def __call__(self, frame: Frame) -> Observation:
        """Read one frame."""
        image, pyramid = frame.image, Pyramid(frame.image)
        seen = look(self._finder, pyramid, self._limits.candidate)
        readings = self._read(pyramid, seen)
        dice = [each for each in readings if self._limits.is_die(each)]
        dice.sort(key=lambda each: (each.peak.x, each.peak.y))
        found = tuple(self._detection(each, image) for each in dice)
        return Observation(frame.sequence, self.name, found, doubts(image, readings, self._limits))

    def _read(self, pyramid: Pyramid, seen: list[Peak]) -> list[Reading]:
        if not seen:
            return []
        figures = self._reader(crops(pyramid, seen))
        readings = [_reading(*each) for each in zip(seen, figures, strict=True)]
        again = [each.peak for each in readings if self._limits.reads_again(each)]
        better = dict(zip(again, self._read_again(pyramid, again), strict=True))
        return [better.get(each.peak, each) for each in readings]

    def _read_again(self, pyramid: Pyramid, dice: list[Peak]) -> list[Reading]:
        if not dice:
            return []
        wider = np.stack([crops(pyramid, dice, margin) for margin in (1.25, 1.4, 1.6)])
        both = np.concatenate([wider, wider[:, :, :, ::-1]])
        figures = self._reader(np.ascontiguousarray(both.reshape(-1, *both.shape[2:])))
        figures = figures.reshape(len(both), len(dice), -1)
        figures[len(wider) :, :, _SINE] *= -1  # a mirrored face turns the other way
        return [_reading(*each) for each in zip(dice, figures.mean(axis=0), strict=True)]

    def _detection(self, reading: Reading, image: Image) -> Detection:
        readable = self._limits.is_readable(reading, image.shape)
        return Detection(
            label=str(reading.value) if readable else UNREADABLE,
            confidence=round(self._limits.confidence(reading), 4),
            box=_within(reading.peak.box, image),
            angle=round(reading.angle, 1),
            chances=tuple(round(each, 4) for each in reading.chances),
            leaning=round(reading.leaning, 4),
        )


def _limits(card: Mapping[str, Any]) -> Limits:
    try:
        weights = {name: card["calibration"][name] for name in ("bias", "finder", "reader")}
        return Limits(**weights, **card["thresholds"])
    except (KeyError, TypeError) as error:
        raise WeightsError(
            phrase("The card of the model “dice” is of another version; install Tablescore again.")
        ) from error


def _reading(peak: Peak, figures: Chances) -> Reading:
    angle = math.degrees(math.atan2(float(figures[_SINE]), float(figures[_COSINE]))) / 4
    chances = tuple(float(each) for each in figures[:_FACES])
    leaning = float(figures[_LEANING]) if len(figures) > _LEANING else 0.0
    return Reading(peak, chances, _turned(angle), leaning)


def _turned(angle: float) -> float:
    return (round(angle, 1) + _FULL_TURN / 2) % _FULL_TURN - _FULL_TURN / 2


def _within(box: Box, image: Image) -> Box:
    height, width = image.shape[:2]
    left, top, right, bottom = box
    return (
        round(max(0.0, left), 1),
        round(max(0.0, top), 1),
        round(min(float(width), right), 1),
        round(min(float(height), bottom), 1),
    )
