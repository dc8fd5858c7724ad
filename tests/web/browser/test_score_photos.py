"""A score is tapped and shows the photo behind it; the log leads back to an earlier step."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

from playwright.sync_api import expect

from scoreboard.storage import SqlStore, open_store
from tests.scoreboard.tournament.client.fakes import wait_for
from tests.web.browser.accessibility import violations
from tests.web.browser.conftest import OpenPage
from tests.web.browser.hands import wait_until_drawn
from tests.web.browser.served_table import ServedTable

BOXES_INSIDE = """
(photo) => {
  const within = photo.getBoundingClientRect();
  const boxes = [...photo.parentElement.querySelectorAll("polygon.box")];
  return boxes.filter((box) => box.checkVisibility()).every((box) => {
    const { left, top, right, bottom } = box.getBoundingClientRect();
    return left >= within.left - 1 && right <= within.right + 1
      && top >= within.top - 1 && bottom <= within.bottom + 1 && right - left > 20;
  });
}
"""


def test_a_score_shows_its_photo_and_the_log_leads_back(
    open_page: OpenPage, table: ServedTable, tmp_path: Path
) -> None:
    """By keyboard: a corrected roll is confirmed and scored, its photo opened and closed again."""
    with closing(open_store(f"sqlite:///{tmp_path}/games.db")) as store:
        assert isinstance(store, SqlStore)
        with table.with_photos(store):
            hands = open_page()
            page = hands.page
            hands.starts("North", "South")
            table.see("33?22", doubts=("A die is blurred.",))
            hands.reads("A die is blurred.")
            hands.react_to(hands.button(re.compile(r"^Die \d: not readable")))
            hands.press("It shows 3")
            hands.press("KEEP")
            hands.scores(25, "Full house")
            wait_for(lambda: store.photos.steps("game-1") == {1})

            score = page.get_by_role("link", name="25 in Full house: how it was scored")
            score.focus()
            page.keyboard.press("Enter")
            hands.reads("25 in Full house for North")
            hands.reads("roll 2 2 3 3 3, KEEP (2 2 3 3 3)")
            photo = page.get_by_role("img", name="The table as it was confirmed")
            expect(photo).to_be_visible()
            wait_until_drawn(page)
            assert photo.evaluate("it => it.naturalWidth") > 400
            assert photo.evaluate(BOXES_INSIDE)
            page.get_by_text("What was read on the photo").click()
            rows = page.get_by_role("row").all_inner_texts()
            assert "3\t3 corrected by hand\t?\t50.0 %" in rows
            assert "1\t3\t3\t99.0 %" in rows
            assert violations(page) == []
            page.keyboard.press("Escape")
            expect(score).to_be_focused()

            table.see("55511")
            hands.reads("South’s turn")
            hands.press("KEEP")
            hands.scores(15, "Fives")
            hands.press("More")
            hands.follow("Log and photos")
            expect(page.get_by_role("listitem").filter(has_text="15 in Fives")).to_be_visible()
            assert violations(page) == []
            page.get_by_role("link", name="Back to here: 25 in Full house for North").click()
            hands.reads("Steps that will be undone: 2.")
            assert violations(page) == []
            hands.press("Undo these steps")
            hands.reads_turn("South", "Roll 1")
            hands.sees_cells("Full house", "25", "would be 25")  # the dice still lie there
