"""A director changes a proposed draw: by mouse, by finger, by keys, and without scripts."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Locator, Page, expect

from scoreboard.tournament.model.draw import Draw
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.proposed_draw import (
    ChangeProposed,
    PlanPublishing,
    ProposeRound,
    PublishRound,
)
from tests.web.browser.accessibility import violations
from tests.web.browser.conftest import PHONE, TABLET
from tests.web.browser.hands import wait_until_drawn
from tests.web.browser.test_hub_evening import Evening, evening, heading, press
from tests.web.hub.house import PASSWORD
from web.hub.desk import publish_due

FORM = replace(FORMATS["club-evening"], table_size=2, smallest_table=2, games=1)
PAIRS = Draw.parse("1: 1 2 | 2: 3 4 | 3: 5 6 | 4: 7 8")
__all__ = ["evening"]


@pytest.fixture
def event(evening: Evening) -> str:
    """Four pairs, proposed: Anna and Boris, Chen and Dora, Emil and Fatma, Gita and Hugo."""
    evening.hall.clock.now = datetime.now(UTC)
    evening.hall.account("Dana", "director")
    made = evening.hall.event(FORM)
    evening.hall.give(made, ProposeRound(1), ChangeProposed(1, PAIRS))
    return made


def shown(evening: Evening, event: str, size: dict[str, int], *, scripts: bool = True) -> Page:
    """The page of the proposed draw, on a director's device."""
    page = evening.device(size, scripts=scripts)
    page.goto(f"{evening.url}/sign-in?next=/e/{event}/proposed")
    page.get_by_label("Name").fill("Dana")
    page.get_by_label("Password").fill(PASSWORD)
    press(page, "Sign in")
    heading(page, "Proposed draw of round 1")
    wait_until_drawn(page)
    return page


def table(page: Page, number: int) -> Locator:
    """A table's card, 0 for the byes."""
    return page.locator(f'[data-table="{number}"]')


def middle(thing: Locator) -> tuple[float, float]:
    """Where to press it."""
    thing.scroll_into_view_if_needed()
    box = thing.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_player_is_dragged_onto_another_and_to_the_byes(evening: Evening, event: str) -> None:
    """Two trade places; on the byes one moves; each change can be undone."""
    page = shown(evening, event, {**TABLET, "height": 1400})  # all tables above the buttons
    for name, onto in (("Anna", page.get_by_text("Dora", exact=True)), ("Hugo", table(page, 0))):
        page.mouse.move(*middle(page.get_by_text(name, exact=True)))
        page.mouse.down()
        page.mouse.move(*middle(onto), steps=5)
        page.mouse.up()
        press_count = "2" if name == "Anna" else "3"
        expect(page.get_by_role("button", name=f"Undo ({press_count})")).to_be_visible()
        wait_until_drawn(page)
    expect(table(page, 2)).to_contain_text("Anna")
    expect(table(page, 1)).to_contain_text("Dora")
    expect(table(page, 0)).to_contain_text("Hugo")
    expect(table(page, 4)).to_contain_text("Nobody plays here with Gita.")
    press(page, "Undo (3)")
    expect(table(page, 4)).to_contain_text("Hugo")


def test_a_finger_drags_by_the_grip_and_scrolls_by_the_rest(evening: Evening, event: str) -> None:
    """What a finger does, through the browser's own touch events."""
    page = shown(evening, event, PHONE)
    touch = page.context.new_cdp_session(page)

    def send(kind: str, at: tuple[float, float] | None) -> None:
        points = [] if at is None else [{"x": at[0], "y": at[1]}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def drag(start: Locator, end: Locator) -> None:
        onto, at = middle(end), middle(start)
        send("touchStart", at)
        for step in range(1, 6):
            part = step / 5
            send("touchMove", (at[0] + (onto[0] - at[0]) * part, at[1] + (onto[1] - at[1]) * part))
        send("touchEnd", None)

    page.get_by_text("Anna", exact=True).evaluate("it => it.scrollIntoView({ block: 'start' })")
    grip = page.locator('[data-entrant="1"] .grip')
    drag(grip, page.get_by_text("Chen", exact=True))
    expect(table(page, 2)).to_contain_text("Anna")
    expect(page.get_by_role("button", name="Undo (2)")).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False])
