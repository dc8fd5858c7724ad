"""The interface of every camera."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from types import TracebackType
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Capture:
    """One picture and its time.

    `image` is H x W x 3 uint8, blue-green-red, upright; `captured_at` is aware UTC.
    `single` marks a photo by itself, which is read at once, without waiting for stillness.
    `known` marks one that was there before the start; it is offered only if a person asks.
    """

    image: NDArray[np.uint8]
    captured_at: datetime
    single: bool = False
    known: bool = False


@dataclass(frozen=True, slots=True)
class CameraParts:
    """What cameras need from outside.

    `decode` turns a file's bytes into an upright picture and raises ValueError for anything
    but a complete picture; `clock` gives the time as aware UTC.
    """

    decode: Callable[[bytes], NDArray[np.uint8]]
    clock: Callable[[], datetime]


class Camera(Protocol):
    """A source of pictures, used as a context manager by one thread.

    For example::

        with open_camera("webcam:0", parts) as camera:
            capture = camera.capture()

    Entering opens the device and raises CameraError if that fails; leaving frees it.
    A camera that failed may be left and entered again.
    """

    @property
    def name(self) -> str:
        """The declared name, as in CAMERAS, with its argument: `webcam:0`."""

    @property
    def simulated(self) -> bool:
        """Whether the pictures show no real table (the demo evening)."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
        /,
    ) -> None: ...

    def capture(self) -> Capture | None:
        """The next picture, exposed after the call; None if there is none yet.

        Waits at most about a second, so that the caller can stop.

        Raises:
            CameraError: the camera is gone; its message names the cure.
        """
