"""Evenings with the other games of dice: each set up, played by hand to its end, and totalled."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tests.web.browser.conftest import OpenPage

Turns = tuple[tuple[str, int, str], ...]


@dataclass(frozen=True, slots=True)
class Evening:
    """A game under a house rule, told as the set-up page and as the sheet tell it."""

    game: str
    rule: str
    printed: str
    turns: Turns
    total: tuple[str, str]


UPPER: Turns = (
    ("11123", 3, "Aces"),
    ("22234", 6, "Twos"),
    ("33345", 9, "Threes"),
    ("44456", 12, "Fours"),
    ("55512", 15, "Fives"),
)
ARENA: Turns = (
    *UPPER,
    ("66612", 18, "Sixes"),
    ("44451", 18, "3 of a kind"),
    ("22226", 14, "4 of a kind"),
    ("33355", 25, "Full house"),  # as the table agreed; else 30
    ("66666", 50, "Yahtzee"),
    ("55555", 40, "Large straight"),  # a joker, and 100
    ("12346", 30, "Small straight"),
    ("13566", 21, "Chance"),
)
YAMS: Turns = (
    *UPPER,
    ("66612", 18, "Sixes"),
    ("65432", 20, "Plus"),
    ("11235", 12, "Minus"),
    ("66662", 66, "4 of a kind"),
    ("55566", 57, "Full house"),
    ("12346", 45, "Small straight"),  # as the table agreed; else 40
    ("23456", 50, "Large straight"),
    ("55555", 75, "Yams"),
    ("22225", 50, "Rigole"),
)
CHASER: Turns = (
    ("44444", 50, "Chase Off"),
    ("12345", 40, "Straight"),
    ("23456", 30, "Even Straight"),
    ("55556", 26, "Four Dice"),
    ("33355", 19, "Full house"),
    ("11225", 11, "Choice"),
    ("66612", 18, "Six Beans"),
    ("55512", 15, "Five Beans"),
    ("44456", 12, "Four Beans"),
    ("33345", 9, "Three Beans"),
    ("22234", 6, "Two Beans"),
    ("11123", 3, "Aces"),
)
# upper 63 and 35; 18+14+25+50+40+30+21 = 198; 100: 396
# upper 63, bonus 33, Delta 8; 66+57+45+50+75+50 = 343: 447
# 50+40+30+26+19+11 = 176; 18+15+12+9+6+3 = 63: 239
EVENINGS = {
    "bga": Evening(
        "Yahtzee (Board Game Arena)",
        "25 points, as in classic Yahtzee",
        "full house 25",
        ARENA,
        ("Grand total", "396"),
    ),
    "yams": Evening(
        "Yams",
        "45 points",
        "small straight 45",
        YAMS,
        ("Grand total", "447"),
    ),
    "chaser": Evening(
        "Chaser",
        "Only three of a kind and a pair",
        "strict full house",
        CHASER,
        ("Total", "239"),
    ),
}


@pytest.mark.parametrize("evening", EVENINGS.values(), ids=EVENINGS)
@pytest.mark.slow
def test_a_whole_game_by_hand(open_page: OpenPage, evening: Evening) -> None:
    """The house rule stands on the sheet, and the total is the one added up above."""
    hands = open_page()
    hands.sets_up("North", game=evening.game, rule=evening.rule)
    hands.reads(f"House rules: {evening.printed}")
    for roll, points, box in evening.turns:
        hands.throws(roll)
        hands.press("KEEP")
        hands.scores(points, box)
        hands.sees_cells(box, str(points))
    hands.reads("The game is over")
    hands.sees_cells(*evening.total)


def test_a_box_tells_its_rule(open_page: OpenPage) -> None:
    """A tap on a box's name shows the rule in a sentence, with its identifier."""
    hands = open_page()
    hands.sets_up("North", game="Chaser")
    hands.tap(hands.page.get_by_role("rowheader").get_by_role("button").filter(has_text="Choice"))
    hands.reads("CH-4")
    hands.reads("A pair, and another pair among the other three dice")


def test_a_device_speaks_korean(open_page: OpenPage) -> None:
    """Chosen on one device, the next page is in that language."""
    hands = open_page()
    hands.follow("About")
    hands.press("한국어")
    hands.reads("새 게임")
