"""A USB camera, through OpenCV."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final, Self

import cv2
from cv2.utils import logging

from hardware.camera import CameraParts, Capture
from hardware.errors import CameraError
from scoreboard.message import message

WIDTH, HEIGHT = 1280, 720
_MOST_BUFFERED: Final = 8  # drivers buffer four frames or fewer; a stuck one must not loop for ever
_WAITED_SECONDS: Final = 0.004  # a buffered frame comes at once, a new one only when exposed
_OLDEST_SECONDS: Final = 60.0  # an age above this means that the driver uses another clock
MJPG: Final = cv2.VideoWriter.fourcc(*"MJPG")  # uncompressed, USB 2 carries 5 to 10 frames a second


def open_video(number: int) -> cv2.VideoCapture:
    """Open the system's video device with this number."""
    level = logging.getLogLevel()
    logging.setLogLevel(logging.LOG_LEVEL_ERROR)  # CameraError reports a missing device
    try:
        return cv2.VideoCapture(number)
    finally:
        logging.setLogLevel(level)


class WebCamera:
    """The video device `number`, as the system counts them from 0.

    `opener` returns a cv2.VideoCapture.
    """

    simulated = False

    def __init__(
        self,
        number: int,
        parts: CameraParts,
        *,
        opener: Callable[[int], Any] = open_video,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._number = number
        self.name = f"webcam:{number}"
        self._parts = parts
        self._opener = opener
        self._monotonic = monotonic
        self._video: Any = None

    def __enter__(self) -> Self:
        video = self._opener(self._number)
        if not video.isOpened():
            video.release()
            raise CameraError(
                message(
                    "No camera answers as {name}; plug it in, or try another number.",
                    name=self.name,
                )
            )
        video.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        video.set(cv2.CAP_PROP_FOURCC, MJPG)  # before the size, which depends on it
        video.set(cv2.CAP_PROP_FRAME_WIDTH, WIDTH)
        video.set(cv2.CAP_PROP_FRAME_HEIGHT, HEIGHT)
        self._video = video
        return self

    def __exit__(self, *_: object) -> None:
        if self._video is not None:
            self._video.release()
            self._video = None

    def capture(self) -> Capture:
        """A picture exposed after the call; buffered frames are dropped.

        Raises:
            CameraError: the camera was unplugged, or was not entered.
        """
        if self._video is None:
            raise CameraError(message("The camera {name} is not open.", name=self.name))
        self._grab_new()
        good, image = self._video.retrieve()
        if not good or image is None:
            raise self._gone()
        return Capture(image, self._parts.clock())

    def _grab_new(self) -> None:
        """Grab up to the first frame whose exposure began after the call.

        Drivers of USB cameras report when it began, on the clock that counts from the system's
        start. If a driver doesn't, a frame that took a wait was being exposed at the call, and the
        next one is new.
        """
        called = self._monotonic()
        for _ in range(_MOST_BUFFERED):
            before = self._monotonic()
            self._grab()
            now = self._monotonic()
            exposed = self._video.get(cv2.CAP_PROP_POS_MSEC) / 1000
            if 0 <= now - exposed < _OLDEST_SECONDS:
                if exposed >= called:
                    return
            elif now - before >= _WAITED_SECONDS:
                break
        self._grab()

    def _grab(self) -> None:
        if not self._video.grab():
            raise self._gone()

    def _gone(self) -> CameraError:
        return CameraError(
            message(
                "The camera {name} gives no picture any more; plug it in again.", name=self.name
            )
        )


def web_camera(argument: str, parts: CameraParts) -> WebCamera:
    """The camera of `--camera webcam:N`.

    Raises:
        CameraError: N is not a number.
    """
    if not (argument.isascii() and argument.isdigit()):
        raise CameraError(message("Name the camera by its number, as in webcam:0."))
    return WebCamera(int(argument), parts)
