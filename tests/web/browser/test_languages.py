"""Every screen in every language, on a phone and on a tablet: nothing is wider than its place."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from scoreboard.games import GAMES
from scoreboard.table.requests import Chosen, GameOpened
from tests.web.browser.conftest import OpenPage
from tests.web.browser.served_table import ServedTable
from web.words import COOKIE, LANGUAGES

NAMES = ("Maximiliane", "김하늘", "あおい", "Jo")
OPTIONS = {"start": "first"}
MIDWAY: dict[str, list[tuple[str, str | None]]] = {
    "rummikub": [("begin:0", None), ("lay", "K10 R10 B10 O10\nR1 R2 R3 R4 R5 R6 R7 R8 R9 R10")],
    "tongtong": [("mission:high-12", None), ("leader:0", None), ("play:R8", None)],
}
SPILLING = """
() => {
  const seen = (thing) => thing.checkVisibility() && !thing.closest(".hidden, .skip, .panes");
  const spilt = [...document.querySelectorAll("button, .button, h1, h2, p, dd, legend, nav a")]
    .filter((thing) => seen(thing) && thing.scrollWidth > thing.clientWidth + 1)
    .filter((thing) => getComputedStyle(thing).display !== "inline")
    .map((thing) => thing.textContent.trim());
  const page = document.documentElement;
  return page.scrollWidth > page.clientWidth ? [...spilt, "the page itself"] : spilt;
}
"""


def speaks(page: Page, url: str, name: str) -> None:
    """From now on this device is spoken to in that language."""
    page.context.add_cookies([{"name": COOKIE, "value": name, "url": url}])


def midway(table: ServedTable, game: str, names: tuple[str, ...] = NAMES) -> None:
    """A game is under way."""
    options = {option.name for option in GAMES[game].options}
    agreed = {name: value for name, value in OPTIONS.items() if name in options}
    table.submit(GameOpened(game, names, agreed))
    for offer, filling in MIDWAY.get(game, []):
        version = table.version
        assert table.submit(Chosen(offer, version, filling)).verdict == "done"


@pytest.mark.parametrize(
    "phone", [True, pytest.param(False, marks=pytest.mark.slow)], ids=["phone", "tablet"]
)
@pytest.mark.parametrize("game", GAMES)
def test_a_game_fits_its_screen(
    open_page: OpenPage, table: ServedTable, game: str, *, phone: bool
) -> None:
    """Set-up page, table and what its acts open, in the longest language, whichever that is."""
    midway(table, game)
    page = open_page(phone=phone).page
    for name in LANGUAGES:
        speaks(page, table.url, name)
        for path in (f"/setup?game={game}", "/"):
            page.goto(table.url + path)
            assert page.evaluate(SPILLING) == [], (name, path)
        menu = page.locator(".menu summary")
        menu.click()
        assert page.evaluate(SPILLING) == [], (name, "menu")
        menu.click()
        for summary in page.locator("main details:not([open]) summary").all():
            summary.click()
        for opened in page.locator(".sheet-over").all():
            opened.evaluate("(thing) => thing.showPopover()")
            assert page.evaluate(SPILLING) == [], (name, opened.get_attribute("id"))
            opened.evaluate("(thing) => thing.hidePopover()")


@pytest.mark.parametrize(
    "phone", [True, pytest.param(False, marks=pytest.mark.slow)], ids=["phone", "tablet"]
)
def test_the_other_pages_fit(open_page: OpenPage, table: ServedTable, *, phone: bool) -> None:
    """Lists, questions and help."""
    midway(table, "yahtzee")
    page = open_page(phone=phone).page
    for name in LANGUAGES:
        speaks(page, table.url, name)
        for path in ("/games", "/about", "/compare", "/abandon", "/leave"):
            page.goto(table.url + path)
            assert page.evaluate(SPILLING) == [], (name, path)
