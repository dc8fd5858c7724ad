"""The whole table put together, in this process: camera, reader, pins, session and page."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient
from gpiozero.pins.mock import MockFactory
from werkzeug.datastructures import FileStorage

from hardware.cameras.demo import demo_pictures
from hardware.cameras.upload import UploadCamera
from hardware.errors import CameraError
from hardware.pins import Pins
from scoreboard.message import message
from scoreboard.table.requests import BothButtonsHeld, DeviceExpected, TableRequest
from scoreboard.table.session import TableSession
from scoreboard.table.tournament_view import Signature, TournamentResult, TournamentView
from scoreboard.table.view import TableView
from tests.patience import until
from tests.web.process import NEW_GAME, SEEN
from tests.web.table_fake import NO_GAME, NoDevices
from vision.capture.photo import encode_jpeg
from web.shared.certificates import TableCertificate
from web.shared.clocks import utc_now
from web.shared.plan import Plan
from web.shared.settings import (
    ButtonSettings,
    CameraSettings,
    ConfirmSettings,
    DemoSettings,
    Settings,
    SoundSettings,
    TableSettings,
    TraySettings,
)
from web.table.camera.camera_setup import CameraSetup
from web.table.camera.uploads import PictureTurns, Uploads
from web.table.people.devices import Devices, Pairing, PairingRefusedError
from web.table.play.panel import PanelHolds
from web.wiring import RunningTable, open_table_camera

NO_PINS = Pins(None, "no pins in this test")
HEADERS = {"Origin": "http://localhost", "Accept": "application/json"}
UPLOAD = Settings(camera=CameraSettings("upload"), table=TableSettings("memory:"))


@contextmanager
def table(settings: Settings, pins: Pins = NO_PINS) -> Iterator[FlaskClient]:
    """A running table's page; all of it is stopped at the end."""
    running = RunningTable(Plan.of(settings), 8000, pins)
    try:
        yield running.app.test_client()
    finally:
        running.close()


def test_a_large_photo_reaches_the_table_smaller(tmp_path: Path) -> None:
    """Decoding a phone's photo at its own size takes longer than reading it."""
    (tmp_path / "a.jpg").write_bytes(encode_jpeg(np.zeros((2400, 3200, 3), np.uint8)))
    settings = Settings(camera=CameraSettings(f"folder:{tmp_path}"))
    with open_table_camera(settings, CameraSetup(settings.camera, None)) as camera:
        capture = camera.capture()
    assert capture is not None
    assert capture.image.shape == (1200, 1600, 3)


def test_a_running_table_renews_its_certificate(tmp_path: Path) -> None:
    """An address that comes during the evening is certified without a restart."""
    names = {"localhost"}
    certificate = TableCertificate(tmp_path, lambda: names)
    running = RunningTable(Plan.of(UPLOAD), 8000, NO_PINS, certificate=certificate)
    try:
        first = certificate.context
        names.add("192.168.1.20")
        until(lambda: certificate.context is not first)
    finally:
        running.close()


def test_a_table_lives_as_long_as_its_one_thread() -> None:
    """Which is what the service's watchdog is told of."""
    running = RunningTable(Plan.of(UPLOAD), 8000, NO_PINS)
    lived = running.alive
    running.close()
    assert (lived, running.alive) == (True, False)


def test_a_backup_that_fails_is_told_until_a_good_one(tmp_path: Path) -> None:
    """On the owner's pages; and what an evening leaves is its owner's alone."""
    place = tmp_path / "data" / "games.sqlite3"
    in_the_way = place.with_name("games.sqlite3.backups")
    with table(replace(UPLOAD, table=TableSettings(f"sqlite:///{place}"))) as client:
        in_the_way.write_text("no folder")
        post(client, "/setup", *NEW_GAME)
        post(client, "/abandon")
        until(lambda: "The last backup failed" in page(client))
        in_the_way.unlink()
        post(client, "/setup", *NEW_GAME)
        post(client, "/abandon")
        until(lambda: "Newest backup: " in client.get("/devices").text)
        until(lambda: "The last backup failed" not in page(client))
        databases = [each for each in place.parent.rglob("*.sqlite3*") if each.exists()]
        assert len(databases) > 2
        assert [each for each in (place.parent, *databases) if each.stat().st_mode & 0o077] == []


