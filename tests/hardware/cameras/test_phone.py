"""A phone as a live camera, on a clock that the test moves."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from threading import Event

import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.camera import CameraControls, CameraParts
from hardware.cameras.phone import PhoneCamera
from hardware.errors import CameraError
from tests.patience import PATIENCE_SECONDS

NOON = datetime(2026, 11, 25, 12, tzinfo=UTC)


def decode(file: bytes) -> NDArray[np.uint8]:
    """Stands in for a decoder: a file `7` is a picture of value 7, any text is none."""
    return np.full((2, 2, 3), int(file), np.uint8)


class Setting:
    """A phone camera that hardly waits, and its clock."""

    def __init__(self) -> None:
        self.seconds = 100.0
        parts = CameraParts(decode, lambda: NOON + timedelta(seconds=self.seconds))
        self.camera = PhoneCamera(parts, now=lambda: self.seconds, wait_seconds=0.01)

    def put(
        self, value: int, *, age: float = 0.1, sender: str = "one", take_over: bool = False
    ) -> None:
        """A frame of that value comes, a tenth of a second after the one before."""
        self.seconds += 0.1
        self.camera.put(str(value).encode(), sender, self.seconds - age, take_over=take_over)

    def given(self) -> int | None:
        capture = self.camera.capture()
        return None if capture is None else int(capture.image[0, 0, 0])


@pytest.fixture
def setting() -> Setting:
    """A camera that no phone has sent anything to."""
    return Setting()


def test_the_newest_frame_is_given_once(setting: Setting) -> None:
    """It is no photo by itself: stillness decides when it is read. Its time is its exposure's."""
    setting.put(1)
    with setting.camera as camera:
        setting.put(2, age=0.25)
        capture = camera.capture()
        assert capture is not None
        assert (capture.image[0, 0, 0], capture.single, capture.known) == (2, False, False)
        assert capture.captured_at == NOON + timedelta(seconds=setting.seconds - 0.25)
        assert camera.capture() is None


@pytest.mark.parametrize(("age", "value"), [(0.9, 1), (1.1, None)])
def test_a_frame_of_more_than_a_second_ago_is_not_given(
    setting: Setting, age: float, value: int | None
) -> None:
    """However it aged: on its way, or while the reader was busy."""
    setting.put(7)
    with setting.camera:
        assert setting.given() == 7
        setting.put(1, age=age)
        assert setting.given() == value
        setting.put(1, age=0)
        setting.seconds += age
        assert setting.given() == value


def test_a_phone_that_goes_is_missed_and_found_again(setting: Setting) -> None:
    """Players are told what to do; a slow network is another fault than a sleeping phone."""
    with pytest.raises(CameraError, match="Waiting for a phone camera"):
        setting.camera.__enter__()
    setting.put(1)
    with setting.camera:
        assert setting.given() == 1
        setting.seconds += 2.5
        assert setting.given() is None
        setting.seconds += 1.0
        with pytest.raises(CameraError, match="unlock it"):
            setting.camera.capture()
    with pytest.raises(CameraError, match="unlock it"):
        setting.camera.__enter__()
    setting.put(2, age=4.0)
    with pytest.raises(CameraError, match="too late"):
        setting.camera.__enter__()
    setting.put(3)
    with setting.camera:
        assert setting.given() == 3


def test_what_is_no_picture_changes_nothing(setting: Setting) -> None:
    """The decoder's error reaches whoever sent it, and the frame before is given."""
    setting.put(1)
    setting.seconds += 0.1
    with pytest.raises(ValueError, match="nonsense"):
        setting.camera.put(b"nonsense", "one", setting.seconds)
    with setting.camera:
        assert setting.given() == 1
        setting.put(2)
        assert setting.given() == 2


def test_a_second_phone_waits_until_the_first_is_silent_or_a_person_takes_over(
    setting: Setting,
) -> None:
    """The first one then is the one that is refused, and may take over in turn."""
    setting.put(1)
    with pytest.raises(CameraError, match="Another phone"):
        setting.put(2, sender="two")
    setting.put(3, sender="two", take_over=True)
    with pytest.raises(CameraError, match="Another phone"):
        setting.put(4)
    before = setting.camera.in_use
    setting.seconds += 5.0
    assert (before, setting.camera.in_use) == (True, False)
    setting.put(5)
    with setting.camera:
        assert setting.given() == 5


def test_one_frame_is_decoded_at_a_time_and_none_at_once_after_another() -> None:
    """What comes meanwhile is left out: a newer one follows it anyway."""
    decoding, go_on = Event(), Event()
    decoded: list[bytes] = []

    def slowly(file: bytes) -> NDArray[np.uint8]:
        decoded.append(file)
        decoding.set()
        go_on.wait(PATIENCE_SECONDS)
        return decode(file)

    seconds = 100.0
    camera = PhoneCamera(CameraParts(slowly, lambda: NOON), now=lambda: seconds)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(camera.put, b"1", "one", seconds)
        assert decoding.wait(PATIENCE_SECONDS)
        seconds += 0.1
        camera.put(b"2", "one", seconds)
        go_on.set()
        first.result(PATIENCE_SECONDS)
    camera.put(b"3", "one", seconds)
    camera.put(b"4", "one", seconds)
    assert decoded == [b"1", b"3"]


def test_a_frame_of_who_was_replaced_meanwhile_is_dropped() -> None:
    """Somebody took over while it was decoded: it must not show the other phone's table."""
    camera: PhoneCamera

    def replaced(file: bytes) -> NDArray[np.uint8]:
        if file == b"1":
            camera.put(b"2", "two", 0.0, take_over=True)
        return decode(file)

    parts = CameraParts(replaced, lambda: NOON)
    camera = PhoneCamera(parts, now=lambda: 100.0, wait_seconds=0.01)
    camera.put(b"1", "one", 100.0)
    with pytest.raises(CameraError):
        camera.__enter__()


def test_a_frame_is_turned_as_is_set() -> None:
    """As with every live camera; its time stays that of its exposure."""
    parts = CameraParts(
        lambda _: np.zeros((2, 6, 3), np.uint8), lambda: NOON, lambda: CameraControls(rotation=90)
    )
    camera = PhoneCamera(parts, now=lambda: 100.0)
    camera.put(b"", "one", 99.5)
    with camera:
        capture = camera.capture()
    assert capture is not None
    assert capture.image.shape == (6, 2, 3)
    assert capture.captured_at == NOON - timedelta(seconds=0.5)
