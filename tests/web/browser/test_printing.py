"""What comes out of a printer: the scoresheet whole on one page, and an evening's page."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Page, expect

from scoreboard.games import GAMES
from scoreboard.games.engine.transcript import GameHeader
from tests.web.browser.conftest import OpenPage
from tests.web.browser.served_table import ServedTable

PLAYERS = ("Ann", "Maximiliane-Charlotte", "Cem", "Dora Wanjiku Mwangi")
PAGE = re.compile(rb"/Type\s*/Page\b")


def pages(page: Page) -> int:
    """How many pages of A4 the printer makes of it."""
    return len(PAGE.findall(page.pdf(prefer_css_page_size=True)))


@pytest.mark.parametrize("name", GAMES)
def test_the_sheet_of_four_is_one_page(table: ServedTable, open_page: OpenPage, name: str) -> None:
    """All of its rows with the names at the head once, and nothing that is pressed."""
    table.stop()
    at = datetime(2026, 11, 25, 19, 0, tzinfo=UTC)
    table.store.open_game(GameHeader("printed", name, PLAYERS, at, {}))
    table.start()
    page = open_page().page
    assert pages(page) == 1
    page.emulate_media(media="print")
    sheet = page.locator("#sheet")
    for player in PLAYERS:
        expect(sheet.locator("thead .name:visible", has_text=player)).to_have_count(1)
    rows = sheet.locator("tbody tr")
    assert rows.count() == sheet.locator("tbody tr:visible").count() > 0
    expect(page.locator("button.key:visible, nav:visible, .icon:visible")).to_have_count(0)
    box = sheet.bounding_box()
    assert box is not None
    outside = page.evaluate(
        "() => [...document.querySelectorAll('#sheet td, #sheet th')].filter("
        "cell => cell.scrollWidth > cell.clientWidth + 1).map(cell => cell.textContent)"
    )
    assert outside == []
