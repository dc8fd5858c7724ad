"""Sound and celebration: heard where switched on, seen by everybody, and once for each event."""

from __future__ import annotations

import re
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, Page, expect

from scoreboard.table.requests import Chosen, GameOpened
from tests.web.browser.conftest import OpenPage
from tests.web.browser.hands import Hands, wait_until
from tests.web.browser.served_table import ServedTable
from tests.web.browser.test_languages import speaks

HEARD: Final = """
window.heard = [];
window.AudioContext = class { currentTime = 0; destination = {}; };
window.GainNode = class { connect(next) { return next; } };
window.OscillatorNode = class {
  constructor(context, { frequency }) { window.heard.push(frequency); }
  connect(next) { return next; }
  start() {}
  stop() {}
};
"""
VOICE: Final = """
window.spoken = [];
window.shapes = 0;
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
const voice = {
  pending: false,
  cancel() {},
  speak({ text, lang }) { window.spoken.push(`${lang}: ${text}`); },
};
Object.defineProperty(window, "speechSynthesis", { value: voice });
const fill = CanvasRenderingContext2D.prototype.fill;
CanvasRenderingContext2D.prototype.fill = function (...given) {
  window.shapes += 1;
  return fill.apply(this, given);
};
"""
CONFETTI: Final = "canvas.confetti"
SETTLED: Final = [660, 880]
DOUBT: Final = [440, 330]


def listening(hands: Hands, *, on: bool = True) -> Page:
    """The page with ears; its sound is switched on, as a person does it."""
    page = hands.page
    page.add_init_script(VOICE + HEARD)
    page.reload()
    if on:
        switches(page)
    return page


def switches(page: Page) -> None:
    """Tap the switch in the menu."""
    page.get_by_text("Menu").click()
    switch(page).click()
    page.get_by_text("Menu").click()


def switch(page: Page) -> Locator:
    """The switch, in the menu or not."""
    return page.get_by_role("button", name="Sound", include_hidden=True)


def plays(table: ServedTable, key: str, filling: str | None = None) -> None:
    """Somebody at another device chooses an offer."""
    table.submit(Chosen(key, table.view.version, filling))


def scores_five_alike(table: ServedTable) -> None:
    """A Yahtzee from the first roll on."""
    plays(table, "roll", "44444")
    plays(table, "stand")
    plays(table, "score:yahtzee")


def noted(page: Page, what: str) -> Any:
    """What the page spoke, played or drew so far."""
    return page.evaluate(f"window.{what}")


def test_what_is_read_and_scored_is_spoken(open_page: OpenPage, table: ServedTable) -> None:
    """The roll as it is read, with a sound that says so; the score with whose turn comes."""
    table.submit(GameOpened("yahtzee", ("Anna", "Ben"), {"start": "first"}))
    hands = open_page()
    page = listening(hands)
    table.see("44446")
    hands.reads("The camera sees (not scored yet)")
    assert noted(page, "spoken") == ["en: 4 fours, 6. Anna, press KEEP or roll again."]
    assert noted(page, "heard") == SETTLED * 2  # the switch itself, then the reading
    hands.press("KEEP")
    hands.scores(22, "4 of a kind")
    hands.reads("Ben’s turn")
    assert noted(page, "spoken")[1:] == [
        "en: Anna, choose a box.",
        "en: Anna: 4 fours, 6. 22 in 4 of a kind. Ben, roll the dice.",
    ]
    table.see("1335?", doubts=("A die leans.",))
    hands.reads("A die leans.")
    assert noted(page, "heard")[4:] == DOUBT


def test_it_is_quiet_until_it_is_switched_on_and_the_device_remembers(
    open_page: OpenPage, table: ServedTable
) -> None:
    """One switch on every page; what was told before a reload is not told again."""
    table.submit(GameOpened("yahtzee", ("Anna", "Ben"), {"start": "first"}))
    hands = open_page()
    page = listening(hands, on=False)
    table.see("44446")
    hands.reads("The camera sees (not scored yet)")
    assert noted(page, "spoken") == noted(page, "heard") == []
    expect(switch(page)).to_have_attribute("aria-pressed", "false")
    page.goto(f"{table.url}/games")
    switches(page)
    page.goto(f"{table.url}/display")
    expect(switch(page)).to_have_attribute("aria-pressed", "true")
    page.goto(table.url)
    expect(switch(page)).to_have_attribute("aria-pressed", "true")
    hands.press("KEEP")
    hands.reads("Choose a box")
    assert noted(page, "spoken") == ["en: Anna, choose a box."]
    page.reload()
    hands.scores(22, "4 of a kind")
    hands.reads("Ben’s turn")
    assert len(noted(page, "spoken")) == 1
    switches(page)
    table.see("11111")
    hands.reads("The camera sees (not scored yet)")
    assert len(noted(page, "spoken")) == 1


