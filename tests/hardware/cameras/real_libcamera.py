"""What `PiCamera` sees and gives over this machine's libcamera; tests/hardware/test_kernel.py asks.

Prints the models, then either the shapes of two pictures of vimc's camera, or the error's sentence
and how many descriptors ten tries cost. In a process of its own, because other tests put a
stand-in for libcamera under the same picamera2.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from unittest.mock import MagicMock

import click
import numpy as np

from hardware.camera import CameraControls, CameraParts
from hardware.cameras.picamera import PiCamera, found_pi_cameras
from hardware.errors import CameraError
from tests.hardware.cameras.sensor import LEFT_EMPTY

DESCRIPTORS: Final = Path("/proc/self/fd")
PARTS: Final = CameraParts(
    lambda _: np.zeros((1, 1, 3), np.uint8),
    lambda: datetime.now(UTC),
    lambda: CameraControls(size=(640, 480)),
)


def leave_empty() -> None:
    """What picamera2 imports beside libcamera, where it is not installed."""
    roots = {name.partition(".")[0] for name in LEFT_EMPTY} - {"picamera2"}
    here = {root for root in roots if importlib.util.find_spec(root) is not None}
    for name in LEFT_EMPTY:
        if name.partition(".")[0] not in here:
            sys.modules[name] = MagicMock()


def suit_vimc() -> None:
    """Ask vimc for the one kind of picture that its kernel driver and libcamera agree on.

    A Pi's own processor makes the other ones, and says how long each was exposed, without which
    picamera2 can't tell a new picture from an old one.
    """
    picamera2: Any = importlib.import_module("picamera2")
    colors = importlib.import_module("libcamera").ColorSpace

    class Vimc(picamera2.Picamera2):  # type: ignore[misc]  # picamera2 has no types
        def create_video_configuration(self, **asked: Any) -> Any:
            main = {**asked.pop("main", {}), "format": "BGR888"}
            return super().create_video_configuration(main, **asked, colour_space=colors.Srgb())

        def capture_request(self, **asked: Any) -> Any:
            return super().capture_request(wait=asked["wait"])

    picamera2.Picamera2 = Vimc


def tell() -> None:
    """Try the first camera, and print what comes of it."""
    leave_empty()
    models = found_pi_cameras()
    click.echo(f"models: {', '.join(models)}")
    if any(model.startswith("Sensor ") for model in models):
        suit_vimc()
        with PiCamera(PARTS) as camera:
            pictures = [camera.capture().image for _ in range(2)]
        click.echo(f"pictures: {[picture.shape for picture in pictures]}")
        return
    before = len(list(DESCRIPTORS.iterdir()))
    sentences: set[str] = set()
    for _ in range(10):
        try:
            PiCamera(PARTS).__enter__()
        except CameraError as error:
            sentences.add(str(error))
    click.echo(f"refused: {', '.join(sentences)}")
    click.echo(f"descriptors: {len(list(DESCRIPTORS.iterdir())) - before}")


if __name__ == "__main__":
    tell()
