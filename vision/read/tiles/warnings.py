"""Why a tile may be misread, and how a player is told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from scoreboard.message import Message, message
from vision.capture.frame import Image
from vision.read.glare import is_glaring
from vision.read.tiles.crops import upright
from vision.read.tiles.face_reader import TileReading
from vision.read.tiles.thresholds import TileThresholds

_DARK: Final = 40.0
_BLURRED: Final = 0.3
_SMALL: Final = 20.0
_GLARE_SHARES: Final = (0.05, 0.7)  # of the tile: less is a highlight, more is a white tile


def warnings_of(
    image: Image, readings: Sequence[TileReading], limits: TileThresholds
) -> tuple[Message, ...]:
    """Say what a person should look at, each sentence once; nothing when all is clear."""
    doubtful = (each for each in readings if limits.is_doubtful(each, image.shape))
    return tuple(dict.fromkeys(_doubt(image, each, limits) for each in doubtful))


def _doubt(image: Image, reading: TileReading, limits: TileThresholds) -> Message:
    if not limits.is_tile(reading):
        return message("Something here may be a tile, or may not.")
    if limits.is_small(reading, image.shape):
        return message("A tile is too small to be read: bring the camera nearer.")
    return _circumstance(image, reading) or _ambiguity(reading, limits)


def _ambiguity(reading: TileReading, limits: TileThresholds) -> Message:
    if limits.confidence(reading) < limits.readable:
        return message("A tile cannot be read.")
    (first, _), (second, _) = reading.pieces[:2]
    return message("A tile may be {first} or {second}.", first=str(first), second=str(second))


def _circumstance(image: Image, reading: TileReading) -> Message | None:
    """Find what in the picture makes a reading unsure."""
    if _is_at_edge(image, reading):
        return message("A tile lies at the picture's edge.")
    grey = _grey(image, reading)
    if float(grey.mean()) < _DARK:
        return message("It is too dark to read a tile surely.")
    if reading.spot.width < _SMALL:
        return message("A tile is nearly too small to be read: bring the camera nearer.")
    if is_glaring(grey, _GLARE_SHARES):
        return message("Light glares on a tile: move the lamp or the camera.")
    return message("A tile is blurred.") if _is_blurred(grey) else None


def _is_at_edge(image: Image, reading: TileReading) -> bool:
    height, width = image.shape[:2]
    left, top = reading.spot.quad.min(axis=0)
    right, bottom = reading.spot.quad.max(axis=0)
    beyond = max(float(each) for each in (-left, -top, right - width, bottom - height))
    return beyond > 0.04 * reading.spot.width


def _grey(image: Image, reading: TileReading) -> Image:
    part = upright(image, reading.spot.quad, 1.0)
    return np.asarray(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), np.uint8)


def _is_blurred(grey: Image) -> bool:
    """Whether neighbouring pixels differ little compared with the whole tile's contrast."""
    contrast = float(grey.std())
    detail = float(np.abs(cv2.Laplacian(grey, cv2.CV_32F)).mean())
    return detail < _BLURRED * contrast