def test_a_page_speaks_its_readers_language(open_page: OpenPage, table: ServedTable) -> None:
    """Each device its own, with a voice of that language."""
    table.submit(GameOpened("yahtzee", ("Anna", "Ben"), {"start": "first"}))
    hands = open_page()
    page = listening(hands)
    speaks(page, table.url, "ko")
    page.goto(table.url)
    plays(table, "roll", "44446")
    wait_until(page, "window.spoken.length === 1")
    assert noted(page, "spoken")[0].startswith("ko: ")


def test_no_page_speaks_where_the_machine_does(open_page: OpenPage, table: ServedTable) -> None:
    """The settings gave the voice to its own loudspeaker; sounds stay with the page."""
    table.stop()
    table.speaks = False
    table.start()
    table.submit(GameOpened("yahtzee", ("Anna", "Ben"), {"start": "first"}))
    hands = open_page()
    page = listening(hands)
    table.see("44446")
    hands.reads("The camera sees (not scored yet)")
    assert (noted(page, "spoken"), noted(page, "heard")) == ([], SETTLED * 2)


@pytest.mark.parametrize("path", ["/", pytest.param("/tv", marks=pytest.mark.slow)])
def test_five_alike_are_celebrated_once(open_page: OpenPage, table: ServedTable, path: str) -> None:
    """Confetti that takes no tap, is gone by itself, and does not come again with a reload."""
    table.submit(GameOpened("yahtzee", ("Anna", "Ben"), {"start": "first"}))
    hands = open_page(path)
    page = listening(hands, on=False)
    plays(table, "roll", "44444")
    expect(page.locator("main .die").first).to_be_visible()
    assert noted(page, "shapes") == 0
    plays(table, "stand")
    plays(table, "score:yahtzee")
    canvas = page.locator(CONFETTI)
    expect(canvas).to_have_css("pointer-events", "none")
    wait_until(page, "window.shapes > 50")
    expect(canvas).to_have_count(0)
    page.reload()
    hands.reads_turn("Ben", "Roll 1 of 3")
    table.see("11234")
    hands.reads(re.compile("1 1 2 3 4"))
    assert noted(page, "shapes") == 0
    expect(canvas).to_have_count(0)


def test_nobody_who_wants_no_motion_sees_any(open_page: OpenPage, table: ServedTable) -> None:
    """The score itself tells it."""
    table.submit(GameOpened("yahtzee", ("Anna", "Ben"), {"start": "first"}))
    hands = open_page()
    hands.page.emulate_media(reduced_motion="reduce")
    page = listening(hands, on=False)
    scores_five_alike(table)
    hands.reads("Ben’s turn")
    assert noted(page, "shapes") == 0
    expect(page.locator(CONFETTI)).to_have_count(0)


def test_one_key_is_enough(open_page: OpenPage, table: ServedTable) -> None:
    """K is KEEP once it is let go, and REROLL as soon as it was held for long enough."""
    table.stop()
    table.long_press = 0.7
    table.start()
    table.submit(GameOpened("yahtzee", ("Anna", "Ben"), {"start": "first"}))
    hands = open_page()
    page, keep = hands.page, hands.page.locator("#button-keep")
    table.see("44446")
    hands.reads("The camera sees (not scored yet)")
    page.wait_for_timeout(400)
    page.keyboard.down("k")
    expect(keep).to_have_class(re.compile("held"))
    hands.reads_turn("Anna", "Roll 2 of 3")
    page.keyboard.up("k")
    table.see("44445")
    hands.reads("I see 4 4 4 4 5. KEEP it or REROLL?")
    page.wait_for_timeout(400)
    page.keyboard.press("k")
    hands.reads("Choose a box")
    hands.reads_turn("Anna", "Choose a box")
