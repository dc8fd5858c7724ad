"""What was read, drawn on a copy of the photograph."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import count
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.capture.frame import Image
from vision.capture.photo import encode_jpeg
from vision.quality.rectify import TrayCorners
from vision.read.observation import UNREADABLE, Box, Detection, Observation

SURE_CONFIDENCE: Final = 0.9
_SURE: Final = (80, 220, 60)
_DOUBTFUL: Final = (0, 140, 255)
_INK: Final = (0, 0, 0)
_PAPER: Final = (255, 255, 255)
_FONT: Final = cv2.FONT_HERSHEY_SIMPLEX
_FONT_HEIGHT: Final = 22  # pixels of a capital in this font at scale 1
_DASHES: Final = 5  # a side


def draw_observation(image: Image, observation: Observation) -> Image:
    """Draw every detection on a copy of the picture: its outline, its value, its confidence.

    A doubtful piece (unreadable, below SURE_CONFIDENCE, or told by the rules alone) has a
    dashed outline and a question mark, so that it differs without colour too; the reading
    stands at the lower left.
    Lines and letters grow with the picture.
    """
    drawn = image.copy()
    for detection in observation.detections:
        _draw_detection(drawn, detection)
    text = _reading(observation)
    size = max(12, min(image.shape[:2]) // 24)
    _write(drawn, text + (" ?" if observation.needs_review else ""), (0, image.shape[0]), size)
    return drawn


def _reading(observation: Observation) -> str:
    """A roll's dice, or the number of other pieces: a table of tiles would fill the picture."""
    if any(seen.quad for seen in observation.detections):
        return f"{len(observation.detections)} pieces"
    return str(observation.roll) or "nothing"


def draw_tray(image: Image, corners: TrayCorners) -> Image:
    """Draw the tray's outline on a copy of the picture, its corners numbered clockwise."""
    drawn = image.copy()
    size = np.array([image.shape[1] - 1, image.shape[0] - 1])
    points = (np.array(corners.around) * size).round().astype(np.int32)
    width = max(2, min(image.shape[:2]) // 160)
    cv2.polylines(drawn, [points], isClosed=True, color=_INK, thickness=2 * width)
    cv2.polylines(drawn, [points], isClosed=True, color=_DOUBTFUL, thickness=width)
    letters = max(12, min(image.shape[:2]) // 20)
    for number, (x, y) in enumerate(points, start=1):
        _write(drawn, str(number), (int(x), int(y)), letters)
    return drawn


def drawing_path(folder: Path, photo: Path, taken: Collection[Path]) -> Path:
    """Where in `folder` the drawing of `photo` goes: `<name>-read.jpg`, or `-2`, `-3` if taken."""
    names = (f"{photo.stem}-read{suffix}.jpg" for suffix in _suffixes())
    return next(folder / name for name in names if folder / name not in taken)


def _suffixes() -> Iterator[str]:
    yield ""
    yield from (f"-{number}" for number in count(2))


def write_drawing(path: Path, drawn: Image) -> None:
    """Write a drawing as JPEG, under any name that the file system takes.

    Raises:
        OSError: the folder cannot be written.
    """
    path.write_bytes(encode_jpeg(drawn, 90))


def _draw_detection(drawn: Image, detection: Detection) -> None:
    unsure = detection.label == UNREADABLE or detection.confidence < SURE_CONFIDENCE
    doubtful = unsure or detection.inferred
    left, top, right, bottom = _within(drawn, detection.box)
    width = max(1, min(drawn.shape[:2]) // 240)
    colour = _DOUBTFUL if doubtful else _SURE
    # A turned piece's own corners
    corners = tuple((round(x), round(y)) for x, y in detection.quad) or (
        (left, top),
        (right, top),
        (right, bottom),
        (left, bottom),
    )
    for start, end in zip(corners, corners[1:] + corners[:1], strict=True):
        _draw_side(drawn, (start, end), colour, width, dashed=doubtful)
    place = (left, bottom) if detection.quad else (left, top)
    _write(drawn, _caption(detection, doubtful=doubtful), place, _letters(drawn, detection))


def _caption(detection: Detection, *, doubtful: bool) -> str:
    sign = "?" if doubtful and detection.label != UNREADABLE else ""
    if detection.quad and not doubtful:
        return detection.label  # many pieces lie close together
    return f"{detection.label}{sign} {detection.confidence:.0%}"


def _letters(drawn: Image, detection: Detection) -> int:
    """The height of a die's letters: a fifth of the die, readable on the whole picture."""
    die, picture = int(detection.box[3] - detection.box[1]), int(min(drawn.shape[:2]))
    return max(10, picture // 48, min(die // 5, picture // 28))


def _within(drawn: Image, box: Box) -> tuple[int, int, int, int]:
    height, width = drawn.shape[:2]
    limits = (width - 1, height - 1, width - 1, height - 1)
    left, top, right, bottom = (
        max(0, min(limit, round(edge))) for edge, limit in zip(box, limits, strict=True)
    )
    return left, top, right, bottom


def _draw_side(
    drawn: Image,
    side: tuple[tuple[int, int], tuple[int, int]],
    colour: tuple[int, int, int],
    width: int,
    *,
    dashed: bool,
) -> None:
    """Draw one side with a dark rim, which shows the line on any background."""
    start, end = np.array(side[0]), np.array(side[1])
    pieces = 2 * _DASHES - 1 if dashed else 1
    for piece in range(0, pieces, 2):
        first = _whole(start + (end - start) * piece / pieces)
        last = _whole(start + (end - start) * (piece + 1) / pieces)
        cv2.line(drawn, first, last, _INK, width + 2)
        cv2.line(drawn, first, last, colour, width)


def _whole(point: np.ndarray[tuple[int], np.dtype[np.float64]]) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))


def _write(drawn: Image, text: str, corner: tuple[int, int], height: int) -> None:
    """Write dark on light, with its lower left corner at `corner`, moved to lie inside."""
    scale, width = height / _FONT_HEIGHT, max(1, height // 10)
    (length, _), below = cv2.getTextSize(text, _FONT, scale, width)
    edge = max(2, height // 5)
    left = max(0, min(corner[0], drawn.shape[1] - length - 2 * edge))
    bottom = max(height + below + 2 * edge, corner[1])
    upper = (left, bottom - height - below - edge)
    cv2.rectangle(drawn, upper, (left + length + 2 * edge, bottom), _PAPER, cv2.FILLED)
    cv2.putText(drawn, text, (left + edge, bottom - below), _FONT, scale, _INK, width, cv2.LINE_AA)
