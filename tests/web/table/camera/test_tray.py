"""The fixed tray of a running table, and the file that keeps it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from math import isqrt
from pathlib import Path

import cv2
import numpy as np
import pytest

from scoreboard.message import message
from scoreboard.table.pending_acts import ConfirmedReading
from scoreboard.table.pending_dice import PendingRoll
from scoreboard.table.proposal import Box, Proposal, TableDie
from tests.vision.drawn_tray import CORNERS, Scene, furthest
from vision.capture.frame import PlayArea
from vision.errors import CalibrationError
from vision.quality.tray import TrayCorners
from web.shared.plan import Plan
from web.shared.settings import CameraSettings, Settings, SettingsError, TraySettings
from web.table.camera.tray import (
    ASKED,
    PHOTOS,
    PHOTOS_BYTES,
    ROLLS,
    FixedTray,
    calibration_file,
    open_tray,
)

PICTURE = Scene().picture()
TAPS = tuple(CORNERS.around[at] for at in (2, 0, 3, 1))
WEBCAM = "webcam:0"


NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
DICE: tuple[Box, ...] = ((160, 120, 190, 150), (320, 240, 350, 270))  # of a picture of 640 x 480
KEY: Box = (600, 20, 620, 40)
ASKS = (message("There may be another die here."),)


def confirmed(*boxes: Box, beside: tuple[Box, ...] = (), asked: bool = False) -> ConfirmedReading:
    """A roll whose dice lay there, and what a person deleted of what the camera read."""
    dice, others = ([TableDie(3, box) for box in each] for each in (boxes, beside))
    doubts = ASKS if asked else ()
    read = Proposal((*dice, *others), 0.9, 1, 640, 480, NOON, doubts)
    return ConfirmedReading("a-game", 1, 0, PendingRoll(tuple(dice), NOON, read))


def tray_in(folder: Path, camera: str = WEBCAM) -> FixedTray:
    """A tray that has seen a picture and keeps its calibration in that folder."""
    tray = FixedTray(camera, folder / "games.tray.toml")
    tray.look_at(PICTURE)
    return tray


def taken(tray: FixedTray) -> int:
    """The number of a fresh picture."""
    number = tray.take()
    assert number is not None
    return number


def test_a_calibration_is_used_at_once_and_after_a_restart(tmp_path: Path) -> None:
    """Taps in any order; the camera's next picture is looked at there, until it is forgotten."""
    tray = tray_in(tmp_path)
    changes: list[bool] = []
    tray.listen(changes.append)
    assert tray.look_at(PICTURE) is None
    assert tray.fingerprint() is None
    assert tray.keep(taken(tray), "tray", TAPS) is None
    assert changes == [True]
    for one in (tray, tray_in(tmp_path)):
        assert one.outline is not None
        assert furthest(one.outline, CORNERS) < 0.001
        assert one.look_at(PICTURE) == one.outline
        assert one.fingerprint() is not None
    assert tray_in(tmp_path, "webcam:1").outline is None  # another camera sees the tray elsewhere
    assert tray.forget() is None
    assert changes == [True, False]
    assert tray.outline is None
    assert list(tmp_path.iterdir()) == []


def test_a_play_area_is_kept_as_one(tmp_path: Path) -> None:
    """It is not rectified, may have more corners than a tray, and notices a camera that moved."""
    tray = tray_in(tmp_path)
    taps = (*TAPS, (0.95, 0.5))
    assert "four corners" in str(tray.fault("tray", taps))
    assert tray.fault("area", taps) is None
    assert tray.keep(taken(tray), "area", taps) is None
    for one in (tray, tray_in(tmp_path)):
        assert one.kind == "area"
        assert isinstance(one.outline, PlayArea)
        assert len(one.outline.around) == 5
        assert one.fingerprint() is not None


