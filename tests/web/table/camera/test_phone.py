"""The frames that a phone sends: what is taken, what is refused, and who may send."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

from hardware.camera import CameraParts
from hardware.cameras.phone import PhoneCamera
from hardware.errors import CameraError
from scoreboard.table.requests import TableStatus
from tests.web.table_fake import FakePictures, FakeTable, FakeUploads, forgetful_access, view_of
from vision.capture.photo import MOST_FRAME_PIXELS, encode_jpeg
from vision.watch.pipeline import Pictures
from web.shared.clocks import utc_now
from web.shared.settings import CameraSettings, Settings
from web.table.camera.camera_setup import CameraSetup
from web.wiring import open_table_camera

OWN = {"Origin": "http://localhost", "Accept": "application/json"}
ELSEWHERE = {"REMOTE_ADDR": "192.0.2.9"}
PICTURE = encode_jpeg(np.full((48, 64, 3), 200, np.uint8))


class Setting:
    """A table whose camera is a phone, by a clock that the test moves."""

    def __init__(self) -> None:
        self.seconds = 1000.0
        settings = Settings(camera=CameraSettings("phone"))
        source = open_table_camera(settings, CameraSetup(settings.camera, None))
        assert isinstance(source, PhoneCamera)
        parts = CameraParts(source.parts.decode, utc_now)
        self.camera = PhoneCamera(parts, now=lambda: self.seconds, wait_seconds=0.01)
        self.access = forgetful_access()
        self.fake = FakeTable(view_of())
        app = self.fake.app(
            phone=self.camera, access=self.access, addresses=lambda: ("https://192.0.2.1:8000/",)
        )
        self.client: FlaskClient = app.test_client()

    def send(self, body: bytes, *, sender: str = "11-22", age: float = 0.1, **asked: Any) -> Any:
        """A frame is sent from this machine, a tenth of a second after the one before."""
        self.seconds += 0.1
        at = int((self.seconds - age) * 1000)
        query = {"sender": sender, "at": at} | asked
        return self.client.post("/camera/frame", query_string=query, data=body, headers=OWN)

    def has_frame(self) -> bool:
        return self.camera.capture() is not None


@pytest.fixture
def setting() -> Setting:
    """A table that no phone has sent anything to."""
    return Setting()


def test_a_frame_is_taken_and_answered_with_a_mark_of_the_tables_clock(setting: Setting) -> None:
    """By that mark the phone knows when its next frame was exposed; a first one is not shown."""
    assert setting.send(PICTURE, at=17).json == {"mark": 1_000_100}
    setting.seconds += 10
    with pytest.raises(CameraError):
        setting.has_frame()
    answer = setting.send(PICTURE)
    assert answer.status_code == 200
    assert answer.json == {"mark": int(setting.seconds * 1000)}
    assert setting.has_frame()


def _large(form: str, side: int) -> bytes:
    return cv2.imencode(form, np.zeros((side, side, 3), np.uint8))[1].tobytes()


SIDE = int(MOST_FRAME_PIXELS**0.5) + 8


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        (b"", 400, "empty"),
        (b"no picture at all", 400, "no picture that can be read"),
        (PICTURE[:-200], 400, "cut short"),
        (_large(".jpg", SIDE), 400, "more than 4 megapixels"),
        (_large(".png", SIDE), 400, "more than 4 megapixels"),
        (bytes(1024 * 1024 + 1), 413, "too large"),
    ],
    ids=["empty", "text", "cut", "jpeg", "png", "megabytes"],
)
def test_what_is_no_frame_is_refused_and_nothing_is_lost(
    setting: Setting, body: bytes, status: int, words: str
) -> None:
    """The phone is told why in a sentence; the frame before it is still given."""
    setting.send(PICTURE)
    answer = setting.send(body)
    assert answer.status_code == status
    assert words in answer.json["notice"]
    assert setting.has_frame()
    setting.send(PICTURE)
    assert setting.has_frame()


@pytest.mark.parametrize("asked", [{"sender": ""}, {"sender": "x" * 9}, {"at": "-1"}, {"at": ""}])
def test_a_frame_names_its_sender_and_its_time(setting: Setting, asked: dict[str, Any]) -> None:
    """As the page does, or it is none."""
    assert setting.send(PICTURE, **asked).status_code == 400
    with pytest.raises(CameraError):
        setting.has_frame()


def test_another_phone_is_refused_unless_it_takes_over(setting: Setting) -> None:
    """The page tells the two apart by the status alone."""
    setting.send(PICTURE)
    answer = setting.send(PICTURE, sender="33")
    assert answer.status_code == 409
    assert "Another phone" in answer.json["notice"]
    assert setting.send(PICTURE, sender="33", instead="yes").status_code == 200
    assert setting.send(PICTURE).status_code == 409


@pytest.mark.parametrize(("role", "status"), [("watcher", 403), ("player", 200), ("owner", 200)])
def test_only_who_may_play_is_the_camera(setting: Setting, role: Any, status: int) -> None:
    """A device that may only watch is told how it is let in, on the page and as it sends."""
    client = setting.client
    client.set_cookie("device-80", setting.access.devices.add("Phone", role)[1])
    page = client.get("/camera", environ_overrides=ELSEWHERE)
    sent = client.post(
        "/camera/frame",
        query_string={"sender": "1", "at": 1},
        data=PICTURE,
        headers=OWN,
        environ_overrides=ELSEWHERE,
    )
    assert (page.status_code, sent.status_code) == (status, status)
    assert ("Let me in" in page.text) == (status == 403)


def test_the_camera_page_alone_may_ask_for_the_camera(setting: Setting) -> None:
    """Every other page goes without, and none of them runs anything inline."""
    policies = {
        path: setting.client.get(path).headers.getlist("Permissions-Policy")
        for path in ("/", "/camera")
    }
    assert policies["/"] == ["camera=(), microphone=(), geolocation=()"]
    assert policies["/camera"] == ["camera=(self), microphone=(), geolocation=()"]


def test_while_no_phone_sends_the_table_shows_the_way(setting: Setting) -> None:
    """As a code to scan, to those who may send; only an owner's lets a phone in, as a player."""
    setting.fake.shown = replace(setting.fake.shown, status=TableStatus.LOST, version=6)
    assert "192.0.2.1" not in setting.client.get("/", environ_overrides=ELSEWHERE).text
    _, secret = setting.access.devices.add("Phone", "player")
    setting.client.set_cookie("device-80", secret)
    squares = []
    for code in (False, True):
        page = setting.client.get("/", environ_overrides={} if code else ELSEWHERE).text
        assert "https://192.0.2.1:8000/camera" in page
        squares.append(page.partition('class="square"')[2].partition("</svg>")[0])
        assert (setting.access.pairing.code() is not None) is code
        setting.client.delete_cookie("device-80")
    assert squares[0] != squares[1]
    shown = setting.access.pairing.code()
    assert shown is not None
    assert shown.role == "player"
    setting.fake.shown = replace(setting.fake.shown, status=TableStatus.STILL, version=7)
    assert "192.0.2.1" not in setting.client.get("/").text


