"""A free score sheet at a table put together in this process: cards of one's own are added up."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import cv2
import pytest
from flask.testing import FlaskClient

from tests.patience import until
from tests.vision.learn.drawn_set import learned, row
from tests.vision.learn.whole_deck import keep
from tests.web.test_wiring import UPLOAD, page, post, send, table
from web.settings import TableSettings
from web.table.taught_readers import default_sets_folder

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sets are looked for in a folder of this test."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def photo(*faces: str) -> bytes:
    """A photograph of cards in a row."""
    return cv2.imencode(".png", row(faces, 2))[1].tobytes()


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
            for row in rounds:
                for seat, points in enumerate(row):
                    post(client, "/choose", ("offer", f"write:{seat}"), ("filling", str(points)))
                for path in ("/", "/tv"):
                    first, second = ("Ann", "Ben") if row[0] < row[1] else ("Ben", "Ann")
                    shown = words(client, path)
                    assert re.search(rf"{first} (\d+ )?leads", shown), shown
                    assert not re.search(rf"{second} (\d+ )?leads", shown), shown
            post(client, "/choose", ("offer", "end"))
        evening = words(client, "/evening")
        assert "Podium 1. Ben 1 of 2 won 34 points 2. Ann 1 of 2 won 60 points" in evening
        assert "Best turn Ben : 1 in Round 2" in evening
        assert "Records The best Free score sheet so far: Ben, 8 " in evening
        assert "Ann’s best" not in evening
        assert "Best games 8 Ben" in words(client, "/statistics")
        assert "Ann 2 1 50 % 30.0 15 " in words(client, "/statistics")
        own = "?name=Ann&game=free-sheet&rules=winner%3Dlowest&season="
        assert "Best games 15 " in words(client, f"/statistics/player{own}")
        link = re.findall(r"/games/[^/]+/bg-stats", client.get("/evening").text)[0]
        assert "%22highestWins%22%3Afalse" in client.get(link).text
