"""A scorecard as data: the worth of rolls, the boxes, and the rows that fill themselves."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from scoreboard.dice import FACES, Roll
from scoreboard.message import Message, message

Worth = Callable[[Roll], int]
Condition = Callable[[Roll], bool]


def total(roll: Roll) -> int:
    """The sum of all dice (YZ-16, YM-3)."""
    return roll.total


def total_and(points: int) -> Worth:
    """The sum of all dice plus `points` (YM-5, YM-6, YM-8)."""
    return lambda roll: roll.total + points


def fixed(points: int) -> Worth:
    """That many points, whatever the dice (YZ-12 to YZ-15)."""
    return lambda _roll: points


def when(condition: Condition, worth: Worth) -> Worth:
    """`worth` if the condition holds, else 0."""
    return lambda roll: worth(roll) if condition(roll) else 0


def of_a_kind(least: int) -> Condition:
    """Whether at least `least` dice show the same face (YZ-10, YZ-11, YZ-15)."""
    return lambda roll: max(roll.counts.values(), default=0) >= least


def in_sequence(length: int) -> Condition:
    """Whether `length` dice or more are in sequence (YZ-13, YZ-14)."""
    return shows_one_of(range(low, low + length) for low in FACES if low + length - 1 in FACES)


def shows_one_of(rows: Iterable[Iterable[int]]) -> Condition:
    """Whether the dice show all faces of at least one of these rows (CH-2)."""
    wanted = tuple(frozenset(row) for row in rows)
    return lambda roll: any(row <= set(roll.faces) for row in wanted)


def split(*groups: tuple[int, ...]) -> Condition:
    """Whether the dice form groups of equal ones of one of these sizes, largest first.

    `split((3, 2))` is a full house of two different numbers (YZ-12), `split((3, 2), (5,))` one that
    five equal dice fill, too (YM-6).
    """
    return lambda roll: tuple(sorted(roll.counts.values(), reverse=True)) in groups


def two_pairs(roll: Roll) -> bool:
    """Whether there are two pairs, possibly of the same number (CH-4)."""
    return sum(count // 2 for count in roll.counts.values()) >= 2  # noqa: PLR2004 - pairs


def four_and_opposite(roll: Roll) -> bool:
    """Whether four dice are equal and the fifth shows the face opposite to theirs (YM-9)."""
    return split((4, 1))(roll) and len(set(roll.faces) | {7 - face for face in roll.faces}) == 2  # noqa: PLR2004 - one face and its opposite


Section = Literal["upper", "lower", "made", "totals"]
Points = Mapping[str, int | None]


@dataclass(frozen=True, slots=True)
class Box:
    """One box of the card.

    `worth` gives a roll's points in it; `rule` decides it; `face` is the number of an upper box,
    None below; `joker` gives a joker's points in it, by default the same.
    """

    key: str
    label: Message
    hint: Message
    section: Section
    rule: str
    worth: Worth
    face: int | None = None
    joker: Worth | None = None


@dataclass(frozen=True, slots=True)
class Total:
    """A row that fills itself.

    `sum` gives its points from the values of all rows above it by key (None: nothing to show yet);
    `missing` how many points are missing to it, if the card shows that (YB-3); `rule` decides it.
    """

    key: str
    label: Message
    section: Section
    rule: str
    sum: Callable[[Points], int | None]
    hint: Message | None = None
    missing: Callable[[Points], int] | None = None


@dataclass(frozen=True, slots=True)
class Placement:
    """A box that may be filled now, with the points it takes and the rule that decides."""

    box: Box
    points: int
    rule: str


Placing = Callable[[tuple[Box, ...], Roll, Collection[str]], tuple[Placement, ...]]
FurtherBonus = Callable[[Points, Roll], int]


def any_empty_box(
    boxes: tuple[Box, ...], roll: Roll, filled: Collection[str]
) -> tuple[Placement, ...]:
    """Every empty box takes the roll's points in it (YZ-6, CH-7, YM-10)."""
    return tuple(
        Placement(box, box.worth(roll), box.rule) for box in boxes if box.key not in filled
    )


