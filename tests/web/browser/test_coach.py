"""The coach in a browser: chosen at the set-up and at the table, heard after a turn and before."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.web.browser.accessibility import violations
from tests.web.browser.conftest import OpenPage
from tests.web.browser.served_table import ServedTable
from web.table.play.coach import Coach


def test_a_child_practises_and_others_hear_it_after_their_turn(
    open_page: OpenPage, table: ServedTable, tmp_path: Path
) -> None:
    """The modes are changed while the game goes on, by what everybody can see and reach."""
    table.stop()
    table.coach = Coach(table.store, tmp_path)
    table.start()
    hands = open_page("/setup?name=North&name=South")
    page = hands.page
    page.locator("#coach-summary").click()
    page.get_by_label("After each turn").check()
    page.get_by_role("button", name="Start the game").click()
    hands.throws("55555")
    hands.press("KEEP")
    hands.scores(5 * 5, "Chance")
    hands.reads("Best: score 50 in Yahtzee")
    hands.press("More")
    page.get_by_role("link", name="Coach").click()
    page.get_by_label("Practice for some players").check()
    page.get_by_label("South").check()
    assert violations(page) == []
    page.get_by_role("button", name="Save").click()
    hands.throws("44421")
    hands.reads("Best for South")
    expect(page.locator("#coach li")).to_have_count(3)
    hands.sees_whole(hands.button("KEEP"))
    assert violations(page) == []
