"""Tong Tong's cards at a table put together in this process: without a deck, and with one."""

from __future__ import annotations

import html
import logging
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import cv2
import pytest
from flask.testing import FlaskClient

from tests.patience import until
from tests.vision.learn.drawn_set import row
from tests.vision.learn.whole_deck import keep, whole_deck
from tests.web.test_wiring import HEADERS, UPLOAD, page, post, send, table
from web.table.taught_readers import default_sets_folder, open_table_reader

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
NEW_MATCH = (
    ("do", "begin"),
    ("game", "tongtong"),
    *(("name", name) for name in ("Ann", "Ben", "Cid")),
)
UNTAUGHT = "No deck of cards is taught yet: teach it under “Teach a set”, or play by taps."


@pytest.fixture(autouse=True)
def _data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sets are looked for in a folder of this test."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def photo(*faces: str) -> bytes:
    """A photograph of cards in a row."""
    return cv2.imencode(".png", row(faces, 2))[1].tobytes()


def opens_match(client: FlaskClient) -> None:
    """Ann leads the first trick of a match."""
    post(client, "/setup", *NEW_MATCH)
    mission = post(client, "/draw", ("among", "mission:"))
    assert mission.status_code == 200
    post(client, "/choose", ("offer", "leader:0"))


def test_a_deck_taught_while_the_table_runs_is_read_with(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Before, the players are told what to do, taps go on, and the log stays quiet."""
    with table(UPLOAD) as client:
        opens_match(client)
        for name in ("first.png", "second.png"):
            send(client, name, photo("R1"))
            until(lambda: UNTAUGHT in html.unescape(page(client)))
        assert "camera is lost" not in page(client)
        post(client, "/choose", ("offer", "play:R8"))
        assert "Ben follows" in page(client)
        assert not [each for each in caplog.records if each.levelno >= logging.WARNING]
        keep(default_sets_folder(), "Deck", NOON, whole_deck())
        send(client, "third.png", photo("R4"))
        until(lambda: "Ben played red 4" in page(client))
        assert UNTAUGHT not in html.unescape(page(client))


def test_a_deck_deleted_on_the_page_is_forgotten(tmp_path: Path) -> None:
    """The page of the running table lists and deletes what is in the data folder."""
    keep(default_sets_folder(), "Deck", NOON, whole_deck())
    with table(UPLOAD) as client:
        text = html.unescape(client.get("/teach").text)
        assert "Tong Tong’s cards are read with this set." in text
        assert client.post("/teach/Deck/delete", headers=HEADERS).status_code == 303
        assert "No sets have been taught yet." in client.get("/teach").text
    assert list((tmp_path / "tablescore" / "sets").iterdir()) == []


def test_photographs_of_a_lesson_are_kept_in_the_data_folder(tmp_path: Path) -> None:
    """Also when the table is stopped and started again."""
    form = {"name": "Own", "preset": "own", "faces": "R1 R4"}
    with table(UPLOAD) as client:
        assert client.post("/teach", data=form, headers=HEADERS).status_code == 303
        sent = {"faces": "R1 R4", "photo": (BytesIO(photo("R1", "R4")), "a.png")}
        assert client.post("/teach/Own/photos", data=sent, headers=HEADERS).status_code == 303
    assert (tmp_path / "tablescore" / "lessons" / "Own" / "photo-0001.jpg").exists()
    with table(UPLOAD) as client:
        assert "2 of 2 faces have a photograph." in client.get("/teach/Own/photos").text


def test_other_readers_are_opened_as_ever() -> None:
    """Cards are the exception."""
    assert open_table_reader("cards").name == "cards"
    assert open_table_reader("dice").name == "dice"
    with pytest.raises(KeyError):
        open_table_reader("spoons")
