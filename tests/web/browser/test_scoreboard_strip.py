"""The strip of scores on every screen: who leads and whose turn it is, without scrolling."""

from __future__ import annotations

from urllib.parse import urljoin

from playwright.sync_api import Page, expect

from tests.web.browser.conftest import OpenPage
from tests.web.browser.hands import wait_until_drawn

NAMES = ("Maximiliane", "김하늘", "あおい", "Jo", "Wilhelmine", "Leopoldina-Friederike")
LARGE = ((1280, 800), (1280, 720), (1194, 834), (1024, 768), (1024, 600), (1920, 1080))
SMALL = ((800, 1280), (390, 844), (360, 740), (844, 390))
CAPITALS = 26  # pixels: 10 minutes of arc on a 10-inch tablet at 1.5 m
CAPITAL_OF_FONT = 0.72
OUT_OF_SIGHT = """
(least) => [...document.querySelectorAll("#scoreboard .name, #scoreboard .total")]
  .filter((it) => {
    const box = it.getBoundingClientRect();
    const is_small = it.matches(".total") && parseFloat(getComputedStyle(it).fontSize) < least;
    const is_cut = it.matches(".total") && it.scrollWidth > it.clientWidth + 1;
    return box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight
      || box.width < 1 || is_small || is_cut;
  })
  .map((it) => it.textContent)
"""
# A line too wide, or one too many: of a letter the edges alone reach beyond its line.
CUT = """
(all) => all
  .filter((it) => it.scrollWidth > it.clientWidth || it.scrollHeight > 1.2 * it.clientHeight)
  .map((it) => it.textContent)
"""
OVERLAPPING = """
() => [...document.querySelectorAll("#scoreboard .player")].filter((it) => {
    const total = it.querySelector(".total").getBoundingClientRect();
    const gap = it.querySelector(".gap")?.getBoundingClientRect();
    const menu = document.querySelector(".menu summary").getBoundingClientRect();
    const over = (box) => box && box.width && box.right > total.left + 1
      && box.left < total.right && box.bottom > total.top + 1 && box.top < total.bottom;
    return over(gap) || total.right > menu.left;
  }).map((it) => it.textContent)
"""


def strip_faults(page: Page, *, large: bool) -> list[str]:
    """Names and totals out of sight; totals that are cut, too small or covered."""
    least = CAPITALS / CAPITAL_OF_FONT if large else 0
    return [*page.evaluate(OUT_OF_SIGHT, least), *page.evaluate(OVERLAPPING)]


def test_the_turn_passes_to_the_next_colour(open_page: OpenPage) -> None:
    """The strip and the head of the page show whose turn it is; the leader and the gap are told."""
    hands = open_page()
    hands.starts("North", "South")
    head = hands.page.locator("#turn")
    before = head.evaluate("it => getComputedStyle(it).backgroundColor")
    hands.throws("33355")
    hands.press("KEEP")
    hands.scores(25, "Full house")
    strip = hands.page.get_by_role("region", name="Totals")
    expect(strip.locator("[aria-current]")).to_contain_text("South")
    expect(strip.get_by_role("listitem").nth(0)).to_contain_text("leads")
    expect(strip.get_by_role("listitem").nth(1)).to_contain_text("25 behind")
    expect(head).not_to_have_css("background-color", before)


def test_long_names_are_shown_whole(open_page: OpenPage) -> None:
    """In smaller lines: on the strip, in heads and columns, on the big screen and in lists."""
    names = ("Maria Fernanda da Conceição Oliveira e Silva", "W" * 60, "Jo", "김하늘" * 9)
    hands = open_page()
    hands.starts(*names)
    for place in ("/", "/tv"):
        hands.page.goto(urljoin(hands.page.url, place))
        hands.page.set_viewport_size({"width": 1280, "height": 800})
        wait_until_drawn(hands.page)
        shown = hands.page.locator(".player .name, .pane thead .name, .tv-name, h1")
        expect(shown.filter(has_text="Oliveira e Silva").first).to_be_visible()
        assert shown.evaluate_all(CUT) == []
    hands.page.goto(urljoin(hands.page.url, "/games"))
    assert hands.page.evaluate("document.documentElement.scrollWidth") == 1280
