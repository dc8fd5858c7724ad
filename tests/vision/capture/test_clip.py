"""Video files, frame by frame."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.capture.photo import Clip
from vision.errors import ClipError

SIZE = (64, 48)


def filmed(path: Path, codec: str, frames: int, frames_per_second: float) -> Path:
    """A clip whose frames get brighter by ten levels each."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*codec), frames_per_second, SIZE)
    for number in range(frames):
        writer.write(np.full((SIZE[1], SIZE[0], 3), 10 * number, np.uint8))
    writer.release()
    return path


@pytest.mark.parametrize(
    ("name", "codec", "frames_per_second"), [("a.mp4", "mp4v", 12.5), ("a.avi", "MJPG", 60.0)]
)
def test_frames_come_in_order_with_their_times(
    tmp_path: Path, name: str, codec: str, frames_per_second: float
) -> None:
    """Frames are numbered from 0; a frame's time is its number over the file's pace."""
    with Clip(filmed(tmp_path / name, codec, 8, frames_per_second)) as clip:
        assert clip.frames_per_second == pytest.approx(frames_per_second)
        assert clip.length == 8
        frames = list(clip.frames())
    assert [frame.sequence for frame in frames] == list(range(8))
    for frame in frames:
        assert frame.image.shape == (48, 64, 3)
        assert frame.image.mean() == pytest.approx(10 * frame.sequence, abs=4)
        after = frame.captured_at - frames[0].captured_at
        wanted = timedelta(seconds=frame.sequence / frames_per_second)
        assert abs(after - wanted) <= timedelta(microseconds=1)
        assert not frame.single


def a_picture(path: Path) -> Path:
    """A single picture."""
    cv2.imwrite(str(path), np.zeros((48, 64, 3), np.uint8))
    return path


def some_bytes(path: Path, data: bytes) -> Path:
    """A file that holds these bytes."""
    path.write_bytes(data)
    return path


def test_what_is_no_clip_is_reported_with_a_cure(tmp_path: Path) -> None:
    """One sentence that names the file, the fault and the cure."""
    whole = filmed(tmp_path / "whole.mp4", "mp4v", 25, 15).read_bytes()
    avi = filmed(tmp_path / "whole.avi", "MJPG", 25, 15).read_bytes()
    cut = avi[: avi.index(b"movi") + (len(avi) - avi.index(b"movi")) // 2]
    faults = {
        tmp_path / "nothing.mp4": "is not there",
        tmp_path: "is a folder",
        some_bytes(tmp_path / "empty.mp4", b""): "is empty",
        some_bytes(tmp_path / "junk.mp4", b"no video" * 99): "is no video that can be played",
        some_bytes(tmp_path / "cut.mp4", whole[: len(whole) // 2]): "is no video that can",
        some_bytes(tmp_path / "cut.avi", cut): "breaks off after [0-9]+ of 25 frames",
        a_picture(tmp_path / "photo.png"): "is a single picture",
        Path("http://127.0.0.1:9/clip.mp4"): "is not there",
    }
    for path, fault in faults.items():
        with pytest.raises(ClipError, match=fault) as told:
            play(path)
        assert str(told.value).startswith(str(path))
        assert str(told.value).endswith(".")


def play(path: Path) -> None:
    """Take all frames of a file."""
    with Clip(path) as clip:
        for _ in clip.frames():
            pass


def test_a_pace_that_cannot_be_is_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that tells no pace is played at 25 frames a second."""
    path = filmed(tmp_path / "a.avi", "MJPG", 3, 10)

    class Untold:
        def __init__(self, _path: str) -> None:
            self.frames = iter([np.zeros((48, 64, 3), np.uint8)] * 2)

        def isOpened(self) -> bool:  # noqa: N802 -- OpenCV's name
            return True

        def get(self, _property: int) -> float:
            return float("nan") if _property == cv2.CAP_PROP_FPS else -1.0

        def read(self) -> tuple[bool, object]:
            image = next(self.frames, None)
            return image is not None, image

        def release(self) -> None:
            pass

    monkeypatch.setattr(cv2, "VideoCapture", Untold)
    with Clip(path) as clip:
        assert (clip.frames_per_second, clip.length) == (25.0, 0)
        assert len(list(clip.frames())) == 2
