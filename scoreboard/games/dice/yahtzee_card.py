"""The card of Yahtzee, of which several makers and sites print their own."""

from __future__ import annotations

from typing import Final

from scoreboard.games.dice.form import Box, Total
from scoreboard.games.dice.hands import alike, fixed, in_sequence, split, total, when
from scoreboard.games.dice.totals import FURTHER, Bonus, added
from scoreboard.games.dice.upper import UPPER_KEYS, upper_boxes
from scoreboard.message import Message, message

_SUM: Final = message("Sum of all dice")
UPPER_BONUS: Final = Bonus("upper", goal=63, points=35)
LOWER_KEYS: Final = (
    "three-of-a-kind",
    "four-of-a-kind",
    "full-house",
    "small-straight",
    "large-straight",
    "yahtzee",
    "chance",
)


def yahtzee_rows(full_house: Box, bonus: Total) -> tuple[Box | Total, ...]:
    """The rows in the paper's order (YZ-8 to YZ-19), with this full house and upper bonus."""
    return (
        *upper_boxes("YZ-8"),
        Total("upper", message("Upper sum"), "upper", "YZ-19", added(*UPPER_KEYS)),
        bonus,
        Total("upper-total", message("Upper total"), "upper", "YZ-19", added("upper", "bonus")),
        _lower("three-of-a-kind", message("3 of a kind"), _SUM, "YZ-10", 3),
        _lower("four-of-a-kind", message("4 of a kind"), _SUM, "YZ-11", 4),
        full_house,
        _straight("small-straight", message("Small straight"), "YZ-13", 4, 30),
        _straight("large-straight", message("Large straight"), "YZ-14", 5, 40),
        Box(
            "yahtzee",
            message("Yahtzee"),
            message("5 alike: 50 points"),
            "lower",
            "YZ-15",
            when(alike(5), fixed(50)),
        ),
        Box("chance", message("Chance"), _SUM, "lower", "YZ-16", total),
        Total("lower", message("Lower sum"), "totals", "YZ-19", added(*LOWER_KEYS)),
        Total(
            "yahtzee-bonus",
            message("Yahtzee bonus"),
            "totals",
            "YZ-17",
            added(FURTHER),
            message("100 points each"),
        ),
        Total(
            "grand",
            message("Grand total"),
            "totals",
            "YZ-19",
            added("upper-total", "lower", "yahtzee-bonus"),
        ),
    )


def full_house_box(points: int, rule: str) -> Box:
    """Three of one number and two of another, worth that much (YZ-12, YB-2)."""
    hint = message("{points} points", points=points)
    worth = when(split((3, 2)), fixed(points))
    return Box("full-house", message("Full house"), hint, "lower", rule, worth, joker=fixed(points))


def _lower(key: str, label: Message, hint: Message, rule: str, least: int) -> Box:
    return Box(key, label, hint, "lower", rule, when(alike(least), total))


def _straight(key: str, label: Message, rule: str, length: int, points: int) -> Box:
    hint = message("{length} in sequence: {points} points", length=length, points=points)
    worth = when(in_sequence(length), fixed(points))
    return Box(key, label, hint, "lower", rule, worth, joker=fixed(points))
