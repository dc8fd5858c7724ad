"""A free score sheet at a table put together in this process: cards of one's own are added up."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import cv2
import pytest

from tests.vision.learn.drawn_set import learned, row
from tests.vision.learn.whole_deck import keep
from tests.web.table.test_uploads import wait
from tests.web.test_wiring import UPLOAD, page, post, send, table
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
        wait(lambda: "Ben’s points: 3 pieces, 9 points" in page(client))
        assert "The cards are Cid’s" in page(client)
        post(client, "/choose", ("offer", "for:2"))
        wait(lambda: "Cid’s points: 3 pieces, 9 points" in page(client))
        post(client, "/press", ("action", "keep"))
        wait(lambda: "Undo 9 points of Cid" in page(client))
        post(client, "/press", ("action", "undo"))
        wait(lambda: "Undo 9 points of Cid" not in page(client))
