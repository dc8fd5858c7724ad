"""`tablescore cameras`, `calibrate` and `check`."""

from __future__ import annotations

import re
import socket
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import Result

from hardware.cameras.demo import demo_evening
from hardware.cameras.webcam import FoundWebcam
from tests.hardware.cameras.mjpeg_server import mjpeg_server
from tests.patience import until
from tests.vision.drawn_tray import CORNERS, Scene, furthest, moved
from tests.web.cli.calling import call
from tests.web.process import running
from vision.capture.photo import open_photo
from vision.quality.tray import TrayCorners
from web.cli.cameras import lines
from web.shared.plan import own_key


def test_each_camera_is_listed_as_it_is_named() -> None:
    """What to type comes first; a webcam's path is told where it has one."""
    path = "/dev/v4l/by-id/usb-046d_HD_Pro_Webcam_C920-video-index0"
    webcams = FoundWebcam(0, "HD Pro Webcam C920", path), FoundWebcam(20, "OBS Virtual Camera")
    assert list(lines(("imx708", "imx219"), webcams)) == [
        "picamera    imx708",
        "picamera:1  imx219",
        f"webcam:0    HD Pro Webcam C920; always: webcam:{path}",
        "webcam:20   OBS Virtual Camera",
    ]


def test_a_machine_without_cameras_names_other_ways() -> None:
    """And the command works on a machine of any kind."""
    assert "--camera stream:URL" in next(lines((), ()))
    result = call("cameras")
    assert (result.exit_code, bool(result.stdout)) == (0, True)


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
    points = tuple(zip(shares[::2], shares[1::2], strict=True))
    assert furthest(TrayCorners(points), CORNERS) < 0.02
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


SIMULATED = '[buttons]\npins = "simulated"\n'


def simulated(folder: Path) -> str:
    """Settings without pins, and of no table that may be running on this machine."""
    return f'{SIMULATED}[table]\ndatabase = "sqlite:///{folder}/games.sqlite3"\n'


def check(folder: Path, *arguments: str) -> Result:
    """Call the command on a machine without pins."""
    settings = folder / "table.toml"
    settings.write_text(simulated(folder))
    return call("check", "--settings", str(settings), *arguments)


def test_each_part_is_tried_and_told(tmp_path: Path) -> None:
    """Camera, three buttons, four lamps, the machine; what is simulated is told as such."""
    result = check(tmp_path)
    assert result.exit_code == 0
    camera, view, *others, machine = result.stdout.splitlines()
    assert camera.startswith("camera demo: simulated.")
    assert view == "view, green: works. The table is seen well."
    assert [line.split()[0] for line in others] == ["button"] * 3 + ["lamp"] * 4
    assert all("simulated" in line for line in others)
    assert machine == "machine: works. Nothing is wrong with power, heat, disk and clock."


def test_a_speaker_that_shall_speak_is_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only where the settings want it; without the program it fails, with the cure."""
    settings = tmp_path / "table.toml"
    settings.write_text(f'{simulated(tmp_path)}[sound]\nvoice = "speaker"\n')
    monkeypatch.setenv("PATH", str(tmp_path))
    result = call("check", "--settings", str(settings))
    assert result.exit_code == 1
    assert "speaker: FAILS. espeak-ng is not installed; run: sudo apt install" in result.stdout


def test_a_part_that_fails_makes_the_status_1(tmp_path: Path) -> None:
    """The others are tried all the same."""
    result = check(tmp_path, "--camera", f"folder:{tmp_path}/none")
    assert result.exit_code == 1
    assert result.stdout.startswith(f"camera folder:{tmp_path}/none: FAILS.")
    assert len(result.stdout.splitlines()) == 9


@pytest.mark.parametrize(
    ("gain", "status", "line"),
    [
        (1.0, 0, "view, green: works. The table is seen well."),
        (0.6, 0, "view, amber: works. It is rather dark:"),
        (0.05, 1, "view, red: FAILS. It is too dark to read:"),
    ],
)
def test_only_a_red_view_fails(tmp_path: Path, gain: float, status: int, line: str) -> None:
    """What could be better is told, and stops nobody."""
    seen = open_photo(Path(str(demo_evening())) / "empty.webp")
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    cv2.imwrite(str(pictures / "table.png"), (seen * gain).astype(np.uint8))
    result = check(tmp_path, "--camera", f"folder:{pictures}")
    assert result.exit_code == status
    assert line in result.stdout


def test_a_camera_that_moved_since_the_calibration_is_reported(tmp_path: Path) -> None:
    """The calibration that the table would use is compared with what is seen now."""
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    source = f"folder:{pictures}"
    cv2.imwrite(str(pictures / "table.png"), Scene().picture())
    database = f"sqlite:///{tmp_path}/games.sqlite3"
    calibrated = ["calibrate", "--automatic", "--camera", source, "--database", database]
    assert call(*calibrated).exit_code == 0
    settings = tmp_path / "table.toml"
    settings.write_text(simulated(tmp_path))
    arguments = ["check", "--settings", str(settings), "--camera", source]
    assert "view, green: works." in call(*arguments).stdout
    cv2.imwrite(str(pictures / "table.png"), moved(Scene().picture(), 0.06, 0.02))
    result = call(*arguments)
    assert result.exit_code == 1
    assert "view, red: FAILS. The camera or the tray has moved" in result.stdout


def test_beside_a_running_table_it_is_asked(tmp_path: Path) -> None:
    """Its camera is in use: nobody else opens it, and what is wrong with it is told."""
    database = f"sqlite:///{tmp_path}/games.sqlite3"
    with mjpeg_server() as server:
        source = f"stream:{server.address}"
        options = ["--camera", source, "--database", database]
        with running(*options):
            until(lambda: "pixels." in check(tmp_path, *options).stdout)
            result = check(tmp_path, *options)
            assert result.exit_code == 0
            camera, *others = result.stdout.splitlines()
            address = f"stream:http://127.0.0.1:{server.port}/video"
            assert camera == (
                f"camera {address}: works. The running table uses it: 128 x 120 pixels."
            )
            pins = next(line for line in others if line.startswith("buttons and lamps: "))
            assert pins.startswith("buttons and lamps: simulated. The running table has them:")
            assert any(line.startswith("machine") for line in others)
            assert server.viewers == 1
            server.close()
            until(lambda: check(tmp_path, *options).exit_code)
            result = check(tmp_path, *options)
            assert result.stdout.startswith(f"camera {address}: FAILS. {address} ")
            other = check(tmp_path, "--camera", f"folder:{tmp_path}", "--database", database)
            assert other.stdout.startswith(f"camera folder:{tmp_path}: FAILS. ")
