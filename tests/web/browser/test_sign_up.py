"""A player's phone: signed up, on the waiting list, and moved up when somebody drops out."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.accessibility import violations
from tests.web.browser.conftest import PHONE
from tests.web.browser.hands import wait_until_drawn
from tests.web.browser.test_hub_evening import Evening, evening, follow, heading, press
from tests.web.browser.test_languages import SPILLING

__all__ = ["evening"]  # a fixture


@pytest.fixture
def director(evening: Evening) -> Page:
    """The director's phone, signed in."""
    return evening.directors_phone()


def fits(page: Page) -> None:
    """Nothing is too wide or hard to use."""
    wait_until_drawn(page)
    assert page.evaluate(SPILLING) == []
    assert violations(page) == []


def test_a_director_types_one_name_after_the_other(evening: Evening, director: Page) -> None:
    """Enter enters a player, and the next name goes into the same field without a click."""
    director.goto(f"{evening.url}/e/{evening.hall.event(entrants=0)}/entries")
    for entered, name in enumerate(("Zed One", "Zed Two"), start=1):
        expect(director.get_by_label("Name")).to_be_focused()
        director.keyboard.type(name)
        director.keyboard.press("Enter")
        heading(director, f"Entries: {entered}")


def test_a_director_pastes_a_list_and_sees_it_before_it_is_taken(
    evening: Evening, director: Page
) -> None:
    """Two presses; the line that cannot be taken is mended in its box."""
    director.goto(f"{evening.url}/e/{evening.hall.event(entrants=0)}/entries")
    director.get_by_label("Or paste it").fill("No.;Name;Rtg\n1;Berg, Nora;1800\n2;Omar;strong")
    press(director, "Import the list")
    expect(director.get_by_role("cell", name="Nora Berg")).to_be_visible()
    fits(director)
    press(director, "Enter these players: 1")
    heading(director, "Entries: 1")
    left = director.get_by_label("The list: one player a line")
    expect(left).to_have_value("No.;Name;Rtg\n2;Omar;strong")
    left.fill("Omar")
    press(director, "Check again")
    press(director, "Enter these players: 1")
    heading(director, "Entries: 2")


def test_a_player_signs_up_waits_and_moves_up(evening: Evening, director: Page) -> None:
    """The director opens the sign-up for one more; the second waits until somebody is ill."""
    event = evening.hall.event(entrants=3)
    director.goto(f"{evening.url}/e/{event}/entries")
    director.get_by_text("Let players sign up by themselves").click()
    director.get_by_label("Places (empty: no limit)").fill("4")
    director.get_by_label("Fee, in words (empty: none)").fill("5 €, at the door")
    press(director, "Open the sign-up")
    expect(director.get_by_text("Free places: 1 of 4.")).to_be_visible()
    phones = [evening.device(PHONE), evening.device(PHONE)]
    for phone, name in zip(phones, ("Ada", "Bo"), strict=True):
        phone.goto(f"{evening.url}/e/{event}/")
        follow(phone, "Sign up")
        phone.get_by_label("Name").fill(name)
        phone.get_by_label("Club").fill("Harbour")
        if name == "Ada":
            fits(phone)
        phone.get_by_role("button", name="Sign up").click()
    expect(phones[0].get_by_text("You have a place. Your number: 4. Keep this")).to_be_visible()
    expect(phones[1].get_by_text("You are number 1 on the waiting list.")).to_be_visible()
    fits(phones[1])
    director.goto(f"{evening.url}/e/{event}/entries/1")
    director.get_by_label("Why").last.fill("ill")
    press(director, "Withdraw the player")
    expect(director.get_by_text("moved up", exact=True)).to_be_visible()
    phones[1].reload()
    expect(phones[1].get_by_text("You have a place. Your number: 5. Keep this")).to_be_visible()
    follow(director, "Check-in")
    press(director, "Bo has paid")
    expect(director.get_by_text("1 of 4 have paid (5 €, at the door).")).to_be_visible()
    fits(director)
    press(phones[0], "Take my name off the list")
    heading(phones[0], "Ada")
    press(phones[0], "Yes, continue")
    heading(phones[0], "Entries: 4")
