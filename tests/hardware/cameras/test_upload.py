"""Photos sent through the page."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.camera import CameraParts
from hardware.cameras.upload import UploadCamera
from hardware.errors import CameraError
from tests.patience import PATIENCE_SECONDS

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def decode(file: bytes) -> NDArray[np.uint8]:
    """Stands in for a decoder: a file `7` is a picture of value 7, any text is none."""
    return np.full((2, 2, 3), int(file), np.uint8)


def upload_camera() -> UploadCamera:
    """An upload camera that hardly waits."""
    return UploadCamera(CameraParts(decode, lambda: NOON), wait_seconds=0.01, read_seconds=0.01)


def test_a_photo_is_given_once_as_a_photo_by_itself() -> None:
    """Then there is none, until the next one."""
    with upload_camera() as camera:
        assert camera.capture() is None
        for value in (1, 2):
            camera.put(str(value).encode())
            capture = camera.capture()
            assert capture is not None
            assert capture.image[0, 0, 0] == value
            assert capture.single
            assert capture.captured_at == NOON
            assert camera.capture() is None


def test_what_is_no_photo_is_reported_to_the_sender() -> None:
    """The decoder's error reaches whoever puts, and the camera takes the next photo."""
    with upload_camera() as camera:
        with pytest.raises(ValueError, match="nonsense"):
            camera.put(b"nonsense")
        assert camera.capture() is None
        camera.put(b"1")
        assert camera.capture() is not None


def test_nothing_is_decoded_before_the_last_photo_was_read() -> None:
    """One decoded photo is held at a time: waiting, or being read."""
    decoded: list[bytes] = []

    def counted(file: bytes) -> NDArray[np.uint8]:
        decoded.append(file)
        return decode(file)

    camera = UploadCamera(CameraParts(counted, lambda: NOON), wait_seconds=0.01, read_seconds=0.01)
    with camera:
        camera.put(b"1")
        with pytest.raises(CameraError, match="try again"):
            camera.put(b"2")
        assert camera.capture() is not None
        with pytest.raises(CameraError, match="still being read"):
            camera.put(b"2")
        assert decoded == [b"1"]
        assert camera.capture() is None
        camera.put(b"2")
    assert decoded == [b"1", b"2"]


def test_who_puts_a_photo_waits_until_it_was_read() -> None:
    """The answer to a photo comes once the camera is asked for the next one."""
    camera = UploadCamera(CameraParts(decode, lambda: NOON), wait_seconds=0.01)
    with camera, ThreadPoolExecutor(1) as pool:
        put = pool.submit(camera.put, b"1")
        while camera.capture() is None:
            assert not put.done()
        assert not put.done()
        assert camera.capture() is None
        put.result(PATIENCE_SECONDS)


def test_a_camera_that_is_left_lets_the_sender_go() -> None:
    """Whatever went wrong while the photo was read; one that waits stays for later."""
    camera = upload_camera()
    with camera:
        camera.put(b"1")
        assert camera.capture() is not None
    camera.put(b"2")
    with camera:
        capture = camera.capture()
    assert capture is not None
    assert capture.image[0, 0, 0] == 2
