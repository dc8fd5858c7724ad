"""The Pi's camera through the real picamera2, over a stand-in sensor."""

from __future__ import annotations

import errno
import importlib.util
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import NoReturn

import numpy as np
import pytest

from hardware.camera import CameraControls, CameraParts, ControlRange
from hardware.cameras import picamera
from hardware.cameras.picamera import BUFFERS, PiCamera, found_pi_cameras
from hardware.errors import CameraError
from tests.hardware.cameras.sensor import Configuration, Sensor, picamera2_over

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
PARTS = CameraParts(lambda _: np.zeros((1, 1, 3), np.uint8), lambda: NOON)

needs_picamera2 = pytest.mark.skipif(
    importlib.util.find_spec("picamera2") is None,
    reason="picamera2 is not installed: `make test` installs it",
)
pytestmark = pytest.mark.filterwarnings("ignore:setDaemon:DeprecationWarning")  # picamera2's own


def open_descriptors() -> int:
    """How many files this process has open."""
    return len(list(Path("/proc/self/fd").iterdir()))


@needs_picamera2
def test_pictures_are_exposed_after_the_call() -> None:
    """Each capture shows a picture that was begun later than the one before it."""
    sensor = Sensor()
    with picamera2_over(sensor), PiCamera(PARTS) as camera:
        first = camera.capture()
        taken = sensor.taken
        second = camera.capture()
    assert first.image.shape == (1232, 1640, 3)
    assert second.image[0, 0, 0] > taken
    assert list(second.image[0, 0]) == [second.image[0, 0, 0] + channel for channel in range(3)]


@needs_picamera2
def test_a_lens_focuses_by_itself_and_dim_rooms_get_longer_exposures() -> None:
    """Camera Module 3 would stay at a metre; a fixed lens knows no focus and is told none."""
    lens, fixed = Sensor(controls=("AfMode", "AfRange")), Sensor()
    for sensor in (lens, fixed):
        with picamera2_over(sensor), PiCamera(PARTS):
            pass
    assert (lens.started_with["AfMode"], lens.started_with["AfRange"]) == (2, 2)
    assert "AfMode" not in fixed.started_with
    assert fixed.started_with["FrameDurationLimits"] == (33_333, 100_000)


def take_all_buffers(camera: PiCamera) -> None:
    """Take pictures until what was set has reached the sensor: requests that wait don't have it."""
    for _ in range(2 * BUFFERS):
        camera.capture()


AUTOMATIC = ("AfMode", "AfRange", "AeEnable", "AwbEnable")
LIMITS = {
    "ExposureTime": (100, 900_000),
    "LensPosition": (0.0, 15.0),
    "ColourTemperature": (100, 100_000),
}


@needs_picamera2
def test_what_works_by_itself_is_locked_and_let_go() -> None:
    """The lens stays where it was, and so do exposure and colours; later all may work again."""
    sensor = Sensor(controls=AUTOMATIC, limits=LIMITS)
    with picamera2_over(sensor), PiCamera(PARTS) as camera:
        assert (sensor.started_with["AeEnable"], sensor.started_with["AwbEnable"]) == (True, True)
        camera.hold(on=True)
        take_all_buffers(camera)
        held = [sensor.set_to[name] for name in ("AfMode", "AeEnable", "AwbEnable")]
        camera.hold(on=False)
        take_all_buffers(camera)
        free = [sensor.set_to[name] for name in ("AfMode", "AeEnable", "AwbEnable")]
    assert held == [0, False, False]
    assert free == [2, True, True]
    assert "LensPosition" not in sensor.set_to


@needs_picamera2
def test_a_change_of_the_controls_is_followed_at_the_next_picture() -> None:
    """Dioptres, milliseconds and kelvin become libcamera's units; another size a new stream."""
    sensor, now = Sensor(controls=AUTOMATIC, limits=LIMITS), [CameraControls()]
    parts = CameraParts(PARTS.decode, PARTS.clock, lambda: now[0])
    with picamera2_over(sensor), PiCamera(parts) as camera:
        assert camera.ranges == {
            "focus": ControlRange(0.0, 15.0, 0.1),
            "exposure": ControlRange(0.1, 100.0, 0.1),
            "white_balance": ControlRange(100, 100_000, 50),
        }
        now[0] = CameraControls(focus=2.5, exposure=40.0, white_balance=4000.0)
        take_all_buffers(camera)
        told = {name: sensor.set_to[name] for name in ("LensPosition", "AfMode", "AwbEnable")}
        assert told == {"LensPosition": 2.5, "AfMode": 0, "AwbEnable": False}
        whole = [sensor.set_to[name] for name in ("ExposureTime", "ColourTemperature")]
        assert [(value, type(value)) for value in whole] == [(40_000, int), (4000, int)]
        now[0] = CameraControls(size=(640, 480), rotation=90)
        assert camera.capture().image.shape == (640, 480, 3)
    assert camera.ranges == {}


