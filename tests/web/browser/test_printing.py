"""What comes out of a printer: the scoresheet whole on one page, and an evening's page."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from threading import Thread

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from scoreboard.games import GAMES
from scoreboard.games.engine.transcript import GameHeader
from tests.scoreboard.storage.test_game_archive import a_store
from tests.web.browser.accessibility import violations
from tests.web.browser.conftest import TABLET, OpenPage
from tests.web.browser.served_table import ServedTable, lasting_port
from tests.web.browser.test_layout import DIFFERENT
from tests.web.owner import with_own_key
from tests.web.serving import server_of
from tests.web.table.history.test_evening import BEGAN, play, table_app

PLAYERS = ("Ann", "Maximiliane-Charlotte", "Cem", "Dora Wanjiku Mwangi")
PAGE = re.compile(rb"/Type\s*/Page\b")


def pages(page: Page) -> int:
    """How many pages of A4 the printer makes of it."""
    return len(PAGE.findall(page.pdf(prefer_css_page_size=True)))


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in DIFFERENT else pytest.mark.slow) for name in GAMES],
)
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


def test_an_evening_is_read_and_printed(browser: Browser) -> None:
    """Its podium, its games and its picture are there; on paper it has nothing to press."""
    with a_store() as store:
        play(store, "duel", BEGAN)
        play(store, "tongtong-three", BEGAN + timedelta(hours=1))
        port = lasting_port()
        server = server_of(with_own_key(table_app(store)), port)
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            page = browser.new_page(viewport=TABLET)  # type: ignore[arg-type]  # a TypedDict
            page.goto(f"http://127.0.0.1:{port}/games")
            page.get_by_role("link", name="The evening").click()
            expect(page.get_by_role("heading", name="North won the evening")).to_be_visible()
            expect(page.locator(".steps li").first).to_contain_text("Won 1 of 1")
            assert violations(page) == []
            with page.expect_download() as picture:
                page.get_by_role("button", name="Picture to share").click()
            with Image.open(picture.value.path()) as drawn:
                assert drawn.size == (1080, 1350)
            assert pages(page) <= 2
            page.emulate_media(media="print")
            expect(page.locator("a.button:visible, nav:visible")).to_have_count(0)
            page.close()
        finally:
            server.shutdown()
            server.server_close()