def page(client: FlaskClient) -> str:
    """The table page."""
    return client.get("/").get_data(as_text=True)


def seen(client: FlaskClient) -> str:
    """The version that the page shows."""
    found = SEEN.search(page(client))
    assert found is not None
    return found[1]


def post(client: FlaskClient, path: str, *form: tuple[str, str]) -> Any:
    """A form of the page, sent with what is seen now."""
    data: dict[str, list[str]] = {"seen": [seen(client)]}
    for name, value in form:
        data.setdefault(name, []).append(value)
    return client.post(path, data=data, headers=HEADERS)


def photo() -> bytes:
    """A roll of the demo evening at rest, as a phone would send it."""
    last = max(demo_pictures().joinpath("turn00", "throw0").iterdir(), key=str)
    image = cv2.imdecode(np.frombuffer(last.read_bytes(), np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return cv2.imencode(".jpg", image)[1].tobytes()


def send(client: FlaskClient, name: str, content: bytes) -> Any:
    """A photo from the page."""
    data = {"seen": seen(client), "photo": (BytesIO(content), name)}
    return client.post("/photo", data=data, headers=HEADERS)


def test_a_photo_from_a_phone_becomes_a_reading() -> None:
    """From the upload through the reader to the page, with its picture."""
    with table(UPLOAD) as client:
        post(client, "/setup", *NEW_GAME)
        assert client.get("/picture/latest.jpg").status_code == 204
        assert send(client, "throw.jpg", photo()).get_json()["verdict"] == "done"
        until(lambda: "I see" in page(client))
        assert client.get("/picture/latest.jpg").mimetype == "image/jpeg"
        (path,) = set(re.findall(r'"(/picture/\w+/\d+\.jpg)"', page(client)))
        assert client.get(path).mimetype == "image/jpeg"


def test_a_photo_is_not_shown_in_the_next_game() -> None:
    """On the table's page and the big screen: it says nothing of the dice that lie there now."""
    with table(UPLOAD) as client:
        post(client, "/setup", *NEW_GAME)
        assert 'id="latest"' in page(client)
        send(client, "throw.jpg", photo())
        until(lambda: "I see" in page(client))
        post(client, "/setup", *NEW_GAME, ("name", "West"))
        until(lambda: "I see" not in page(client))
        for path in ("/", "/tv"):
            assert 'id="latest"' not in client.get(path).get_data(as_text=True)
        assert "No picture yet" in page(client)


def test_a_photo_without_a_reading_belongs_to_its_game_too() -> None:
    """That nothing was found in the last game's photo is not said in the next, nor is it shown."""
    bare = cv2.imencode(".jpg", np.full((480, 640, 3), 120, np.uint8))[1].tobytes()
    nothing, shown = "I see no dice with pips here", 'id="latest"'
    with table(UPLOAD) as client:
        post(client, "/setup", *NEW_GAME)
        send(client, "bare.jpg", bare)
        until(lambda: nothing in page(client))
        post(client, "/setup", *NEW_GAME, ("name", "West"))
        assert nothing not in page(client)
        assert shown not in page(client)
        send(client, "bare.jpg", bare)
        until(lambda: nothing in page(client))
        assert shown in page(client)


def test_the_photo_behind_a_roll_is_kept_until_it_is_switched_off(tmp_path: Path) -> None:
    """From the upload to the page of the step, over a restart; and gone by one setting."""
    kept = TableSettings(f"sqlite:///{tmp_path}/games.sqlite3")
    with table(replace(UPLOAD, table=kept)) as client:
        post(client, "/setup", *NEW_GAME)
        assert send(client, "throw.jpg", photo()).get_json()["verdict"] == "done"
        until(lambda: "I see" in page(client))
        assert post(client, "/press", ("action", "reroll")).get_json()["verdict"] == "done"
        (log,) = set(re.findall(r'"(/games/[^"/]+/log)"', page(client)))
        (step,) = set(re.findall(r'"(/games/[^"/]+/steps/\d+)"', client.get(log).text))
        # the end of a table waits five seconds for its disk, and a loaded machine takes longer
        until(lambda: client.get(f"{step}.jpg").status_code == 200)
    with table(replace(UPLOAD, table=kept)) as client:
        assert "on the table’s own page" in client.get(step).text
        picture = client.get(f"{step}.jpg")
        assert picture.mimetype == "image/jpeg"
        assert 1000 < len(picture.data) <= 60_000
    with table(replace(UPLOAD, table=replace(kept, photo_games=0))) as client:
        until(lambda: client.get(f"{step}.jpg").status_code == 404)
        assert "There is no photo of this step" in client.get(step).text


def test_pictures_of_before_a_restart_are_not_offered_again(tmp_path: Path) -> None:
    """The folder's pictures are of rolls that were recorded; “Read again” reads the newest."""
    folder = tmp_path / "photos"
    folder.mkdir()
    for name in ("a.jpg", "b.jpg"):
        (folder / name).write_bytes(photo())
    settings = replace(
        UPLOAD,
        camera=CameraSettings(f"folder:{folder}"),
        table=TableSettings(f"sqlite:///{tmp_path}/games.sqlite3"),
    )
    with table(settings) as client:
        post(client, "/setup", *NEW_GAME)
        until(lambda: "I see" in page(client))
        assert post(client, "/press", ("action", "reroll")).get_json()["verdict"] == "done"
    with table(settings) as client:
        until(lambda: "Old photo." in page(client))
        assert 'id="latest"' in page(client)
        assert post(client, "/again").get_json()["verdict"] == "done"
        until(lambda: 'id="latest"' not in page(client))


def test_a_camera_that_fails_is_reported_never_replaced_and_taken_up_again(tmp_path: Path) -> None:
    """The page names the fault, play on by hand, no demo steps in; then it comes back."""
    folder = tmp_path / "pictures"
    with table(replace(UPLOAD, camera=CameraSettings(f"folder:{folder}"))) as client:
        post(client, "/setup", *NEW_GAME)
        until(lambda: "play on by hand" in page(client).lower())
        entered = post(client, "/roll", ("roll", "13566"))
        assert entered.json["verdict"] == "done"
        assert post(client, "/press", ("action", "undo")).status_code == 200
        folder.mkdir()
        empty = demo_pictures().joinpath("empty.webp").read_bytes()
        (folder / "1.webp").write_bytes(empty)
        until(lambda: "play on by hand" not in page(client).lower())


def test_a_calibrated_tray_is_read_at_once(tmp_path: Path) -> None:
    """Found on the page, kept, and from then on only the tray is shown and read."""
    last = max(demo_pictures().joinpath("turn00", "throw0").iterdir(), key=str)
    (tmp_path / "throw.webp").write_bytes(last.read_bytes())
    settings = replace(
        UPLOAD,
        camera=CameraSettings(f"folder:{tmp_path}"),
        table=TableSettings(f"sqlite:///{tmp_path}/games.sqlite3"),
    )
    with table(settings) as client:
        post(client, "/setup", *NEW_GAME)
        until(lambda: "I see" in page(client))
        found = client.post("/calibrate/find", data={"photo": taken(client)}, headers=HEADERS)
        corners = {name: FIELD[name].findall(found.text) for name in ("x", "y")}
        form = {"photo": taken(client), **corners}
        assert client.post("/calibrate", data=form, headers=HEADERS).status_code == 303
        until(lambda: shape(client.get("/picture/latest.jpg").data) != (480, 640))
        until(lambda: "I see" in page(client))
        assert "Camera OK" in page(client)
    assert (tmp_path / "games.tray.toml").exists()


FIELD = {name: re.compile(rf'name="{name}"[^>]*value="([^"]+)"') for name in ("x", "y")}


def taken(client: FlaskClient) -> str:
    """The number of a fresh picture on the calibration's page."""
    until(lambda: 'name="photo"' in client.get("/calibrate").text)
    number = re.search(r'name="photo" value="(\d+)"', client.get("/calibrate").text)
    assert number is not None
    return number[1]


def shape(jpeg: bytes) -> tuple[int, ...]:
    """Height and width of a picture."""
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return image.shape[0], image.shape[1]


class FullCamera:
    """An upload camera that has no room."""

    def put(self, _photo: bytes) -> None:
        """Refuse it."""
        raise CameraError(message("Try again soon."))


def sent() -> FileStorage:
    """A photo, as a form has it."""
    return FileStorage(BytesIO(), "dice.jpg")


def unasked() -> FileStorage:
    """A form that nobody should take apart."""
    raise AssertionError("the photo was asked for")


def test_too_many_photos_are_asked_to_wait() -> None:
    """A phone that sends faster than the reader reads loses nothing in silence."""
    turns = PictureTurns()
    upload = Uploads(cast("UploadCamera", FullCamera()), turns).take
    assert str(upload(sent, "192.0.2.7")) == "Try again soon."
    with turns.admitted("192.0.2.7"):
        assert "earlier picture is still being read" in str(upload(unasked, "192.0.2.7"))
        assert str(upload(sent, "192.0.2.8")) == "Try again soon."


def test_buttons_and_lamps_play_along() -> None:
    """A press on a pin confirms the roll; the lamp that waits for it goes out."""
    factory = MockFactory()
    settings = replace(UPLOAD, buttons=ButtonSettings(keep=5))
    with table(settings, Pins(factory, "mock pins")) as client:
        assert "On-screen buttons" not in page(client)
        post(client, "/setup", *NEW_GAME)
        ready, confirm = factory.pin(23), factory.pin(25)
        until(lambda: ready.state == 1)
        post(client, "/roll", ("roll", "13566"))
        until(lambda: confirm.state == 1)
        time.sleep(0.35)  # a press means what was shown 300 ms before it
        factory.pin(5).drive_low()
        until(lambda: "Chance" in page(client) and "Choose" in page(client))
        factory.pin(5).drive_high()
    factory.reset()


def test_one_button_plays_a_turn() -> None:
    """KEEP on its pin: held it confirms and rolls again, pressed it confirms."""
    factory = MockFactory()
    buttons = ButtonSettings(one_button=True, long_press_seconds=1.0)
    with table(replace(UPLOAD, buttons=buttons), Pins(factory, "mock pins")) as client:
        post(client, "/setup", *NEW_GAME)
        for held, then in ((True, "Roll 2 of 3"), (False, "Choose a box")):
            post(client, "/roll", ("roll", "13566"))
            until(lambda: "You entered 1 3 5 6 6" in page(client))
            time.sleep(0.35)  # a press means what was shown 300 ms before it
            factory.pin(17).drive_low()
            if held:
                until(lambda: "Roll 2 of 3" in page(client))
            time.sleep(0.05)  # a contact that closes for less is a spike
            factory.pin(17).drive_high()
            until(lambda seen=then: seen in page(client))  # type: ignore[misc]
            time.sleep(0.1)
    factory.reset()


def test_the_machine_speaks_in_its_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a program of that name on the path; the pages then leave it to the machine."""
    spoken, program = tmp_path / "spoken", tmp_path / "espeak-ng"
    program.write_text(f'#!/bin/sh\n(echo "$@"; cat) >> "{spoken}"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with table(replace(UPLOAD, sound=SoundSettings("speaker", "ko"))) as client:
        assert "data-voice" not in page(client)
        post(client, "/setup", *NEW_GAME)
        until(lambda: spoken.exists() and "주사위를 굴리세요" in spoken.read_text(encoding="utf-8"))
    assert spoken.read_text(encoding="utf-8").startswith("-v ko --stdin")


def test_holding_both_buttons_lets_in_a_phone(tmp_path: Path) -> None:
    """Three seconds on the panel, then one tap on the phone; after a restart it is still in."""
    factory, elsewhere = MockFactory(), {"REMOTE_ADDR": "192.0.2.9"}
    stored = replace(UPLOAD, table=TableSettings(f"sqlite:///{tmp_path}/games.sqlite3"))
    with table(stored, Pins(factory, "mock pins")) as client:
        phone = client.application.test_client()
        form = {"code": "", "name": "Phone"}
        asked = phone.post("/pair", data=form, headers=HEADERS, environ_overrides=elsewhere)
        assert asked.status_code == 422
        for pin in (17, 27):
            factory.pin(pin).drive_low()
        until(lambda: "The next device that taps “Let me in”" in page(client))
        asked = phone.post("/pair", data=form, headers=HEADERS, environ_overrides=elsewhere)
        assert asked.status_code == 303
        cookie = phone.get_cookie("device-80")
        for pin in (17, 27):
            factory.pin(pin).drive_high()
    factory.reset()
    assert cookie is not None
    with table(stored) as client:
        phone = client.application.test_client()
        assert phone.get("/setup", environ_overrides=elsewhere).status_code == 403
        phone.set_cookie("device-80", cookie.value)
        assert phone.get("/setup", environ_overrides=elsewhere).status_code == 200


@dataclass
class Hall:
    """What holding the buttons meets: a session that shows a result, or none, and a pairing."""

    view: TableView
    posted: list[TableRequest] = field(default_factory=list)

    def __post_init__(self) -> None:
        devices = Devices(utc_now, NoDevices())
        self.pairing = Pairing(devices, utc_now)
        session = cast("TableSession", self)
        self.holds = PanelHolds(session, self.posted.append, self.pairing)


@pytest.mark.parametrize("waits", [True, False])
def test_a_hold_that_signs_lets_nobody_in(*, waits: bool) -> None:
    """At an event a hall of phones could ask; without a result that waits it lets one in."""
    result = TournamentResult("g2", 1, 1, (Signature(1, "North", "open" if waits else "signed"),))
    event = TournamentView("Open", 5, "http://10.0.0.7:8080", results=(result,))
    hall = Hall(replace(NO_GAME, event=event))
    now = utc_now()
    hall.holds.agree(now)
    hall.holds.let_in(now)
    expected: list[TableRequest] = [BothButtonsHeld(now)]
    assert hall.posted == (expected if waits else [*expected, DeviceExpected(now)])
    if waits:
        with pytest.raises(PairingRefusedError):
            hall.pairing.let_in("", "Phone")
    else:
        hall.pairing.let_in("", "Phone")


def test_the_demo_reads_its_first_roll_by_itself() -> None:
    """A newcomer presses nothing, and dice are read."""
    settings = Settings(table=TableSettings("memory:"), demo=DemoSettings(frames_per_second=30))
    with table(settings) as client:
        until(lambda: "I see" in page(client))


def test_a_policy_must_be_stated() -> None:
    """Then a reading that stays is confirmed without a press, at the time that its clock says."""
    stated = replace(UPLOAD, confirm=ConfirmSettings(seconds=0.1, confidence=0.5))
    with table(stated) as client:
        post(client, "/setup", *NEW_GAME)
        send(client, "roll.jpg", photo())
        until(lambda: "Roll 2 of 3" in page(client) or "Choose a box" in page(client))


@pytest.mark.parametrize(
    ("settings", "fault"),
    [
        (replace(UPLOAD, camera=CameraSettings("webcm")), "There is no camera"),
        (replace(UPLOAD, tray=TraySettings(((0, 0), (0, 1), (1, 1), (1, 0)))), "clockwise"),
        (replace(UPLOAD, buttons=ButtonSettings(pins="real")), "no Raspberry Pi"),
    ],
)
def test_what_cannot_be_started_is_reported(settings: Settings, fault: str) -> None:
    """The fault ends the start with its sentence."""
    with pytest.raises((OSError, ValueError), match=fault):
        RunningTable(Plan.of(settings), 8000)
