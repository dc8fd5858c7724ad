"""Photos sent through the page."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from threading import Event

import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.camera import CameraParts
from hardware.cameras.upload import UploadCamera
from hardware.errors import CameraError

PHONE, TABLET = "192.0.2.7", "192.0.2.8"
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
        camera.put(b"1", PHONE)
        camera.put(b"2", PHONE)
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
            camera.put(b"nonsense", PHONE)
        assert camera.capture() is None


def test_too_many_waiting_photos_are_refused() -> None:
    """Photos that nobody reads do not pile up in memory."""
    camera = upload_camera()
    for _ in range(3):
        camera.put(b"1", PHONE)
    with pytest.raises(CameraError, match="try again"):
        camera.put(b"1", PHONE)
    assert camera.capture() is not None
    camera.put(b"1", PHONE)


def test_a_sender_has_one_photo_in_work() -> None:
    """A second one is refused at once, and another sender's is taken: nobody waits for a flood."""
    begun, go_on = Event(), Event()

    def decode_slowly(file: bytes) -> NDArray[np.uint8]:
        if file == b"1":
            begun.set()
            assert go_on.wait(20)
        return decode(file)

    camera = UploadCamera(CameraParts(decode_slowly, lambda: NOON), wait_seconds=0.01)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(camera.put, b"1", PHONE)
        assert begun.wait(20)
        with pytest.raises(CameraError, match="still being read"):
            camera.put(b"2", PHONE)
        camera.put(b"3", TABLET)
        go_on.set()
        first.result()
    camera.put(b"4", PHONE)
    shown = [capture.image[0, 0, 0] for capture in iter(camera.capture, None)]
    assert shown == [3, 1, 4]
