"""The family's page: who leads, what goes on between them, and the last game again."""

from __future__ import annotations

import re
from html import unescape

from flask.testing import FlaskClient

from scoreboard.storage import SqlStore
from scoreboard.table.requests import GameOpened
from tests.web.table.history.test_statistics import EVENING, counted, photograph, play
from tests.web.table_fake import NO_GAME, FakeTable, view_of
from web.table.history.archive import Archive

OWN = {"Origin": "http://localhost"}


def table_of(store: SqlStore) -> tuple[FakeTable, FlaskClient]:
    """A table without a game on it, on the evening of the games, and a browser there."""
    fake = FakeTable(NO_GAME)
    statistics, archive = counted(store), Archive(store)
    app = fake.app(clock=lambda: EVENING, statistics=statistics, archive=archive, store=store)
    return fake, app.test_client()


def test_a_new_family_is_led_to_its_first_game(store: SqlStore) -> None:
    """And to nothing that is empty."""
    text = table_of(store)[1].get("/home").text.partition("<main")[2]
    assert "Start your first game" in text
    assert 'href="/setup"' in text
    assert "/statistics" not in text


def test_the_page_tells_who_leads_and_begins_the_last_game_again(store: SqlStore) -> None:
    """Its players, its rulebook and its rules, by one press; not while a game is on the table."""
    for day in (0, 1, 2):
        play(store, "bga-full-house-25" if day == 2 else "duel", day)
    fake, client = table_of(store)
    text = client.get("/home").text
    for words in ("North leads 2026: 2 of 2 won.", "North has won 2 in a row."):
        assert words in text
    form = text[text.index("<form") : text.index("</form>")]
    fields = re.findall(r'name="([^"]+)" value="([^"]*)"', form)
    sent: dict[str, list[str]] = {}
    for name, value in fields:
        sent.setdefault(name, []).append(unescape(value))
    assert client.post("/setup", data=sent, headers=OWN).status_code == 303
    (asked,) = fake.messages
    header = store.header("bga-full-house-25-2")
    assert isinstance(asked, GameOpened)
    assert (asked.game, asked.players) == (header.game, header.players)
    assert asked.options["full_house"] == "25"
    fake.shown = view_of()
    assert "Play again" not in client.get("/home").text


def test_the_last_photo_leads_to_its_step(store: SqlStore) -> None:
    """The newest of the last game."""
    play(store, "duel", 1)
    photograph(store, "duel-1")
    newest = max(each.step for each in store.events("duel-1"))
    assert f'src="/games/duel-1/steps/{newest}.jpg"' in table_of(store)[1].get("/home").text
