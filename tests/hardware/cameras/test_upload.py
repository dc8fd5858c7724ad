"""Photos sent through the page."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.camera import CameraParts
from hardware.cameras.upload import UploadCamera
from hardware.errors import CameraError

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def decode(file: bytes) -> NDArray[np.uint8]:
    """Stands in for a decoder: a file `7` is a picture of value 7, any text is none."""
    return np.full((2, 2, 3), int(file), np.uint8)


def upload_camera() -> UploadCamera:
    """An upload camera that hardly waits."""
    return UploadCamera(CameraParts(decode, lambda: NOON), wait_seconds=0.01)


def test_photos_come_out_in_the_order_they_were_put() -> None:
    """Each photo is given once, as a photo by itself; then there is none."""
    with upload_camera() as camera:
        assert camera.capture() is None
        camera.put(b"1")
        camera.put(b"2")
        first, second = camera.capture(), camera.capture()
        assert first is not None
        assert second is not None
        assert (first.image[0, 0, 0], second.image[0, 0, 0]) == (1, 2)
        assert first.single
        assert first.captured_at == NOON
        assert camera.capture() is None


def test_what_is_no_photo_is_told_to_the_sender() -> None:
    """The decoder's error reaches whoever puts, and the camera gives nothing."""
    with upload_camera() as camera:
        with pytest.raises(ValueError, match="nonsense"):
            camera.put(b"nonsense")
        assert camera.capture() is None


def test_too_many_waiting_photos_are_refused() -> None:
    """Photos that nobody reads do not pile up in memory."""
    camera = upload_camera()
    for _ in range(3):
        camera.put(b"1")
    with pytest.raises(CameraError, match="try again"):
        camera.put(b"1")
    assert camera.capture() is not None
    camera.put(b"1")
