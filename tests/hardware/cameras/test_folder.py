"""A folder of pictures as a camera."""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.camera import CameraParts, Capture
from hardware.cameras.folder import FolderCamera
from hardware.errors import CameraError

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def decode(file: bytes) -> NDArray[np.uint8]:
    """Stands in for a decoder: a file `7` is a picture of value 7, any text is none."""
    return np.full((2, 2, 3), int(file), np.uint8)


@dataclass
class Sleeper:
    """A clock that only sleeping moves."""

    now: float = 100.0
    slept: list[float] = field(default_factory=list)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def folder_camera(folder: Path, sleeper: Sleeper) -> FolderCamera:
    """A folder camera on a fake clock."""
    return FolderCamera(
        folder,
        CameraParts(decode, lambda: NOON),
        interval_seconds=3,
        monotonic=lambda: sleeper.now,
        sleep=sleeper.sleep,
    )


def fill(folder: Path, *names: str) -> None:
    """Write one small picture a name; its value is its place."""
    folder.mkdir(exist_ok=True)
    for value, name in enumerate(names):
        (folder / name).write_text(str(value))


def values(camera: FolderCamera, calls: int) -> list[int]:
    """The values of the pictures that so many captures give."""
    captures = [camera.capture() for _ in range(calls)]
    return [int(capture.image[0, 0, 0]) for capture in captures if capture is not None]


def test_pictures_are_shown_in_the_order_of_names(tmp_path: Path) -> None:
    """Each picture comes once, as a photo by itself; what is no picture is left alone."""
    fill(tmp_path, "a.jpg", "b.PNG", "c.webp", "notes.txt", ".hidden.jpg")
    with folder_camera(tmp_path, Sleeper()) as camera:
        first = camera.capture()
        assert isinstance(first, Capture)
        assert first.single
        assert first.captured_at == NOON
        assert values(camera, 40) == [1, 2]


@pytest.mark.parametrize("known", [False, True])
def test_a_table_begins_with_the_newest_picture(tmp_path: Path, *, known: bool) -> None:
    """The others are of long ago; what arrives after the start is new, whatever its name."""
    fill(tmp_path, "a.jpg", "b.jpg", "c.jpg")
    for name, at in (("a.jpg", 10), ("b.jpg", 30), ("c.jpg", 20)):
        os.utime(tmp_path / name, (at, at))
    camera = folder_camera(tmp_path, Sleeper())
    camera.begin_with_newest(known=known)
    with camera:
        first = camera.capture()
        assert first is not None
        assert (first.image[0, 0, 0], first.known) == (1, known)
        assert values(camera, 20) == []
        (tmp_path / "a0.jpg").write_text("7")
        os.utime(tmp_path / "a0.jpg", (5, 5))
        later = [camera.capture() for _ in range(20)]
    assert [(each.image[0, 0, 0], each.known) for each in later if each] == [(7, False)]


@pytest.mark.parametrize("exists", [True, False])
def test_what_comes_later_is_new_unless_its_folder_does(tmp_path: Path, *, exists: bool) -> None:
    """An empty folder was looked at before; a disk of the network may follow the table."""
    folder = tmp_path / "photos"
    if exists:
        folder.mkdir()
    camera = folder_camera(folder, Sleeper())
    camera.begin_with_newest(known=True)
    with pytest.raises(CameraError, match="no pictures" if exists else "cannot be read"), camera:
        pass
    fill(folder, "a.jpg", *([] if exists else ["b.jpg"]))
    with camera:
        captures = [camera.capture() for _ in range(20)]
    assert [each.known for each in captures if each is not None] == [not exists]


def test_the_next_picture_waits_for_its_time(tmp_path: Path) -> None:
    """Pictures are three seconds apart, and no single wait is longer than a second."""
    fill(tmp_path, "a.jpg", "b.jpg")
    sleeper = Sleeper()
    with folder_camera(tmp_path, sleeper) as camera:
        assert camera.capture() is not None
        start = sleeper.now
        while camera.capture() is None:
            pass
    assert sleeper.now - start == pytest.approx(3)
    assert max(sleeper.slept) < 1


def test_new_and_changed_pictures_are_taken_up(tmp_path: Path) -> None:
    """A picture that arrives later is shown, and so is one that was copied anew."""
    fill(tmp_path, "m.jpg")
    with folder_camera(tmp_path, Sleeper()) as camera:
        assert values(camera, 20) == [0]
        (tmp_path / "a.jpg").write_text("5")
        assert values(camera, 20) == [5]
        (tmp_path / "m.jpg").write_text("66")
        assert values(camera, 20) == [66]


