"""What a person is writing at the table stays, whatever the camera or the others do meanwhile."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Route, expect

from scoreboard.dice import Roll
from scoreboard.table.requests import Action, Corrected, Pressed
from tests.web.browser.conftest import OpenPage
from tests.web.browser.hands import Hands
from tests.web.browser.served_table import ServedTable

LAY = "Tiles were laid: the table now"
TYPED = "K11 R11 B11\nO1 O2 O3"


def dialog(hands: Hands) -> Locator:
    """What is open."""
    return hands.page.locator(".sheet-over:popover-open")


def opens_tiles(hands: Hands) -> Locator:
    """A round of Rummikub in which somebody writes what was laid; gives the field."""
    hands.starts("Ann", "Ben", game="rummikub", option_clock="off")
    hands.press("Ann begins")
    hands.press(LAY)
    hands.press("Type it")
    field = dialog(hands).get_by_role("textbox")
    field.fill(TYPED)
    return field


def test_a_reading_waits_beside_what_is_written(open_page: OpenPage, table: ServedTable) -> None:
    """The camera sees tiles meanwhile: the field stays as it is until a person takes them."""
    hands = open_page()
    field = opens_tiles(hands)
    table.see_pieces("R9 R10 R11, B9 B10 B11")
    hands.reads("The camera sees R9 R10 R11 / B9 B10 B11")
    expect(field).to_have_value(TYPED)
    expect(field).to_be_focused()
    hands.press("Use it")
    expect(field).to_have_value("R9 R10 R11\nB9 B10 B11")
    hands.reads_no("The camera sees R9 R10 R11 / B9 B10 B11")
    hands.press("Enter it")
    hands.reads("Ben’s turn")


def test_what_was_written_stays_when_the_dialog_is_closed_and_opened(
    open_page: OpenPage, table: ServedTable
) -> None:
    """To look at the table; it goes when the turn does."""
    hands = open_page()
    field = opens_tiles(hands)
    hands.tap(dialog(hands).get_by_role("button", name="Close"))
    table.see_pieces("R9 R10 R11, B9 B10 B11")
    hands.reads("The camera sees (not recorded yet)")
    hands.press(LAY)
    expect(field).to_have_value(TYPED)
    hands.tap(dialog(hands).get_by_role("button", name="Close"))
    hands.press("REROLL")
    hands.reads("Ben’s turn")
    hands.press(LAY)
    expect(dialog(hands).locator("textarea")).not_to_have_value(TYPED)


def test_what_is_written_for_one_turn_is_not_entered_in_the_next(
    open_page: OpenPage, table: ServedTable
) -> None:
    """Another device passes the turn: the words stay, with what is wrong; sent again they count."""
    hands, other = open_page(), open_page()
    field = opens_tiles(hands)
    other.press("Draw a tile and pass")
    hands.reads("Ben’s turn")
    expect(field).to_have_value(TYPED)
    hands.press("Enter it")
    expect(dialog(hands).get_by_role("alert")).to_contain_text("came too late")
    expect(field).to_have_value(TYPED)
    field.fill("K11 R11 B11")
    hands.press("Enter it")
    hands.reads("Ann’s turn")
    expect(dialog(hands)).to_have_count(0)
    assert table.url in hands.page.url


def test_digits_that_come_too_late_stay_in_their_field(
    open_page: OpenPage, table: ServedTable
) -> None:
    """Another hand was faster: the dialog says so, and the digits can be entered once more."""
    hands = open_page()
    hands.starts("North", "South")

    def overtaken(route: Route) -> None:
        table.submit(Corrected(Roll.parse("33355"), table.version))
        table.submit(Pressed(Action.KEEP, table.now(), table.version))
        route.continue_()

    hands.throws("22222")
    table.version = int(hands.page.locator("main").get_attribute("data-version") or 0)
    hands.press("Enter by hand")
    field = hands.page.get_by_label("What do all the dice show?")
    field.fill("66666")
    hands.page.route(re.compile("/roll$"), overtaken, times=1)
    hands.press("Enter this roll")
    expect(dialog(hands).get_by_role("alert")).to_contain_text("came too late")
    expect(field).to_have_value("66666")
    hands.tap(dialog(hands).get_by_role("button", name="Close"))
    hands.reads("Choose a box")


def test_what_is_written_while_a_tap_is_under_way_stays(open_page: OpenPage) -> None:
    """The table answers a box late: a throw begun meanwhile is neither closed nor too late."""
    hands = open_page()
    hands.starts("North", "South")
    hands.throws("33355")
    hands.press("KEEP")
    hands.reads("Choose a box")
    under_way: list[Route] = []

    def hold(route: Route) -> None:
        under_way.append(route)

    hands.page.route(re.compile("/choose$"), hold, times=1)
    hands.scores(25, "Full house")
    hands.press("Enter by hand")
    hands.page.get_by_label("What do all the dice show?").fill("66666")
    under_way.pop().continue_()
    hands.reads("South’s turn")
    expect(hands.page.get_by_label("What do all the dice show?")).to_have_value("66666")
    hands.press("Enter this roll")
    hands.reads("You entered 6 6 6 6 6")
