"""A director's whole day: 32 players in two stages, then a double knockout of the best eight.

The door, a draw that is changed by hand, the clock, slips read from photographs, a message, a
penalty, the cut, the bracket, and the results as files for a website.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from scoreboard.tournament.storage.hub_store import open_hub_store
from tests.web.browser.conftest import PHONE, TABLET
from tests.web.browser.hands import wait_until_drawn
from tests.web.browser.test_hub_evening import Evening, evening, follow, heading, press
from tests.web.browser.test_slips import SCORES, SHARP, by_hand
from tests.web.hub.house import PASSWORD
from vision.capture.photo import encode_jpeg

__all__ = ["evening"]

PEOPLE = (
    "Anna", "Boris", "Chen", "Dora", "Emil", "Fatma", "Gita", "Hugo",
    "Ines", "Jaro", "Kemal", "Lena", "Mira", "Nils", "Olga", "Pavel",
    "Quinn", "Rosa", "Seo-yeon", "Tomas", "Uma", "Viktor", "Wanda", "Xaver",
    "Yuki", "Zoe", "Adam", "Berta", "Cyril", "Dunja", "Egon", "Frida",
)  # fmt: skip
TABLES = 8
LATE = "Gustav"  # comes in the place of Frida, who does not come


def tab(page: Page, name: str) -> None:
    """Go to another page of the event."""
    navigation = page.get_by_role("navigation", name="This event")
    navigation.get_by_role("link", name=name, exact=True).click()
    wait_until_drawn(page)


def seats(page: Page) -> Mapping[int, list[str]]:
    """Who sits where, as the desk shows it."""
    return {
        int(card.locator(".table-number").inner_text()): card.locator(".seated")
        .inner_text()
        .split(", ")
        for card in page.locator(".table-card").all()
    }


def opened(evening: Evening, director: Page) -> str:
    """The first director makes an event of two stages, with its list of players."""
    director.goto(f"{evening.url}/set-up/{evening.hall.hub.keys.set_up}")
    director.get_by_label("Name").fill("Dana")
    director.get_by_label("Password").fill(PASSWORD)
    press(director, "Begin")
    follow(director, "New event")
    director.get_by_label("Title of the event").fill("Winter Open")
    director.get_by_label("Rounds in a meeting").fill("1")
    director.get_by_label("Games in a round").fill("1")
    director.get_by_label("Minutes of a round (0: no clock)").fill("40")
    for group in director.locator("details").all():
        group.evaluate("it => { it.open = true }")
    director.locator("[name=stage-name]").first.fill("Final")
    director.locator("[name=stage-entrants]").first.fill("8")
    director.locator("[name=stage-games]").first.fill("1")
    press(director, "Create the event")
    listed = "\n".join(("name", *PEOPLE)).encode()
    director.get_by_label("File").set_input_files(
        [{"name": "entries.csv", "mimeType": "text/csv", "buffer": listed}]
    )
    press(director, "Import the list")
    heading(director, "Entries: 32")
    return director.url.split("/e/")[1].split("/")[0]


def own_page(evening: Evening, event: str, name: str) -> str:
    """A player's link, as it is on their slip."""
    number = next(
        each.number
        for each in evening.hall.service.snapshot(event).state.entrants
        if each.name == name
    )
    return f"{evening.url}/p/{event}/{number}/{evening.hall.hub.keys.player(event, number, name)}"


def checks_in(evening: Evening, event: str, director: Page, phone: Page) -> None:
    """Anna by herself, 30 at the door; Frida is missing and left out, and Gustav comes late."""
    tab(director, "Check-in")
    press(director, "Let players check in by themselves")
    phone.goto(own_page(evening, event, "Anna"))
    press(phone, "I am here")
    expect(phone.get_by_role("button", name="I am here")).to_have_count(0)
    for name in PEOPLE[1:-1]:
        director.get_by_role("button", name=f"Here: {name}", exact=True).click()
    expect(director.get_by_text("31 here, 1 missing.")).to_be_visible()
    press(director, "Leave out who hasn’t checked in")
    expect(director.get_by_role("alert")).to_contain_text("Frida")
    press(director, "Yes, continue")
    tab(director, "Entries")
    director.get_by_label("Name", exact=True).first.fill(LATE)
    press(director, "Add a player")


def draws(director: Page) -> None:
    """A proposal of which the director swaps two players before everybody sees it."""
    tab(director, "Desk")
    director.get_by_role("button", name="Propose", exact=False).first.click()
    heading(director, "Proposed draw of round 1")
    wait_until_drawn(director)
    cards = [director.locator(f'[data-table="{number}"]') for number in (1, 2)]
    names = [card.get_by_role("checkbox").first for card in cards]
    moved = [card.locator("label.seat").first.inner_text().split("\n")[0] for card in cards]
    for each in names:
        each.check()
    press(director, "Swap")
    expect(cards[0]).to_contain_text(moved[1])
    expect(cards[1]).to_contain_text(moved[0])
    press(director, "Publish now")
    heading(director, "Round 1 is drawn")


@pytest.mark.slow
def test_a_directors_day(evening: Evening, tmp_path: Path) -> None:
    """From the door to the website; every step on a page, as a director and players take it."""
    director, phone = evening.device({"width": 1280, "height": 1000}), evening.device(PHONE)
    event = opened(evening, director)
    checks_in(evening, event, director, phone)
    draws(director)