def no_bonus(_points: Points, _roll: Roll) -> int:
    """No bonus on top of the box (CH-6, YM-10)."""
    return 0


@dataclass(frozen=True, slots=True)
class Citations:
    """The identifiers of a game's rules on topics common to the family.

    They are about the number of players, the start, the rolls of a turn, foul dice, filling a box,
    a box at 0, and the end. The defaults are those of Yahtzee's sheet.
    """

    players: str = "YZ-1"
    start: str = "YZ-2"
    roll: str = "YZ-4"
    foul: str = "YZ-5"
    fill: str = "YZ-6"
    zero: str = "YZ-7"
    end: str = "YZ-19"


@dataclass(frozen=True, slots=True)
class Form:
    """One game's card under its house rules.

    `rows` are the card's, in the order of the paper. `placing` gives the boxes that a roll may
    fill, `further` its bonus on top of a box (YZ-17). `house_rules` are those not at their default,
    to be printed. Two forms are equal if they are of one game under the same house rules.
    """

    game: str
    rows: tuple[Box | Total, ...] = field(compare=False)
    rules: Citations = field(default=Citations(), compare=False)
    placing: Placing = field(default=any_empty_box, compare=False)
    further: FurtherBonus = field(default=no_bonus, compare=False)
    dice: int = 5
    rolls_allowed: int = 3
    house_rules: tuple[Message, ...] = ()

    @property
    def boxes(self) -> tuple[Box, ...]:
        return tuple(row for row in self.rows if isinstance(row, Box))

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(box.key for box in self.boxes)


FURTHER = "further-bonus"  # the key of the bonuses earned on top of the boxes
Sum = Callable[[Points], int | None]


def added(*keys: str) -> Sum:
    """The sum of these rows; an empty one counts as 0."""
    return lambda points: sum(points[key] or 0 for key in keys)


@dataclass(frozen=True, slots=True)
class Bonus:
    """Points for reaching a goal, and some for each point above it (YZ-9, YM-2)."""

    of: str
    goal: int
    points: int
    each_above: int = 0

    def __call__(self, points: Points) -> int:
        above = (points[self.of] or 0) - self.goal
        return 0 if above < 0 else self.points + self.each_above * above

    def missing(self, points: Points) -> int:
        """The points missing to the goal, 0 once it is reached (YB-3)."""
        return max(0, self.goal - (points[self.of] or 0))


@dataclass(frozen=True, slots=True)
class Difference:
    """One row minus another, never below 0; None until both are filled (YM-4)."""

    more: str
    less: str

    def __call__(self, points: Points) -> int | None:
        one, other = points[self.more], points[self.less]
        return None if one is None or other is None else max(0, one - other)


_FACES: Final = (
    ("aces", message("Aces"), message("Sum of the aces")),
    ("twos", message("Twos"), message("Sum of the twos")),
    ("threes", message("Threes"), message("Sum of the threes")),
    ("fours", message("Fours"), message("Sum of the fours")),
    ("fives", message("Fives"), message("Sum of the fives")),
    ("sixes", message("Sixes"), message("Sum of the sixes")),
)
UPPER_KEYS: Final = tuple(key for key, _, _ in _FACES)


def upper_boxes(rule: str, labels: tuple[Message, ...] = ()) -> tuple[Box, ...]:
    """Aces to Sixes (YZ-8, CH-5), decided by `rule`; `labels` are the game's own names."""
    names = labels or tuple(label for _, label, _ in _FACES)

    def sum_of(face: int) -> Worth:
        return lambda roll: face * roll.counts[face]

    return tuple(
        Box(key, names[face - 1], hint, "upper", rule, sum_of(face), face)
        for face, (key, _, hint) in enumerate(_FACES, start=1)
    )


def straight(key: str, label: Message, rule: str, length: int, points: int) -> Box:
    """That many dice in sequence, for these points; a joker, too (YZ-13, YZ-14, YM-7)."""
    hint = message("{length} in sequence: {points} points", length=length, points=points)
    worth = when(in_sequence(length), fixed(points))
    return Box(key, label, hint, "lower", rule, worth, joker=fixed(points))
