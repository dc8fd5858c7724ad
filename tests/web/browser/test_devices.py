"""Several devices, a lost connection, a full table, a phone, a keyboard."""

from __future__ import annotations

import re

from playwright.sync_api import Route, expect

from tests.web.browser.conftest import OpenPage
from tests.web.browser.hands import Hands, wait_until_drawn
from tests.web.browser.served_table import ServedTable

LOST = "The connection to the table is lost."
LARGE_ENOUGH = 47.5  # 48 CSS pixels, less what rounding takes
TOO_SMALL = """(controls, least) => controls.filter((control) => {
  const { width, height } = control.getBoundingClientRect();
  return width > 1 && Math.min(width, height) < least;
}).map((control) => control.outerHTML)"""


def test_two_devices_show_the_same_and_act_in_turn(open_page: OpenPage) -> None:
    """What one does the other sees at once, without loading anything."""
    tablet, phone = open_page(), open_page(phone=True)
    tablet.starts("North", "South")
    phone.reads_turn("North", "Roll 1 of 3")
    phone.throws("33355")
    tablet.reads("You entered 3 3 3 5 5")
    tablet.press("KEEP")
    phone.scores(25, "Full house")
    tablet.sees_cells("Full house", "25", "")
    tablet.reads_turn("South", "Roll 1 of 3")


def test_an_act_that_came_too_late_is_told(open_page: OpenPage) -> None:
    """A question that stood open while the other played is not answered any more."""
    tablet, phone = open_page(), open_page(phone=True)
    tablet.starts("North", "South")
    phone.reads_turn("North", "Roll 1 of 3")
    phone.follow("Save and close")
    tablet.throws("33355")
    tablet.press("KEEP")
    tablet.scores(25, "Full house")
    with phone.page.expect_response(re.compile("/abandon$")) as answer:
        phone.press("Save and close")
    assert answer.value.status == 409
    phone.reads("That tap came too late")
    phone.reads_turn("South", "Roll 1 of 3")


def test_a_press_that_came_too_late_is_no_fault_of_the_page(open_page: OpenPage) -> None:
    """It is told in words; the browser’s console stays clean."""
    tablet, phone = open_page(), open_page(phone=True)
    tablet.starts("North", "South")
    phone.throws("33355")
    complaints: list[str] = []
    tablet.page.on("console", lambda said: complaints.append(said.text))

    def overtaken(route: Route) -> None:
        with phone.page.expect_response(re.compile("/press$")):
            phone.press("KEEP")
        route.continue_()

    tablet.reads("You entered 3 3 3 5 5")
    tablet.page.route(re.compile("/press$"), overtaken, times=1)
    tablet.press("REROLL")
    tablet.reads("That tap came too late")
    tablet.reads("Choose a box")
    assert complaints == []


def test_a_second_tap_does_nothing(open_page: OpenPage) -> None:
    """A nervous finger neither confirms twice nor scores."""
    hands = open_page()
    hands.starts("North", "South")
    hands.throws("33355")
    hands.reacts()
    hands.button("KEEP").dblclick()
    hands.reads_turn("North", "Choose a box")
    hands.reacts()
    hands.button(re.compile("^Score 25 in Full house")).dblclick()
    hands.reads_turn("South", "Roll 1 of 3")
    hands.sees_cells("Full house", "25", "")


def test_a_lost_connection_is_shown_and_heals(open_page: OpenPage, table: ServedTable) -> None:
    """Nothing can be pressed meanwhile; what was confirmed is there again."""
    hands = open_page()
    hands.starts("North", "South")
    hands.throws("33355")
    hands.press("REROLL")
    hands.reads_turn("North", "Roll 2 of 3")
    table.stop()
    hands.reads(LOST)
    expect(hands.button("KEEP")).to_be_disabled()
    expect(hands.button(re.compile("^Score 25 in"))).to_be_disabled()
    table.start()
    hands.reads_no(LOST)
    hands.reads_turn("North", "Roll 2 of 3")
    hands.press("KEEP")
    hands.reads("Choose a box")
    hands.scores(25, "Full house")
    hands.reads_turn("South", "Roll 1 of 3")


def test_a_press_into_a_dead_table_is_no_press(open_page: OpenPage, table: ServedTable) -> None:
    """The page notices by the press itself, before any heartbeat is missed."""
    hands = open_page()
    hands.starts("North")
    hands.throws("33355")
    hands.page.route(re.compile("/press$"), lambda route: route.abort())
    with hands.page.expect_event("requestfailed"):
        hands.press("KEEP")
    hands.page.unroute(re.compile("/press$"))
    hands.reads_no(LOST)
    hands.reads("You entered 3 3 3 5 5")
    hands.press("KEEP")
    hands.reads("Choose a box")
    assert table.url in hands.page.url


