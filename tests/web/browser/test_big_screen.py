"""The big screen in a room: legible from the sofa, all in sight, and never behind the table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from scoreboard.games import GAMES
from scoreboard.games.notation import replay_text
from scoreboard.table.requests import Chosen, GameOpened, GameResumed
from tests.web.browser.accessibility import violations
from tests.web.browser.conftest import OpenPage
from tests.web.browser.hands import resize
from tests.web.browser.served_table import ServedTable
from tests.web.browser.test_languages import midway, speaks
from tests.web.browser.test_stages import ALONE, by_turns
from web.shared.words import LANGUAGES
from web.table.play.win_chances import WinChances

PLAYTHROUGHS = Path(__file__).parents[2] / "playthroughs"
NAMES = ("Maximiliane Leopoldina", "김하늘", "あおい", "Jo", "Wilhelmine", "Friederike")
SCREENS = ((1280, 720), (1920, 1080), (3840, 2160))
# 10 minutes of arc at 4 m are 11.6 mm; a screen of 50 inches is 623 mm high
CAPITAL_OF_SCREEN = 11.6 / 623
CAPITAL_OF_FONT = 0.72
TOO_SMALL_OR_OUT_OF_SIGHT = """
(least) => {
  const faults = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text; (text = walker.nextNode());) {
    const holder = text.parentElement;
    if (!text.data.trim() || holder.closest(".hidden, .skip, svg")) continue;
    if (!holder.checkVisibility()) continue;
    if (parseFloat(getComputedStyle(holder).fontSize) < least) faults.push(`small: ${text.data}`);
    const range = document.createRange();
    range.selectNodeContents(text);
    const box = range.getBoundingClientRect();
    if (box.top < 0 || box.bottom > innerHeight + 1) faults.push(`out of sight: ${text.data}`);
    for (let part = holder; part !== document.body; part = part.parentElement) {
      const cut = part.getBoundingClientRect();
      if (getComputedStyle(part).overflowY === "hidden" && box.bottom > cut.bottom + box.height / 4)
        faults.push(`cut off: ${text.data}`);
    }
  }
  for (const thing of document.querySelectorAll(".tv .die, .tv .piece, .tv-code, .tv-steps span")) {
    const box = thing.getBoundingClientRect();
    const spills = box.right > innerWidth || box.bottom > innerHeight;
    if (spills) faults.push(`out of sight: ${thing.outerHTML}`);
  }
  return faults;
}
"""


def assert_legible(page: Page, state: str, turn: int) -> None:
    """Every word is large enough and in sight, in each language and on each screen, by turns."""
    for at, name in enumerate(LANGUAGES, start=turn):
        speaks(page, page.url.removesuffix("/tv"), name)
        page.reload()
        width, height = SCREENS[at % len(SCREENS)]
        resize(page, width, height)
        least = height * CAPITAL_OF_SCREEN / CAPITAL_OF_FONT
        assert page.evaluate(TOO_SMALL_OR_OUT_OF_SIGHT, least) == [], (state, name, width)


@pytest.mark.parametrize(
    ("game", "turn"),
    [
        *by_turns(ALONE),
        *(
            pytest.param(game, turn, marks=pytest.mark.slow)
            for game in GAMES
            if game not in ALONE
            for turn in range(3)
        ),
    ],
)
def test_a_game_is_legible_from_the_sofa(
    open_page: OpenPage, table: ServedTable, game: str, turn: int
) -> None:
    """Four metres from a screen of 50 inches, whatever is played, by few and by many."""
    page = open_page("/tv").page
    for most in (2, 6):
        seats = [seats for seats in GAMES[game].seats if seats <= max(most, GAMES[game].seats[0])]
        midway(table, game, NAMES[: seats[-1]])
        assert_legible(page, "midway", turn + most // 3 + list(GAMES).index(game))


@pytest.mark.parametrize("turn", by_turns())
def test_every_stage_of_a_turn_is_legible(
    open_page: OpenPage, table: ServedTable, turn: int
) -> None:
    """No game, a doubtful reading, a box to choose."""
    screen = open_page("/tv")
    assert_legible(screen.page, "no game", turn)
    hands = open_page()
    hands.starts(*NAMES[:4])
    table.see("1335?", doubts=("The last die leans.",))
    expect(screen.page.locator(".doubtful .die")).to_be_visible()
    assert_legible(screen.page, "a doubt", turn)
    hands.throws("33355")
    hands.press("KEEP")
    expect(screen.page.locator(".tv-pointed")).to_be_visible()
    assert_legible(screen.page, "choosing", turn)


def test_chances_to_win_are_legible_and_follow(open_page: OpenPage, table: ServedTable) -> None:
    """Six long names, while a box is chosen; the bar comes and goes without a touch."""
    table.stop()
    table.chances = WinChances(np.random.default_rng(1))
    table.chances.start()
    table.start()
    screen, hands = open_page("/tv"), open_page()
    hands.starts(*NAMES)
    words = screen.page.locator(".tv-chances li")
    expect(words).to_have_count(len(NAMES))
    hands.throws("55555")
    hands.press("KEEP")
    expect(screen.page.locator(".tv-pointed")).to_be_visible()
    assert_legible(screen.page, "chances", 0)
    before = words.all_inner_texts()
    hands.scores(50, "Yahtzee")
    expect(words).not_to_have_text(before)
    assert violations(screen.page) == []
    table.chances.stop()


def test_a_game_by_the_clock_shows_a_large_one(open_page: OpenPage, table: ServedTable) -> None:
    """Nothing is read and nothing lies on the table that the page knows of."""
    table.submit(GameOpened("rummikub", NAMES, {"turns": "clock"}))
    table.submit(Chosen("begin:0", table.version))
    page = open_page("/tv").page
    clock = page.get_by_role("timer").bounding_box()
    assert clock is not None
    assert clock["height"] > page.viewport_size["height"] / 5  # type: ignore[index]
    assert_legible(page, "by the clock", 1)


@pytest.mark.parametrize("name", ["yams-three", "rummikub-xp-six", "tongtong-four-teams"])
def test_the_end_is_a_podium(open_page: OpenPage, table: ServedTable, name: str) -> None:
    """The winner stands in the middle, and highest; everybody else is on it or beside it."""
    played = replay_text((PLAYTHROUGHS / f"{name}.txt").read_text(encoding="utf-8"))
    table.store.open_game(played.header)
    table.store.append(played.header.game_id, 0, played.records)
    table.submit(GameResumed(played.header.game_id))
    page = open_page("/tv").page
    expect(page.get_by_role("heading", level=1)).to_contain_text("win")
    expect(page.locator("#tv-ranking li")).to_have_count(len(played.header.players))
    first, second = (page.locator(f".tv-place-{place}").first for place in (1, 2))
    assert first.bounding_box()["height"] > second.bounding_box()["height"]  # type: ignore[index]
    assert_legible(page, "finished", 2)


def test_it_follows_the_table_and_tells_when_it_cannot(
    open_page: OpenPage, table: ServedTable
) -> None:
    """Over the same stream as every other page, without a touch."""
    screen, hands = open_page("/tv"), open_page()
    hands.starts("North", "South")
    screen.reads_turn("North", "Roll 1 of 3")
    hands.throws("33355")
    hands.press("KEEP")
    hands.scores(25, "Full house")
    screen.reads_turn("South", "Roll 1 of 3")
    screen.reads("25 in Full house for North")
    expect(screen.page.locator(".at-turn .tv-name")).to_have_text("South")
    table.stop()
    screen.reads("The connection to the table is lost. Reconnecting.")
    table.start()
    screen.reads_no("The connection to the table is lost.")
    screen.reads_turn("South", "Roll 1 of 3")


def test_the_machines_own_screen_shows_the_code_once_there_is_a_network(
    open_page: OpenPage, table: ServedTable
) -> None:
    """It is opened by nobody, before the Wi-Fi is up, and nobody reloads it."""
    table.stop()
    table.facts = replace(table.facts, open_to_network=True)
    table.start()
    screen = open_page("/tv")
    screen.reads("No network yet.")
    table.addresses = ("http://192.0.2.7:8000/",)
    screen.reads("Scan to join")
    expect(screen.page.locator(".tv-code")).to_be_visible()
    table.addresses = ("http://192.0.2.8:8000/",)
    screen.reads("192.0.2.8:8000/")
