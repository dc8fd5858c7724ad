"""Evenings without a camera: set-up, throws entered by hand, scores, undo, corrections."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.scoreboard.tournament.client.fakes import wait_for
from tests.web.browser.conftest import OpenPage
from tests.web.browser.hands import BOXES
from tests.web.browser.served_table import ServedTable

SOLO = (  # a whole game: throw, box, points
    ("11123", "aces", 3),
    ("22234", "twos", 6),
    ("33345", "threes", 9),
    ("44456", "fours", 12),
    ("55512", "fives", 15),
    ("66612", "sixes", 18),
    ("44451", "three-of-a-kind", 18),
    ("22226", "four-of-a-kind", 14),
    ("33355", "full-house", 25),
    ("12346", "small-straight", 30),
    ("23456", "large-straight", 40),
    ("66666", "yahtzee", 50),
    ("13566", "chance", 21),
)


@pytest.mark.slow
def test_a_whole_solo_game_and_its_rematch(open_page: OpenPage) -> None:
    """Thirteen turns by hand; the totals as paper adds them; the best is remembered.

    Upper sum 3+6+9+12+15+18 = 63, bonus 35, upper total 98; lower sum
    18+14+25+30+40+50+21 = 198; together 296.
    """
    hands = open_page()
    hands.sets_up("North")
    for roll, box, points in SOLO:
        hands.throws(roll)
        hands.press("KEEP")
        hands.scores(points, BOXES[box])
        hands.sees_cells(BOXES[box], str(points))
    hands.reads("The game is over")
    hands.reads("Final ranking")
    for row, total in {
        "Upper sum": "63",
        "Bonus": "35",
        "Upper total": "98",
        "Lower sum": "198",
        "Yahtzee bonus": "0",
        "Grand total": "296",
    }.items():
        hands.sees_cells(row, total)
    hands.press("Play again, same players")
    hands.reads("Your best game so far: 296")
    hands.sees_cells("Grand total", "0")


def test_the_throw_for_the_start_seats_the_winner_first(open_page: OpenPage) -> None:
    """Each throws once; the higher total starts."""
    hands = open_page()
    hands.sets_up("North", "South", roll_off=True)
    hands.reads("North rolls for the start")
    hands.throws("11123")
    hands.press("KEEP")
    hands.reads("South rolls for the start")
    hands.throws("55566")
    hands.press("KEEP")
    hands.reads_turn("South", "Roll 1 of 3")


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
    hands.reads("Entered by hand: 1 3 3 5 6")


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


def test_players_are_named_ordered_and_refused(open_page: OpenPage) -> None:
    """The form keeps what was typed whatever is wrong with it."""
    hands = open_page("/setup")
    hands.page.get_by_label("Player 1", exact=True).fill("North")
    hands.page.get_by_label("Player 2", exact=True).fill("North")
    hands.press("Start the game")
    hands.reads("Two players are called “North”.")
    hands.page.get_by_label("Player 2", exact=True).fill("<b>South</b>")
    hands.press("Move player 2 up")
    hands.press("Add a player")
    hands.page.get_by_label("Player 3", exact=True).fill("East")
    hands.press("Remove player 2")
    hands.press("Start the game")
    hands.reads_turn("<b>South</b>", "Roll 1 of 3")
    columns = hands.page.get_by_role("columnheader").all_inner_texts()
    assert [name.removeprefix("▸ ") for name in columns[:2]] == ["<b>South</b>", "East"]


def test_somebody_leaves_and_the_others_play_on(open_page: OpenPage) -> None:
    """After a question; the card stays on the sheet."""
    hands = open_page()
    hands.starts("North", "South", "East")
    hands.follow("A player is leaving")
    hands.press("North leaves the game")
    hands.reads_turn("South", "Roll 1 of 3")
    hands.sees_cells("Grand total", "0", "0", "0")


@pytest.mark.slow
def test_a_reading_does_not_come_between_a_question_and_its_answer(
    open_page: OpenPage, table: ServedTable
) -> None:
    """Who leaves does so whatever lies on the table; a turn that passed is another matter."""
    hands, other = open_page(), open_page()
    hands.starts("North", "South", "East")
    hands.follow("A player is leaving")
    table.see("11123")
    other.reads("Read as 1 1 1 2 3.")
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


def test_games_are_put_away_taken_up_kept_and_deleted(open_page: OpenPage) -> None:
    """The whole life of a stored game."""
    hands = open_page()
    hands.starts("North")
    hands.throws("11123")
    hands.press("KEEP")
    hands.scores(3, "Aces")
    hands.follow("Save and close")
    hands.press("Save and close")
    hands.reads("This game is closed")
    hands.press("Resume")
    hands.reads_turn("North", "Roll 1 of 3")
    hands.sees_cells("Aces", "3")
    hands.follow("Save and close")
    hands.press("Save and close")
    hands.reads("This game is closed")
    hands.starts("East", "West")
    hands.reads_turn("East", "Roll 1 of 3")
    hands.follow("Games")
    hands.reads(re.compile(r"^\s*closed"))
    with hands.page.expect_download() as download:
        hands.page.get_by_role("link", name="txt").last.click()
    text = download.value.path().read_text(encoding="utf-8")
    assert text.splitlines()[:2] == ["game yahtzee", "players North"]
    assert "score aces 3" in text
    hands.press("Resume")
    hands.reads_turn("North", "Roll 1 of 3")
    hands.sees_cells("Aces", "3")
    hands.follow("Games")
    hands.page.get_by_role("link", name="Delete").last.click()
    hands.reads("You can take it back for 7 days.")
    hands.press("Put it into the bin")
    hands.reads_no("North")
    hands.reads("East, West")
    hands.tap(hands.page.get_by_text("Bin (1)"))
    hands.press("Take it back")
    hands.reads("North")
    hands.page.get_by_role("link", name="Delete").last.click()
    hands.press("Put it into the bin")
    hands.tap(hands.page.get_by_text("Bin (1)"))
    hands.page.get_by_role("link", name="Delete for good").click()
    hands.press("Delete it for good")
    hands.reads_no("North")
    hands.reads_no("Bin (")


def test_a_turn_without_scripts(open_page: OpenPage, table: ServedTable) -> None:
    """Plain forms do it all; the page is simply loaded again."""
    hands = open_page(scripts=False)
    hands.sets_up("North", "South")
    hands.reads("reload it to see how the table stands")
    table.see("11123")
    wait_for(lambda: table.view.proposal is not None)
    hands.page.reload()
    hands.reads("Read as 1 1 1 2 3.")
    hands.press("Die 5: 3")
    hands.press("It shows 4")
    hands.reads("Read as 1 1 1 2 4.")
    hands.press("KEEP")
    hands.scores(3, "Aces")
    hands.reads_turn("South", "Roll 1 of 3")
    hands.enters("66666")
    hands.press("REROLL")
    hands.reads_turn("South", "Roll 2 of 3")
