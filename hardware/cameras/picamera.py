"""The Raspberry Pi's own camera, through picamera2."""

from __future__ import annotations

import importlib
import math
import os
from collections.abc import Mapping
from typing import Any, Final, Self

from hardware.camera import AdjustableCamera, CameraParts, Capture, ControlRange
from hardware.errors import CameraError
from scoreboard.message import message

SIZE: Final = (1640, 1232)
BUFFERS: Final = 4  # with fewer than 2 the camera drops frames
BLUE_GREEN_RED: Final = "RGB888"  # libcamera counts from the other end: BGR in memory
LONGEST_EXPOSURE: Final = (33_333, 100_000)  # microseconds a frame: 30 a second, 10 in a dim room
# libcamera's own numbers. By default the lens stays at one metre; its macro range ends at a third
# of a metre, and a camera over a table is between the two: the full range has both.
AUTOFOCUS: Final = {"AfMode": 2, "AfRange": 2}  # continuous, over the full range
BY_HAND: Final = {"AfMode": 0}  # the lens stays where it is
# By the field of CameraControls: libcamera's name and type, its units in one, our step and most
CONTROLS: Final[Mapping[str, tuple[str, type, int, float, float]]] = {
    "focus": ("LensPosition", float, 1, 0.1, math.inf),
    "exposure": ("ExposureTime", int, 1000, 0.1, LONGEST_EXPOSURE[1] / 1000),
    "white_balance": ("ColourTemperature", int, 1, 50, math.inf),
}
_WAIT_SECONDS: Final = 2.0
_LIBRARY: Final = "picamera2"  # a system package of Raspberry Pi OS

NO_ANSWER: Final = message(
    "The Pi's camera does not answer; check its ribbon cable, "
    "and that no other program uses it (rpicam-hello shows it)."
)
NO_PICTURE: Final = message("The Pi's camera gives no picture; check its cable.")
USB_ONLY: Final = message(
    "There is no camera on the Pi's ribbon connectors, only a USB camera: name it webcam:0."
)


def found_pi_cameras() -> tuple[str, ...]:
    """The models of the cameras on the ribbon connectors, by number; none without picamera2."""
    try:
        cameras = importlib.import_module(_LIBRARY).Picamera2.global_camera_info()
    except (ImportError, ValueError):  # ValueError: built against another numpy
        return ()
    return tuple(str(each["Model"]) for each in cameras if "/usb" not in each["Id"])


class PiCamera(AdjustableCamera):
    """A camera on the Pi's ribbon connectors, its video stream kept running.

    `number` is picamera2's: 0 is the first. Only its documented signatures are used.
    """

    simulated = False

    def __init__(self, parts: CameraParts, number: int = 0) -> None:
        super().__init__(parts)
        self.name = f"picamera:{number}" if number else "picamera"
        self._number = number
        self._device: Any = None

    def __enter__(self) -> Self:
        try:
            picamera2 = importlib.import_module(_LIBRARY).Picamera2
        except (ImportError, ValueError) as error:  # ValueError: built against another numpy
            raise CameraError.worded(
                "picamera2 cannot be loaded ({reason}); on 64-bit Raspberry Pi OS (Debian 13) "
                "run: sudo apt install python3-picamera2, and remove .venv to make it anew.",
                reason=str(error),
            ) from error
        cameras = picamera2.global_camera_info()
        if not cameras:  # constructing one anyway would leak two file descriptors per try
            raise CameraError(NO_ANSWER)
        if "/usb" in cameras[0]["Id"]:  # USB cameras come last: there is no other
            raise CameraError(USB_ONLY)
        if self._number >= len(cameras) or "/usb" in cameras[self._number]["Id"]:
            raise CameraError.worded(
                "There is no camera {name}; “tablescore cameras” lists those that are there.",
                name=self.name,
            )
        self._controls, self.held = self._parts.controls(), False
        try:
            self._device = _constructed(picamera2, self._number)
            main = {"size": self._controls.size or SIZE, "format": BLUE_GREEN_RED}
            video = self._device.create_video_configuration(
                main=main, buffer_count=BUFFERS, controls=self._wanted()
            )
            self._device.configure(video)
            self._device.start()
            known = self._device.camera_controls
            self.ranges = {
                field: ControlRange(known[name][0] / unit, min(known[name][1] / unit, most), step)
                for field, (name, _kind, unit, step, most) in CONTROLS.items()
                if name in known
            }
        except (RuntimeError, OSError) as error:  # a camera in use; no memory left for its pictures
            self.__exit__()
            raise CameraError(NO_ANSWER) from error
        return self

    def __exit__(self, *_: object) -> None:
        if self._device is not None:
            self._device.close()  # stops the stream, too
            self._device, self.ranges = None, {}

    def capture(self) -> Capture:
        """A picture exposed after the call. Raises CameraError: none comes, or it is closed."""
        if self._device is None:
            raise CameraError.worded("The Pi's camera is not open.")
        self._follow_controls()
        try:
            # Without flush this returns the newest finished request, exposed before the call.
            request = self._device.capture_request(wait=_WAIT_SECONDS, flush=True)
            try:
                image = request.make_array("main")
            finally:
                request.release()  # otherwise its buffer never returns to the camera
        except (TimeoutError, RuntimeError) as error:
            if isinstance(error, TimeoutError):
                self._device.cancel_all_and_flush()  # otherwise the job waits for a frame for ever
            raise CameraError(NO_PICTURE) from error
        return self._parts.live(image[..., :3])

    def _adjust(self) -> None:
        self._device.set_controls(self._wanted())

    def _wanted(self) -> dict[str, Any]:
        """The settings for libcamera: those of its controls that this camera has."""
        controls, known = self._controls, self._device.camera_controls
        wanted: dict[str, Any] = {"AeEnable": not self.held, "AwbEnable": False, **BY_HAND}
        wanted["FrameDurationLimits"] = LONGEST_EXPOSURE
        if not self.held:
            wanted |= {"ExposureTime": 0, "AwbEnable": controls.white_balance == "auto"}
            wanted |= AUTOFOCUS if controls.focus == "auto" else {}
        for field, (name, kind, unit, *_) in CONTROLS.items():
            value = getattr(controls, field)
            if value != "auto":
                wanted[name] = kind(value * unit)
        return {name: value for name, value in wanted.items() if name in known}


def _constructed(picamera2: Any, number: int) -> Any:
    """A Picamera2. If its constructor fails, close the pipe that it leaves open, and raise."""
    device = picamera2.__new__(picamera2)
    try:
        device.__init__(number)
    except (RuntimeError, OSError):
        device.notifymeread.close()
        os.close(device.notifyme_w)
        raise
    return device


def pi_camera(argument: str, parts: CameraParts) -> PiCamera:
    """The camera of `--camera picamera` or `picamera:N`. Raises CameraError: N is no number."""
    if argument and not (argument.isascii() and argument.isdigit()):
        raise CameraError.worded("Name the camera picamera, or by its number, as picamera:1.")
    return PiCamera(parts, int(argument or 0))
