"""The Pi's camera behind a fake of picamera2 with its documented signatures."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, NoReturn

import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.camera import CameraParts
from hardware.cameras.picamera import PiCamera
from hardware.errors import CameraError

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
BLUE, GREEN, RED = 10, 20, 30


@dataclass
class FakeRequest:
    """A finished request: `make_array(name)` and `release()`, as in the manual's section 6."""

    released: bool = False
    fails: bool = False

    def make_array(self, name: str) -> NDArray[np.uint8]:
        """The main stream in memory: for RGB888 each pixel is blue, green, red."""
        assert name == "main"
        if self.fails:
            raise RuntimeError("no memory")
        return np.tile(np.array([BLUE, GREEN, RED], np.uint8), (4, 6, 1))

    def release(self) -> None:
        """Give the buffer back."""
        self.released = True


@dataclass
class FakeDevice:
    """The part of Picamera2 that is used, keyword by keyword as its manual has it."""

    calls: list[str] = field(default_factory=list)
    request: FakeRequest = field(default_factory=FakeRequest)
    hangs: bool = False
    busy: bool = False

    def create_video_configuration(
        self,
        main: dict[str, Any] | None = None,
        lores: dict[str, Any] | None = None,
        raw: dict[str, Any] | None = None,
        *,
        buffer_count: int = 6,
    ) -> dict[str, Any]:
        """A configuration with what was asked for."""
        assert lores is None
        assert raw is None
        return {"main": main, "buffer_count": buffer_count}

    def configure(self, camera_config: dict[str, Any]) -> None:
        """Check what the camera relies on."""
        assert camera_config["buffer_count"] >= 2
        assert camera_config["main"]["format"] == "RGB888"
        self.calls.append("configure")

    def start(self) -> None:
        """Start the stream, unless another program has the camera."""
        if self.busy:
            raise RuntimeError("Failed to acquire camera: Device or resource busy")
        self.calls.append("start")

    def capture_request(self, wait: float | None = None, *, flush: bool = False) -> FakeRequest:
        """Hand over the next request exposed after the call."""
        assert flush
        if self.hangs:
            assert wait is not None
            raise TimeoutError
        self.calls.append("capture")
        return self.request

    def close(self) -> None:
        """Free the camera."""
        self.calls.append("close")


def pi_camera(device: FakeDevice) -> PiCamera:
    """A camera over a fake module."""
    parts = CameraParts(lambda _: np.zeros((1, 1, 3), np.uint8), lambda: NOON)
    return PiCamera(parts, load=lambda: SimpleNamespace(Picamera2=lambda: device))


def test_pictures_are_blue_green_red_and_the_stream_keeps_running() -> None:
    """Two captures from one started stream; every request is given back."""
    device = FakeDevice()
    with pi_camera(device) as camera:
        capture = camera.capture()
        camera.capture()
    assert device.calls == ["configure", "start", "capture", "capture", "close"]
    assert tuple(capture.image[0, 0]) == (BLUE, GREEN, RED)
    assert capture.image.flags.c_contiguous
    assert capture.captured_at == NOON
    assert device.request.released


def test_a_failed_reading_gives_its_buffer_back() -> None:
    """A request that cannot be made a picture is released all the same."""
    device = FakeDevice(request=FakeRequest(fails=True))
    with pi_camera(device) as camera, pytest.raises(RuntimeError):
        camera.capture()
    assert device.request.released


def test_a_camera_that_stops_is_gone_and_returns() -> None:
    """A request that never comes raises; then the camera can be entered again."""
    device = FakeDevice()
    camera = pi_camera(device)
    with camera:
        device.hangs = True
        with pytest.raises(CameraError, match="check its cable"):
            camera.capture()
    device.hangs = False
    with camera:
        assert camera.capture().image.shape == (4, 6, 3)


def test_a_camera_in_use_is_told_and_closed() -> None:
    """Another program has the camera: a sentence, and nothing stays half open."""
    device = FakeDevice(busy=True)
    with pytest.raises(CameraError, match="no other program"), pi_camera(device):
        pass
    assert device.calls == ["configure", "close"]


def test_a_pi_without_a_camera_is_told() -> None:
    """Picamera2() raises IndexError when no camera is connected."""

    def none_connected() -> NoReturn:
        raise IndexError("list index out of range")

    parts = CameraParts(lambda _: np.zeros((1, 1, 3), np.uint8), lambda: NOON)
    camera = PiCamera(parts, load=lambda: SimpleNamespace(Picamera2=none_connected))
    with pytest.raises(CameraError, match="ribbon cable"), camera:
        pass


@pytest.mark.parametrize(
    "fault", [ModuleNotFoundError("No module named x"), ValueError("numpy.dtype size changed")]
)
def test_a_missing_or_mismatched_package_is_named(fault: Exception) -> None:
    """Without picamera2, or with one built for another numpy, the apt package is named."""

    def load() -> NoReturn:
        raise fault

    parts = CameraParts(lambda _: np.zeros((1, 1, 3), np.uint8), lambda: NOON)
    with pytest.raises(CameraError, match="sudo apt install python3-picamera2"):
        PiCamera(parts, load=load).__enter__()


def test_a_camera_must_be_entered() -> None:
    """Capturing outside of the context is refused."""
    with pytest.raises(CameraError, match="not open"):
        pi_camera(FakeDevice()).capture()
