"""Evenings without a camera: set-up, throws entered by hand, scores, undo, corrections."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import OpenPage
from tests.web.browser.served_table import ServedTable


def test_a_turn_of_three_rolls_with_kept_dice_and_undo(open_page: OpenPage) -> None:
    """REROLL goes on, tapped dice are kept, UNDO takes steps back one by one."""
    hands = open_page()
    hands.starts("North", "South")
    hands.throws("55521")
    hands.press("REROLL")
    hands.reads_turn("North", "Roll 2 of 3")
    for _ in range(3):
        hands.react_to(hands.button("Keep the 5").first)
    hands.reads("Keep 5 5 5 and roll the other 2.")
    hands.enters("55536")
    hands.press("REROLL")
    hands.reads_turn("North", "Roll 3 of 3")
    hands.press("UNDO")
    hands.reads_turn("North", "Roll 2 of 3")
    hands.throws("55555")
    hands.press("REROLL")
    hands.throws("55555")
    hands.press("REROLL")
    hands.reads("That was the last roll of the turn")
    hands.press("KEEP")
    hands.reads("Score Yahtzee: 50")
    hands.press("KEEP")
    hands.reads_turn("South", "Roll 1 of 3")
    hands.sees_cells("Yahtzee", "50", "")
    hands.press("UNDO")
    hands.reads_turn("North", "Choose a box")


def test_the_two_buttons_step_through_the_boxes(open_page: OpenPage) -> None:
    """REROLL shows the next box, KEEP scores it; a 0 asks once more."""
    hands = open_page()
    hands.starts("North", "South")
    hands.throws("33355")
    hands.press("KEEP")
    hands.reads("Score Full house: 25")
    hands.press("REROLL")
    hands.reads("Score 3 of a kind: 19")
    hands.scores(0, "Sixes")
    hands.reads("Score 0 in Sixes?")
    hands.press("No")
    hands.reads_no("Score 0 in")
    hands.scores(0, "Sixes")
    hands.press("Yes, score 0")
    hands.sees_cells("Sixes", "0", "")
    hands.reads_turn("South", "Roll 1 of 3")


def test_a_throw_that_is_none_is_explained_where_it_was_typed(open_page: OpenPage) -> None:
    """What was typed stays, to be put right; the pips type too."""
    hands = open_page()
    hands.starts("North")
    hands.enters("33517")
    hands.reads("A die shows 1 to 6, not 7.")
    assert hands.page.get_by_label("What do all the dice show?").input_value() == "33517"
    hands.press("Delete the last digit")
    hands.press("Type 6")
    hands.press("Enter this roll")
    hands.reads("You entered 1 3 3 5 6")


def test_a_die_that_fell_off_is_thrown_again_alone(open_page: OpenPage) -> None:
    """YZ-5: it does not count as a roll."""
    hands = open_page()
    hands.starts("North")
    hands.throws("13356")
    hands.press("REROLL")
    hands.press("A die fell off or is cocked")
    hands.page.get_by_role("group", name="The 1 fell off or was cocked").get_by_role(
        "button", name="It shows 3 now"
    ).click()
    expect(hands.page.locator(":popover-open")).to_have_count(0)
    hands.scores(9, "Threes")
    hands.sees_cells("Threes", "9")


@pytest.mark.slow
def test_a_reading_does_not_come_between_a_question_and_its_answer(
    open_page: OpenPage, table: ServedTable
) -> None:
    """Who leaves does so whatever lies on the table; a turn that passed is another matter."""
    hands, other = open_page(), open_page()
    hands.starts("North", "South", "East")
    hands.follow("A player is leaving")
    table.see("11123")
    other.reads("I see 1 1 1 2 3.")
    hands.press("North leaves the game")
    hands.reads_turn("South", "Roll 1 of 3")
    hands.follow("A player is leaving")
    other.throws("55555")
    other.press("KEEP")
    other.scores(50, "Yahtzee")
    hands.press("South leaves the game")
    hands.reads("came too late")
    hands.press("South leaves the game")
    hands.reads_turn("East", "Roll 1 of 3")
