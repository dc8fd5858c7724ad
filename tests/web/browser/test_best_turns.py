"""The best turn, replayed in a browser."""

from __future__ import annotations

from playwright.sync_api import expect

from scoreboard.games.notation import replay_text
from tests.web.browser.accessibility import violations
from tests.web.browser.conftest import OpenPage
from tests.web.browser.served_table import ServedTable
from tests.web.table.test_best_turns import RUMMIKUB


def test_a_turn_is_replayed(table: ServedTable, open_page: OpenPage) -> None:
    """From the list of games, forth and back, without a script; axe-core finds nothing."""
    played = replay_text(RUMMIKUB, "one")
    table.store.open_game(played.header)
    table.store.append("one", 0, played.records)
    page = open_page("/games", scripts=False).page
    page.get_by_role("link", name="Best turns").click()
    page.get_by_role("link", name="What could Ann have laid?").click()
    expect(page.get_by_text("The best turn: 4 tiles, 40 points.")).to_be_visible()
    page.get_by_role("link", name="Next").click()
    page.get_by_role("link", name="Next").click()
    expect(page.get_by_role("heading", name="Move 2 of 4")).to_be_visible()
    page.get_by_role("link", name="Back").click()
    expect(page.get_by_role("heading", name="Move 1 of 4")).to_be_visible()
    checked = open_page("/games/one/best/1?step=1").page
    assert violations(checked) == []
