"""`tablescore calibrate`."""

from __future__ import annotations

import re
import socket
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import Result

from tests.vision.drawn_tray import CORNERS, Scene, furthest
from tests.web.cli.calling import call
from vision.capture.photo import open_photo
from vision.quality.tray import TrayCorners
from web.shared.plan import own_key


def calibrate(folder: Path, *arguments: str) -> Result:
    """Call the command for a table whose games are in that folder."""
    database = f"sqlite:///{folder}/games.sqlite3"
    return call("calibrate", "--database", database, *arguments)


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    """A photograph of a tray."""
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), Scene().picture())
    return path


def test_a_tray_is_found_drawn_and_kept(tmp_path: Path, photo: Path) -> None:
    """The corners are printed as the settings write them."""
    drawing = tmp_path / "out" / "tray.jpg"
    arguments = ("--automatic", str(photo), "--camera", "webcam:0", "--draw", str(drawing))
    result = calibrate(tmp_path, *arguments)
    assert result.exit_code == 0
    corners, drawn, kept = result.stdout.splitlines()
    shares = [float(share) for share in re.findall(r"0\.\d+", corners)]
    points = list(zip(shares[::2], shares[1::2], strict=True))
    assert furthest(TrayCorners(*points), CORNERS) < 0.02
    assert drawn == f"drawn in {drawing}"
    assert kept == f"kept in {tmp_path}/games.tray.toml, for webcam:0"
    assert (open_photo(drawing) != open_photo(photo)).any()


def test_the_cameras_own_picture_does_as_well(tmp_path: Path, photo: Path) -> None:
    """Without a PHOTO the camera is asked."""
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    photo.rename(pictures / "table.png")
    result = calibrate(tmp_path, "--automatic", "--camera", f"folder:{pictures}")
    assert result.exit_code == 0
    assert (tmp_path / "games.tray.toml").exists()


def test_what_is_forgotten_was_there(tmp_path: Path, photo: Path) -> None:
    """And a second time there is nothing to forget."""
    calibrate(tmp_path, "--automatic", str(photo), "--camera", "webcam:0")
    assert "is forgotten" in calibrate(tmp_path, "--clear").stdout
    assert not (tmp_path / "games.tray.toml").exists()
    assert "no calibration to forget" in calibrate(tmp_path, "--clear").stdout


def test_without_a_camera_the_corners_are_shown_but_not_kept(tmp_path: Path, photo: Path) -> None:
    """The demo evening's tray changes all the time."""
    result = calibrate(tmp_path, "--automatic", str(photo))
    assert result.exit_code == 1
    assert result.stdout.startswith("corners = [[")
    assert "found, but not kept" in result.stderr
    assert not (tmp_path / "games.tray.toml").exists()


def test_no_tray_is_refused_in_a_sentence(tmp_path: Path) -> None:
    """Exit status 1, and nothing is kept."""
    bare = tmp_path / "bare.png"
    cv2.imwrite(str(bare), np.full((300, 400, 3), 120, np.uint8))
    result = calibrate(tmp_path, "--automatic", str(bare), "--camera", "webcam:0")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "No tray stands out" in result.stderr
    missing = calibrate(tmp_path, "--automatic", str(tmp_path / "none.jpg"))
    assert missing.exit_code == 1


def test_the_page_for_the_taps_is_named(tmp_path: Path) -> None:
    """With what to do first, when no table runs there."""
    settings = tmp_path / "table.toml"
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        settings.write_text(f"[page]\nport = {port}\n")
        idle = calibrate(tmp_path, "--settings", str(settings))
        taken.listen()
        running = calibrate(tmp_path, "--settings", str(settings))
    address = f"http://127.0.0.1:{port}/here/{own_key()}/calibrate"  # as the table's own machine
    assert idle.stdout.startswith(f"{address}\nNo table runs there yet")
    assert running.stdout == f"{address}\nOpen this page, and tap where the dice lie.\n"


@pytest.mark.parametrize(
    "arguments", [("--clear", "--automatic"), ("photo.jpg",), ("--draw", "tray.jpg")]
)
def test_what_does_not_go_together_is_refused(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """Exit status 2, as for every command that cannot be understood."""
    assert calibrate(tmp_path, *arguments).exit_code == 2
