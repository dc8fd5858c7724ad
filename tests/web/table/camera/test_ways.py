"""The page with the four ways to see the dice, and the network that it opens and closes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from hardware.cameras.demo import DemoCamera
from tests.vision.fake_table import KnowingRecogniser
from tests.web.table_fake import FACTS, FakeTable, forgetful_access
from web.shared.plan import CLOSED, OPENED, chosen_settings
from web.shared.settings import CameraSettings
from web.table.camera.camera_page import CameraDesk
from web.table.camera.camera_setup import CameraSetup

OWN = {"Origin": "http://localhost"}
Starts = list[tuple[str, ...]]


@pytest.fixture
def starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Starts]:
    """The options of each start that the page asked for; what is kept is kept in a new folder."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    made: Starts = []
    yield made
    for kept in (tmp_path / "tablescore").glob("*"):
        assert kept.stat().st_mode & 0o077 == 0


def owner(starts: Starts, source: str = "", *, is_open: bool = False) -> FlaskClient:
    """An owner's browser at a table that was started with this camera."""
    desk = CameraDesk(
        DemoCamera(),
        CameraSetup(CameraSettings(source), None),
        KnowingRecogniser,
        lambda *options: starts.append(options),
    )
    facts = replace(FACTS, demo=not source, open_to_network=is_open)
    return FakeTable().app(camera=desk, facts=facts).test_client()


@pytest.mark.parametrize(
    ("form", "source", "options"),
    [
        ({"source": "webcam:0"}, "webcam:0", ("--camera", "webcam:0")),
        ({"source": "phone"}, "phone", ("--camera", "phone", *OPENED)),
        ({"source": "upload"}, "upload", ("--camera", "upload", *OPENED)),
        (
            {"source": "stream", "address": " http://me:hidden@cam.lan/v "},
            "stream:http://me:hidden@cam.lan/v",
            (),
        ),
    ],
)
def test_a_way_that_is_chosen_is_taken_now_and_at_the_next_start(
    starts: Starts, form: dict[str, str], source: str, options: tuple[str, ...]
) -> None:
    """Of the network only the camera's kind asks; a password stays out of lists of programs."""
    answer = owner(starts).post("/ways", data={**form, "name": ["Ann", "Bob"]}, headers=OWN)
    assert 'name="name" value="Ann"' in answer.text
    assert starts == [options]
    assert chosen_settings(None).camera.source == source
    assert chosen_settings(None).page.host == CLOSED[1]
    assert chosen_settings(None, camera="upload").camera.source == "upload"
    assert chosen_settings(None, camera="").camera.source == ""


def test_the_network_is_opened_and_closed_and_only_kept_if_asked(starts: Starts) -> None:
    """Closing also forgets; the command line and the settings file go before what is kept."""
    closed = owner(starts)
    assert "Let phones on your home network reach this table?" in closed.get("/devices").text
    for form, host in (({"open": "yes"}, CLOSED[1]), ({"open": "yes", "keep": "on"}, OPENED[1])):
        answer = closed.post("/ways", data={**form, "next": "devices"}, headers=OWN)
        assert 'action="/devices"' in answer.text
        assert starts.pop() == OPENED
        kept = chosen_settings(None).page
        assert (kept.host, kept.https) == (host, host == OPENED[1])
    assert chosen_settings(None, host="192.0.2.7").page.host == "192.0.2.7"
    assert chosen_settings(None, camera="webcam:0").page.https
    owner(starts, "phone", is_open=True).post("/ways", data={"open": "no"}, headers=OWN)
    assert starts == [CLOSED]
    assert chosen_settings(None).page.host == CLOSED[1]


def test_where_the_network_is_open_no_way_asks_again(starts: Starts) -> None:
    """And what is open stays as it was opened."""
    browser = owner(starts, "upload", is_open=True)
    assert "home network" not in browser.get("/ways").text
    answer = browser.post("/ways", data={"source": "phone"}, headers=OWN)
    assert 'action="/"' in answer.text
    assert starts == [("--camera", "phone")]


@pytest.mark.parametrize(
    ("source", "address", "words"),
    [("", "cam.lan", "by its address"), ("webcam:0", "rtsp://cam.lan/v", "without one")],
)
def test_a_camera_that_there_cannot_be_changes_nothing(
    starts: Starts, source: str, address: str, words: str
) -> None:
    """The page says why: one with a password cannot take the place of one that a start named."""
    form = {"source": "stream", "address": address}
    answer = owner(starts, source).post("/ways", data=form, headers=OWN)
    assert (answer.status_code, words in answer.text) == (422, True)
    assert starts == []
    assert chosen_settings(None).camera.source == ""


def test_who_owns_nothing_types_the_dice_in() -> None:
    """A player may begin a game, and change no camera."""
    access = forgetful_access()
    _, secret = access.devices.add("Phone", "player")
    browser = FakeTable().app(access=access).test_client()
    browser.set_cookie("device-80", secret)
    assert browser.get("/ways").location == "/setup?pictures=no"
    assert browser.post("/ways", data={"source": "phone"}, headers=OWN).status_code == 403
