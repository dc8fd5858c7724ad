"""Whatever goes wrong is told in plain words, to people and to scripts."""

from __future__ import annotations

import logging

import pytest

from scoreboard.errors import ScoreboardError
from scoreboard.message import message
from scoreboard.table.requests import Answer, TableRequest
from tests.web.table_fake import FakeTable, view_of

OWN = {"Origin": "http://localhost"}


class FullDiskError(ScoreboardError, OSError):
    """What a store may raise."""


def raising(error: Exception) -> FakeTable:
    """A table at which every act fails."""
    fake = FakeTable(view_of())

    def reply(_message: TableRequest) -> Answer:
        raise error

    fake.reply = reply
    return fake


def test_an_unknown_page_leads_back_to_the_table() -> None:
    """With its code, to ask for help by; a script gets the same words as a document."""
    client = FakeTable().app().test_client()
    asked = client.post("/nowhere", headers={**OWN, "Accept": "application/json"}).get_json()
    assert asked == {"verdict": "refused", "notice": "There is no such page at this table."}
    answer = client.get("/nowhere")
    assert answer.status_code == 404
    assert "There is no such page" in answer.text
    assert "Code 404" in answer.text
    assert 'href="/"' in answer.text


def test_a_tap_that_reaches_no_table_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """From before a restart, or without a meaning: the log says why nothing happened."""
    caplog.set_level(logging.INFO, "web")
    client = FakeTable(view_of()).app().test_client()
    client.post("/press", data={"action": "keep", "seen": "0.1"}, headers=OWN)
    client.post("/press", data={"action": "dance", "seen": "0.1"}, headers=OWN)
    client.post("/press", data={"action": "keep"}, headers={"Origin": "http://elsewhere"})
    client.get("/nowhere")
    assert [each.getMessage() for each in caplog.records] == [
        "stale: acts.press, from a page of before the last start",
        "refused with 400: POST acts.press",
        "refused with 403: POST acts.press",
    ]


def test_a_fault_that_the_scoreboard_names_is_reported(caplog: pytest.LogCaptureFixture) -> None:
    """Its message reaches the player, its text the log."""
    fake = raising(FullDiskError(message("The disk is full: free some space.")))
    client = fake.app().test_client()
    with caplog.at_level(logging.WARNING):
        form = {"action": "keep", "seen": fake.seen}
        answer = client.post("/press", data=form, headers=OWN)
    assert answer.status_code == 422
    assert "The disk is full: free some space." in answer.text
    assert "The disk is full" in caplog.text


def test_an_unknown_fault_is_logged_and_owned_up_to(caplog: pytest.LogCaptureFixture) -> None:
    """The player learns nothing about its insides."""
    fake = raising(RuntimeError("a secret path"))
    client = fake.app().test_client()
    form = {"action": "keep", "seen": fake.seen}
    answer = client.post("/press", data=form, headers=OWN)
    assert answer.status_code == 500
    assert "Something went wrong inside the table." in answer.text
    assert "secret" not in answer.text
    assert "a secret path" in caplog.text


@pytest.mark.parametrize(("status", "words"), [(418, "did not understand"), (503, "went wrong")])
def test_a_code_without_words_of_its_own_has_some(status: int, words: str) -> None:
    """No page is ever empty."""
    app = FakeTable().app()
    app.add_url_rule("/odd", view_func=lambda: app.aborter(status))
    assert words in app.test_client().get("/odd").text
    assert "own buttons" in app.test_client().get("/press").text