def test_broken_pictures_are_skipped_until_they_are_whole(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A broken picture costs one line in the log; when it is whole it is shown."""
    fill(tmp_path, "a.jpg", "b.jpg")
    (tmp_path / "a.jpg").write_text("half a pict")
    (tmp_path / "c.jpg").mkdir()
    with caplog.at_level(logging.WARNING), folder_camera(tmp_path, Sleeper()) as camera:
        assert values(camera, 40) == [1]
        assert [record.getMessage().split(":")[0] for record in caplog.records] == [
            "a.jpg is skipped",
            "c.jpg is skipped",
        ]
        (tmp_path / "a.jpg").write_text("9")
        assert values(camera, 20) == [9]


def test_entered_again_it_goes_on_where_it_was(tmp_path: Path) -> None:
    """After a fault elsewhere no picture is shown a second time."""
    fill(tmp_path, "a.jpg", "b.jpg", "c.jpg")
    camera = folder_camera(tmp_path, Sleeper())
    with camera:
        assert values(camera, 1) == [0]
    with camera:
        assert values(camera, 40) == [1, 2]


@pytest.mark.parametrize("removed", [False, True])
def test_an_emptied_folder_is_gone_and_returns(tmp_path: Path, *, removed: bool) -> None:
    """Emptied or removed, the camera says so; filled again, it is taken up again."""
    folder = tmp_path / "photos"
    fill(folder, "a.jpg")
    camera = folder_camera(folder, Sleeper())
    with camera:
        assert values(camera, 1) == [0]
        (folder / "a.jpg").unlink()
        if removed:
            folder.rmdir()
        with pytest.raises(CameraError, match="cannot be read" if removed else "no pictures"):
            camera.capture()
    with pytest.raises(CameraError, match="photos"), camera:
        pass
    fill(folder, "a.jpg")
    with camera:
        assert values(camera, 1) == [0]


def test_a_picture_taken_away_in_between_is_no_error(tmp_path: Path) -> None:
    """A picture that vanishes between the look at the folder and the reading is left out."""
    fill(tmp_path, "a.jpg", "b.jpg")
    camera = folder_camera(tmp_path, Sleeper())
    with camera:
        taken = tmp_path / "a.jpg"
        assert camera._decoded(taken.with_name("z.jpg")) is None
        assert values(camera, 1) == [0]


def test_only_ordinary_files_are_opened(tmp_path: Path) -> None:
    """A pipe, a link to itself, to nothing or to a device, and a file of gigabytes stop nothing."""
    fill(tmp_path, "m.jpg")
    os.mkfifo(tmp_path / "a.jpg")
    (tmp_path / "b.jpg").symlink_to(tmp_path / "b.jpg")
    (tmp_path / "b0.jpg").symlink_to(tmp_path / "absent.jpg")
    (tmp_path / "c.jpg").symlink_to("/dev/zero")
    with (tmp_path / "d.jpg").open("wb") as sparse:
        sparse.truncate(3 * 2**30)
    with folder_camera(tmp_path, Sleeper()) as camera:
        assert values(camera, 20) == [0]


def test_a_folder_that_could_not_be_read_shows_nothing_twice(tmp_path: Path) -> None:
    """What was shown stays known until the folder is back."""
    folder, away = tmp_path / "photos", tmp_path / "away"
    fill(folder, "a.jpg", "b.jpg")
    with folder_camera(folder, Sleeper()) as camera:
        assert values(camera, 20) == [0, 1]
        folder.rename(away)
        with pytest.raises(CameraError, match="cannot be read"):
            camera.capture()
    away.rename(folder)
    (folder / "c.jpg").write_text("2")
    with camera:
        assert values(camera, 20) == [2]


def test_a_folder_that_does_not_change_is_seldom_looked_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looking through 20,000 names takes a while; it takes 2 % of the time at most."""
    fill(tmp_path, "a.jpg")
    sleeper, looks = Sleeper(), 0
    scandir = os.scandir

    def slow_scandir(folder: Path) -> Any:
        nonlocal looks
        looks += 1
        sleeper.now += 0.1
        return scandir(folder)

    monkeypatch.setattr("hardware.cameras.folder.os.scandir", slow_scandir)
    with folder_camera(tmp_path, sleeper) as camera:
        while sleeper.now < 200:
            camera.capture()
        assert looks <= 21
        (tmp_path / "b.jpg").write_text("7")
        assert values(camera, 10) == [7]
