"""A USB camera, through OpenCV."""

from __future__ import annotations

import importlib
import os
import re
import struct
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import cv2
from cv2.utils import logging

from hardware.camera import AdjustableCamera, CameraParts, Capture, ControlRange
from hardware.errors import CameraError

SIZE: Final = (1280, 720)
_MOST_BUFFERED: Final = 8  # drivers buffer four frames or fewer; a stuck one must not loop for ever
_WAITED_SECONDS: Final = 0.004  # a buffered frame comes at once, a new one only when exposed
_OLDEST_SECONDS: Final = 60.0  # an age above this means that the driver uses another clock
_LONGEST_SILENCE: Final = "2"  # seconds that OpenCV waits for a device that hangs; its own are 10
MJPG: Final = cv2.VideoWriter.fourcc(*"MJPG")  # uncompressed, USB 2 carries 5 to 10 frames a second

SYS: Final = Path("/sys/class/video4linux")
DEV: Final = Path("/dev")
_QUERY: Final = struct.Struct("II32siiiiI8x")  # v4l2_queryctrl, of linux/videodev2.h
_VIDIOC_QUERYCTRL: Final = 0xC0445624
_DISABLED: Final = 1


class WebcamControl(NamedTuple):
    """OpenCV's and the kernel's numbers of a control and of its automatic, and their values.

    `unit` is how many of the driver's steps make one of CameraControls.
    """

    value: int
    switch: int
    kernel: int
    automatic: int = 1
    manual: int = 0
    unit: int = 1


# A webcam's automatic exposure is "aperture priority", 3: its aperture is fixed
CONTROLS: Final[Mapping[str, WebcamControl]] = {
    "focus": WebcamControl(cv2.CAP_PROP_FOCUS, cv2.CAP_PROP_AUTOFOCUS, 0x9A090A),
    "exposure": WebcamControl(
        cv2.CAP_PROP_EXPOSURE, cv2.CAP_PROP_AUTO_EXPOSURE, 0x9A0902, 3, 1, unit=10
    ),
    "white_balance": WebcamControl(cv2.CAP_PROP_WB_TEMPERATURE, cv2.CAP_PROP_AUTO_WB, 0x98091A),
}


@dataclass(frozen=True, slots=True)
class FoundWebcam:
    """A plugged-in webcam: the system's number, its own name, and its permanent path."""

    number: int
    model: str
    by_id: str = ""


def plugged_webcams(sys_class: Path = SYS, dev: Path = DEV) -> tuple[FoundWebcam, ...]:
    """The webcams that Linux knows, in the order of their numbers; none on other systems.

    A webcam's second node, for metadata, and a Raspberry Pi's for its own chips are left out.
    """
    links = {link.resolve().name: link for link in sorted((dev / "v4l/by-id").glob("*"))}
    found = []
    for node in sys_class.glob("video*"):
        place = str(node.resolve())
        is_chip = "/platform/" in place and "/usb" not in place
        with suppress(OSError, ValueError):  # unplugged meanwhile
            if (node / "index").read_text().strip() == "0" and not is_chip:
                model = (node / "name").read_text().strip()
                by_id = str(links.get(node.name, ""))
                found.append(FoundWebcam(int(node.name.removeprefix("video")), model, by_id))
    return tuple(sorted(found, key=lambda each: each.number))


def video_number(device: str, plugged: Callable[[], Sequence[FoundWebcam]]) -> int | None:
    """The system's number of a webcam given by number, path, or a part of its name; None if absent.

    Raises CameraError: several match.
    """
    if device.isascii() and device.isdigit():
        return int(device)
    if device.startswith("/"):
        node = re.fullmatch(r"video(\d+)", Path(device).resolve().name)
        return int(node[1]) if node is not None and Path(device).exists() else None
    named = device.casefold()
    found = [each for each in plugged() if named in each.model.casefold()]
    called = [each for each in found if named == each.model.casefold()] or found
    if len(called) > 1:
        paths = ", ".join(f"webcam:{each.by_id or each.number}" for each in called)
        raise CameraError.worded(
            "Several webcams are called “{name}”: name one of {paths}.", name=device, paths=paths
        )
    return called[0].number if called else None


