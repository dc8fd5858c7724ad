"""The dice reader: finds every pipped die in a picture and reads its top face."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from scoreboard.message import message
from vision.capture.frame import Frame
from vision.capture.image_pyramid import Pyramid
from vision.errors import WeightsError
from vision.read.dice.detection import detect, detect_wide
from vision.read.dice.face_reader import Reading, read, read_closely
from vision.read.dice.peaks import Peak
from vision.read.dice.thresholds import DiceThresholds
from vision.read.dice.warnings import warnings_of
from vision.read.networks import Model, Network, load_model
from vision.read.observation import UNREADABLE, Box, Detection, Observation

NAME: Final = "dice"
FINDER: Final = "finder.onnx"
READER: Final = "reader.onnx"
_CALIBRATION: Final = ("bias", "finder", "reader", "face", "size", "offset", "slope")


class DiceRecogniser:
    """Reads six-sided dice with pips; keeps the promise of `vision.read.recogniser.Recogniser`.

    Two networks: a finder on the picture made small, and a reader on a crop of each found
    die from the full picture. A die whose reading is doubtful is read again from crops of
    three widths, some mirrored, and the mean counts.

    Raises:
        WeightsError: its model cannot be loaded.
    """

    name = NAME

    def __init__(self, model: Model | None = None) -> None:
        model = model or load_model(NAME)
        self._finder: Network = model.networks[FINDER]
        self._reader: Network = model.networks[READER]
        self._limits = limits_of(model.card)

    def __call__(self, frame: Frame) -> Observation:
        """Read one frame."""
        image = frame.image
        pyramid = Pyramid(image)
        readings = self._readings(pyramid, detect(*self._look_at(pyramid)))
        if not any(map(self._limits.is_die, readings)):
            readings += self._readings(pyramid, detect_wide(*self._look_at(pyramid)))
        dice = [each for each in readings if self._limits.is_die(each)]
        dice.sort(key=lambda each: (each.peak.x, each.peak.y))
        found = tuple(detection(each, image.shape, self._limits) for each in dice)
        return Observation(
            frame.sequence, self.name, found, warnings_of(image, readings, self._limits)
        )

    def _look_at(self, pyramid: Pyramid) -> tuple[Network, Pyramid, float]:
        return self._finder, pyramid, self._limits.candidate

    def _readings(self, pyramid: Pyramid, seen: list[Peak]) -> list[Reading]:
        readings = read(self._reader, pyramid, seen)
        again = [each.peak for each in readings if self._limits.reads_again(each)]
        closer = read_closely(self._reader, pyramid, again)
        better = dict(zip(again, closer, strict=True))
        return [better.get(each.peak, each) for each in readings]


def detection(reading: Reading, shape: tuple[int, ...], limits: DiceThresholds) -> Detection:
    """What is said of a die that was found in a picture of that height and width."""
    readable = limits.is_readable(reading, shape)
    return Detection(
        label=str(reading.value) if readable else UNREADABLE,
        confidence=round(limits.confidence(reading), 4),
        box=_within(reading.peak.box, shape),
        angle=round(reading.angle, 1),
        chances=tuple(round(each, 4) for each in reading.chances),
        leaning=round(reading.leaning, 4),
    )


def limits_of(card: Mapping[str, Any]) -> DiceThresholds:
    """What a card states.

    Raises:
        WeightsError: it is of another version.
    """
    try:
        weights = {name: card["calibration"][name] for name in _CALIBRATION}
        return DiceThresholds(**weights, **card["thresholds"])
    except (KeyError, TypeError) as error:
        raise WeightsError(
            message("The card of the model “dice” is of another version; install Tablescore again.")
        ) from error


def _within(box: Box, shape: tuple[int, ...]) -> Box:
    height, width = shape[:2]
    left, top, right, bottom = box
    return (
        round(max(0.0, left), 1),
        round(max(0.0, top), 1),
        round(min(float(width), right), 1),
        round(min(float(height), bottom), 1),
    )
