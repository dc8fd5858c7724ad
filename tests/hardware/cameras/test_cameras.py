"""The list of cameras, and how one is named."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

from hardware.camera import CameraParts
from hardware.cameras import open_camera
from hardware.errors import CameraError, HardwareError

PARTS = CameraParts(lambda _: np.zeros((2, 2, 3), np.uint8), lambda: datetime.now(UTC))


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("folder:some/photos", "folder:some/photos"),
        ("folder:a:b", "folder:a:b"),
        ("picamera", "picamera"),
        ("webcam:0", "webcam:0"),
        ("webcam:12", "webcam:12"),
        ("webcam:HD Pro: C920", "webcam:HD Pro: C920"),
        ("webcam:/dev/v4l/by-id/usb-1-index0", "webcam:/dev/v4l/by-id/usb-1-index0"),
        ("picamera:1", "picamera:1"),
        ("stream:http://192.0.2.7:8080/video", "stream:http://192.0.2.7:8080/video"),
        ("stream:rtsp://me:hidden@cam.lan/1?key=hidden#x", "stream:rtsp://cam.lan/1"),
        ("upload", "upload"),
        ("phone", "phone"),
        ("demo", "demo"),
    ],
)
def test_cameras_are_made_by_name(spec: str, name: str) -> None:
    """Each camera can be named, tells its name, and only the demo is simulated."""
    camera = open_camera(spec, PARTS)
    assert camera.name == name
    assert camera.simulated == (spec == "demo")


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("", "use folder:PATH, picamera, stream:URL, webcam:N, phone or upload"),
        ("telescope", "use folder:PATH, picamera, stream:URL, webcam:N, phone or upload"),
        ("Folder:x", "use folder:PATH"),
        ("folder", "Name the folder"),
        ("folder:", "Name the folder"),
        ("webcam", "by its number"),
        ("webcam:", "by its number"),
        ("webcam:-1", "by its number"),
        ("picamera:one", "by its number"),
        ("stream", "by its address"),
        ("stream:file:///etc/passwd", "by its address"),
        ("stream:http://me:hid/den@cam.lan/", "by its address"),
        ("stream:http://me:hid?den@cam.lan/", "by its address"),
        ("stream:hidden", "by its address"),
        ("upload:x", "without x"),
        ("phone:x", "without x"),
        ("demo:1", "without 1"),
    ],
)
def test_wrong_names_are_reported_what_is_allowed(spec: str, sentence: str) -> None:
    """A name that is none gets one sentence with the names that are."""
    with pytest.raises(CameraError, match=sentence) as caught:
        open_camera(spec, PARTS)
    assert "hid" not in str(caught.value)
    assert isinstance(caught.value, OSError)
    assert isinstance(caught.value, HardwareError)
