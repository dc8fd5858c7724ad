"""How a device shows the table: its own choices, and motion for those who want it."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import OpenPage
from tests.web.browser.hands import Hands, wait_until_drawn

LIGHT, DARK = "rgb(239, 233, 218)", "rgb(15, 23, 20)"


def chooses(hands: Hands, *labels: str) -> None:
    """Go to the page Display, choose, and come back to the table."""
    hands.follow("Display")
    for label in labels:
        hands.page.get_by_label(label, exact=True).check()
    hands.tap(hands.button("Apply"))
    expect(hands.button("KEEP")).to_be_visible()
    wait_until_drawn(hands.page)


def shows(hands: Hands, ground: str) -> None:
    """The page has that ground."""
    expect(hands.page.locator("html")).to_have_css("background-color", ground)


def test_each_device_keeps_its_own_look(open_page: OpenPage) -> None:
    """Dark though the system is light, and light again as the system is; nobody else's changes."""
    hands, other = open_page(), open_page()
    hands.starts("North", "South")
    chooses(hands, "Dark")
    shows(hands, DARK)
    hands.page.reload()
    shows(hands, DARK)
    shows(other, LIGHT)
    hands.follow("Display")
    hands.page.get_by_role("group", name="Light or dark").get_by_label("Same as device").check()
    hands.tap(hands.button("Apply"))
    hands.page.emulate_media(color_scheme="dark")
    shows(hands, DARK)
    hands.page.emulate_media(color_scheme="light")
    shows(hands, LIGHT)


def test_larger_text_high_contrast_and_left_hands(open_page: OpenPage) -> None:
    """What is read from near grows, hints are in full ink, KEEP comes to the right."""
    hands = open_page()
    hands.starts("North", "South")
    hint = hands.page.locator(".sheet .hint").first
    words = hands.page.locator(".instruction")
    size = "(it) => parseFloat(getComputedStyle(it).fontSize)"
    before = words.evaluate(size)
    chooses(hands, "Larger", "High", "On the right, for left hands")
    assert words.evaluate(size) > before
    expect(hint).to_have_css("color", "rgb(29, 38, 33)")
    keep, undo = (hands.button(each).bounding_box() for each in ("KEEP", "UNDO"))
    assert keep is not None
    assert undo is not None
    assert keep["x"] > undo["x"]


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_points_fly_for_those_who_want_it(
    open_page: OpenPage, motion: Literal["no-preference", "reduce"]
) -> None:
    """They land in the box; who wants no motion sees the points there at once."""
    hands = open_page()
    hands.page.emulate_media(reduced_motion=motion)
    hands.page.add_init_script(
        "window.flown = 0;"
        "const animate = Element.prototype.animate;"
        "Element.prototype.animate = function (...way) { window.flown += 1;"
        " return animate.apply(this, way); };"
    )
    hands.page.reload()
    hands.starts("North", "South")
    hands.throws("33355")
    hands.press("KEEP")
    hands.reads("Score Full house: 25")
    before = hands.page.evaluate("window.flown")
    hands.scores(25, "Full house")
    hands.sees_cells("Full house", "25", "")
    flown = hands.page.evaluate("window.flown") - before
    assert flown == (2 if motion == "no-preference" else 0)
    expect(hands.page.locator(".flying")).to_have_count(0)


def test_escape_closes_the_menu(open_page: OpenPage) -> None:
    """After a switch in it was used, too; the keys go on where the menu is."""
    hands = open_page()
    menu = hands.page.locator(".menu")
    for used in ("", "Sound"):
        hands.tap(menu.locator("summary"))
        if used:
            hands.tap(menu.get_by_role("button", name=used))
        expect(menu).to_have_attribute("open", "")
        hands.page.keyboard.press("Escape")
        expect(menu).not_to_have_attribute("open", "")
        expect(menu.locator("summary")).to_be_focused()
