"""Yahtzee by the official rules."""

from __future__ import annotations

from typing import Final

from scoreboard.games.dice.family import Agreed, YachtGame, yacht_game
from scoreboard.games.dice.form import Form, Total
from scoreboard.games.dice.jokers import Jokers
from scoreboard.games.dice.yahtzee_card import UPPER_BONUS, full_house_box, yahtzee_rows
from scoreboard.message import message

TITLE: Final = message("Yahtzee")
JOKERS: Final = Jokers(of="yahtzee", rule="YZ-18", ordinary="YZ-21", bonus=100)
BONUS: Final = Total(
    "bonus", message("Bonus"), "upper", "YZ-9", UPPER_BONUS, message("35 points from 63 on")
)


def form(_agreed: Agreed) -> Form:
    """The official card."""
    return Form(
        game="yahtzee",
        rows=yahtzee_rows(full_house_box(25, "YZ-12"), BONUS),
        placing=JOKERS.placements,
        further=JOKERS.further,
    )


GAME: Final[YachtGame] = yacht_game("yahtzee", TITLE, form)
