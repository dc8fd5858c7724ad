"""People at an event, in a browser: check-in on two phones, a penalty, and the registry."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import PHONE
from tests.web.browser.test_hub_evening import Evening, evening, follow, heading, press
from tests.web.hub.house import NAMES, PASSWORD

__all__ = ["evening"]  # a fixture


@pytest.fixture
def director(evening: Evening) -> Page:
    """The director's phone, signed in."""
    evening.hall.account("Dana", "director")
    page = evening.device(PHONE)
    page.goto(f"{evening.url}/sign-in")
    page.get_by_label("Name").fill("Dana")
    page.get_by_label("Password").fill(PASSWORD)
    press(page, "Sign in")
    return page


def test_who_is_here_tonight(evening: Evening, director: Page) -> None:
    """One checks in by the typed address, one is tapped at the door, the others are left out."""
    event = evening.hall.event()
    director.goto(f"{evening.url}/e/{event}/check-in")
    press(director, "Let players check in by themselves")
    code = evening.hall.hub.keys.short(event, 1, NAMES[0])
    player = evening.device(PHONE)
    player.goto(f"{evening.url}/p/{code.lower()}")
    press(player, "I am here")
    expect(player.get_by_text("You have checked in.")).to_be_visible()
    director.get_by_label("Name or number").fill("bo")
    press(director, "Search")
    press(director, "Boris is here")
    expect(director.get_by_text("2 here, 6 missing.")).to_be_visible()
    press(director, "Leave out who hasn’t checked in")
    expect(director.get_by_text("Chen, Dora, Emil, Fatma, Gita, Hugo")).to_be_visible()
    press(director, "Yes, continue")
    follow(director, "Desk")
    expect(director.get_by_text("2 here, 0 missing.")).to_be_visible()
    assert evening.hall.service.snapshot(event).state.present == (1, 2)


def test_a_penalty_and_a_season(evening: Evening, director: Page) -> None:
    """Given on a phone, seen by everybody with its reason; a season made of the event."""
    event = evening.hall.event()
    director.goto(f"{evening.url}/e/{event}/penalties")
    director.get_by_label("Player").first.select_option("Chen (3)")
    director.get_by_label("Penalty", exact=True).select_option("points off")
    director.get_by_label("Points off").fill("2")
    director.get_by_label("Why").fill("phone rang")
    press(director, "Give the penalty")
    everybody = evening.device()
    everybody.goto(f"{evening.url}/e/{event}/standings")
    expect(everybody.get_by_text("2 points off: phone rang")).to_be_visible()
    follow(director, "Players")
    follow(director, "Chen")
    heading(director, "Chen")
    director.goto(evening.url)
    follow(director, "New season")
    director.get_by_label("Name").fill("Winter")
    director.get_by_label("Winter evening").check()
    press(director, "Save")
    heading(director, "Winter")
