"""The page that sets the camera up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

from hardware.camera import AdjustableCamera, CameraParts, Capture, ControlRange
from hardware.cameras.demo import demo_pictures
from hardware.cameras.upload import UploadCamera
from scoreboard.message import Message
from scoreboard.table.proposal import HEALTHY, Health
from tests.hardware.cameras.mjpeg_server import mjpeg_server
from tests.patience import until
from tests.vision.fake_table import KnowingRecogniser, die
from tests.web.process import RunningProcess, running
from tests.web.table_fake import FakeTable, proposal_of, view_of
from vision.capture.frame import Frame, PlayArea
from vision.capture.photo import open_photo
from vision.read.dice import TOO_LOW
from vision.watch.pipeline import Pictures
from web.shared.settings import CameraSettings
from web.table.camera.camera_page import CameraDesk
from web.table.camera.camera_setup import CameraSetup

OWN = {"Origin": "http://localhost"}
NOON = datetime(2026, 11, 25, 12, tzinfo=UTC)
PARTS = CameraParts(open_photo, lambda: NOON)
FORM = {"rotation": "0", "focus": "35", "exposure": "20", "size": ""}


class SettableCamera(AdjustableCamera):
    """A webcam whose focus and exposure can be set."""

    name = "webcam:0"
    simulated = False

    def __init__(self) -> None:
        super().__init__(PARTS)
        self.ranges = {"focus": ControlRange(0, 250, 5), "exposure": ControlRange(0.3, 200, 0.1)}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def capture(self) -> Capture | None:
        return None

    def _adjust(self) -> None:
        pass


@pytest.fixture
def setup(tmp_path: Path) -> CameraSetup:
    """A webcam's, of which the settings file says how it is turned."""
    return CameraSetup(CameraSettings("webcam:0", rotation=180), tmp_path / "games.camera.toml")


@pytest.fixture
def pictures() -> Pictures:
    """The demo's dice, seen as through a play area."""
    shown = Pictures()
    image = open_photo(Path(str(demo_pictures())) / "turn02/throw0/06.webp")
    area = PlayArea.around_taps(((0.1, 0.1), (0.9, 0.1), (0.9, 0.9)))
    shown.show(Frame(1, NOON, image), area)
    return shown


Browse = Callable[..., FlaskClient]


@pytest.fixture
def browse(setup: CameraSetup, pictures: Pictures) -> Browse:
    """A browser at the page of a table."""

    def opened(
        doubts: tuple[Message, ...] = (),
        health: Health | None = None,
        dice: str = "13566",
        **changes: Any,
    ) -> FlaskClient:
        reader = KnowingRecogniser((die("4", 10, 10), die("2", 90, 90)))
        desk = CameraDesk(SettableCamera(), setup, lambda: reader)
        proposal = replace(proposal_of(dice), doubts=doubts) if dice else None
        fake = FakeTable(replace(view_of(), proposal=proposal, health=health))
        parts = {"camera": desk, "pictures": pictures, **changes}
        return fake.app(**parts).test_client()

    return opened


def test_everything_that_can_be_set_is_on_the_page_with_its_range(browse: Browse) -> None:
    """What the settings file names is shown and cannot be changed; and where the rest is kept."""
    text = browse().get("/camera-setup").text
    assert 'name="focus" min="0" max="250" step="5"' in text
    assert "From 0.3 to 200" in text
    assert 'name="white_balance"' not in text
    assert '<select id="rotation" name="rotation" disabled' in text
    assert '<option value="180" selected>' in text
    assert "games.camera.toml" in text
    assert "640 \u00d7 480 pixels" in text


def test_a_phones_photos_leave_nothing_to_set(browse: Browse) -> None:
    """Each is taken from another place."""
    setup = CameraSetup(CameraSettings("upload"), None)
    phones = browse(camera=CameraDesk(UploadCamera(PARTS), setup, KnowingRecogniser))
    text = phones.get("/camera-setup").text
    assert "This camera has no settings." in text
    assert "Read them now" in text


