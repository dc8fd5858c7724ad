"""The pages of games: the list, what is written out, and how a game ends early."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from babel.dates import format_datetime
from flask.testing import FlaskClient

from scoreboard.games.engine.transcript import Abandoned
from scoreboard.message import message
from scoreboard.storage.finished_games import Result
from scoreboard.table.requests import (
    Answer,
    Chosen,
    GameAbandoned,
    GameDeleted,
    GameResumed,
    GameTakenBack,
    TableRequest,
)
from tests.scoreboard.storage.records import header, record
from tests.web.table_fake import (
    FINISHED_GAME,
    NO_GAME,
    NOON,
    FakeTable,
    forgetful_access,
    stored_events,
    view_of,
)
from web.shared.words import MOMENTS
from web.table.history.archive import Archive

BINNED = replace(FINISHED_GAME, game_id="g3", players=("West",), totals=(7,), deleted_at=NOON)
OWN = {"Origin": "http://localhost"}


def client_and_fake() -> tuple[FlaskClient, FakeTable]:
    """A browser and a table with a game on it and two in the list."""
    fake = FakeTable(view_of())
    return fake.app().test_client(), fake


def test_the_list_shows_every_game_with_what_may_be_done() -> None:
    """The winner first, standing, totals, the last photo; the one on the table is not resumed."""
    client, fake = client_and_fake()
    second, first = (
        Result("g1", seat, name, place, total)
        for seat, (name, place, total) in enumerate((("North", 2, 199), ("<b>South</b>", 1, 254)))
    )
    fake.results = {"g1": (first, second)}
    text = client.get("/games").text
    for words in ("on the table", "31", "East", "/games/g1/steps/3.jpg"):
        assert words in text
    assert text.index("&lt;b&gt;South&lt;/b&gt;") < text.index("254") < text.index("North")
    assert "/games/g1/resume" in text
    assert "/games/g2/resume" not in text
    for form in ("txt", "json"):
        assert f"/games/g1/game.{form}" in text
    fake.summaries = ()
    assert "No game is stored yet." in client.get("/games").text


@pytest.mark.parametrize(
    ("path", "question", "table_request", "target"),
    [
        ("/games/g1/resume", None, GameResumed("g1"), "/"),
        ("/games/g1/delete", "You can take it back for 7 days.", GameDeleted("g1"), "/games"),
        ("/games/g3/take-back", None, GameTakenBack("g3"), "/games"),
        (
            "/games/g3/erase",
            "Delete this game for good?",
            GameDeleted("g3", for_good=True),
            "/games",
        ),
    ],
)
def test_a_stored_game_is_resumed_deleted_or_taken_back(
    path: str, question: str | None, table_request: TableRequest, target: str
) -> None:
    """One request, for deleting after a question; then the page that shows the result."""
    client, fake = client_and_fake()
    fake.binned = (BINNED,)
    assert question is None or question in client.get(path).text
    assert fake.messages == []
    answer = client.post(path, headers=OWN)
    assert (answer.status_code, answer.headers["Location"]) == (303, target)
    assert fake.messages == [table_request]


def test_what_is_in_the_bin_stands_at_the_end_of_the_list() -> None:
    """Folded: what, when it was deleted, how long it stays, and what can be done."""
    client, fake = client_and_fake()
    assert "Bin (" not in client.get("/games").text
    fake.binned = (BINNED,)
    text = client.get("/games").text
    folded = text[text.index('<details class="bin"') :]
    for words in ("Bin (1)", "Yahtzee: West", "/games/g3/take-back", "/games/g3/erase"):
        assert words in folded
    deleted, until = (moment_of(day) for day in (NOON, NOON + timedelta(days=7)))
    assert f"Deleted {deleted}. It stays here until {until}." in folded
    assert "/games/g3/resume" not in text


def moment_of(at: datetime) -> str:
    """A time as the page writes it in English."""
    return format_datetime(at.astimezone(), MOMENTS["en"], locale="en")


def test_what_the_table_refuses_is_reported_in_the_list() -> None:
    """The list stays, with the reason."""
    client, fake = client_and_fake()
    fake.reply = lambda _message: Answer("refused", message("The disk is full."))
    answer = client.post("/games/g1/resume", headers=OWN)
    assert answer.status_code == 409
    assert "The disk is full." in answer.text


def test_a_game_is_exported_as_a_file() -> None:
    """In each of the formats, with its type and name."""
    client, _ = client_and_fake()
    kinds = {"txt": "text/plain", "json": "application/json"}
    for form, kind in kinds.items():
        answer = client.get(f"/games/g1/game.{form}")
        assert (answer.text, answer.mimetype) == (f"g1 as {form}\n", kind)
        assert answer.headers["Content-Disposition"] == f'attachment; filename="g1.{form}"'


@pytest.mark.parametrize("paired", [False, True])
def test_the_table_learns_who_sent_a_request(*, paired: bool) -> None:
    """From each page that changes something: the table's own machine, or a device by its id."""
    fake, access = FakeTable(view_of()), forgetful_access()
    client = fake.app(access=access).test_client()
    device, secret = access.devices.add("Phone", "player")
    if paired:
        client.set_cookie("device-80", secret)
    asked: tuple[tuple[str, dict[str, Any]], ...] = (
        ("/games/g1/resume", {}),
        ("/abandon", {"seen": fake.seen}),
        ("/leave", {"offer": "leave:1", "seen": fake.seen}),
        ("/setup", {"name": ["A", "B"], "do": "begin"}),
    )
    for path, form in asked:
        client.post(path, data=form, headers=OWN)
    sender = device.device_id if paired else "here"
    assert fake.senders == [sender] * len(asked)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        *(
            ("GET", f"/games/{path}")
            for path in ("g9/delete", "g9/game.txt", "g1/game.pdf", "../g1")
        ),
        *(("POST", f"/games/{path}") for path in ("g9/resume", "g9/delete", "g3/resume")),
        *(("POST", f"/games/{path}") for path in ("g3/delete", "g1/take-back", "g1/erase")),
    ],
)
def test_what_is_not_there_is_not_found(method: str, path: str) -> None:
    """An unknown game or format, one of the bin in the list, or of the list in the bin."""
    client, fake = client_and_fake()
    fake.binned = (BINNED,)
    assert client.open(path, method=method, headers=OWN).status_code == 404
    assert fake.messages == []


