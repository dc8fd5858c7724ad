"""A USB camera behind a fake of OpenCV's VideoCapture."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.camera import CameraParts
from hardware.cameras.webcam import WebCamera, open_video
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
    released: int = 0

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        """As told."""
        return self.opened

    def set(self, propId: int, value: float) -> bool:  # noqa: N803 - OpenCV's name
        """Remember what was asked for."""
        self.asked[propId] = value
        return False

    def get(self, propId: int) -> float:  # noqa: N803 - OpenCV's name
        """The driver's time of the frame, 0 where it tells none."""
        assert propId == cv2.CAP_PROP_POS_MSEC
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
        """A picture of the frame taken last."""
        if not self.decodes:
            return False, None
        return True, np.zeros((2, 2, 3), np.uint8)

    def release(self) -> None:
        """Count it."""
        self.released += 1


def web_camera(video: FakeVideo) -> WebCamera:
    """A camera over a fake driver and its clock."""
    return WebCamera(
        3,
        CameraParts(lambda _: np.zeros((1, 1, 3), np.uint8), lambda: NOON),
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
    with pytest.raises(CameraError, match="webcam:3; plug it in"), web_camera(video):
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
