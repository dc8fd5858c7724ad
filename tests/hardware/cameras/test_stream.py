"""A camera in the network, over a real MJPEG server on this machine."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime

import numpy as np
import pytest

from hardware.camera import CameraControls, CameraParts, Capture
from hardware.cameras.stream import StreamCamera
from hardware.errors import CameraError
from tests.hardware.cameras.mjpeg_server import BITS, PASSWORD, USER, mjpeg_server, stamp_of
from tests.hardware.cameras.rtsp_server import rtsp_server
from tests.patience import PATIENCE_SECONDS

NOON = datetime(2026, 11, 25, 12, tzinfo=UTC)
PARTS = CameraParts(lambda _: np.zeros((1, 1, 3), np.uint8), lambda: NOON)
STAMPS = 1 << BITS


def first(camera: StreamCamera) -> Capture:
    """The next picture, however long it takes within reason."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        capture = camera.capture()
        if capture is not None:
            return capture
    raise AssertionError("no picture came")


def fault_of(act: Callable[[], object]) -> str:
    """The sentence of the camera's error that comes sooner or later."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        try:
            act()
        except CameraError as error:
            return str(error)
    raise AssertionError("no error came")


def test_a_slow_reader_gets_the_newest_picture() -> None:
    """After two seconds it is not fifty pictures behind: FFmpeg alone would queue them all."""
    with mjpeg_server() as server, StreamCamera(server.address, PARTS) as camera:
        first(camera)
        time.sleep(2)
        now = server.now
        ages = ((now - stamp_of(first(camera).image)) % STAMPS for _ in range(10))
        assert any(age == 0 or age > STAMPS / 2 for age in ages), "none was made after the pause"


def test_a_picture_is_turned_as_is_set() -> None:
    """As with every live camera."""
    parts = CameraParts(PARTS.decode, PARTS.clock, lambda: CameraControls(rotation=90))
    with mjpeg_server() as server, StreamCamera(server.address, parts) as camera:
        capture = first(camera)
    assert capture.image.shape == (128, 120, 3)
    assert (capture.captured_at, capture.single) == (NOON, False)


def test_a_stream_that_falls_silent_is_lost_and_found_again() -> None:
    """Its connection may stay: without a picture for three seconds it is lost."""
    with mjpeg_server() as server:
        camera = StreamCamera(server.address, PARTS)
        with camera:
            first(camera)
            server.muted.set()
            assert "sends no picture any more" in fault_of(camera.capture)
        server.muted.clear()
        with camera:
            first(camera)


def test_a_camera_that_was_switched_off_is_found_again() -> None:
    """Its address does not answer meanwhile."""
    with mjpeg_server() as server:
        camera = StreamCamera(server.address, PARTS)
        with camera:
            first(camera)
            server.close()
            assert "sends no picture any more" in fault_of(camera.capture)
        assert "does not answer" in fault_of(camera.__enter__)
    with mjpeg_server(server.port), camera:
        first(camera)


def test_no_password_leaves_the_camera(capfd: pytest.CaptureFixture[str]) -> None:
    """Neither in its name nor in an error, nor in what OpenCV and FFmpeg print."""
    with mjpeg_server() as server:
        wrong = StreamCamera(server.address.replace(PASSWORD, "wrong"), PARTS)
        right = StreamCamera(server.address, PARTS)
        shown = [wrong.name, right.name, fault_of(wrong.__enter__)]
        with right:
            first(right)
            server.close()
            shown.append(fault_of(right.capture))
        shown.append(fault_of(right.__enter__))
    captured = capfd.readouterr()
    shown += [captured.out, captured.err, repr(right)]
    assert right.name == f"stream:http://127.0.0.1:{server.port}/video"
    for secret in (USER, PASSWORD, "wrong", "quality"):
        assert not [text for text in shown if secret in text]


def test_a_camera_must_be_entered() -> None:
    """Capturing outside of the context is refused, and leaving twice does no harm."""
    camera = StreamCamera("http://127.0.0.1:9/", PARTS)
    camera.__exit__(None, None, None)
    with pytest.raises(CameraError, match="not open"):
        camera.capture()


def test_rtsp_is_taken_too() -> None:
    """As cameras for houses and go2rtc send it: the password counts, and the newest picture."""
    with rtsp_server() as server:
        wrong = StreamCamera(server.address.replace(PASSWORD, "wrong"), PARTS)
        assert "check its user name and password" in fault_of(wrong.__enter__)
        with StreamCamera(server.address, PARTS) as camera:
            before = stamp_of(first(camera).image)
            time.sleep(1)
            stamps = [stamp_of(first(camera).image) for _ in range(5)]
            assert stamps == sorted(stamps)
            assert before + 10 < stamps[-1]
            server.closed.set()
            assert "sends no picture any more" in fault_of(camera.capture)
