"""What every roll is worth in every box of each game of dice, worked out the slow way.

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
    """So many in sequence, seen in one order of the dice."""
    return lambda *dice: (
        points if all(dice[at + 1] == dice[at] + 1 for at in range(length - 1)) else 0
    )


def yahtzee(full_house: int = 25) -> dict[str, Rule]:
    """YZ-10 to YZ-16, and with another full house YB-2."""
    return {
        "three-of-a-kind": lambda a, b, c, d, e: a + b + c + d + e if a == b == c else 0,
        "four-of-a-kind": lambda a, b, c, d, e: a + b + c + d + e if a == b == c == d else 0,
        "full-house": lambda a, b, c, d, e: full_house if a == b == c != d == e else 0,
        "small-straight": row_of(4, 30),
        "large-straight": row_of(5, 40),
        "yahtzee": lambda a, b, c, d, e: 50 if a == b == c == d == e else 0,
        "chance": sum_of,
    }


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


def worth(dice: Dice, box: str, rules: dict[str, Rule]) -> int:
    """The points of an ordinary roll."""
    if box in UPPER:
        wanted = UPPER.index(box) + 1
        return sum(die for die in dice if die == wanted)
    return max(rules[box](*order) for order in permutations(dice))


def worths(dice: Dice, rules: dict[str, Rule]) -> dict[str, int]:
    """The points in all boxes."""
    return {box: worth(dice, box, rules) for box in (*UPPER, *rules)}


def allowed(dice: Dice, filled: dict[str, int], full_house: int = 25) -> dict[str, int]:
    """The boxes of Yahtzee that may be filled, with their points (YZ-6, YZ-18, YB-4)."""
    rules = yahtzee(full_house)
    empty = [box for box in (*UPPER, *rules) if box not in filled]
    if len(set(dice)) > 1 or "yahtzee" not in filled:
        return {box: worth(dice, box, rules) for box in empty}
    own = UPPER[dice[0] - 1]
    if own in empty:
        return {own: sum(dice)}
    joker = {"full-house": full_house, "small-straight": 30, "large-straight": 40}
    lower = {box: joker.get(box, sum(dice)) for box in empty if box in rules}
    return lower or dict.fromkeys(empty, 0)


def bonus(dice: Dice, filled: dict[str, int]) -> int:
    """YZ-17."""
    return 100 if len(set(dice)) == 1 and filled.get("yahtzee") == 50 else 0


def deciding_rule(dice: Dice, box: str, filled: dict[str, int]) -> str:
    """The rule that answers a player who asks why."""
    if len(set(dice)) == 1:
        if "yahtzee" in filled:
            return "YZ-18"
        if box in {"full-house", "small-straight", "large-straight"}:
            return "YZ-21"
    return "YZ-8" if box in UPPER else f"YZ-{10 + list(yahtzee()).index(box)}"
