"""A USB camera behind a fake of OpenCV's VideoCapture."""

from __future__ import annotations

import errno
import os
import struct
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.camera import CameraControls, CameraParts, ControlRange
from hardware.cameras.webcam import (
    FoundWebcam,
    WebCamera,
    control_ranges,
    open_video,
    plugged_webcams,
    video_number,
)
from hardware.errors import CameraError

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
FRAME_SECONDS = 0.033


@dataclass
class FakeVideo:
    """A driver that buffers: old frames come at once, new ones when they are exposed.

    One that `stamps` tells when; `hurry_seconds` is what a busy machine adds to "at once".
    """

    opened: bool = True
    plugged: bool = True
    decodes: bool = True
    waits: bool = True
    now: float = 0.0
    buffered: list[float] = field(default_factory=list)
    stamps: bool = False
    hurry_seconds: float = 0.0
    grabs: int = 0
    taken: float = -1.0
    asked: dict[int, float] = field(default_factory=dict)
    found: dict[int, float] = field(default_factory=dict)  # by the camera's own automatics
    released: int = 0

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return self.opened

    def set(self, propId: int, value: float) -> bool:  # noqa: N803 - OpenCV's name
        self.asked[propId] = value
        return False

    def get(self, propId: int) -> float:  # noqa: N803 - OpenCV's name
        """The driver's time of the frame, 0 where it tells none."""
        if propId != cv2.CAP_PROP_POS_MSEC:
            return self.found.get(propId, 0.0)
        return self.taken * 1000 if self.stamps else 0.0

    def grab(self) -> bool:
        """An old frame at once, or a new one after its exposure."""
        if not self.plugged:
            return False
        self.grabs += 1
        if self.buffered:
            self.taken = self.buffered.pop(0)
            self.now += self.hurry_seconds
        elif self.waits:
            self.taken, self.now = self.now, self.now + FRAME_SECONDS
        return True

    def retrieve(self) -> tuple[bool, NDArray[np.uint8] | None]:
        if not self.decodes:
            return False, None
        return True, np.zeros((2, 2, 3), np.uint8)

    def release(self) -> None:
        self.released += 1


RANGES = {
    "focus": ControlRange(0, 250, 5),
    "exposure": ControlRange(0.3, 204.7, 0.1),
    "white_balance": ControlRange(2800, 6500, 1),
}


def web_camera(
    video: FakeVideo, device: str = "3", controls: Sequence[CameraControls] = (CameraControls(),)
) -> WebCamera:
    """A camera over a fake driver and its clock; the first of the `controls` count."""
    return WebCamera(
        device,
        CameraParts(
            lambda _: np.zeros((1, 1, 3), np.uint8), lambda: NOON, controls=lambda: controls[0]
        ),
        plugged=lambda: (FoundWebcam(3, "HD Pro Webcam C920"),),
        ask_ranges=lambda _: RANGES,
        opener=lambda number: video if number == 3 else FakeVideo(opened=False),
        monotonic=lambda: video.now,
    )


def test_a_picture_is_exposed_after_the_call() -> None:
    """Buffered frames are thrown away, and so is the one being exposed at the call."""
    video = FakeVideo(now=330.0, buffered=[0.0, 0.033, 0.066])
    called_at = video.now
    with web_camera(video) as camera:
        capture = camera.capture()
    assert video.taken > called_at
    assert capture.captured_at == NOON
    assert not capture.single
    assert video.asked[cv2.CAP_PROP_BUFFERSIZE] == 1


def test_a_busy_machine_gets_no_old_picture() -> None:
    """Where the driver tells the time of a frame, an old one that was slow to come is thrown away.

    A new one is then told at the first try: half as many frames are taken.
    """
    video = FakeVideo(now=330.0, buffered=[329.9, 329.95], stamps=True, hurry_seconds=0.01)
    with web_camera(video) as camera:
        camera.capture()
        assert (video.taken > 330.0, video.grabs) == (True, 3)
        camera.capture()
    assert video.grabs == 4


def test_compressed_frames_are_asked_for_before_their_size() -> None:
    """Uncompressed, an ordinary camera brings ten frames a second or fewer at this size."""
    video = FakeVideo()
    with web_camera(video):
        order = list(video.asked)
    assert video.asked[cv2.CAP_PROP_FOURCC] == cv2.VideoWriter.fourcc(*"MJPG")
    assert order.index(cv2.CAP_PROP_FOURCC) < order.index(cv2.CAP_PROP_FRAME_WIDTH)


