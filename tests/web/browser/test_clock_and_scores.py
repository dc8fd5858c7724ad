"""Rummikub by clock and scores: the clock across the room, its alarm, and a round to its end."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import OpenPage
from tests.web.browser.hands import resize
from tests.web.browser.served_table import ServedTable
from tests.web.browser.test_layout import AXES, CAPITALS, NAMES
from tests.web.browser.test_rummikub import SOUNDS

LARGE = [size for size in AXES["size"] if size[0] >= 1024]
SMALL = [size for size in AXES["size"] if size not in LARGE]
CLOCK = "#big-clock .clock, #big-clock button, #big-clock .clock-word:visible"
OUT = "#offer-rummikub-0"
CAP_HEIGHT = """
(clock) => {
  const { fontWeight, fontSize, fontFamily } = getComputedStyle(clock);
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `${fontWeight} ${fontSize} ${fontFamily}`;
  return pen.measureText("0").actualBoundingBoxAscent;
}
"""
HIDDEN = """
(things) => things.filter((it) => {
  const { left, top, right, bottom } = it.getBoundingClientRect();
  const inside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  const middle = (top + bottom) / 2;
  const seen = [top + 2, middle, bottom - 2].map((y) => [(left + right) / 2, y]);
  return !inside || it.scrollWidth > it.clientWidth + 1
    || !seen.every(([x, y]) => it.parentElement.contains(document.elementFromPoint(x, y)));
}).map((it) => it.textContent.trim())
"""


@pytest.mark.parametrize(
    ("width", "height", "phone"),
    [(1024, 600, False), pytest.param(390, 844, True, marks=pytest.mark.slow)],
)
def test_a_round_by_hand(
    open_page: OpenPage, table: ServedTable, width: int, height: int, *, phone: bool
) -> None:
    """RK-6, RK-7, RK-11, RK-18, CS-1: KEEP is for the next player, time up costs tiles."""
    hands = open_page(phone=phone)
    hands.page.set_viewport_size({"width": width, "height": height})
    hands.page.add_init_script(SOUNDS)
    rule = "Clock and scores: turns are timed, racks are added up"
    hands.sets_up("Ann", "Ben", "Cem", game="Rummikub", rounds="1", rule=rule)
    clock, strip = hands.page.get_by_role("timer"), hands.page.locator("#scoreboard .total")
    hands.press("Ann begins")
    hands.reads("The clock stands")
    hands.press("KEEP")
    expect(clock).to_have_text(re.compile(r"1:00|0:5\d"))
    hands.press("KEEP")
    hands.reads("Ben’s turn")
    hands.press("REROLL")
    hands.reads("Cem’s turn")
    hands.sees_cells("Tiles drawn", "0", "1", "0")
    hands.reads_no("The last seconds!")
    table.let_pass(51)
    hands.reads("The last seconds!")
    assert hands.page.evaluate("window.heard")[:1] == [880]
    hands.press("Stop the clock")
    hands.reads("The clock stands")
    hands.press("Start the clock")
    hands.reads("Stop the clock")
    table.let_pass(11)
    hands.reads("+3")
    assert hands.page.locator("#big-clock").evaluate_all(HIDDEN) == []
    hands.press("KEEP")
    hands.sees_cells("Of these, penalty tiles", "0", "0", "3")
    hands.press("UNDO")
    hands.press("REROLL")
    hands.sees_cells("Of these, penalty tiles", "0", "0", "0")
    hands.sees_cells("Tiles drawn", "0", "1", "1")
    hands.press("Ann calls “Rummikub”")
    hands.fills("Ben’s rack, tile by tile", text="K7 R12 J")
    hands.press("The points instead")
    opened = hands.page.locator(".sheet-over:popover-open")
    hands.tap(opened.get_by_role("button", name="5", exact=True))
    hands.react_to(opened.get_by_role("button", name="Enter it"))
    hands.reads("Ann wins by 59!")
    expect(strip).to_have_text(["+54", "-49", "-5"])


def test_the_clock_is_in_sight_on_every_screen(open_page: OpenPage, table: ServedTable) -> None:
    """Whole in its alarm too, above the buttons, and legible; so is the way to end the round."""
    hands = open_page()
    for many in (2, 4, 6):
        hands.starts(*NAMES[:many], game="rummikub", option_turns="clock")
        hands.press(f"{NAMES[0]} begins")
        hands.press("KEEP")
        hands.reads("Stop the clock")
        table.let_pass(51)
        hands.reads("The last seconds!")
        hands.press("Stop the clock")
        hands.reads("The clock stands")
        hands.page.goto(table.url)
        for width, height in LARGE if many == 6 else LARGE + SMALL:
            resize(hands.page, width, height)
            screen = (many, width, height)
            shown = hands.page.locator(f"{CLOCK}, {OUT}")
            assert shown.evaluate_all(HIDDEN) == [], screen
            cap = hands.page.get_by_role("timer").evaluate(CAP_HEIGHT)
            assert cap >= (CAPITALS * 2 if (width, height) in LARGE else CAPITALS), screen
