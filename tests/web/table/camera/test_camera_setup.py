"""What is set of the camera, by the settings file and by the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from web.shared.plan import Plan
from web.shared.settings import CameraSettings, Settings, SettingsError, TableSettings
from web.table.camera.camera_setup import CameraSetup, open_camera_setup

STREAM = "stream:http://me:hidden@cam.lan/video?key=hidden"


def test_what_the_page_sets_is_used_at_once_and_kept(tmp_path: Path) -> None:
    """Beside the database, for this camera alone, and without a password."""
    plan = Plan.of(
        Settings(
            camera=CameraSettings(STREAM), table=TableSettings(f"sqlite:///{tmp_path}/g.sqlite3")
        )
    )
    setup = open_camera_setup(plan)
    assert setup.set({"focus": 30.0, "crop": (0.1, 0.0, 1.0, 1.0), "size": (640, 480)}) is None
    assert (setup.controls().focus, setup.controls().size) == (30.0, (640, 480))
    assert open_camera_setup(plan).controls() == setup.controls()
    kept = tmp_path / "g.camera.toml"
    assert "hidden" not in kept.read_text()
    other = CameraSetup(CameraSettings("webcam:1"), kept)
    assert other.controls() == CameraSettings("webcam:1")


def test_the_settings_file_goes_before_the_page(tmp_path: Path) -> None:
    """What it names stays, and is not written among what the page keeps."""
    file = tmp_path / "games.camera.toml"
    setup = CameraSetup(CameraSettings("webcam:0", rotation=180), file)
    setup.set({"rotation": 90, "exposure": 20.0})
    assert setup.named == {"rotation": 180}
    assert (setup.controls().rotation, setup.controls().exposure) == (180, 20.0)
    without = CameraSetup(CameraSettings("webcam:0"), file)
    assert (without.controls().rotation, without.controls().exposure) == (0, 20.0)


def test_where_nothing_can_be_kept_it_is_used_and_said(tmp_path: Path) -> None:
    """On a disk that cannot be written; a table whose games are in memory has no file at all."""
    (tmp_path / "file").touch()
    setup = CameraSetup(CameraSettings("webcam:0"), tmp_path / "file/games.camera.toml")
    assert "could not be stored" in str(setup.set({"focus": 30.0}))
    assert setup.controls().focus == 30.0
    nowhere = CameraSetup(CameraSettings("webcam:0"), None)
    assert nowhere.set({"focus": 30.0}) is None
    with pytest.raises(SettingsError, match=r"camera\.crop"):  # and changes nothing
        nowhere.set({"crop": (0.5, 0.0, 0.5, 1.0)})
    assert (nowhere.controls().focus, nowhere.controls().crop) == (30.0, ())


def test_a_damaged_file_is_named_with_its_cure(tmp_path: Path) -> None:
    """The table says so at its start."""
    file = tmp_path / "games.camera.toml"
    file.write_text("[camera]\nfocus = nearby\n")
    with pytest.raises(SettingsError, match=r"games\.camera\.toml is no TOML.* Delete it"):
        CameraSetup(CameraSettings("webcam:0"), file)
