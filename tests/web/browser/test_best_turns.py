"""The page of a best turn in a browser."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from scoreboard.games.notation import replay_text
from tests.web.browser.accessibility import violations
from tests.web.browser.conftest import OpenPage
from tests.web.browser.served_table import ServedTable
from tests.web.table.history.test_best_turns import RUMMIKUB
from web.table.play.coach import Coach, CoachChoice


def test_a_best_turn_suits_everybody(
    table: ServedTable, open_page: OpenPage, tmp_path: Path
) -> None:
    """Nothing that axe-core objects to; how it is found, the plain pages' tests say."""
    table.stop()
    table.coach = Coach(table.store, tmp_path)
    table.coach.choose(CoachChoice("one", "after"))
    played = replay_text(RUMMIKUB, "one")
    table.store.open_game(played.header)
    table.store.append("one", 0, played.records)
    table.start()
    page = open_page("/games/one/best/1?step=1").page
    expect(page.get_by_role("heading", name="Move 1 of 4")).to_be_visible()
    assert violations(page) == []
