"""Evenings with the other games of dice: each set up, played by hand to its end, and totalled."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.web.browser.conftest import OpenPage


def test_a_box_tells_its_rule(open_page: OpenPage) -> None:
    """A tap on a box's name shows the rule in a sentence, with its identifier."""
    hands = open_page()
    hands.sets_up("North", game="Chaser")
    hands.tap(hands.page.get_by_role("rowheader").get_by_role("button").filter(has_text="Choice"))
    hands.reads("CH-4")
    hands.reads("A pair, and another pair among the other three dice")


def test_a_device_speaks_korean(open_page: OpenPage) -> None:
    """Chosen on one device, the next page is in that language."""
    hands = open_page()
    hands.follow("About")
    hands.press("한국어")
    expect(hands.page.locator("html")).to_have_attribute("lang", "ko")
    hands.reads("메뉴")
