"""Video files, frame by frame."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Final, Self

import cv2
import numpy as np
from cv2.utils import logging

from vision.capture.frame import Frame
from vision.errors import ClipError

_DEFAULT_FRAMES_PER_SECOND: Final = 25.0
_MOST_FRAMES_PER_SECOND: Final = 1000.0
_FFMPEG_LOG_LEVEL: Final = "OPENCV_FFMPEG_LOGLEVEL"
_WHOLE_SHARE: Final = 0.8  # of the frames that a file states; some only estimate them
_START: Final = datetime(2000, 1, 1, tzinfo=UTC)  # arbitrary: a file states no time of day


class Clip:
    """A video file; use it as a context manager, once.

    `frames_per_second` is the file's own, or 25 where it states none; `length` is the number of
    frames it states, or 0.

    Raises ClipError: there is no such file, or no video in it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        fault = _fault_of(path)
        if fault:
            raise ClipError(fault)
        with _quiet():
            self._video = cv2.VideoCapture(str(path))
        if not self._video.isOpened():
            raise ClipError(f"{path} is no video that can be played; record or convert it again.")
        stated = self._video.get(cv2.CAP_PROP_FPS)
        is_good = math.isfinite(stated) and 0 < stated <= _MOST_FRAMES_PER_SECOND
        self.frames_per_second = stated if is_good else _DEFAULT_FRAMES_PER_SECOND
        self.length = max(0, int(self._video.get(cv2.CAP_PROP_FRAME_COUNT)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._video.release()

    def frames(self) -> Iterator[Frame]:
        """The frames from 0, timed by the rate. Raises ClipError: under two, or it breaks off."""
        for number in count():
            good, image = self._video.read()
            if not good or image is None:
                break
            at = _START + timedelta(seconds=number / self.frames_per_second)
            yield Frame(number, at, np.asarray(image, np.uint8))
        if number == 0:
            raise ClipError(f"{self._path} holds no frame that can be read; record it again.")
        if number == 1:
            raise ClipError(f"{self._path} is a single picture; “tablescore read” reads those.")
        if number < _WHOLE_SHARE * self.length:
            raise ClipError(
                f"{self._path} breaks off after {number} of {self.length} frames; "
                "record or copy it again."
            )


def _fault_of(path: Path) -> str | None:
    """Why the file cannot be opened, or None; OpenCV would take its name for an address."""
    if path.is_dir():
        return f"{path} is a folder; folder:{path} watches the pictures in it."
    if not path.exists():
        return f"{path} is not there; name a video file, or a camera as in webcam:0."
    if not path.is_file():
        return f"{path} is no file; name a video file, or a camera as in webcam:0."
    if not path.stat().st_size:
        return f"{path} is empty; record it again, or name another file."
    return None


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep OpenCV and its FFmpeg from writing to stderr: ClipError reports what is wrong.

    FFmpeg takes its log level from the environment at its first use, and keeps it.
    """
    level, ffmpeg_level = logging.getLogLevel(), os.environ.get(_FFMPEG_LOG_LEVEL)
    logging.setLogLevel(logging.LOG_LEVEL_SILENT)
    os.environ[_FFMPEG_LOG_LEVEL] = ffmpeg_level or "-8"
    try:
        yield
    finally:
        logging.setLogLevel(level)
        if ffmpeg_level is None:
            del os.environ[_FFMPEG_LOG_LEVEL]
