"""The boxes of the Yahtzee sheet as data: what each takes, and where a joker may go."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final, Literal

from scoreboard.dice import FACES, Roll
from scoreboard.phrase import Phrase, phrase

DICE: Final = 5
FULL_HOUSE: Final = 25
SMALL_STRAIGHT: Final = 30
LARGE_STRAIGHT: Final = 40
YAHTZEE: Final = 50
YAHTZEE_BONUS: Final = 100
UPPER_GOAL: Final = 63
UPPER_BONUS: Final = 35

Section = Literal["upper", "lower"]


@dataclass(frozen=True, slots=True)
class Box:
    """One box of the sheet.

    `worth` gives what an ordinary roll is worth in it, `joker` what a joker is (YZ-18);
    `rule` decides it; `face` is the number of an upper box, None below.
    """

    key: str
    label: Phrase
    hint: Phrase
    section: Section
    rule: str
    worth: Callable[[Roll], int]
    joker: Callable[[Roll], int]
    face: int | None = None


def sum_of_face(face: int) -> Callable[[Roll], int]:
    """YZ-8: the sum of the dice that show `face`."""
    return lambda roll: face * roll.counts[face]


def sum_if_alike(least: int) -> Callable[[Roll], int]:
    """YZ-10, YZ-11: the sum of all dice when at least `least` are alike."""
    return lambda roll: roll.total if max(roll.counts.values()) >= least else 0


def fixed(points: int) -> Callable[[Roll], int]:
    """YZ-18: the full value of a box, whatever the dice."""
    return lambda _roll: points


def full_house(roll: Roll) -> int:
    """YZ-12: three of one number and two of another."""
    return FULL_HOUSE if sorted(roll.counts.values()) == [2, 3] else 0


def straight(length: int, points: int) -> Callable[[Roll], int]:
    """YZ-13, YZ-14: `length` dice in sequence."""
    runs = [set(range(low, low + length)) for low in FACES if low + length - 1 in FACES]
    return lambda roll: points if any(run <= set(roll.faces) for run in runs) else 0


def five_alike(roll: Roll) -> int:
    """YZ-15: five alike."""
    return YAHTZEE if is_yahtzee(roll) else 0


def total(roll: Roll) -> int:
    """YZ-16: the sum of all dice."""
    return roll.total


def is_yahtzee(roll: Roll) -> bool:
    """Whether all five dice are alike (YZ-15)."""
    return len(roll) == DICE and len(roll.counts) == 1


def _upper(key: str, label: Phrase, hint: Phrase, face: int) -> Box:
    worth = sum_of_face(face)
    return Box(key, label, hint, "upper", "YZ-8", worth, worth, face)


_SUM: Final = phrase("Sum of all dice")

BOXES: Final[tuple[Box, ...]] = (
    _upper("aces", phrase("Aces"), phrase("Sum of the aces"), 1),
    _upper("twos", phrase("Twos"), phrase("Sum of the twos"), 2),
    _upper("threes", phrase("Threes"), phrase("Sum of the threes"), 3),
    _upper("fours", phrase("Fours"), phrase("Sum of the fours"), 4),
    _upper("fives", phrase("Fives"), phrase("Sum of the fives"), 5),
    _upper("sixes", phrase("Sixes"), phrase("Sum of the sixes"), 6),
    Box(
        key="three-of-a-kind",
        label=phrase("3 of a kind"),
        hint=_SUM,
        section="lower",
        rule="YZ-10",
        worth=sum_if_alike(3),
        joker=total,
    ),
    Box(
        key="four-of-a-kind",
        label=phrase("4 of a kind"),
        hint=_SUM,
        section="lower",
        rule="YZ-11",
        worth=sum_if_alike(4),
        joker=total,
    ),
    Box(
        key="full-house",
        label=phrase("Full house"),
        hint=phrase("25 points"),
        section="lower",
        rule="YZ-12",
        worth=full_house,
        joker=fixed(FULL_HOUSE),
    ),
    Box(
        key="small-straight",
        label=phrase("Small straight"),
        hint=phrase("4 in sequence: 30 points"),
        section="lower",
        rule="YZ-13",
        worth=straight(4, SMALL_STRAIGHT),
        joker=fixed(SMALL_STRAIGHT),
    ),
    Box(
        key="large-straight",
        label=phrase("Large straight"),
        hint=phrase("5 in sequence: 40 points"),
        section="lower",
        rule="YZ-14",
        worth=straight(5, LARGE_STRAIGHT),
        joker=fixed(LARGE_STRAIGHT),
    ),
    Box(
        key="yahtzee",
        label=phrase("Yahtzee"),
        hint=phrase("5 alike: 50 points"),
        section="lower",
        rule="YZ-15",
        worth=five_alike,
        joker=five_alike,
    ),
    Box(
        key="chance",
        label=phrase("Chance"),
        hint=_SUM,
        section="lower",
        rule="YZ-16",
        worth=total,
        joker=total,
    ),
)
KEYS: Final = tuple(box.key for box in BOXES)


@dataclass(frozen=True, slots=True)
class Placement:
    """A box that may be filled now, with the points it takes and the rule that decides."""

    box: Box
    points: int
    rule: str


def placements(roll: Roll, filled: Collection[str]) -> tuple[Placement, ...]:
    """Every box that this roll may fill, in the sheet's order, when `filled` are taken.

    Follows YZ-6 and, for a further Yahtzee, YZ-18.
    """
    empty = tuple(box for box in BOXES if box.key not in filled)
    if is_yahtzee(roll) and "yahtzee" in filled:
        return _joker_placements(roll, empty)
    return tuple(Placement(box, box.worth(roll), _deciding_rule(roll, box)) for box in empty)


def _joker_placements(roll: Roll, empty: tuple[Box, ...]) -> tuple[Placement, ...]:
    """YZ-18: (a) the upper box of its number, else (b) any lower box, else (c) any upper at 0."""
    own = tuple(box for box in empty if box.face == roll.faces[0])
    lower = tuple(box for box in empty if box.section == "lower")
    return tuple(Placement(box, box.joker(roll), "YZ-18") for box in own or lower or empty)


def _deciding_rule(roll: Roll, box: Box) -> str:
    """YZ-21 says why five alike are no full house and no straight; else the box's own rule."""
    unlike = box.key in {"full-house", "small-straight", "large-straight"}
    return "YZ-21" if is_yahtzee(roll) and unlike else box.rule
