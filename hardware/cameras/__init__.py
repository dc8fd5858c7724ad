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

Opener = Callable[[str, CameraParts], Camera]

CAMERAS: Final[Mapping[str, Opener]] = {
    "demo": lambda _, _parts: DemoCamera(),
    "folder": folder_camera,
    "phone": lambda _, parts: PhoneCamera(parts),
    "picamera": pi_camera,
    "stream": stream_camera,
    "upload": lambda _, parts: UploadCamera(parts),
    "webcam": web_camera,
}
WITHOUT_ARGUMENT: Final = frozenset({"demo", "phone", "upload"})


def open_camera(spec: str, parts: CameraParts) -> Camera:
    """The camera for `spec`, not entered yet. `spec` is a name from CAMERAS, or `name:argument`.

    Raises CameraError: there is no camera of that name, or its argument is invalid.
    """
    name, _, argument = spec.partition(":")
    if name not in CAMERAS:
        raise CameraError.worded(
            "There is no camera '{spec}'; use folder:PATH, picamera, stream:URL, webcam:N, phone "
            "or upload.",
            spec=spec,
        )
    if argument and name in WITHOUT_ARGUMENT:
        raise CameraError.worded(
            "The camera is named {name}, without {argument}.", name=name, argument=argument
        )
    return CAMERAS[name](argument, parts)