def test_putting_the_game_away_asks_first() -> None:
    """The question carries the version, the answer sends it."""
    client, fake = client_and_fake()
    assert f'value="{fake.seen}"' in client.get("/abandon").text
    answer = client.post("/abandon", data={"seen": fake.seen}, headers=OWN)
    assert answer.status_code == 303
    assert fake.messages == [GameAbandoned(5)]


def test_a_player_leaves_after_a_question() -> None:
    """Each player is named; the choice is an offer of the rulebook, and none to score."""
    client, fake = client_and_fake()
    scoring = {"offer": "score:aces", "seen": fake.seen}
    assert client.post("/leave", data=scoring, headers=OWN).status_code == 400
    text = client.get("/leave").text
    assert "North leaves the game" in text
    assert "South leaves the game" in text
    form = {"offer": "leave:1", "seen": fake.seen}
    assert client.post("/leave", data=form, headers=OWN).status_code == 303
    assert fake.messages == [Chosen("leave:1", 5)]
    fake.shown = NO_GAME
    assert "Nobody can leave just now." in client.get("/leave").text


def test_a_long_list_is_shown_by_pages() -> None:
    """With the way to the newer and the older ones."""
    client, fake = client_and_fake()
    assert "Older games" not in client.get("/games").text
    fake.pages = 3
    text = client.get("/games?page=2").text
    assert "Page 2 of 3" in text
    assert 'href="/games?page=1"' in text
    assert 'href="/games?page=3"' in text
    assert "Older games" not in client.get("/games?page=3").text


def test_a_game_put_away_on_the_table_can_be_gone_on_with() -> None:
    """As any other one that was put away."""
    store = stored_events()
    store.open_game(header())
    store.append("evening", 0, [record(1, Abandoned())])
    archive = Archive(store)
    fake = FakeTable(replace(NO_GAME, stage="abandoned", game_id="evening"))
    app = fake.app(archive=archive)
    text = app.test_client().get("/games").text
    assert "Resume" in text
    assert "To the table" not in text


def test_only_a_page_of_the_games_is_read() -> None:
    """Of a hundred games, the fifty on the page."""
    store = stored_events()
    for number in range(101):
        store.open_game(header(f"g{number}"))
    archive = Archive(store)
    first, last = archive.page(1, None), archive.page(9, None)
    assert [game.game_id for game in first.games] == [f"g{number}" for number in range(100, 50, -1)]
    assert (first.pages, last.number) == (3, 3)
    assert [game.game_id for game in last.games] == ["g0"]
