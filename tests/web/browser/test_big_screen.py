"""The big screen in a room: what stages alone do not show is legible, and nothing comes late."""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from scoreboard.games.notation import replay_text
from scoreboard.table.requests import Chosen, GameOpened, GameResumed
from tests.web.browser.accessibility import violations
from tests.web.browser.conftest import OpenPage
from tests.web.browser.hands import resize
from tests.web.browser.served_table import ServedTable
from tests.web.browser.test_languages import speaks
from tests.web.browser.test_layout import look_for_faults
from web.shared.words import LANGUAGES
from web.table.play.win_chances import WinChances

PLAYTHROUGHS = Path(__file__).parents[2] / "playthroughs"
NAMES = ("Maximiliane Leopoldina", "김하늘", "あおい", "Jo", "Wilhelmine", "Friederike")
SCREENS = ((1280, 720), (1920, 1080), (3840, 2160))


def assert_legible(page: Page) -> None:
    """Every word is large enough, whole and apart from the others, in each language."""
    for name, (width, height) in zip(LANGUAGES, cycle(SCREENS), strict=False):
        speaks(page, page.url.removesuffix("/tv"), name)
        page.reload()
        resize(page, width, height)
        case = {"page": "/tv", "stage": ("", ""), "size": (width, height), "text": "normal"}
        assert look_for_faults(page, case) == [], (name, width)


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
    assert_legible(screen.page)
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
    assert_legible(page)


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
    assert_legible(page)


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
    assert_legible(screen.page)
    table.addresses = ("http://192.0.2.8:8000/",)
    screen.reads("192.0.2.8:8000/")
