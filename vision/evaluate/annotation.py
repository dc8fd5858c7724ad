"""Readings drawn on a copy of the photograph."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain, count
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.capture.photo import encode_jpeg
from vision.quality.tray import Outline
from vision.read.detection import Points
from vision.read.observation import UNREADABLE, Detection, Observation

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

    A doubtful piece (unreadable, below SURE_CONFIDENCE, or inferred by the rules alone) has a
    dashed outline and a question mark, so that it differs without colour too; the reading is at the
    lower left: a roll's dice, or the number of other pieces. Lines and letters scale with the
    picture.
    """
    drawn = image.copy()
    for detection in observation.detections:
        _draw_detection(drawn, detection)
    are_turned = any(seen.quad for seen in observation.detections)
    pieces = f"{len(observation.detections)} pieces"
    text = pieces if are_turned else str(observation.roll) or "nothing"
    size = max(12, min(image.shape[:2]) // 24)
    _write(drawn, text + (" ?" if observation.needs_review else ""), (0, image.shape[0]), size)
    return drawn


def draw_outline(image: Image, outline: Outline) -> Image:
    """Draw the tray or the play area on a copy of the picture, its corners numbered clockwise."""
    drawn = image.copy()
    size = np.array([image.shape[1] - 1, image.shape[0] - 1])
    points = _draw_around(drawn, np.array(outline.around) * size)
    letters = max(12, min(image.shape[:2]) // 20)
    for number, (x, y) in enumerate(points, start=1):
        _write(drawn, str(number), (int(x), int(y)), letters)
    return drawn


def draw_outlines(image: Image, outlines: Sequence[Points]) -> Image:
    """Number the outlines (4 x 2 each) in their order on a copy of the picture."""
    drawn = image.copy()
    for number, outline in enumerate(outlines, start=1):
        points = _draw_around(drawn, outline)
        left, bottom = int(points[:, 0].min()), int(points[:, 1].max())
        _write(drawn, str(number), (left, bottom), max(12, min(image.shape[:2]) // 28))
    return drawn


def _draw_around(drawn: Image, corners: NDArray[Any]) -> NDArray[np.int32]:
    points = np.asarray(np.rint(corners), np.int32)
    width = max(2, min(drawn.shape[:2]) // 160)
    for colour, thickness in ((_INK, 2 * width), (_DOUBTFUL, width)):
        cv2.polylines(drawn, [points], isClosed=True, color=colour, thickness=thickness)
    return points


def drawing_path(folder: Path, photo: Path, taken: Collection[Path]) -> Path:
    """A free path in `folder` for the drawing of `photo`: `<name>-read.jpg`, or with `-2`, `-3`."""
    suffixes = chain([""], (f"-{number}" for number in count(2)))
    paths = (folder / f"{photo.stem}-read{suffix}.jpg" for suffix in suffixes)
    return next(path for path in paths if path not in taken)


def write_drawing(path: Path, drawn: Image) -> None:
    """Write a drawing as JPEG, under any name that the file system takes. Raises OSError."""
    path.write_bytes(encode_jpeg(drawn, 90))


def _draw_detection(drawn: Image, detection: Detection) -> None:
    unsure = detection.label == UNREADABLE or detection.confidence < SURE_CONFIDENCE
    doubtful = unsure or detection.inferred
    height, width = (int(side) for side in drawn.shape[:2])
    edges = np.rint(detection.box).astype(int)
    left, top, right, bottom = edges.clip(0, (width - 1, height - 1) * 2).tolist()
    box = ((left, top), (right, top), (right, bottom), (left, bottom))
    # A turned piece's own corners, or the box's
    corners = np.array([(round(x), round(y)) for x, y in detection.quad] or box)
    picture = min(height, width)
    colour, line = _DOUBTFUL if doubtful else _SURE, max(1, picture // 240)
    dashes = 2 * _DASHES - 1 if doubtful else 1
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        for dash in range(0, dashes, 2):
            ends = (start + (end - start) * at / dashes for at in (dash, dash + 1))
            first, last = ((round(float(x)), round(float(y))) for x, y in ends)
            cv2.line(drawn, first, last, _INK, line + 2)  # shows it on any background
            cv2.line(drawn, first, last, colour, line)
    caption = detection.label + ("?" if doubtful and detection.label != UNREADABLE else "")
    if doubtful or not detection.quad:  # turned pieces are close together: their letters are few
        caption += f" {detection.confidence:.0%}"
    # A fifth of the die, readable on the whole picture
    die = int(detection.box[3] - detection.box[1])
    letters = max(10, picture // 48, min(die // 5, picture // 28))
    _write(drawn, caption, (left, bottom) if detection.quad else (left, top), letters)


def _write(drawn: Image, text: str, corner: tuple[int, int], height: int) -> None:
    """Write dark on light, with its lower left corner at `corner`, shifted to fit inside."""
    scale, width = height / _FONT_HEIGHT, max(1, height // 10)
    (length, _), below = cv2.getTextSize(text, _FONT, scale, width)
    edge = max(2, height // 5)
    left = max(0, min(corner[0], drawn.shape[1] - length - 2 * edge))
    bottom = max(height + below + 2 * edge, corner[1])
    upper = (left, bottom - height - below - edge)
    cv2.rectangle(drawn, upper, (left + length + 2 * edge, bottom), _PAPER, cv2.FILLED)
    cv2.putText(drawn, text, (left + edge, bottom - below), _FONT, scale, _INK, width, cv2.LINE_AA)
