"""One camera a file, each listed here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from hardware.camera import Camera, CameraParts
from hardware.cameras.demo import DemoCamera
from hardware.cameras.folder import folder_camera
from hardware.cameras.phone import PhoneCamera
from hardware.cameras.picamera import pi_camera
from hardware.cameras.stream import stream_camera
from hardware.cameras.upload import UploadCamera
from hardware.cameras.webcam import web_camera
from hardware.errors import CameraError
from scoreboard.message import message

Opener = Callable[[str, CameraParts], Camera]


def without_argument(name: str, make: Callable[[CameraParts], Camera]) -> Opener:
    """What opens a camera of which nothing is told but its name; an argument raises CameraError."""

    def opened(argument: str, parts: CameraParts) -> Camera:
        if argument:
            raise CameraError(
                message(
                    "The camera is named {name}, without {argument}.", name=name, argument=argument
                )
            )
        return make(parts)

    return opened


CAMERAS: Final[Mapping[str, Opener]] = {
    "demo": without_argument("demo", lambda _parts: DemoCamera()),
    "folder": folder_camera,
    "phone": without_argument("phone", PhoneCamera),
    "picamera": pi_camera,
    "stream": stream_camera,
    "upload": without_argument("upload", UploadCamera),
    "webcam": web_camera,
}


def open_camera(spec: str, parts: CameraParts) -> Camera:
    """The camera for `spec`, not entered yet. `spec` is a name from CAMERAS, or `name:argument`.

    Raises:
        CameraError: there is no camera of that name, or its argument is invalid.
    """
    name, _, argument = spec.partition(":")
    if name not in CAMERAS:
        raise CameraError(
            message(
                "There is no camera '{spec}'; use folder:PATH, picamera, stream:URL, webcam:N, "
                "phone or upload.",
                spec=spec,
            )
        )
    return CAMERAS[name](argument, parts)