def test_what_is_set_is_used_and_shown(browse: Browse, setup: CameraSetup) -> None:
    """By itself or by a number; the picture can be cut, and the camera asked for a size."""
    client = browse()
    form = {**FORM, "exposure-auto": "on", "size": "1920 1080", "left": "10", "bottom": "25"}
    assert client.post("/camera-setup", data=form, headers=OWN).status_code == 303
    now = setup.controls()
    assert (now.focus, now.exposure, now.size) == (35.0, "auto", (1920, 1080))
    assert now.crop == (0.1, 0.0, 1.0, 0.75)
    assert now.rotation == 180
    text = client.get("/camera-setup").text
    assert 'value="35.0"><output>35</output>' in text
    assert '<option value="1920 1080" selected>' in text
    assert 'name="bottom" min="0" max="90" step="any" value="25"' in text
    client.post("/camera-setup", data={}, headers=OWN)
    assert (setup.controls().focus, setup.controls().crop) == ("auto", ())
    assert setup.controls().size == (1920, 1080)  # not on the page while the camera is lost


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"focus": "251"}, "Focus: a number from 0 to 250."),
        ({"exposure": "nan"}, "Exposure in milliseconds: a number from 0.3 to 200."),
        ({"focus": "near"}, "That is no number"),
        ({"rotation": "45"}, "That is no number"),
        ({"size": "640"}, "Leave at least a tenth"),
        ({"left": "60", "right": "35"}, "Leave at least a tenth"),
    ],
)
def test_what_cannot_be_is_explained_and_changes_nothing(
    browse: Browse, setup: CameraSetup, changes: dict[str, str], sentence: str
) -> None:
    """The page again, with status 422."""
    before = setup.controls()
    answer = browse().post("/camera-setup", data={**FORM, **changes}, headers=OWN)
    assert (answer.status_code, sentence in answer.text) == (422, True)
    assert setup.controls() == before


def test_the_whole_picture_is_shown_with_the_play_area_in_it(browse: Browse) -> None:
    """Not what is cut out of it for reading: the camera is aimed by it."""
    client = browse()
    assert '<polygon points="' in client.get("/camera-setup").text
    shown = cv2.imdecode(np.frombuffer(client.get("/camera-setup/now.jpg").data, np.uint8), 1)
    assert shown is not None
    assert shown.shape == (480, 640, 3)


def test_how_well_it_sees_is_a_sentence_and_figures_behind_it(
    browse: Browse, pictures: Pictures
) -> None:
    """The figures that decide, each with its limit; dice as they were read last.

    The page describes how the camera looks down, and once a roll shows it, that it is too low.
    """
    client, too_low = browse(health=HEALTHY), "The camera is too low"
    text = client.get("/camera-setup/view").text
    assert "Your dice are in good light." in text.partition("<details")[0]
    assert "a die’s side may pass for its top" in text
    empty = browse(health=HEALTHY, dice="").get("/camera-setup/view").text
    assert "Camera OK" in empty
    assert "Your dice" not in empty
    for figure in ("0.24", "95", "3 %", "90 px", "11 px"):
        assert f"{figure}</td>" in text
    poor = browse(doubts=(TOO_LOW,), health=HEALTHY).get("/camera-setup/view").text
    assert "Almost there." in poor
    assert too_low in poor.partition("<details")[0]
    pictures.show(Frame(2, NOON, np.full((480, 640, 3), 20, np.uint8)))
    dark = client.get("/camera-setup/view").text
    assert '<tr class="poor">' in dark
    assert "20</td><td>≥ 95</td>" in dark


def test_a_test_throw_reads_once_and_scores_nothing(browse: Browse, pictures: Pictures) -> None:
    """What was read is in the picture and next to it; a new one takes its place, if any."""
    client = browse()
    for number in (1, 2):
        pictures.show(Frame(number, NOON, np.full((480, 640, 3), 90, np.uint8)))
        answer = client.post("/camera-setup/test", headers=OWN)
        assert (answer.status_code, answer.location) == (303, "/camera-setup#test")
        text = client.get("/camera-setup").text
        assert "Read: 2 4" in text
        path = text.partition('class="tested" src="')[2].partition('"')[0]
        assert path.endswith(f"/{number}.jpg")
        assert client.get(path).mimetype == "image/jpeg"
    assert client.get(path.replace("2.jpg", "1.jpg")).status_code == 404
    blind = browse(pictures=Pictures())
    assert "No picture has come from the camera yet" in blind.get("/camera-setup").text
    assert blind.get("/camera-setup/now.jpg").status_code == 204
    assert blind.post("/camera-setup/test", headers=OWN).status_code == 422


def test_a_running_table_turns_its_picture_and_remembers_it(tmp_path: Path) -> None:
    """At the next picture, without a restart, and after one."""
    with mjpeg_server() as server:
        options = "--camera", f"stream:{server.address}", "--database", f"sqlite:///{tmp_path}/g.db"

        def shows(table: RunningProcess, size: str) -> None:
            until(lambda: size in table.ask("/camera-setup").body)

        with running(*options) as table:
            shows(table, "128 \u00d7 120 pixels")
            assert table.ask("/camera-setup", [("rotation", "90"), ("top", "50")]).status == 303
            shows(table, "120 \u00d7 64 pixels")
            assert table.ask("/camera-setup/test", []).status == 303
            assert "Nothing was found." in table.ask("/camera-setup").body
        with running(*options) as table:
            shows(table, "120 \u00d7 64 pixels")
