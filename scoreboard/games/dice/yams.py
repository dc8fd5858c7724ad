"""Yams, the second scoring form of Yahtzee on Board Game Arena."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from scoreboard.games.dice.family import Agreed, YachtGame, yacht_game
from scoreboard.games.dice.form import (
    UPPER_KEYS,
    Bonus,
    Box,
    Citations,
    Difference,
    Form,
    Total,
    added,
    fixed,
    four_and_opposite,
    of_a_kind,
    split,
    straight,
    total,
    total_and,
    upper_boxes,
    when,
)
from scoreboard.games.engine.game import Choice, Option
from scoreboard.message import Message, message

TITLE: Final = message("Yams")
RULES: Final = Citations(roll="YM-11", fill="YM-11", zero="YM-11", end="YM-11")
BONUS: Final = Bonus("upper", goal=60, points=30, each_above=1)
SMALL_STRAIGHT: Final = Option(
    "small_straight",
    message("A small straight scores"),
    "YM-7",
    (
        Choice("40", message("40 points, as on Board Game Arena")),
        Choice("45", message("45 points"), message("small straight 45")),
    ),
)
COUNTED: Final = (
    "upper",
    "bonus",
    "delta",
    "four-of-a-kind",
    "full-house",
    "small-straight",
    "large-straight",
    "yams",
    "rigole",
)


def form(agreed: Agreed) -> Form:
    """The card of 14 boxes, its bonus and Delta (YM-1 to YM-12)."""
    hint = message("30 points from 60 on, and one for each above")
    recorded, delta = message("Sum of all dice, for Delta"), Difference("plus", "minus")
    sum_and_40, sum_and_30 = message("Sum of all dice and 40"), message("Sum of all dice and 30")
    four = when(of_a_kind(4), total_and(40))
    full_house = when(split((3, 2), (5,)), total_and(30))
    small_straight = int(agreed["small_straight"].value)
    return Form(
        game="yams",
        rows=(
            *upper_boxes("YM-1"),
            Total("upper", message("Upper sum"), "upper", "YM-12", added(*UPPER_KEYS)),
            Total("bonus", message("Bonus"), "upper", "YM-2", BONUS, hint, BONUS.missing),
            Box("plus", message("Plus"), recorded, "lower", "YM-3", total),
            Box("minus", message("Minus"), recorded, "lower", "YM-3", total),
            Total("delta", message("Delta"), "lower", "YM-4", delta, message("Plus minus Minus")),
            Box("four-of-a-kind", message("4 of a kind"), sum_and_40, "lower", "YM-5", four),
            Box("full-house", message("Full house"), sum_and_30, "lower", "YM-6", full_house),
            straight("small-straight", message("Small straight"), "YM-7", 4, small_straight),
            straight("large-straight", message("Large straight"), "YM-7", 5, 50),
            Box(
                "yams",
                message("Yams"),
                message("5 alike: sum of all dice and 50"),
                "lower",
                "YM-8",
                when(of_a_kind(5), total_and(50)),
            ),
            Box(
                "rigole",
                message("Rigole"),
                message("4 alike and the opposite face: 50 points"),
                "lower",
                "YM-9",
                when(four_and_opposite, fixed(50)),
            ),
            Total("grand", message("Grand total"), "totals", "YM-12", added(*COUNTED)),
        ),
        rules=RULES,
    )


RULE_TEXTS: Final[Mapping[str, Message]] = {
    "YM-1": message("The dice that show the number of the box are added."),
    "YM-2": message("An upper sum of 60 earns 30, and each point above it one more."),
    "YM-3": message("Any dice: their sum is recorded, and scores only through Delta."),
    "YM-4": message("Plus minus Minus, by itself, and never below 0."),
    "YM-5": message("At least four dice alike: all five dice are added, and 40."),
    "YM-6": message("Three alike and the other two alike, five alike too: all dice and 30."),
    "YM-7": message("Four in sequence: 40, or what the table agreed on; five in sequence: 50."),
    "YM-8": message("Five dice alike: all dice are added, and 50."),
    "YM-9": message("Four dice alike and the fifth shows the face opposite to theirs: 50."),
    "YM-11": message("Every box is filled once; the highest total wins."),
    "YM-12": message("Upper sum, bonus, Delta and the other boxes; Plus and Minus are not added."),
}
GAME: Final[YachtGame] = replace(
    yacht_game("yams", TITLE, form, RULE_TEXTS, (SMALL_STRAIGHT,)), five_alike="yams"
)
