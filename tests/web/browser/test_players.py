"""The people who play: made, picked for a game, renamed, merged and deleted by what is read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import expect

from scoreboard.storage import SqlStore, open_store
from tests.web.browser.conftest import OpenPage
from tests.web.browser.served_table import ServedTable


@pytest.fixture
def table(tmp_path: Path) -> Iterator[ServedTable]:
    """A table whose games and players are in a file."""
    with closing(open_store(f"sqlite:///{tmp_path}/games.db")) as store:
        assert isinstance(store, SqlStore)
        served = ServedTable()
        served.store = store
        served.start()
        yield served
        served.stop()


def test_a_seats_mark_goes_with_its_name(open_page: OpenPage, table: ServedTable) -> None:
    """Moved by a button, without a reload; a typed name has its initial."""
    assert isinstance(table.store, SqlStore)
    table.store.profiles.note(("Ann", "Ben"))
    hands = open_page("/setup")
    for name in ("Ann", "Ben"):
        hands.tap(hands.button(name))
    marks = [hands.page.locator(f"#seat-{seat} .scripted .mark") for seat in (1, 2)]
    expect(marks[0]).to_have_text("A")
    hands.press("Move player 2 up")
    expect(marks[0]).to_have_text("B")
    hands.page.get_by_label("Player 1", exact=True).fill("Zoë")
    expect(marks[0]).to_have_count(0)
    expect(hands.page.locator("#seat-1 .scripted .seat-colour")).to_have_text("Z")
