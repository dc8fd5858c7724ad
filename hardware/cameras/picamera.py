"""The Raspberry Pi's own camera, through picamera2."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from typing import Any, Final, Self

import numpy as np

from hardware.camera import CameraParts, Capture
from hardware.errors import CameraError
from scoreboard.message import message

SIZE: Final = (1640, 1232)
BUFFERS: Final = 4  # with fewer than 2 the camera drops frames
BLUE_GREEN_RED: Final = "RGB888"  # libcamera counts from the other end: BGR in memory
LONGEST_EXPOSURE: Final = (33_333, 100_000)  # microseconds a frame: 30 a second, 10 in a dim room
# libcamera's own numbers. By default the lens stays at one metre; its macro range ends at a third
# of a metre, and a camera over a table is between the two.
AUTOFOCUS: Final = {"AfMode": 2, "AfRange": 2}  # continuous, over the full range
_WAIT_SECONDS: Final = 2.0

NO_ANSWER: Final = message(
    "The Pi's camera does not answer; check its ribbon cable, "
    "and that no other program uses it (rpicam-hello shows it)."
)
NO_PICTURE: Final = message("The Pi's camera gives no picture; check its cable.")
USB_ONLY: Final = message(
    "There is no camera on the Pi's ribbon connectors, only a USB camera: name it webcam:0."
)


def load_picamera2() -> Any:
    """Import picamera2, a system package of Raspberry Pi OS."""
    return importlib.import_module("picamera2")


class PiCamera:
    """The first camera on the Pi's ribbon connectors, its video stream kept running.

    `load` returns the module picamera2; only its documented signatures are used.
    """

    name = "picamera"
    simulated = False

    def __init__(self, parts: CameraParts, *, load: Callable[[], Any] = load_picamera2) -> None:
        self._parts = parts
        self._load = load
        self._device: Any = None

    def __enter__(self) -> Self:
        picamera2 = self._module().Picamera2
        cameras = picamera2.global_camera_info()
        if not cameras:  # constructing one anyway would leak two file descriptors per try
            raise CameraError(NO_ANSWER)
        if "/usb" in cameras[0]["Id"]:  # USB cameras come last: there is no other
            raise CameraError(USB_ONLY)
        try:
            self._device = _constructed(picamera2)
            controls: dict[str, Any] = {"FrameDurationLimits": LONGEST_EXPOSURE}
            if "AfMode" in self._device.camera_controls:
                controls |= AUTOFOCUS
            main = {"size": SIZE, "format": BLUE_GREEN_RED}
            video = self._device.create_video_configuration(
                main=main, buffer_count=BUFFERS, controls=controls
            )
            self._device.configure(video)
            self._device.start()
        except RuntimeError as error:  # a camera in use
            self._close()
            raise CameraError(NO_ANSWER) from error
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def capture(self) -> Capture:
        """A picture whose exposure began after the call.

        Raises:
            CameraError: no picture arrives, or the camera was not entered.
        """
        if self._device is None:
            raise CameraError(message("The Pi's camera is not open."))
        try:
            # Without flush this returns the newest finished request, exposed before the call.
            request = self._device.capture_request(wait=_WAIT_SECONDS, flush=True)
        except TimeoutError as error:
            self._device.cancel_all_and_flush()  # otherwise the job waits for a frame for ever
            raise CameraError(NO_PICTURE) from error
        except RuntimeError as error:
            raise CameraError(NO_PICTURE) from error
        try:
            image = request.make_array("main")
        except RuntimeError as error:
            raise CameraError(NO_PICTURE) from error
        finally:
            request.release()  # otherwise its buffer never returns to the camera
        return Capture(np.ascontiguousarray(image[..., :3]), self._parts.clock())

    def _module(self) -> Any:
        try:
            return self._load()
        except (ImportError, ValueError) as error:  # ValueError: built against another numpy
            raise CameraError(
                message(
                    "picamera2 cannot be loaded ({reason}); on 64-bit Raspberry Pi OS (Debian 13) "
                    "run: sudo apt install python3-picamera2, and remove .venv to make it anew.",
                    reason=str(error),
                )
            ) from error

    def _close(self) -> None:
        if self._device is not None:
            self._device.close()  # stops the stream, too
            self._device = None


def _constructed(picamera2: Any) -> Any:
    """A Picamera2. If its constructor fails, close the pipe that it leaves open, and raise."""
    device = picamera2.__new__(picamera2)
    try:
        device.__init__()
    except RuntimeError:
        device.notifymeread.close()
        os.close(device.notifyme_w)
        raise
    return device


def pi_camera(argument: str, parts: CameraParts) -> PiCamera:
    """The camera of `--camera picamera`.

    Raises:
        CameraError: an argument is given.
    """
    if argument:
        raise CameraError(
            message("The camera is named picamera, without {argument}.", argument=argument)
        )
    return PiCamera(parts)
