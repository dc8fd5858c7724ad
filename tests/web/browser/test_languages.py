"""Every screen in every language, on a phone and on a tablet: nothing is wider than its place."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from scoreboard.games import GAMES
from scoreboard.table.requests import Chosen, GameOpened
from tests.web.browser.accessibility import violations
from tests.web.browser.conftest import PHONE, TABLET, OpenPage
from tests.web.browser.served_table import ServedTable
from web.shared.words import COOKIE, DEFAULT, LANGUAGES

NAMES = ("Maximiliane", "김하늘", "あおい", "Jo")
DIFFERENT = ("yahtzee", "rummikub", "tongtong", "free-sheet")  # the others are dice, too
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
# The same in larger text, with the menu open, with all that folds out, and in each dialog.
SPILLING_OPENED = f"""
async () => {{
  const spilling = {SPILLING};
  document.documentElement.dataset.text = "large";
  const large = spilling().map((words) => `larger text: ${{words}}`);
  document.documentElement.dataset.text = "normal";
  const menu = document.querySelector("details.menu");
  if (menu) menu.open = true;
  const spilt = spilling();
  if (menu) menu.open = false;
  document.querySelectorAll("main details").forEach((it) => {{ it.open = true; }});
  spilt.push(...spilling());
  for (const each of document.querySelectorAll(".sheet-over[popover]")) {{
    each.showPopover();
    await new Promise((done) => setTimeout(done));
    spilt.push(...spilling().map((words) => `${{each.id}}: ${{words}}`));
    each.hidePopover();
  }}
  return [...large, ...spilt];
}}
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


def assert_fits(page: Page, where: object, script: str = SPILLING_OPENED) -> None:
    """Nothing is wider than its place, on a phone and on a tablet, the screen as it is first."""
    for size in sorted((TABLET, PHONE), key=lambda size: size != page.viewport_size):
        page.set_viewport_size(size)  # type: ignore[arg-type]  # a TypedDict
        assert page.evaluate(script) == [], (where, size)


def suits_everybody(page: Page, url: str, turn: int) -> None:
    """In English and, by turns, in another language the page fits; axe-core finds nothing."""
    others = [name for name in LANGUAGES if name != DEFAULT]
    for name in (others[turn % len(others)], DEFAULT):
        speaks(page, url, name)
        assert page.goto(url).status == 200, url  # type: ignore[union-attr]
        assert_fits(page, (name, url))
    assert violations(page, turn=turn) == [], url


@pytest.mark.parametrize(
    ("game", "languages"),
    [
        *((game, tuple(LANGUAGES) if game in DIFFERENT else (DEFAULT,)) for game in GAMES),
        *(
            pytest.param(game, tuple(LANGUAGES), marks=pytest.mark.slow)
            for game in GAMES
            if game not in DIFFERENT
        ),
    ],
)
def test_a_game_fits_its_screen(
    open_page: OpenPage, table: ServedTable, game: str, languages: tuple[str, ...]
) -> None:
    """Set-up page, table and what opens on them, in the longest language, whichever that is.

    With all its house rules the set-up page is accessible, too.
    """
    midway(table, game)
    page = open_page("/about").page
    for name in languages:
        speaks(page, table.url, name)
        for path in ("/", f"/setup?game={game}"):
            page.goto(table.url + path)
            assert_fits(page, (name, path))
        assert name != DEFAULT or violations(page) == []
