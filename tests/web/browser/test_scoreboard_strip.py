"""The strip of scores on every screen: who leads and whose turn it is, without scrolling."""

from __future__ import annotations

from urllib.parse import urljoin

from playwright.sync_api import expect

from tests.web.browser.conftest import OpenPage
from tests.web.browser.hands import wait_until_drawn

# A line too wide, or one too many: of a letter the edges alone reach beyond its line.
CUT = """
(all) => all
  .filter((it) => it.clientWidth > 1) // of the others the mark alone is shown
  .filter((it) => it.scrollWidth > it.clientWidth || it.scrollHeight > 1.2 * it.clientHeight)
  .map((it) => it.textContent)
"""


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
