"""All 252 rolls in all boxes of BGA's Yahtzee, Yams and Chaser, against the brute force."""

from __future__ import annotations

import ast
from collections import Counter
from itertools import product
from math import factorial, prod
from pathlib import Path

import pytest

from tests.scoreboard.games.dice import brute_force_family
from tests.scoreboard.games.dice.brute_force_family import (
    ROLLS,
    UPPER,
    Dice,
    Rule,
    bga,
    bga_joker,
    chaser,
    worths,
    yams,
)
from tests.scoreboard.games.dice.playing import offered_boxes, rolled

TABLES = [
    ("yams", {}, yams(40)),
    ("yams", {"small_straight": "45"}, yams(45)),
    ("chaser", {}, chaser(strict=False)),
    ("chaser", {"strict_full_house": "yes"}, chaser(strict=True)),
    ("yahtzee-bga", {}, bga(30)),
    ("yahtzee-bga", {"full_house": "25"}, bga(25)),
]


def written(dice: Dice) -> str:
    """The dice in the scoreboard's notation."""
    return "".join(map(str, dice))


@pytest.mark.parametrize(("game", "options", "rules"), TABLES)
def test_every_roll_takes_what_brute_force_gives(
    game: str, options: dict[str, str], rules: dict[str, Rule]
) -> None:
    """YM-1 to YM-10, CH-2 to CH-7, YB-2: every roll on an empty card."""
    for dice in ROLLS:
        boxes = offered_boxes(rolled(written(dice), {}, game, **options))
        assert boxes == worths(dice, rules), dice


@pytest.mark.parametrize(("full_house", "yahtzee"), list(product((30, 25), (50, 0))))
def test_every_joker_goes_where_brute_force_puts_it(full_house: int, yahtzee: int) -> None:
    """YB-4, YB-5: every further Yahtzee, with any of its own, all lower, no box filled."""
    options = {"full_house": str(full_house)}
    lower = [box for box in bga(full_house) if box != "yahtzee"]
    for face, own, low in product(range(1, 7), (False, True), (False, True)):
        filled = {"yahtzee": yahtzee} | (dict.fromkeys(lower, 0) if low else {})
        filled |= {UPPER[face - 1]: 3 * face} if own else {}
        dice = (face,) * 5
        boxes = offered_boxes(rolled(written(dice), filled, "yahtzee-bga", **options))
        assert boxes == bga_joker(dice, filled, full_house), (dice, filled)


@pytest.mark.parametrize(
    ("strict", "expected"),
    [
        (
            False,
            {
                "chase-off": 6,
                "straight": 120,
                "even-straight": 120,
                "four-dice": 156,
                "full-house": 456,
                "choice": 2256,
            },
        ),
        (True, {"full-house": 306}),
    ],
)
def test_brute_force_knows_the_exact_chances(*, strict: bool, expected: dict[str, int]) -> None:
    """The digest's figures for Chaser: how many of all 7,776 rolls make each hand."""
    made: Counter[str] = Counter()
    for dice in ROLLS:
        orders = factorial(5) // prod(factorial(count) for count in Counter(dice).values())
        worth = worths(dice, chaser(strict=strict))
        made.update({box: orders for box in expected if worth[box]})
    assert made == expected


def test_brute_force_knows_nothing_of_the_scoreboard() -> None:
    """A table that its subject helped to make would prove nothing."""
    tree = ast.parse(Path(brute_force_family.__file__).read_text(encoding="utf-8"))
    imported = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert imported == ["__future__", "collections.abc", "itertools"]
    assert not any(isinstance(node, ast.Import) for node in ast.walk(tree))
