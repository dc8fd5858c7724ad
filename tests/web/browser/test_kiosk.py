"""The screen of the table's own machine: a keyboard of the page's own, for fingers."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.patience import PATIENCE_MILLISECONDS
from tests.web.browser.conftest import OpenPage, listen
from tests.web.browser.hands import wait_until_drawn
from tests.web.browser.served_table import ServedTable

SCREENS = ((800, 480), (1280, 800))
OpenKiosk = Callable[..., Page]


@pytest.fixture
def open_kiosk(browser: Browser, table: ServedTable) -> Iterator[OpenKiosk]:
    """Opens the link of the kiosk's unit on a screen to be touched; its console stays clean."""
    contexts, faults = [], list[str]()

    def open_one(width: int, height: int, language: str = "en") -> Page:
        size = {"width": width, "height": height}
        context = browser.new_context(viewport=size, has_touch=True, locale=language)  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE_MILLISECONDS)
        contexts.append(context)
        page = context.new_page()
        listen(page, faults)
        page.goto(f"{table.url}/here/{table.key}/setup?kiosk")
        page.wait_for_url("**/setup")
        wait_until_drawn(page)
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert faults == []


def keyboard(page: Page) -> Locator:
    return page.locator("#keyboard")


def types(page: Page, *keys: str) -> None:
    for key in keys:
        keyboard(page).get_by_role("button", name=key, exact=True).tap()


@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_a_name_is_typed_with_the_pages_own_keys(
    open_kiosk: OpenKiosk, width: int, height: int
) -> None:
    """The last field of the page stays in sight; the form has what was typed, also with an ä."""
    page = open_kiosk(width, height, "de")
    field = page.locator("[name=name]").last
    field.tap()
    expect(keyboard(page)).to_be_visible()
    types(page, "K", "ä", "t", "h", "e", "e", "Buchstaben löschen")
    expect(field).to_have_value("Käthe")
    expect(field).to_be_focused()
    keys, written = keyboard(page).bounding_box(), field.bounding_box()
    assert keys is not None
    assert written is not None
    assert written["y"] >= 0
    assert written["y"] + written["height"] <= keys["y"]
    assert keys["y"] + keys["height"] <= height
    for box in (key.bounding_box() for key in keyboard(page).get_by_role("button").all()):
        assert box is None or (box["x"] >= 0 and box["x"] + box["width"] <= width)
        assert box is None or box["height"] >= 40
    types(page, "Fertig")
    expect(keyboard(page)).to_be_hidden()
    expect(field).to_have_value("Käthe")


@pytest.mark.parametrize(
    ("language", "keys", "name"),
    [
        ("ko", "ㅎㅏㄴㅏ", "하나"),
        ("ko", "ㄱㅗㅏㄴ", "관"),
        ("ja", "はか゛くは゜", "はがくぱ"),
        ("fr", "Zoé", "Zoé"),
    ],
)
def test_letters_are_those_of_the_language(
    open_kiosk: OpenKiosk, language: str, keys: str, name: str
) -> None:
    """Jamo become syllables, and a mark joins its kana."""
    page = open_kiosk(800, 480, language)
    field = page.locator("[name=name]").first
    field.tap()
    types(page, *keys)
    expect(field).to_have_value(name)


def test_a_key_of_it_is_found_by_tab_and_seen(open_kiosk: OpenKiosk) -> None:
    """Keys are buttons, and the one in focus has a ring."""
    page = open_kiosk(1280, 800)
    page.locator("[name=name]").first.tap()
    key = keyboard(page).get_by_role("button", name="Q", exact=True)
    key.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    expect(key).to_be_focused()
    expect(key).to_have_css("outline-style", "solid")
    expect(keyboard(page)).to_be_visible()
    page.keyboard.press("Enter")  # and a small one comes next
    expect(page.locator("[name=name]").first).to_have_value("Q")


def test_no_other_device_has_it(open_page: OpenPage) -> None:
    """Phones and tablets bring their own."""
    hands = open_page("/setup", phone=True)
    hands.page.locator("[name=name]").first.tap()
    expect(keyboard(hands.page)).to_have_count(0)
