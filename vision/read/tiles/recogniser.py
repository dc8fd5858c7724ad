"""The tile reader: finds every Rummikub tile in a picture, whichever way it lies, and reads it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from scoreboard.games.rummikub.tiles import CLASSIC
from scoreboard.games.rummikub.tiles import Box as Stock
from scoreboard.message import message
from vision.capture.frame import Frame
from vision.capture.image_pyramid import Pyramid
from vision.errors import WeightsError
from vision.read.networks import Model, Network, load_model
from vision.read.observation import UNREADABLE, Box, Detection, Observation
from vision.read.tiles.colour_comparison import compared
from vision.read.tiles.detection import detect
from vision.read.tiles.face_reader import TileReading, read, read_closely
from vision.read.tiles.resolve_ambiguous import Resolved
from vision.read.tiles.rule_inference import inferred
from vision.read.tiles.second_look import reconsidered
from vision.read.tiles.spots import Points
from vision.read.tiles.thresholds import TileThresholds
from vision.read.tiles.warnings import warnings_of

NAME: Final = "tiles"
FINDER: Final = "finder.onnx"
READER: Final = "reader.onnx"
_CALIBRATION: Final = ("bias", "finder", "reader", "face", "size", "offset", "slope")
_LIKELIEST: Final = 5


class TilesRecogniser:
    """Reads Rummikub's tiles; keeps the promise of `vision.read.recogniser.Recogniser`.

    Two networks: a finder of turned rectangles on the picture made small, and a reader on an
    upright crop of each from the full picture. The finder looks at a doubtful one once more by
    itself; if it is doubtful still, it is read again from crops of three
    widths, and the mean counts; colours are weighed against those of the other tiles. Tiles come
    in reading order, with the sets that they lie in; what the eye leaves open the rules may
    settle, by what a box with `copies` holds.

    Raises:
        WeightsError: its model cannot be loaded.
    """

    name = NAME

    def __init__(self, model: Model | None = None, copies: Stock = CLASSIC) -> None:
        model = model or load_model(NAME)
        self._finder: Network = model.networks[FINDER]
        self._reader: Network = model.networks[READER]
        self._limits = limits_of(model.card)
        self._copies = copies

    def __call__(self, frame: Frame) -> Observation:
        """Read one frame."""
        image, limits = frame.image, self._limits
        readings = self._readings(Pyramid(image))
        table = inferred([each for each in readings if limits.is_tile(each)], limits, self._copies)
        told = zip(table.readings, table.settled, strict=True)
        found = tuple(_settled(detection(each, image.shape, limits), rule) for each, rule in told)
        asked = dict.fromkeys((*table.doubts, *warnings_of(image, readings, limits)))
        return Observation(frame.sequence, self.name, found, tuple(asked), table.sets)

    def _readings(self, pyramid: Pyramid) -> list[TileReading]:
        places = detect(self._finder, pyramid, self._limits.candidate)
        once = read(self._reader, pyramid, places)
        readings = reconsidered(self._finder, self._reader, pyramid, once)
        again = [each for each in readings if self._limits.reads_again(each)]
        closer = read_closely(self._reader, pyramid, again)
        better = dict(zip([each.spot for each in again], closer, strict=True))
        return compared([better.get(each.spot, each) for each in readings])


def detection(reading: TileReading, shape: tuple[int, ...], limits: TileThresholds) -> Detection:
    """What is said of a tile that was found in a picture of that height and width."""
    spot = reading.spot
    readable = limits.is_readable(reading, shape)
    return Detection(
        label=str(reading.piece) if readable else UNREADABLE,
        confidence=round(limits.confidence(reading), 4),
        box=_within(spot.quad, shape),
        angle=round(spot.angle, 1) % 360,
        quad=tuple((round(float(x), 1), round(float(y), 1)) for x, y in spot.quad),
        readings=tuple(
            (str(piece), round(chance, 4)) for piece, chance in reading.pieces[:_LIKELIEST]
        ),
    )


def _settled(seen: Detection, rule: Resolved) -> Detection:
    """The detection as the rules have it, where they settled it."""
    if not rule.inferred:
        return seen
    told = replace(seen, label=str(rule.piece), confidence=round(rule.confidence, 4))
    return replace(told, inferred=True)


def limits_of(card: Mapping[str, Any]) -> TileThresholds:
    """What a card states.

    Raises:
        WeightsError: it is of another version.
    """
    try:
        weights = {name: card["calibration"][name] for name in _CALIBRATION}
        return TileThresholds(**weights, **card["thresholds"])
    except (KeyError, TypeError) as error:
        raise WeightsError(
            message(
                "The card of the model “tiles” is of another version; install Tablescore again."
            )
        ) from error


def _within(quad: Points, shape: tuple[int, ...]) -> Box:
    height, width = shape[:2]
    (left, top), (right, bottom) = quad.min(axis=0), quad.max(axis=0)
    return (
        round(max(0.0, float(left)), 1),
        round(max(0.0, float(top)), 1),
        round(min(float(width), float(right)), 1),
        round(min(float(height), float(bottom)), 1),
    )
