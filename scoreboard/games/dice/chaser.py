"""Chaser, the game of a novel, derived from Yacht."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from scoreboard.games.dice.family import Agreed, YachtGame, yacht_game
from scoreboard.games.dice.form import (
    Box,
    Citations,
    Form,
    Total,
    Worth,
    added,
    fixed,
    of_a_kind,
    shows_one_of,
    split,
    total,
    two_pairs,
    upper_boxes,
    when,
)
from scoreboard.games.engine.game import Choice, Option
from scoreboard.message import Message, message, message_in

TITLE: Final = message("Chaser")
RULES: Final = Citations(players="CH-8", roll="CH-1", fill="CH-1", zero="CH-7", end="CH-6")
STRICT: Final = Option(
    "strict_full_house",
    message("What counts as a full house"),
    "CH-3",
    (
        Choice("no", message("Four of a kind plus one also counts, such as 4 4 4 4 2")),
        Choice("yes", message("Only three of a kind and a pair"), message("strict full house")),
    ),
)
BEANS: Final = (
    message_in("Chaser", "Aces"),
    message("Two Beans"),
    message("Three Beans"),
    message("Four Beans"),
    message("Five Beans"),
    message("Six Beans"),
)


def form(agreed: Agreed) -> Form:
    """The card of 12 boxes and a total (CH-1 to CH-6)."""
    strict = agreed["strict_full_house"].value == "yes"
    pairs, sum_of_all = message("Two pairs: sum of all dice"), message("Sum of all dice")
    full_house = split((3, 2), (5,)) if strict else split((3, 2), (5,), (4, 1))
    hands = (
        _made(
            "chase-off",
            message("Chase Off"),
            message("5 alike: 50 points"),
            when(of_a_kind(5), fixed(50)),
        ),
        _made("straight", message("Straight"), message("1 2 3 4 5: 40 points"), _row(1, 40)),
        _made(
            "even-straight", message("Even Straight"), message("2 3 4 5 6: 30 points"), _row(2, 30)
        ),
        _made("four-dice", message("Four Dice"), sum_of_all, when(of_a_kind(4), total)),
        _made("full-house", message("Full house"), sum_of_all, when(full_house, total), "CH-3"),
        _made("choice", message("Choice"), pairs, when(two_pairs, total), "CH-4"),
    )
    beans = tuple(reversed(upper_boxes("CH-5", BEANS)))
    every = tuple(box.key for box in (*hands, *beans))
    return Form(
        game="chaser",
        rows=(*hands, *beans, Total("grand", message("Total"), "totals", "CH-6", added(*every))),
        rules=RULES,
    )


def _made(key: str, label: Message, hint: Message, worth: Worth, rule: str = "CH-2") -> Box:
    return Box(key, label, hint, "made", rule, worth)


def _row(low: int, points: int) -> Worth:
    return when(shows_one_of([range(low, low + 5)]), fixed(points))


RULE_TEXTS: Final[Mapping[str, Message]] = {
    "CH-1": message("Three rolls of any dice; then one empty box is filled."),
    "CH-2": message("A made hand scores only when its condition holds, else 0."),
    "CH-3": message(
        "A pair and three alike; by the sheet's example four alike and one other, too."
    ),
    "CH-4": message("A pair, and another pair among the other three dice: all dice are added."),
    "CH-5": message("The number times how many dice show it."),
    "CH-6": message("The twelve boxes are added; the highest sum wins."),
    "CH-7": message("Any empty box may be filled; it takes what the dice are worth in it."),
}
GAME: Final[YachtGame] = replace(
    yacht_game("chaser", TITLE, form, RULE_TEXTS, (STRICT,)), five_alike="chase-off"
)
