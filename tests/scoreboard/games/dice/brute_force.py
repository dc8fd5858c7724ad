"""What every roll is worth in every box of Yahtzee, worked out the slow way.

Imports nothing from the scoreboard: it tries all orders of the five dice, where the
scoreboard counts faces. Faces are ints, boxes their written names.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations_with_replacement, permutations

Dice = tuple[int, ...]
UPPER = ("aces", "twos", "threes", "fours", "fives", "sixes")
LOWER = (
    "three-of-a-kind",
    "four-of-a-kind",
    "full-house",
    "small-straight",
    "large-straight",
    "yahtzee",
    "chance",
)
BOXES = UPPER + LOWER
ROLLS: tuple[Dice, ...] = tuple(combinations_with_replacement((1, 2, 3, 4, 5, 6), 5))
LOWER_WORTH: dict[str, Callable[[int, int, int, int, int], int]] = {
    "three-of-a-kind": lambda a, b, c, d, e: a + b + c + d + e if a == b == c else 0,
    "four-of-a-kind": lambda a, b, c, d, e: a + b + c + d + e if a == b == c == d else 0,
    "full-house": lambda a, b, c, d, e: 25 if a == b == c != d == e else 0,
    "small-straight": lambda a, b, c, d, _: 30 if a + 3 == b + 2 == c + 1 == d else 0,
    "large-straight": lambda a, b, c, d, e: 40 if a + 4 == b + 3 == c + 2 == d + 1 == e else 0,
    "yahtzee": lambda a, b, c, d, e: 50 if a == b == c == d == e else 0,
    "chance": lambda a, b, c, d, e: a + b + c + d + e,
}
JOKER_WORTH = {"full-house": 25, "small-straight": 30, "large-straight": 40}


def worth(dice: Dice, box: str) -> int:
    """The points of an ordinary roll, YZ-8 and YZ-10 to YZ-16."""
    if box in UPPER:
        wanted = UPPER.index(box) + 1
        return sum(die for die in dice if die == wanted)
    return max(LOWER_WORTH[box](*order) for order in permutations(dice))


def allowed(dice: Dice, filled: dict[str, int]) -> dict[str, int]:
    """The boxes that may be filled, with their points, YZ-6 and YZ-18."""
    empty = [box for box in BOXES if box not in filled]
    if worth(dice, "yahtzee") == 0 or "yahtzee" not in filled:
        return {box: worth(dice, box) for box in empty}
    own = UPPER[dice[0] - 1]
    if own in empty:
        return {own: sum(dice)}
    lower = {box: JOKER_WORTH.get(box, sum(dice)) for box in empty if box in LOWER}
    return lower or dict.fromkeys(empty, 0)


def bonus(dice: Dice, filled: dict[str, int]) -> int:
    """YZ-17."""
    return 100 if worth(dice, "yahtzee") and filled.get("yahtzee") == 50 else 0


def deciding_rule(dice: Dice, box: str, filled: dict[str, int]) -> str:
    """The rule that a player is told when asking why."""
    if worth(dice, "yahtzee"):
        if "yahtzee" in filled:
            return "YZ-18"
        if box in JOKER_WORTH:
            return "YZ-21"
    if box in UPPER:
        return "YZ-8"
    return f"YZ-{10 + LOWER.index(box)}"
