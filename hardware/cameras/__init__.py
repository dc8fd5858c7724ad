"""One camera a file, each listed here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from hardware.camera import Camera, CameraParts
from hardware.cameras.demo import DemoCamera
from hardware.cameras.folder import folder_camera
from hardware.cameras.phone import phone_camera
from hardware.cameras.picamera import pi_camera
from hardware.cameras.stream import stream_camera
from hardware.cameras.upload import upload_camera
from hardware.cameras.webcam import web_camera
from hardware.errors import CameraError
from scoreboard.message import message


def demo_camera(argument: str, _parts: CameraParts) -> DemoCamera:
    """The demo evening, which plays when no camera is named.

    Raises:
        CameraError: an argument is given.
    """
    if argument:
        raise CameraError(
            message("The demo evening is named demo, without {argument}.", argument=argument)
        )
    return DemoCamera()


CAMERAS: Final[Mapping[str, Callable[[str, CameraParts], Camera]]] = {
    "demo": demo_camera,
    "folder": folder_camera,
    "phone": phone_camera,
    "picamera": pi_camera,
    "stream": stream_camera,
    "upload": upload_camera,
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