@needs_picamera2
def test_the_second_camera_is_named_by_its_number() -> None:
    """A Pi 5 has two connectors; a number without a camera, or of a USB camera, is none."""
    sensors = [Sensor(f"/base/i2c@{at}/imx708@1a") for at in range(2)]
    usb = Sensor("/base/usb@1/uvc")
    with picamera2_over(*sensors, usb):
        assert found_pi_cameras() == ("imx708", "imx708")
        for number in (2, 3):
            with (
                pytest.raises(CameraError, match=f"no camera picamera:{number}"),
                PiCamera(PARTS, number),
            ):
                pass
        first, second = (PiCamera(PARTS, number) for number in range(2))
        assert (first.name, second.name) == ("picamera", "picamera:1")
        with second:
            pass
    assert [bool(sensor.started_with) for sensor in sensors] in ([True, False], [False, True])


@needs_picamera2
@pytest.mark.parametrize("in_use", [False, True])
def test_a_camera_that_is_missed_costs_no_descriptors(*, in_use: bool) -> None:
    """It is tried every five seconds for an evening; so is one that another program has."""
    sensor = Sensor()
    sensor.in_use = in_use
    with picamera2_over(*([sensor] if in_use else [])):
        camera = PiCamera(PARTS)
        before = open_descriptors()
        for _ in range(10):
            with pytest.raises(CameraError, match="ribbon cable"), camera:
                pass
        assert open_descriptors() <= before + 1  # the errors of one try may still hold its own


@needs_picamera2
def test_a_camera_whose_pictures_find_no_memory_is_closed_with_a_sentence() -> None:
    """Picamera2's heap answers with the kernel's own error; the camera may be entered later."""

    class Poor(Sensor):
        is_poor = True

        def configure(self, configuration: Configuration) -> int:
            if self.is_poor:
                raise OSError(errno.ENOMEM, "Cannot allocate memory")
            return super().configure(configuration)

    sensor = Poor()
    with picamera2_over(sensor):
        camera = PiCamera(PARTS)
        with pytest.raises(CameraError, match="no other program uses it"), camera:
            pass
        sensor.is_poor = False
        with camera:
            assert camera.capture().image.shape == (1232, 1640, 3)


@needs_picamera2
def test_a_usb_camera_is_a_webcam() -> None:
    """Picamera2 lists it, but its pictures do not say when they were exposed."""
    with (
        picamera2_over(Sensor("/base/usb@1/uvc")),
        pytest.raises(CameraError, match="webcam:0"),
        PiCamera(PARTS),
    ):
        pass


@needs_picamera2
def test_a_dislodged_cable_is_reported_and_the_camera_comes_back() -> None:
    """No picture comes within two seconds; put back, the camera is entered again."""
    sensor = Sensor()
    with picamera2_over(sensor):
        camera = PiCamera(PARTS)
        with camera:
            sensor.dislodged = True
            with pytest.raises(CameraError, match="check its cable"):
                camera.capture()
        sensor.dislodged = False
        with camera:
            assert camera.capture().image.shape == (1232, 1640, 3)


@needs_picamera2
def test_a_failed_reading_gives_its_buffer_back() -> None:
    """A request that cannot be made a picture is released: there are only four buffers."""
    with picamera2_over(Sensor()), PiCamera(PARTS) as camera:
        stream = camera._device.camera_config["main"]
        stream["format"], right = "unheard of", stream["format"]
        for _ in range(5):
            with pytest.raises(CameraError, match="gives no picture"):
                camera.capture()
        stream["format"] = right
        while True:
            try:
                assert camera.capture().image.shape == (1232, 1640, 3)
                break
            except CameraError:  # requests that were finished before
                continue


@pytest.mark.parametrize(
    "fault", [ModuleNotFoundError("No module named x"), ValueError("numpy.dtype size changed")]
)
def test_a_missing_or_mismatched_package_is_named(
    monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    """Without picamera2, or with one built for another numpy, the apt package is named.

    And no camera is listed.
    """

    def load(_name: str) -> NoReturn:
        raise fault

    monkeypatch.setattr(picamera, "importlib", SimpleNamespace(import_module=load))
    assert found_pi_cameras() == ()

    with pytest.raises(CameraError, match="sudo apt install python3-picamera2"):
        PiCamera(PARTS).__enter__()


def test_a_camera_must_be_entered() -> None:
    """Capturing outside of the context is refused."""
    with pytest.raises(CameraError, match="not open"):
        PiCamera(PARTS).capture()
