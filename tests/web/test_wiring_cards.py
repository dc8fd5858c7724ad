"""Cards at a table put together in this process: Tong Tong's, and those of a free score sheet."""

from __future__ import annotations

import html
import logging
import re
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import cv2
import pytest
from flask.testing import FlaskClient

from tests.patience import until
from tests.vision.learn.drawn_set import learned, row
from tests.vision.learn.whole_deck import keep, whole_deck
from tests.web.test_wiring import HEADERS, UPLOAD, page, post, send, table
from web.shared.settings import TableSettings
from web.table.sets.taught_readers import default_sets_folder, open_table_reader

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


def test_cards_are_summed_for_the_player_called_up_and_undone() -> None:
    """Without a set nothing is read, and points are typed; the photo is read for whom it is."""
    with table(UPLOAD) as client:
        names = [("name", name) for name in ("Ann", "Ben", "Cid")]
        post(client, "/setup", ("do", "begin"), ("game", "free-sheet"), *names)
        post(client, "/choose", ("offer", "write:0"), ("filling", "8 5"))
        assert "Undo 13 points of Ann" in page(client)
        assert "The cards are" not in page(client)  # none are seen
        keep(default_sets_folder(), "Ours", NOON, learned())
        send(client, "a.png", photo("R1", "R4", "B4"))
        until(lambda: "Ben’s points: 3 pieces, 9 points" in page(client))
        assert "The cards are Cid’s" in page(client)
        post(client, "/choose", ("offer", "for:2"))
        until(lambda: "Cid’s points: 3 pieces, 9 points" in page(client))
        post(client, "/press", ("action", "keep"))
        until(lambda: "Undo 9 points of Cid" in page(client))
        post(client, "/press", ("action", "undo"))
        until(lambda: "Undo 9 points of Cid" not in page(client))


def words(client: FlaskClient, path: str) -> str:
    """What a page says, in one line."""
    return " ".join(re.sub(r"<[^>]*>", " ", client.get(path).get_data(as_text=True)).split())


def test_where_the_lowest_total_wins_every_comparison_has_it_first(tmp_path: Path) -> None:
    """On strip, screen, statistics, evening and in the link: 7 leads 40, and is the record.

    Each won once, so that the better totals decide the evening: 15 + 45 against 26 + 8.
    """
    kept = TableSettings(f"sqlite:///{tmp_path}/games.sqlite3")
    with table(replace(UPLOAD, table=kept)) as client:
        lowest = (("game", "free-sheet"), ("name", "Ann"), ("name", "Ben"))
        for rounds in ((10, 20), (5, 6)), ((40, 7), (5, 1)):
            post(client, "/setup", *lowest, ("option-winner", "lowest"), ("do", "begin"))
            for written in rounds:
                for seat, points in enumerate(written):
                    post(client, "/choose", ("offer", f"write:{seat}"), ("filling", str(points)))
                for path in ("/", "/tv"):
                    first, second = ("Ann", "Ben") if written[0] < written[1] else ("Ben", "Ann")
                    shown = words(client, path)
                    assert re.search(rf"{first} (\d+ )?leads", shown), shown
                    assert not re.search(rf"{second} (\d+ )?leads", shown), shown
            post(client, "/choose", ("offer", "end"))
        evening = words(client, "/evening")
        assert "Podium B 1. Ben Won 1 of 2 34 points A 2. Ann Won 1 of 2 60 points" in evening
        assert "Best turn Ben : 1 in Round 2" in evening
        assert "Records New record in Free score sheet: Ben, 8 " in evening
        assert "Ann’s best" not in evening
        assert "Best games 8 Ben" in words(client, "/statistics")
        assert "Ann 2 games 1 won 15 best" in words(client, "/statistics")
        own = "?name=Ann&game=free-sheet&rules=winner%3Dlowest&season="
        person = words(client, f"/statistics/player{own}")
        assert "Best games 15 " in person
        assert " 2 1 30 15" in person  # played, won, on average, best
        link = re.findall(r"/games/[^/]+/bg-stats", client.get("/evening").text)[0]
        assert "%22highestWins%22%3Afalse" in client.get(link).text
