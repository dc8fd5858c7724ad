"""A phone on the network: it watches, is let in by a code, plays, and is removed."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.web.browser.accessibility import violations
from tests.web.browser.conftest import OpenPage
from tests.web.browser.hands import Hands
from tests.web.browser.served_table import ServedTable
from tests.web.table_fake import forgetful_access

PHONE = "192.0.2.9"
OTHER_PHONE = "192.0.2.10"
ELSEWHERE = "http://192.0.2.1:8000/"


@pytest.fixture(autouse=True)
def reachable(table: ServedTable) -> None:
    """The table is served on a network."""
    table.addresses = (ELSEWHERE,)


def digits_of(owner: Hands) -> str:
    """The code that an owner's page shows."""
    shown = owner.page.locator(".digits code")
    expect(shown).to_have_text(re.compile("^[0-9]{3} [0-9]{3}$"))
    return shown.inner_text().replace(" ", "")


def acts(hands: Hands) -> Locator:
    """All that something could be done with on the table page; whoever watches enlarges a photo."""
    does = "button:not([popovertarget=whole-photo]), form, input, select, textarea, .button"
    return hands.page.locator("#live").locator(does)


def test_a_phone_that_scans_is_let_in_and_plays(open_page: OpenPage, table: ServedTable) -> None:
    """The square's address brings the code along; the owner's page says that it came."""
    tablet = open_page()
    tablet.starts("North", "South")
    owner = open_page("/devices")
    owner.press("Show a code")
    digits = digits_of(owner)
    phone = open_page(f"/pair#{digits}", phone=True, address=PHONE)
    phone.reads_turn("North", "Roll 1 of 3")
    assert digits not in phone.page.url
    expect(
        owner.page.get_by_role("button", name=re.compile("^Remove (Phone|Computer)$"))
    ).to_be_visible()
    expect(owner.page.locator(".digits")).to_have_count(0)
    table.see("33355")
    phone.reads("I see 3 3 3 5 5")
    phone.press("KEEP")
    tablet.reads("Choose a box")


def test_the_table_shows_a_code_when_a_phone_asks(open_page: OpenPage, table: ServedTable) -> None:
    """By itself, on its own page and its big screen; in the phone's hand there is none."""
    tablet = open_page()
    tablet.starts("North", "South")
    screen = open_page("/tv")
    player = open_page(f"/pair#{table.access.pairing.new_code().digits}", address=OTHER_PHONE)
    expect(player.button("KEEP", exact=False)).to_be_visible()
    phone = open_page(phone=True, address=PHONE)
    phone.press("Ask to play")
    phone.reads("The table shows a code now")
    for hands in (tablet, screen):
        hands.reads("A device asks to play")
        hands.sees_whole(hands.page.locator(".digits code"))
        hands.sees_whole(hands.page.locator(".asked-code .square"))
        assert violations(hands.page) == []
    player.reads_no("A device asks to play")
    digits = digits_of(screen)
    phone.page.get_by_label("Code from the table").fill(digits)
    phone.press("Let me in")
    expect(phone.button("KEEP", exact=False)).to_be_visible()
    for hands in (tablet, screen):
        hands.reads_no("A device asks to play")


def test_the_table_says_not_now(open_page: OpenPage) -> None:
    """The page stays where it is, with all that is written on it; the phone learns why."""
    tablet = open_page("/setup")
    tablet.page.get_by_label("Player 1", exact=True).fill("Grandma")
    phone = open_page("/pair", phone=True, address=PHONE)
    phone.press("Ask to play")
    tablet.press("Not now")
    tablet.reads_no("A device asks to play")
    assert tablet.page.get_by_label("Player 1", exact=True).input_value() == "Grandma"
    phone.page.goto(phone.page.url)
    phone.press("Ask to play")
    phone.reads("The table said “Not now”.")


def test_a_watcher_sees_no_buttons(open_page: OpenPage, table: ServedTable) -> None:
    """In no state of a turn; one line says how to join, and the live page keeps it so."""
    tablet = open_page()
    tablet.starts("North", "South")
    watcher = open_page(address=PHONE)
    watcher.reads_turn("North", "Roll 1 of 3")
    expect(acts(watcher)).to_have_count(0)
    table.see("3335?", doubts=("A die is cut off.",))
    watcher.reads("A die is cut off.")
    expect(acts(watcher)).to_have_count(0)
    table.see("33355")
    tablet.reads("I see 3 3 3 5 5")
    tablet.press("KEEP")
    watcher.reads("Choose a box")
    expect(acts(watcher)).to_have_count(0)
    expect(acts(tablet)).not_to_have_count(0)
    watcher.press("Ask to play")
    expect(watcher.page.get_by_role("heading", name="Join the table")).to_be_visible()


def test_a_removed_phone_loses_its_buttons(open_page: OpenPage, table: ServedTable) -> None:
    """On the page that is open, without a reload."""
    tablet = open_page()
    tablet.starts("North", "South")
    phone = open_page(f"/pair#{table.access.pairing.new_code().digits}", address=PHONE)
    expect(phone.button("KEEP", exact=False)).to_be_visible()
    owner = open_page("/devices")
    owner.page.get_by_role("button", name=re.compile("^Remove Computer$")).click()
    expect(acts(phone)).to_have_count(0)
    expect(acts(tablet)).not_to_have_count(0)


def test_a_watch_only_link_shows_the_table(open_page: OpenPage, table: ServedTable) -> None:
    """Its secret stands behind the #, so that no log keeps it, and leaves the address at once."""
    table.stop()
    table.access = forgetful_access("code")
    table.start()
    _, secret = table.access.devices.add("Cousins", "watcher")
    phone = open_page(f"/w#{secret}", phone=True, address=PHONE)
    phone.reads("Watching only.")
    assert phone.page.url == f"{table.url}/"


def test_axe_core_finds_nothing(open_page: OpenPage, table: ServedTable) -> None:
    """On the owner's page with all that can stand there, and on what a watcher meets."""
    for name, role in (("Ben’s phone", "player"), ("Tablet", "owner"), ("Cousins", "watcher")):
        table.access.devices.add(name, role)  # type: ignore[arg-type]  # a literal
    table.access.pairing.new_code("owner")
    owner = open_page("/devices")
    owner.page.get_by_label("For whom?").fill("Grandma")
    owner.press("Make a watch-only link")
    owner.reads("Link “Grandma”")
    assert violations(owner.page) == [], "the devices"
    tablet = open_page()
    tablet.starts("North", "South")
    table.see("33355")
    watcher = open_page(address=PHONE)
    for path in ("/", "/pair", "/setup"):
        watcher.page.goto(table.url + path)
        assert violations(watcher.page) == [], path