def test_a_driver_that_never_waits_does_not_hang() -> None:
    """A driver whose frames always come at once still gives a picture."""
    with web_camera(FakeVideo(waits=False)) as camera:
        assert camera.capture().image.shape == (2, 2, 3)


def test_a_missing_device_is_reported_and_freed() -> None:
    """No device at that number: a sentence with its name, and nothing stays open."""
    video = FakeVideo(opened=False)
    with (
        pytest.raises(
            CameraError, match="webcam:3; plug it in, or name another: “tablescore cameras”"
        ),
        web_camera(video),
    ):
        pass
    assert video.released == 1


@pytest.mark.parametrize("fault", ["plugged", "decodes"])
def test_an_unplugged_camera_is_gone_and_returns(fault: str) -> None:
    """Unplugged while it runs it raises; plugged in it can be entered again."""
    video = FakeVideo()
    camera = web_camera(video)
    with camera:
        camera.capture()
        setattr(video, fault, False)
        with pytest.raises(CameraError, match="plug it in again"):
            camera.capture()
    assert video.released == 1
    setattr(video, fault, True)
    with camera:
        camera.capture()
    assert video.released == 2


def test_a_camera_must_be_entered() -> None:
    """Capturing outside of the context is refused, and leaving twice does no harm."""
    camera = web_camera(FakeVideo())
    with pytest.raises(CameraError, match="not open"):
        camera.capture()
    camera.__exit__(None, None, None)


def test_the_real_opener_asks_the_system() -> None:
    """OpenCV's own class keeps the promise, and a number without a device is not opened."""
    video = open_video(97)
    assert not video.isOpened()
    assert not video.grab()
    video.release()


def told(video: FakeVideo, *names: str) -> list[float]:
    """What the driver was told last under these of OpenCV's names."""
    return [video.asked[getattr(cv2, f"CAP_PROP_{name}")] for name in names]


def test_what_is_set_is_told_to_the_driver_and_a_change_is_followed() -> None:
    """In the driver's units; what is not set works by itself, as every other program expects."""
    video, now = FakeVideo(), [CameraControls(size=(1920, 1080), exposure=20)]
    with web_camera(video, controls=now) as camera:
        assert camera.ranges == RANGES
        assert told(video, "FRAME_WIDTH", "FRAME_HEIGHT") == [1920, 1080]
        assert told(video, "AUTO_EXPOSURE", "EXPOSURE", "AUTOFOCUS") == [1, 200, 1]
        now[0] = CameraControls(size=(1920, 1080), focus=35, white_balance=4000)
        camera.capture()
        assert told(video, "AUTOFOCUS", "FOCUS", "AUTO_WB", "WB_TEMPERATURE") == [0, 35, 0, 4000]
        assert told(video, "AUTO_EXPOSURE", "FRAME_WIDTH") == [3, 1920]
        now[0] = CameraControls()
        camera.capture()
        assert told(video, "FRAME_WIDTH", "AUTOFOCUS") == [1280, 1]
    assert video.released == 2


def test_what_works_by_itself_is_locked_where_it_is() -> None:
    """The value that the camera found is set: some would go back to the one set by hand before."""
    video = FakeVideo(found={cv2.CAP_PROP_FOCUS: 40, cv2.CAP_PROP_EXPOSURE: 333})
    with web_camera(video, controls=[CameraControls(white_balance=4000)]) as camera:
        camera.hold(on=True)
        assert told(video, "AUTOFOCUS", "FOCUS", "AUTO_EXPOSURE", "EXPOSURE") == [0, 40, 1, 333]
        assert told(video, "WB_TEMPERATURE") == [4000]
        camera.hold(on=False)
        assert told(video, "AUTOFOCUS", "AUTO_EXPOSURE", "AUTO_WB") == [1, 3, 0]


def test_a_camera_is_turned_and_cropped() -> None:
    """Turned clockwise first, then cut to shares of the turned picture."""
    picture = np.arange(4 * 8 * 3, dtype=np.uint8).reshape(4, 8, 3)
    controls = CameraControls(rotation=90, crop=(0.25, 0.5, 1.0, 1.0))
    parts = CameraParts(lambda _: picture, lambda: NOON, lambda: controls)
    turned = np.stack([picture[::-1, column] for column in range(8)])
    assert np.array_equal(parts.live(picture).image, turned[4:, 1:])


# -- which webcam it is


