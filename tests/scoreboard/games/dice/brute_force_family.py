"""What every roll is worth in every box of BGA's Yahtzee, Yams and Chaser, the slow way.

Imports nothing from the scoreboard: it tries all orders of the five dice, where the
scoreboard counts faces. Faces are ints, boxes their written names.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations_with_replacement, permutations

Dice = tuple[int, ...]
Rule = Callable[[int, int, int, int, int], int]
UPPER = ("aces", "twos", "threes", "fours", "fives", "sixes")
ROLLS: tuple[Dice, ...] = tuple(combinations_with_replacement((1, 2, 3, 4, 5, 6), 5))


def sum_of(*dice: int) -> int:
    """All dice added."""
    return sum(dice)


def row_of(length: int, points: int) -> Rule:
    """So many in sequence, told of one order of the dice."""
    return lambda *dice: (
        points if all(dice[at + 1] == dice[at] + 1 for at in range(length - 1)) else 0
    )


def yams(small_straight: int) -> dict[str, Rule]:
    """YM-3 to YM-9."""
    return {
        "plus": sum_of,
        "minus": sum_of,
        "four-of-a-kind": lambda a, b, c, d, e: a + b + c + d + e + 40 if a == b == c == d else 0,
        "full-house": lambda a, b, c, d, e: a + b + c + d + e + 30 if a == b == c and d == e else 0,
        "small-straight": row_of(4, small_straight),
        "large-straight": row_of(5, 50),
        "yams": lambda a, b, c, d, e: a + b + c + d + e + 50 if a == b == c == d == e else 0,
        "rigole": lambda a, b, c, d, e: 50 if a == b == c == d == 7 - e else 0,
    }


def chaser(*, strict: bool) -> dict[str, Rule]:
    """CH-2 to CH-4."""

    def full_house(a: int, b: int, c: int, d: int, e: int) -> int:
        by_definition = a == b and c == d == e
        by_example = a == b == c == d
        return a + b + c + d + e if by_definition or (by_example and not strict) else 0

    return {
        "chase-off": lambda a, b, c, d, e: 50 if a == b == c == d == e else 0,
        "straight": lambda *dice: 40 if dice == (1, 2, 3, 4, 5) else 0,
        "even-straight": lambda *dice: 30 if dice == (2, 3, 4, 5, 6) else 0,
        "four-dice": lambda a, b, c, d, e: a + b + c + d + e if a == b == c == d else 0,
        "full-house": full_house,
        "choice": lambda a, b, c, d, e: a + b + c + d + e if a == b and c == d else 0,
    }


def bga(full_house: int) -> dict[str, Rule]:
    """YZ-10 to YZ-16 with YB-2."""
    return {
        "three-of-a-kind": lambda a, b, c, d, e: a + b + c + d + e if a == b == c else 0,
        "four-of-a-kind": lambda a, b, c, d, e: a + b + c + d + e if a == b == c == d else 0,
        "full-house": lambda a, b, c, d, e: full_house if a == b == c != d == e else 0,
        "small-straight": row_of(4, 30),
        "large-straight": row_of(5, 40),
        "yahtzee": lambda a, b, c, d, e: 50 if a == b == c == d == e else 0,
        "chance": sum_of,
    }


def worth(dice: Dice, box: str, rules: dict[str, Rule]) -> int:
    """The points of an ordinary roll."""
    if box in UPPER:
        wanted = UPPER.index(box) + 1
        return sum(die for die in dice if die == wanted)
    return max(rules[box](*order) for order in permutations(dice))


def worths(dice: Dice, rules: dict[str, Rule]) -> dict[str, int]:
    """The points in all boxes."""
    return {box: worth(dice, box, rules) for box in (*UPPER, *rules)}


def bga_joker(dice: Dice, filled: dict[str, int], full_house: int) -> dict[str, int]:
    """YB-4: where a further Yahtzee may go, with its points."""
    own = UPPER[dice[0] - 1]
    if own not in filled:
        return {own: sum(dice)}
    rolled = {"full-house": full_house, "small-straight": 30, "large-straight": 40}
    lower = {box: rolled.get(box, sum(dice)) for box in bga(full_house) if box not in filled}
    return lower or {box: 0 for box in UPPER if box not in filled}
