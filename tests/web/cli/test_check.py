"""`tablescore check`."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import Result

from hardware.cameras.demo import demo_evening
from tests.hardware.cameras.mjpeg_server import mjpeg_server
from tests.patience import until
from tests.vision.drawn_tray import Scene, moved
from tests.web.cli.calling import call
from tests.web.process import running
from vision.capture.photo import open_photo

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