def test_a_table_of_photos_shows_an_owner_the_way_until_the_first_one() -> None:
    """And the instruction says what to do after the roll."""
    fake, access = FakeTable(view_of()), forgetful_access()
    uploads = FakeUploads(fake)
    reached: dict[str, Any] = {"addresses": lambda: ("https://192.0.2.1:8000/",), "access": access}
    for pictures, shown in ((Pictures(), True), (FakePictures(), False)):
        client = fake.app(uploads=uploads, pictures=pictures, **reached).test_client()
        page = client.get("/").text
        assert ("https://192.0.2.1:8000/pair" in page) is shown
        assert "Then take a photo." in page
        assert "192.0.2.1" not in client.get("/", environ_overrides=ELSEWHERE).text


def test_a_device_that_is_let_in_becomes_the_camera_where_one_is_missing(
    setting: Setting,
) -> None:
    """The code that was scanned led it here for that; once there is one, it plays."""
    for page in ("/camera#start", "/"):
        code = setting.access.pairing.new_code("player").digits
        form = {"code": code, "name": "Phone"}
        answer = setting.client.post("/pair", data=form, headers=OWN, environ_overrides=ELSEWHERE)
        assert (answer.status_code, answer.location) == (303, page)
        setting.client.delete_cookie("device-80")
        setting.send(PICTURE)