def test_keys_alone_swap_two_players(evening: Evening, event: str, scripts: bool) -> None:  # noqa: FBT001 -- a case
    """Choose one, choose the other, Swap, with a reason; scripts are not needed."""
    page = shown(evening, event, TABLET, scripts=scripts)
    for name in ("Anna", "Chen"):
        page.get_by_role("checkbox", name=name).focus()
        page.keyboard.press("Space")
    page.get_by_label("Reason (optional)").fill("brothers")
    page.get_by_role("button", name="Swap", exact=True).focus()
    page.keyboard.press("Enter")
    expect(table(page, 2)).to_contain_text("Anna")
    expect(table(page, 1)).to_contain_text("Chen")
    page.get_by_role("checkbox", name="Hugo").check()
    page.get_by_label("Table to move to").select_option("Bye")
    page.get_by_role("button", name="Move to", exact=True).click()
    expect(table(page, 0)).to_contain_text("Hugo")
    page.get_by_role("button", name="Remove table 3").click()
    expect(table(page, 4)).to_contain_text("Emil")
    expect(table(page, 1)).to_contain_text("Fatma")


def test_arrow_keys_move_a_player_who_keeps_the_focus(evening: Evening, event: str) -> None:
    """From table to table without looking for the place again."""
    page = shown(evening, event, TABLET)
    page.get_by_role("checkbox", name="Anna").focus()
    for number in (2, 3):
        page.keyboard.press("ArrowRight")
        expect(table(page, number)).to_contain_text("Anna")
        expect(page.get_by_role("checkbox", name="Anna")).to_be_focused()


def test_a_published_round_asks_for_the_reason_once(evening: Evening, event: str) -> None:
    """A drag waits for it, and the next one has it."""
    page = shown(evening, event, {**TABLET, "height": 1400})
    evening.hall.give(event, PublishRound(1))
    page.goto(f"{evening.url}/e/{event}/proposed?round=1")
    heading(page, "Tables of Round 1")
    for name, onto, number in (("Anna", "Dora", 2), ("Anna", "Emil", 3)):
        page.mouse.move(*middle(page.get_by_text(name, exact=True)))
        page.mouse.down()
        page.mouse.move(*middle(page.get_by_text(onto, exact=True)), steps=5)
        page.mouse.up()
        if number == 2:
            expect(page.get_by_label("Why")).to_be_focused()
            page.keyboard.type("cousins")
            page.keyboard.press("Enter")
        expect(table(page, number)).to_contain_text(name)
        wait_until_drawn(page)
    assert [each.why for each in evening.hall.state(event).amendments] == ["cousins", "cousins"]


def test_the_page_counts_down_and_the_desk_follows(evening: Evening, event: str) -> None:
    """When the time has come the hub publishes, and both pages show the round without a touch."""
    at = datetime.now(UTC) + timedelta(seconds=3)
    evening.hall.give(event, PlanPublishing(1, at))
    page, desk = shown(evening, event, TABLET), evening.device()
    desk.context.add_cookies(page.context.cookies())  # type: ignore[arg-type]  # as they came
    desk.goto(f"{evening.url}/e/{event}/desk")
    heading(desk, "Look at the draw of round 1, then publish it.")
    expect(desk.locator("[data-until]")).to_have_text("(0:00)")
    evening.hall.clock.now = at
    publish_due(evening.hall.hub)
    heading(desk, "Let everybody find their seat, then start round 1.")
    heading(page, "Let everybody find their seat, then start round 1.")


def test_the_page_is_for_everybody(evening: Evening, event: str) -> None:
    """Nothing that axe-core objects to, in light and dark, and no wider than a phone."""
    evening.hall.give(event, PlanPublishing(1, datetime.now(UTC) + timedelta(hours=1)))
    page = shown(evening, event, TABLET)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