@pytest.fixture
def system(tmp_path: Path) -> tuple[Path, Path]:
    """/sys/class/video4linux and /dev of a Raspberry Pi 5 with two webcams and a virtual one."""
    sys_class, dev = tmp_path / "class", tmp_path / "dev"
    by_id = dev / "v4l/by-id"
    by_id.mkdir(parents=True)
    sys_class.mkdir()
    usb = "platform/axi/1000120000.pcie/1f00300000.usb/xhci-hcd.1/usb3/3-1"
    for number, place, index, name in (
        (0, "platform/axi/1f00110000.csi", 0, "rp1-cfe-csi2_ch0"),
        (10, f"{usb}/3-1:1.0", 0, "HD Pro Webcam C920"),
        (9, f"{usb}/3-1:1.0", 1, "HD Pro Webcam C920"),
        (2, f"{usb}/3-2:1.0", 0, "Arducam USB"),
        (20, "virtual", 0, "OBS Virtual Camera"),
    ):
        node = tmp_path / "devices" / place / f"video4linux/video{number}"
        node.mkdir(parents=True)
        (node / "index").write_text(f"{index}\n")
        (node / "name").write_text(f"{name}\n")
        (sys_class / node.name).symlink_to(node)
        (dev / node.name).touch()
    for index, number in ((0, 10), (1, 9)):
        link = by_id / f"usb-046d_HD_Pro_Webcam_C920-video-index{index}"
        link.symlink_to(f"../../video{number}")
    return sys_class, dev


def test_webcams_are_listed_with_the_name_that_stays(system: tuple[Path, Path]) -> None:
    """Neither nodes of metadata nor those of the Pi's own chips are cameras."""
    by_id = system[1] / "v4l/by-id/usb-046d_HD_Pro_Webcam_C920-video-index0"
    assert plugged_webcams(*system) == (
        FoundWebcam(2, "Arducam USB"),
        FoundWebcam(10, "HD Pro Webcam C920", str(by_id)),
        FoundWebcam(20, "OBS Virtual Camera"),
    )
    assert plugged_webcams(system[1], system[0]) == ()  # as on a system without them


def test_a_webcam_is_found_by_number_path_or_name(system: tuple[Path, Path]) -> None:
    """By its path or its name it is found again whatever number it gets.

    A name that several have is asked about, unless one has it whole.
    """

    def number(device: str) -> int | None:
        return video_number(device, lambda: plugged_webcams(*system))

    link = next((system[1] / "v4l/by-id").glob("*-index0"))
    assert [number(each) for each in ("7", "c920", "arducam usb", str(link))] == [7, 10, 2, 10]
    (system[0] / "video20/name").write_text("Arducam USB 2")
    assert number("Arducam USB") == 2
    with pytest.raises(CameraError, match="name one of webcam:2, webcam:20"):
        number("arducam")
    link.unlink()
    link.symlink_to("../../video2")
    assert number(str(link)) == 2
    link.unlink()
    assert [number(each) for each in (str(link), "Brio", "/etc/hostname")] == [None] * 3


def test_a_webcam_that_is_not_there_by_its_name_is_reported() -> None:
    """The sentence names the list; nothing is opened."""
    with pytest.raises(CameraError, match="No camera answers as webcam:Brio"):
        web_camera(FakeVideo(), "Brio").__enter__()
    with web_camera(FakeVideo(), "c920") as camera:
        assert camera.name == "webcam:c920"


def test_the_driver_is_asked_for_its_ranges(system: tuple[Path, Path]) -> None:
    """As v4l2_queryctrl has them: what is missing or disabled cannot be set."""
    asked = []

    def ioctl(_device: int, request: int, query: bytearray) -> None:
        (control,) = struct.unpack_from("I", query)
        asked.append((request >> 16 & 0x3FFF, request & 0xFFFF, len(query)))
        if control == 0x009A0902:  # exposure in units of 100 microseconds
            struct.pack_into("iiiiI", query, 40, 3, 2047, 1, 250, 0)
        elif control == 0x009A090A:
            struct.pack_into("iiiiI", query, 40, 0, 250, 5, 0, 1)  # disabled
        else:
            raise OSError(errno.EINVAL, "no such control")

    assert control_ranges(10, system[1], ioctl) == {"exposure": ControlRange(0.3, 204.7, 0.1)}
    assert asked == [(68, ord("V") << 8 | 36, 68)] * 3
    assert control_ranges(11, system[1], ioctl) == {}


def test_a_device_that_hangs_is_waited_for_two_seconds() -> None:
    """OpenCV's own patience is ten, longer than a table may be blind; a person's setting stays."""
    program = (
        "import os; from hardware.cameras.webcam import open_video; open_video(97); "
        "print(os.environ['OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT'])"
    )
    for environment, seconds in (({}, "2"), ({"OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT": "5"}, "5")):
        printed = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=True,
        )
        assert printed.stdout == f"{seconds}\n"
