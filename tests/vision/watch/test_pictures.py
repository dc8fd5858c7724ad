"""What the page is shown: the pictures of proposals, and the latest."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import cv2
import numpy as np
import pytest

from vision.capture.frame import Frame
from vision.capture.photo import open_photo
from vision.watch.pipeline import Pictures

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def keep(pictures: Pictures, seen: Frame) -> None:
    """Keep a frame in the size that the camera gave."""
    pictures.keep(seen, seen.image)


def frame(number: int, width: int = 64, height: int = 48) -> Frame:
    """A frame whose grey tells its number."""
    return Frame(number, NOON, np.full((height, width, 3), number * 10, np.uint8))


def test_kept_frames_are_found_by_number() -> None:
    """A kept frame comes back as a JPEG of the same picture."""
    pictures = Pictures()
    keep(pictures, frame(7))
    picture = pictures.picture(7)
    assert picture is not None
    assert abs(int(open_photo(picture.jpeg).mean()) - 70) <= 1
    assert (picture.width, picture.height) == (64, 48)
    assert pictures.picture(8) is None


@pytest.mark.parametrize(
    ("size", "kept"), [((3000, 4000), (1280, 960, 3)), ((4000, 1), (1, 1280, 3))]
)
def test_large_frames_are_made_smaller_and_know_their_size(
    size: tuple[int, int], kept: tuple[int, ...]
) -> None:
    """The longer side is 1280 pixels, the shorter one at least; the size is the frame's own."""
    pictures = Pictures()
    keep(pictures, frame(1, *size))
    picture = pictures.picture(1)
    assert picture is not None
    image = cv2.imdecode(np.frombuffer(picture.jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    assert image.shape == kept
    assert (picture.width, picture.height) == size


def test_the_oldest_frames_are_forgotten() -> None:
    """Only the last few are kept, and keeping one again makes it new."""
    pictures = Pictures(most=3)
    for number in (1, 2, 3, 1, 4):
        keep(pictures, frame(number))
    assert [number for number in range(6) if pictures.picture(number)] == [1, 3, 4]


def test_the_latest_is_small_and_encoded_on_demand_only() -> None:
    """Asked twice for the same frame, the same bytes come; a new frame gives new ones."""
    pictures = Pictures()
    assert pictures.latest() is None
    pictures.show(frame(1, 1920, 1080))
    first = pictures.latest()
    assert first is not None
    assert pictures.latest() is first
    assert open_photo(first.jpeg).shape == (270, 480, 3)
    assert (first.width, first.height) == (1920, 1080)
    pictures.show(frame(2))
    assert pictures.latest() is not first


def test_many_threads_may_use_it_at_once() -> None:
    """Threads that keep, show and ask at the same time get whole pictures."""
    pictures = Pictures(most=5)

    def use(number: int) -> bool:
        keep(pictures, frame(number % 20))
        pictures.show(frame(number % 20))
        latest = pictures.latest()
        kept = pictures.picture(number % 20)
        return latest is not None and (kept is None or kept.jpeg.startswith(b"\xff\xd8"))

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(use, range(200)))
    assert sum(pictures.picture(number) is not None for number in range(20)) == 5
