"""A full evening through the real command: camera, reader, session, store and page."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.patience import PATIENCE_MILLISECONDS
from tests.web.browser.conftest import TABLET, listen
from tests.web.browser.hands import BOXES, TOTALS, Hands
from tests.web.process import ROOT, RunningProcess, running

TURNS = 26
OVER = "Final ranking"
SOMETHING_TO_DO = re.compile(rf"{OVER}|Confirm \d|Score |Yes – |Check the doubtful")


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[RunningProcess]:
    """The demo evening, faster than a real one, in a database of its own."""
    settings = tmp_path / "table.toml"
    settings.write_text("[demo]\nframes_per_second = 30.0\n", encoding="utf-8")
    database = f"sqlite:///{tmp_path / 'demo.sqlite3'}"
    with running("--settings", str(settings), "--database", database) as process:
        yield process


@pytest.fixture
def hands(browser: Browser, evening: RunningProcess) -> Iterator[Hands]:
    """A tablet in front of it, whose page complains about nothing."""
    faults: list[str] = []
    context = browser.new_context(viewport=TABLET)  # type: ignore[arg-type]  # a TypedDict
    context.set_default_timeout(PATIENCE_MILLISECONDS)
    page = context.new_page()
    listen(page, faults)
    evening.open_in(page)
    yield Hands(page)
    context.close()
    assert faults == []


def meanings(hands: Hands) -> list[str]:
    """What KEEP, REROLL and UNDO would do now, as the page says."""
    return hands.page.locator("#panel .means").all_inner_texts()


def wanted_button(keep: str, reroll: str, *, first_throw: bool) -> str:
    """Throw once more after a first throw without three alike; else go the shortest way."""
    dice = re.findall(r"\d", keep)
    alike = max(dice.count(face) for face in dice) if dice else 0
    return "REROLL" if first_throw and alike < 3 and reroll.endswith("roll again") else "KEEP"


def play_a_step(hands: Hands) -> bool:
    """Wait until there is something to do, and press a button; whether the game goes on."""
    main = hands.page.get_by_role("main")
    expect(main).to_contain_text(SOMETHING_TO_DO)
    if OVER in main.inner_text():
        return False
    said = meanings(hands)
    if SOMETHING_TO_DO.match(said[0]):
        first_throw = hands.page.get_by_text("Roll 1 of 3", exact=True).count() > 0
        hands.press(wanted_button(said[0], said[1], first_throw=first_throw))
        wait_for_other(hands, said)
    return True


def wait_for_other(hands: Hands, said: list[str]) -> None:
    """Wait until the buttons mean something else; a press may also be refused."""
    for _ in range(60):
        if meanings(hands) != said:
            return
        hands.page.wait_for_timeout(50)


def replayed(text: str, folder: Path) -> dict[str, Any]:
    """What `tablescore replay --json` makes of an exported game."""
    file = folder / "evening.txt"
    file.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "web", "replay", str(file), "--json"]
    printed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    game = json.loads(printed.stdout)
    assert isinstance(game, dict)
    return game


@pytest.mark.slow
def test_a_demo_evening_is_played_to_its_end(hands: Hands, tmp_path: Path) -> None:
    """Two players, thirteen turns each, by two buttons; the sheet is what a replay gives."""
    hands.sets_up("North", "South")  # the show at the start is near its end
    hands.reads("Roll 1 of 3")
    for _ in range(TURNS * 10):
        if not play_a_step(hands):
            break
    hands.reads("Final ranking")
    with hands.page.expect_download() as download:
        hands.follow("Export this game as text")
    game = replayed(download.value.path().read_text(encoding="utf-8"), tmp_path)
    assert game["finished"]
    players = game["players"]
    for key, label in BOXES.items():
        hands.sees_cells(label, *(str(player["boxes"][key]) for player in players))
    for key, label in TOTALS.items():
        hands.sees_cells(label, *(str(player["totals"][key]) for player in players))
    ranking = hands.page.get_by_role("region", name="Final ranking").get_by_role("listitem")
    grand = sorted((player["totals"]["grand"] for player in players), reverse=True)
    for place, points in zip(ranking.all_inner_texts(), grand, strict=True):
        assert place.split()[-1] == str(points)


def test_a_game_of_ones_own_is_played_without_the_demos_pictures(hands: Hands) -> None:
    """One press in the demo's line; nothing is proposed but what the players roll and enter."""
    hands.reads("Try it: press REROLL to roll again, or KEEP to stop here.")
    hands.follow("Start my own game")
    hands.page.get_by_label("Player 1", exact=True).fill("Ann")
    hands.press("Type them in")
    hands.reads("Roll your own dice, then tap “Enter by hand”.")
    hands.page.wait_for_timeout(3000)  # the demo rolls in half a second
    hands.reads("No roll entered yet")
    expect(hands.page.get_by_role("region", name="What the camera sees")).to_have_count(0)
    hands.throws("33355")
    hands.press("KEEP")
    hands.scores(25, "Full house")
    hands.sees_cells("Full house", "25")


def test_a_killed_table_goes_on_where_it_stood(browser: Browser, tmp_path: Path) -> None:
    """A power cut in the middle of a turn: the page waits, and plays on at the same throw."""
    options = (
        "--camera",
        f"folder:{tmp_path}",
        "--database",
        f"sqlite:///{tmp_path / 'g.sqlite3'}",
    )
    with running(*options) as first:
        context = browser.new_context(viewport=TABLET)  # type: ignore[arg-type]  # a TypedDict
        context.set_default_timeout(PATIENCE_MILLISECONDS)
        page = context.new_page()
        first.open_in(page)
        hands = Hands(page)
        hands.sets_up("North", "South")
        hands.throws("33355")
        hands.press("REROLL")
        hands.reads_turn("North", "Roll 2 of 3")
        first.kill()
        hands.reads("The connection to the table is lost.")
        expect(hands.button("KEEP")).to_be_disabled()
        with running(*options, "--port", str(first.port)):
            hands.reads_no("The connection to the table is lost.")
            hands.reads_turn("North", "Roll 2 of 3")
            hands.scores(25, "Full house")
            hands.reads_turn("South", "Roll 1 of 3")
        context.close()
