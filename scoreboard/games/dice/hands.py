"""What a throw of dice holds, and what that is worth: the parts that boxes are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from scoreboard.dice import FACES, Roll

Worth = Callable[[Roll], int]
Condition = Callable[[Roll], bool]


def sum_of_face(face: int) -> Worth:
    """The sum of the dice that show `face` (YZ-8, CH-5)."""
    return lambda roll: face * roll.counts[face]


def total(roll: Roll) -> int:
    """The sum of all dice (YZ-16, YM-3)."""
    return roll.total


def total_and(points: int) -> Worth:
    """The sum of all dice, and so many points more (YM-5, YM-6, YM-8)."""
    return lambda roll: roll.total + points


def fixed(points: int) -> Worth:
    """The same, whatever the dice (YZ-12 to YZ-15)."""
    return lambda _roll: points


def when(condition: Condition, worth: Worth) -> Worth:
    """`worth` where the condition holds, else 0."""
    return lambda roll: worth(roll) if condition(roll) else 0


def alike(least: int) -> Condition:
    """Whether at least so many dice are alike (YZ-10, YZ-11, YZ-15)."""
    return lambda roll: max(roll.counts.values(), default=0) >= least


def in_sequence(length: int) -> Condition:
    """Whether at least so many dice are in sequence (YZ-13, YZ-14)."""
    return shows_one_of(range(low, low + length) for low in FACES if low + length - 1 in FACES)


def shows_one_of(rows: Iterable[Iterable[int]]) -> Condition:
    """Whether the dice show all faces of at least one of these rows (CH-2)."""
    wanted = tuple(frozenset(row) for row in rows)
    return lambda roll: any(row <= set(roll.faces) for row in wanted)


def split(*groups: tuple[int, ...]) -> Condition:
    """Whether the dice fall into groups of alike ones of one of these sizes, largest first.

    `split((3, 2))` is a full house of two different numbers (YZ-12), `split((3, 2), (5,))`
    one for which five alike count, too (YM-6).
    """
    return lambda roll: tuple(sorted(roll.counts.values(), reverse=True)) in groups


def two_pairs(roll: Roll) -> bool:
    """Whether there is a pair, and another among the rest, of the same number too (CH-4)."""
    return sum(count // 2 for count in roll.counts.values()) >= 2  # noqa: PLR2004 - pairs


def four_and_opposite(roll: Roll) -> bool:
    """Whether four dice are alike and the fifth shows the face opposite to theirs (YM-9)."""
    return split((4, 1))(roll) and len(set(roll.faces) | {7 - face for face in roll.faces}) == 2  # noqa: PLR2004 - one face and its opposite