def test_one_more_than_may_watch_is_told_and_may_press(
    open_page: OpenPage, table: ServedTable
) -> None:
    """Each press shows such a device how the table stands; its place comes when one leaves."""
    table.viewer_limit = 1
    table.stop()
    table.start()
    first = open_page()
    first.starts("North", "South")
    first.throws("33355")
    second = open_page()
    second.reads("The table is full")
    second.press("KEEP")
    second.reads_turn("North", "Choose a box")
    first.reads_turn("North", "Choose a box")
    first.follow("About")
    second.reads_no("The table is full")
    second.scores(25, "Full house")


def test_the_keyboard_presses_the_buttons(open_page: OpenPage) -> None:
    """K, R and U, but not while a name or a throw is typed."""
    hands = open_page()
    hands.starts("North")
    hands.throws("33355")
    hands.reacts()
    hands.page.keyboard.press("r")
    hands.reads_turn("North", "Roll 2 of 3")
    hands.reacts()
    hands.page.keyboard.press("u")
    hands.reads_turn("North", "Roll 1 of 3")
    hands.throws("33355")
    hands.reacts()
    hands.page.keyboard.press("k")
    hands.reads("Choose a box")
    hands.press("Enter by hand")
    hands.page.get_by_label("What do all the dice show?").press_sequentially("kru")
    hands.page.keyboard.press("Escape")
    hands.reads("Choose a box")


def test_all_can_be_reached_and_seen_with_tab(open_page: OpenPage) -> None:
    """The focus walks over every control and is drawn there."""
    hands = open_page()
    hands.starts("North")
    hands.throws("33355")
    reached = set()
    for _ in range(40):
        hands.page.keyboard.press("Tab")
        focused = hands.page.locator(":focus")
        if focused.count():
            reached.add(focused.inner_text().split("\n")[0].strip())
            assert focused.evaluate("it => getComputedStyle(it).outlineStyle") == "solid"
    assert {"KEEP", "REROLL", "UNDO", "Enter by hand", "Menu"} <= reached


def test_a_state_that_comes_while_typing_leaves_the_typing_alone(
    open_page: OpenPage, table: ServedTable
) -> None:
    """The camera may look elsewhere; the open form, its text and the focus stay."""
    hands = open_page()
    hands.starts("North")
    hands.press("Enter by hand")
    field = hands.page.get_by_label("What do all the dice show?")
    field.press_sequentially("335")
    table.see("11123")
    hands.reads("I see 1 1 1 2 3.")
    hands.page.keyboard.type("55")
    expect(field).to_have_value("33555")
    hands.press("Enter this roll")
    hands.reads("You entered 3 3 5 5 5")


def test_everything_fits_and_is_large_enough_to_touch(
    open_page: OpenPage, table: ServedTable
) -> None:
    """48 pixels at least, and nothing to scroll sideways, on tablet and phone."""
    tablet, phone = open_page(), open_page(phone=True)
    tablet.starts("North", "South")
    table.see("1335?", doubts=("The last die leans.",))
    for hands in (tablet, phone):
        hands.reads("The last die leans.")
        assert_fits(hands)


def assert_fits(hands: Hands) -> None:
    """No sideways scrolling, and no visible control below the size of a finger."""
    wait_until_drawn(hands.page)
    width = hands.page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert width <= 0, hands.page.url
    controls = hands.page.locator("button:visible, a.button:visible, nav a:visible")
    small = controls.evaluate_all(TOO_SMALL, LARGE_ENOUGH)
    assert small == [], hands.page.url


def test_on_a_wide_sheet_the_column_at_turn_stays_in_sight(open_page: OpenPage) -> None:
    """Eight players on a phone: the fourth need not look for the own column."""
    phone = open_page(phone=True)
    names = [f"Player {letter}" for letter in "ABCDEFGH"]
    phone.starts(*names)
    for player in names[:3]:
        phone.reads_turn(player, "Roll 1 of 3")
        phone.throws("11123")
        phone.press("KEEP")
        phone.scores(3, "Aces")
    phone.reads_turn(names[3], "Roll 1 of 3")
    column = phone.page.get_by_role("columnheader", name=names[3]).first
    box = column.bounding_box()
    assert box is not None
    assert 0 <= box["x"] <= box["x"] + box["width"] <= 390