def open_video(
    source: int | str, backend: int = cv2.CAP_ANY, parameters: Sequence[int] = ()
) -> cv2.VideoCapture:
    """Open a video device by its number, or an address, without warnings of OpenCV's."""
    os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", _LONGEST_SILENCE)
    level = logging.getLogLevel()
    logging.setLogLevel(logging.LOG_LEVEL_ERROR)  # CameraError reports what is missing
    try:
        return cv2.VideoCapture(source, backend, parameters)
    finally:
        logging.setLogLevel(level)


def control_ranges(
    number: int, dev: Path = DEV, ioctl: Callable[[int, int, bytearray], object] | None = None
) -> dict[str, ControlRange]:
    """The driver's range of each of the CONTROLS; empty if it cannot be queried."""
    ranges = {}
    with suppress(OSError), (dev / f"video{number}").open("rb", buffering=0) as device:
        # Other systems have neither such a device nor this module
        ask = ioctl or importlib.import_module("fcntl").ioctl
        for name, control in CONTROLS.items():
            asked = bytearray(_QUERY.pack(control.kernel, 0, b"", 0, 0, 0, 0, 0))
            with suppress(OSError):  # this camera has no such control
                ask(device.fileno(), _VIDIOC_QUERYCTRL, asked)
                *_, low, high, step, _default, flags = _QUERY.unpack(asked)
                if not flags & _DISABLED:
                    ranges[name] = ControlRange(*(one / control.unit for one in (low, high, step)))
    return ranges


class WebCamera(AdjustableCamera):
    """The webcam with that number, path (as in /dev/v4l/by-id), or part of its name.

    It is searched each time it is entered: numbers change when cameras are plugged in. `opener`
    returns a cv2.VideoCapture.
    """

    simulated = False

    def __init__(  # noqa: PLR0913 -- what a test replaces, each named
        self,
        device: str,
        parts: CameraParts,
        *,
        opener: Callable[[int], Any] = open_video,
        plugged: Callable[[], Sequence[FoundWebcam]] = plugged_webcams,
        ask_ranges: Callable[[int], Mapping[str, ControlRange]] = control_ranges,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(parts)
        self._device = device
        self.name = f"webcam:{device}"
        self._opener = opener
        self._plugged = plugged
        self._ask_ranges = ask_ranges
        self._monotonic = monotonic
        self._video: Any = None

    def __enter__(self) -> Self:
        absent = CameraError.worded(
            "No camera answers as {name}; plug it in, or name another: "
            "“tablescore cameras” lists those that are there.",
            name=self.name,
        )
        number = video_number(self._device, self._plugged)
        if number is None:
            raise absent
        video = self._opener(number)
        if not video.isOpened():
            video.release()
            raise absent
        self._controls = self._parts.controls()
        width, height = self._controls.size or SIZE
        video.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        video.set(cv2.CAP_PROP_FOURCC, MJPG)  # before the size, which depends on it
        video.set(cv2.CAP_PROP_FRAME_WIDTH, width)
        video.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
        self.ranges = self._ask_ranges(number)
        self._video = video
        self.hold(on=False)
        return self

    def __exit__(self, *_: object) -> None:
        if self._video is not None:
            self._video.release()
            self._video, self.ranges = None, {}

    def _adjust(self) -> None:
        for name in self.ranges:
            control, value = CONTROLS[name], getattr(self._controls, name)
            if value == "auto" and not self.held:
                self._video.set(control.switch, control.automatic)
                continue
            # The automatic's values are set, too: else some go back to the last settings
            steps = self._video.get(control.value) if value == "auto" else value * control.unit
            self._video.set(control.switch, control.manual)
            self._video.set(control.value, steps)

    def capture(self) -> Capture:
        """A picture exposed after the call. Raises CameraError: it is unplugged, or closed."""
        if self._video is None:
            raise CameraError.worded("The camera {name} is not open.", name=self.name)
        self._follow_controls()
        self._grab_new()
        good, image = self._video.retrieve()
        if not good or image is None:
            raise self._gone()
        return self._parts.live(image)

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
        return CameraError.worded(
            "The camera {name} gives no picture any more; plug it in again.", name=self.name
        )


def web_camera(argument: str, parts: CameraParts) -> WebCamera:
    """The camera of `--camera webcam:DEVICE`. Raises CameraError: no device is named."""
    if not argument or argument.startswith("-"):
        raise CameraError.worded(
            "Name the camera by its number or a part of its name, as in webcam:0; "
            "“tablescore cameras” lists those that are there."
        )
    return WebCamera(argument, parts)
