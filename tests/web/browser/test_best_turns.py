"""The best turn, replayed in a browser."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from scoreboard.games.notation import replay_text
from tests.web.browser.accessibility import violations
from tests.web.browser.conftest import OpenPage
from tests.web.browser.served_table import ServedTable
from tests.web.table.test_best_turns import RUMMIKUB
from web.table.coach import Coach


def test_a_turn_is_replayed(table: ServedTable, open_page: OpenPage, tmp_path: Path) -> None:
    """The coach is switched on; then forth and back, without a script; axe-core finds nothing."""
    table.stop()
    table.coach = Coach(table.store, tmp_path)
    played = replay_text(RUMMIKUB, "one")
    table.store.open_game(played.header)
    table.store.append("one", 0, played.records)
    table.start()
    page = open_page("/games", scripts=False).page
    page.get_by_role("link", name="Best turns").click()
    page.get_by_role("link", name="Coach").click()
    page.get_by_role("radio", name="After each turn with a known rack").check()
    page.get_by_role("button", name="Save").click()
    page.goto(f"{table.url}/games/one/best")
    page.get_by_role("link", name="Ann: “What could I have laid?”").click()
    expect(page.get_by_text("The best turn: 4 tiles, 40 points.")).to_be_visible()
    page.get_by_role("link", name="Next").click()
    page.get_by_role("link", name="Next").click()
    expect(page.get_by_role("heading", name="Move 2 of 4")).to_be_visible()
    page.get_by_role("link", name="Back").click()
    expect(page.get_by_role("heading", name="Move 1 of 4")).to_be_visible()
    checked = open_page("/games/one/best/1?step=1").page
    assert violations(checked) == []