def test_the_preview_shows_what_will_be_read(tmp_path: Path) -> None:
    """The rectified tray, as JPEG."""
    tray = tray_in(tmp_path)
    number = taken(tray)
    assert tray.fault("tray", TAPS) is None
    preview = tray.preview(number, TAPS)
    assert preview is not None
    shown = cv2.imdecode(np.frombuffer(preview, np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    rim = shown[2:-2, [2, -3]].reshape(-1, 3).mean(axis=0)
    assert np.abs(rim - (60, 90, 130)).max() < 12


def test_only_the_newest_pictures_are_kept(tmp_path: Path) -> None:
    """An old number is told as such, and a camera without a picture has none."""
    tray = tray_in(tmp_path)
    numbers = [taken(tray) for _ in range(PHOTOS + 1)]
    assert tray.photo(numbers[0]) is None
    assert tray.photo(numbers[-1]) is not None
    assert "is gone" in str(tray.keep(numbers[0], "tray", TAPS))
    assert "is gone" in str(tray.find(numbers[0]))
    assert FixedTray(WEBCAM, None).take() is None


@pytest.mark.parametrize(
    ("tray", "sentence"),
    [
        (FixedTray(WEBCAM, None), "in memory only"),
        (FixedTray("upload", Path("none")), "taken from a different place"),
        (FixedTray("", Path("none")), "different tray every turn"),
        (
            FixedTray(WEBCAM, Path("none"), fixed=CORNERS),
            "says where the dice lie",
        ),
    ],
    ids=["memory", "upload", "demo", "settings"],
)
def test_where_nothing_can_be_kept_it_is_said(tray: FixedTray, sentence: str) -> None:
    """Neither a new calibration nor a forgotten one, and no play area is proposed."""
    tray.look_at(PICTURE)
    for _ in range(ROLLS):
        tray.note(confirmed(*DICE, asked=True))
    assert tray.proposed is None
    for obstacle in (tray.obstacle, tray.keep(taken(tray), "tray", TAPS), tray.forget()):
        assert sentence in str(obstacle)


def test_a_full_disk_is_reported(tmp_path: Path) -> None:
    """The old calibration goes on."""
    tray = tray_in(tmp_path)
    (tmp_path / ".games.tray.toml.new").mkdir()  # nothing can be written under this name
    assert "could not be stored" in str(tray.keep(taken(tray), "tray", TAPS))
    assert tray.outline is None


def test_a_damaged_file_is_named_with_its_cure(tmp_path: Path) -> None:
    """The table does not start with a guess."""
    path = tmp_path / "games.tray.toml"
    path.write_text("corners = [")
    with pytest.raises(CalibrationError, match="delete this file") as fault:
        tray_in(tmp_path)
    assert str(path) in str(fault.value)


def test_the_settings_corners_come_first(tmp_path: Path) -> None:
    """Who writes them into the settings gets them, whatever was calibrated."""
    url = f"sqlite:///{tmp_path}/games.sqlite3"
    assert calibration_file(Plan(Settings(), demo=True, database="memory:")) is None
    tray = tray_in(tmp_path)
    tray.keep(taken(tray), "tray", TAPS)
    settings = Settings(camera=CameraSettings(WEBCAM))
    calibrated = open_tray(Plan(settings, demo=False, database=url)).outline
    assert calibrated is not None
    assert furthest(calibrated, CORNERS) < 0.001
    whole = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    settings = replace(settings, tray=TraySettings(whole))
    fixed = open_tray(Plan(settings, demo=False, database=url))
    assert fixed.outline == TrayCorners(whole)
    assert fixed.fingerprint() is None
    settings = Settings(tray=TraySettings(area=whole[:3]))
    area = open_tray(Plan(settings, demo=True, database=url))
    assert area.outline == PlayArea(whole[:3])


@pytest.mark.parametrize(
    ("tray", "fault"),
    [
        (TraySettings(((0, 0), (0.5, 0), (0.05, 0.05), (1, 1))), "must go clockwise"),
        (TraySettings(area=((0, 0), (0.05, 0), (0.05, 0.05))), "too small for a play area"),
    ],
    ids=["corners", "area"],
)
def test_corners_in_the_settings_that_enclose_nothing_are_named(
    tray: TraySettings, fault: str
) -> None:
    """In a sentence that says where they stand, whichever command reads them."""
    with pytest.raises(SettingsError, match=fault) as refused:
        open_tray(Plan(Settings(tray=tray), demo=True, database="memory:"))
    assert str(refused.value).startswith("The settings' section [tray]: ")


def test_large_pictures_are_not_kept_beside_each_other(tmp_path: Path) -> None:
    """A phone's photos have 72 MB each; the newest can always be tapped on."""
    tray = FixedTray("upload", tmp_path / "games.tray.toml")
    side = 1 + isqrt(PHOTOS_BYTES // 6)
    numbers = []
    for _ in range(2):
        tray.look_at(np.zeros((side, side, 3), np.uint8))
        numbers += [taken(tray), taken(tray)]
    assert [tray.photo(number) is not None for number in numbers] == [False, False, True, True]


@pytest.mark.parametrize(
    ("rolls", "asked", "deleted", "proposes"),
    [
        (ROLLS, ASKED, 0, True),
        (ROLLS, 0, ASKED, True),
        (ROLLS, ASKED - 1, 0, False),
        (ROLLS - 1, ASKED, 0, False),
    ],
)
def test_the_play_area_proposes_itself_where_the_dice_of_the_last_rolls_lay(
    tmp_path: Path, rolls: int, asked: int, deleted: int, *, proposes: bool
) -> None:
    """Once there were some, and the camera asked about a few or read what was no die."""
    tray = tray_in(tmp_path)
    for number in range(rolls):
        beside = (KEY,) if number < deleted else ()
        tray.note(confirmed(*DICE, beside=beside, asked=number < asked))
    assert tray.outline is None
    area = tray.proposed
    assert (area is not None) == proposes
    if area is not None:
        assert all(area.holds(x, y, (480, 640)) for x, y, *_ in DICE)
        assert not area.holds(KEY[0], KEY[1], (480, 640))


def test_a_proposed_play_area_is_used_when_a_person_says_so(tmp_path: Path) -> None:
    """It is kept as one that was tapped; and once forgotten, it waits for new rolls."""
    tray = tray_in(tmp_path)
    assert tray.keep_proposed() is not None
    for _ in range(ROLLS):
        tray.note(confirmed(*DICE, asked=True))
    area = tray.proposed
    assert area is not None
    assert tray.keep_proposed() is None
    for one in (tray, tray_in(tmp_path)):
        assert isinstance(one.outline, PlayArea)
        assert furthest(one.outline, area) < 0.001
    tray.note(confirmed(*DICE, asked=True))
    assert tray.forget() is None
    assert tray.proposed is None


@pytest.mark.parametrize(
    "rolls",
    [
        [confirmed((0, 0, 30, 30), (600, 440, 630, 470), asked=True)] * ROLLS,
        [confirmed(asked=True)] * ROLLS,
    ],
    ids=["the-whole-picture", "typed"],
)
def test_rolls_that_tell_no_part_of_the_picture_propose_none(
    tmp_path: Path, rolls: list[ConfirmedReading]
) -> None:
    """Nothing would be left to be ignored, or nobody knows where the dice lay."""
    tray = tray_in(tmp_path)
    for each in rolls:
        tray.note(each)
    assert tray.proposed is None
