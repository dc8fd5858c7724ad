"""Yahtzee as played on Board Game Arena."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from scoreboard.games.dice import yahtzee
from scoreboard.games.dice.family import Agreed, YachtGame, yacht_game
from scoreboard.games.dice.form import Citations, Form
from scoreboard.games.dice.yahtzee import RULE_TEXTS as YAHTZEE_RULE_TEXTS
from scoreboard.games.engine.game import Choice, Option
from scoreboard.message import Message, message

TITLE: Final = message("Yahtzee (Board Game Arena)")
RULES: Final = Citations(roll="YB-1", fill="YB-1")
JOKERS: Final = yahtzee.Jokers(rule="YB-4", ordinary="YB-6")
FULL_HOUSE: Final = Option(
    "full_house",
    message("A full house scores"),
    "YB-2",
    (
        Choice("30", message("30 points, as on Board Game Arena")),
        Choice("25", message("25 points, as in classic Yahtzee"), message("full house 25")),
    ),
)


def form(agreed: Agreed) -> Form:
    """The card that counts down to its bonus (YB-3)."""
    full_house = yahtzee.full_house_box(int(agreed["full_house"].value), "YB-2")
    return Form(
        game="yahtzee-bga",
        rows=yahtzee.yahtzee_rows(full_house, "YB-3", yahtzee.UPPER_BONUS.missing),
        rules=RULES,
        placing=JOKERS.placements,
        further=yahtzee.further_yahtzee,
    )


RULE_TEXTS: Final[Mapping[str, Message]] = {
    **YAHTZEE_RULE_TEXTS,
    "YB-1": message("Two re-rolls of any dice; then a box must be filled, at 0 if need be."),
    "YB-2": message("Three of one number and two of another: 30, or what the table agreed on."),
    "YB-3": message("The row shows how much is missing to 63; then it becomes 35 by itself."),
    "YB-4": message("A further Yahtzee earns 100, then fills its upper box, else a lower one."),
    "YB-6": message("While the Yahtzee box is empty, a Yahtzee is an ordinary roll."),
}
GAME: Final[YachtGame] = replace(
    yacht_game("yahtzee-bga", TITLE, form, RULE_TEXTS, (FULL_HOUSE,)),
    five_alike="yahtzee",
    bgg_id=2243,
)
