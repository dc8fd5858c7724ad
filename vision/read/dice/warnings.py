"""Why a die may be misread, and how a player is told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from scoreboard.message import Message, message
from vision.capture.frame import Image
from vision.read.dice.face_reader import Reading
from vision.read.dice.peaks import Peak
from vision.read.dice.thresholds import DiceThresholds
from vision.read.glare import is_glaring

_DARK: Final = 40.0
_BLURRED: Final = 0.3
_SMALL: Final = 18.0
_GLARE_SHARES: Final = (0.04, 0.7)  # of the die: less is a highlight, more is a white die


def warnings_of(
    image: Image, readings: Sequence[Reading], limits: DiceThresholds
) -> tuple[Message, ...]:
    """Say what a person should look at, each sentence once; nothing when all is clear."""
    doubtful = (each for each in readings if limits.is_doubtful(each, image.shape))
    return tuple(dict.fromkeys(_doubt(image, each, limits) for each in doubtful))


def _doubt(image: Image, reading: Reading, limits: DiceThresholds) -> Message:
    if not limits.is_die(reading):
        return message("Something here may be a die, or may not.")
    if limits.is_small(reading, image.shape):
        return message("A die is too small to be read: bring the camera nearer.")
    if limits.is_leaning(reading):
        return message("A die leans: throw it again (YZ-5).")
    return _circumstance(image, reading.peak) or _ambiguity(reading, limits)


def _ambiguity(reading: Reading, limits: DiceThresholds) -> Message:
    if limits.confidence(reading) < limits.readable:
        return message("A die's top face cannot be read.")
    return message(
        "A die may show {first} or {second}.", first=reading.value, second=reading.second
    )


def _circumstance(image: Image, peak: Peak) -> Message | None:
    """Find what in the picture makes a reading unsure."""
    if _is_at_edge(peak, image):
        return message("A die lies at the picture's edge.")
    grey = _grey(peak, image)
    if float(grey.mean()) < _DARK:
        return message("It is too dark to read a die surely.")
    if min(peak.width, peak.height) < _SMALL:
        return message("A die is nearly too small to be read: bring the camera nearer.")
    if is_glaring(grey, _GLARE_SHARES):
        return message("Light glares on a die: move the lamp or the camera.")
    return message("A die is blurred.") if _is_blurred(grey) else None


def _is_at_edge(peak: Peak, image: Image) -> bool:
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
