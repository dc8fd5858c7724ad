"""Yahtzee by the official rules: its card, and the joker rule (YZ-18, YB-4)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Final

from scoreboard.dice import Roll
from scoreboard.games.dice.family import Agreed, YachtGame, yacht_game
from scoreboard.games.dice.form import (
    FURTHER,
    UPPER_KEYS,
    Bonus,
    Box,
    Form,
    Placement,
    Points,
    Total,
    added,
    fixed,
    of_a_kind,
    split,
    straight,
    total,
    upper_boxes,
    when,
)
from scoreboard.message import Message, message

FIVE_ALIKE: Final = of_a_kind(5)


FURTHER_YAHTZEE: Final = 100
UNLIKE: Final = frozenset({"full-house", "small-straight", "large-straight"})


@dataclass(frozen=True, slots=True)
class Jokers:
    """Five of a kind, once the Yahtzee box is filled, go first to the upper box of their number.

    Then to any lower box at its `joker` worth; else to an upper box at 0. `rule` decides that; an
    ordinary five of a kind is worth nothing in UNLIKE boxes by the rule `ordinary`.
    """

    rule: str
    ordinary: str

    def placements(
        self, boxes: tuple[Box, ...], roll: Roll, filled: Collection[str]
    ) -> tuple[Placement, ...]:
        """Every box that the roll may fill, in the card's order, when `filled` are taken."""
        empty = tuple(box for box in boxes if box.key not in filled)
        if FIVE_ALIKE(roll) and "yahtzee" in filled:
            own = tuple(box for box in empty if box.face == roll.faces[0])
            lower = tuple(box for box in empty if box.section == "lower")
            return tuple(
                Placement(box, (box.joker or box.worth)(roll), self.rule)
                for box in own or lower or empty
            )
        unlike = UNLIKE if FIVE_ALIKE(roll) else ()
        return tuple(
            Placement(box, box.worth(roll), self.ordinary if box.key in unlike else box.rule)
            for box in empty
        )


def further_yahtzee(points: Points, roll: Roll) -> int:
    """The bonus of another five of a kind, where the Yahtzee box holds 50 (YZ-17, YB-4)."""
    return FURTHER_YAHTZEE if FIVE_ALIKE(roll) and points["yahtzee"] else 0


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


def yahtzee_rows(
    full_house: Box, bonus_rule: str, missing: Callable[[Points], int] | None = None
) -> tuple[Box | Total, ...]:
    """The rows in the paper's order (YZ-8 to YZ-19), with what the rulebooks differ in."""
    hint = message("35 points from 63 on")
    return (
        *upper_boxes("YZ-8"),
        Total("upper", message("Upper sum"), "upper", "YZ-19", added(*UPPER_KEYS)),
        Total("bonus", message("Bonus"), "upper", bonus_rule, UPPER_BONUS, hint, missing),
        Total("upper-total", message("Upper total"), "upper", "YZ-19", added("upper", "bonus")),
        _lower("three-of-a-kind", message("3 of a kind"), _SUM, "YZ-10", 3),
        _lower("four-of-a-kind", message("4 of a kind"), _SUM, "YZ-11", 4),
        full_house,
        straight("small-straight", message("Small straight"), "YZ-13", 4, 30),
        straight("large-straight", message("Large straight"), "YZ-14", 5, 40),
        Box(
            "yahtzee",
            message("Yahtzee"),
            message("5 alike: 50 points"),
            "lower",
            "YZ-15",
            when(of_a_kind(5), fixed(50)),
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
    """Three of one number and two of another, for that many points (YZ-12, YB-2)."""
    hint = message("{points} points", points=points)
    worth = when(split((3, 2)), fixed(points))
    return Box("full-house", message("Full house"), hint, "lower", rule, worth, joker=fixed(points))


def _lower(key: str, label: Message, hint: Message, rule: str, least: int) -> Box:
    return Box(key, label, hint, "lower", rule, when(of_a_kind(least), total))


TITLE: Final = message("Yahtzee")
JOKERS: Final = Jokers(rule="YZ-18", ordinary="YZ-21")


def form(_agreed: Agreed) -> Form:
    """The official card."""
    return Form(
        game="yahtzee",
        rows=yahtzee_rows(full_house_box(25, "YZ-12"), "YZ-9"),
        placing=JOKERS.placements,
        further=further_yahtzee,
    )


RULE_TEXTS: Final[Mapping[str, Message]] = {
    "YZ-8": message("The dice that show the number of the box are added."),
    "YZ-9": message("Six upper boxes of 63 or more together earn 35."),
    "YZ-10": message("At least three dice alike: all five dice are added."),
    "YZ-11": message("At least four dice alike: all five dice are added."),
    "YZ-12": message("Three of one number and two of another: 25."),
    "YZ-13": message("At least four dice in sequence: 30."),
    "YZ-14": message("Five dice in sequence: 40."),
    "YZ-15": message("Five dice alike: 50."),
    "YZ-16": message("Any dice: all five are added."),
    "YZ-17": message("A further Yahtzee earns 100 where the Yahtzee box holds 50."),
    "YZ-18": message(
        "A joker goes to its upper box, else to a lower one at full value, else to 0."
    ),
    "YZ-19": message("The grand total is the upper total, the lower sum and the Yahtzee bonus."),
    "YZ-21": message(
        "While the Yahtzee box is empty, five alike are no full house and no straight."
    ),
}
GAME: Final[YachtGame] = replace(
    yacht_game("yahtzee", TITLE, form, RULE_TEXTS), five_alike="yahtzee", bgg_id=2243
)
