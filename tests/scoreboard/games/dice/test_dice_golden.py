"""All 252 rolls in all boxes of each game of dice, against the brute force."""

from __future__ import annotations

import ast
from collections import Counter
from itertools import product
from math import factorial, prod
from pathlib import Path

import pytest

from scoreboard.games.dice.acts import CategoryScored, Command, ScoreCategory
from scoreboard.games.dice.yahtzee import GAME
from scoreboard.games.engine.game import Offer
from tests.scoreboard.games.dice import brute_force
from tests.scoreboard.games.dice.brute_force import (
    ROLLS,
    UPPER,
    Dice,
    Rule,
    allowed,
    bonus,
    chaser,
    deciding_rule,
    worth,
    worths,
    yahtzee,
    yams,
)
from tests.scoreboard.games.dice.playing import offered_boxes, rolled

LOWER = tuple(yahtzee())
BOXES = UPPER + LOWER
YAHTZEE_BOX = (None, 50, 0)
# How many of the 7,776 ordered rolls score: textbook figures, no code's.
SCORING_ROLLS = {
    "three-of-a-kind": 1656,
    "four-of-a-kind": 156,
    "full-house": 300,
    "small-straight": 1200,
    "large-straight": 240,
    "yahtzee": 6,
}


def card_before(dice: Dice, held: int | None, *, own: bool, lower: bool) -> dict[str, int]:
    """A card with that in the Yahtzee box, and the own upper or all lower boxes filled."""
    filled = dict.fromkeys(LOWER, 0) if lower else {}
    filled.pop("yahtzee", None)
    if own:
        filled[UPPER[dice[0] - 1]] = 3 * dice[0]
    if held is not None:
        filled["yahtzee"] = held
    return filled


@pytest.mark.parametrize(
    ("held", "own", "lower"), list(product(YAHTZEE_BOX, (False, True), (False, True)))
)
def test_every_roll_of_yahtzee_takes_what_brute_force_gives(
    *, held: int | None, own: bool, lower: bool
) -> None:
    """YZ-6 to YZ-18, YZ-21: boxes, points, rule and bonus of every roll on every such card."""
    for dice in ROLLS:
        filled = card_before(dice, held, own=own, lower=lower)
        state = rolled("".join(map(str, dice)), filled)
        offered = {
            offer.command.category: (offer.points, offer.rule)
            for offer in GAME.offers(state)
            if isinstance(offer, Offer) and isinstance(offer.command, ScoreCategory)
        }
        assert offered == {
            box: (points, deciding_rule(dice, box, filled))
            for box, points in allowed(dice, filled).items()
        }, (dice, filled)
        for box, (points, rule) in offered.items():
            (event,) = GAME.decide(state, ScoreCategory(box))
            assert event == CategoryScored("Solo", box, points or 0, rule, bonus(dice, filled))


@pytest.mark.parametrize("held", YAHTZEE_BOX)
def test_the_sheet_shows_what_brute_force_gives(held: int | None) -> None:
    """The fields of the player whose turn it is show each open box's points, and no others."""
    for dice in ROLLS:
        filled = card_before(dice, held, own=False, lower=False)
        sheet = GAME.scoresheet(rolled("".join(map(str, dice)), filled))
        cells = {key: sheet.row(key).cells[0] for key in BOXES}
        may = allowed(dice, filled)
        assert {key: cell.possible for key, cell in cells.items()} == {
            key: may.get(key) for key in BOXES
        }
        assert {key: cell.offer for key, cell in cells.items() if cell.offer} == {
            key: f"score:{key}" for key in may
        }


def test_brute_force_knows_the_textbook_odds() -> None:
    """The brute force itself, against how many of all 7,776 rolls score in each box."""
    scores = {(dice, box): worth(dice, box, yahtzee()) for dice in ROLLS for box in SCORING_ROLLS}
    scoring: Counter[str] = Counter()
    for dice in product((1, 2, 3, 4, 5, 6), repeat=5):
        key = tuple(sorted(dice))
        scoring.update(box for box in SCORING_ROLLS if scores[key, box])
    assert scoring == SCORING_ROLLS


def best_first(dice: Dice) -> list[str]:
    """The boxes by points, most first; those of equal points stay in the sheet's order."""
    points = {box: worth(dice, box, yahtzee()) for box in BOXES}
    return [box for most in range(50, -1, -1) for box in BOXES if points[box] == most]


def test_boxes_are_offered_best_first() -> None:
    """Two buttons step through the boxes from the most points down, ties in sheet order."""
    for dice in ROLLS:
        commands: list[Command] = [
            offer.command
            for offer in GAME.offers(rolled("".join(map(str, dice)), {}))
            if isinstance(offer, Offer) and isinstance(offer.command, ScoreCategory)
        ]
        assert commands == [ScoreCategory(box) for box in best_first(dice)]


TABLES = [
    ("yams", {}, yams(40)),
    ("yams", {"small_straight": "45"}, yams(45)),
    ("chaser", {}, chaser(strict=False)),
    ("chaser", {"strict_full_house": "yes"}, chaser(strict=True)),
    ("yahtzee-bga", {}, yahtzee(30)),
    ("yahtzee-bga", {"full_house": "25"}, yahtzee(25)),
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


@pytest.mark.parametrize(("full_house", "held"), list(product((30, 25), (50, 0))))
def test_every_joker_goes_where_brute_force_puts_it(full_house: int, held: int) -> None:
    """YB-4, YB-5: every further Yahtzee, with any of its own, all lower, no box filled."""
    options = {"full_house": str(full_house)}
    lower = [box for box in yahtzee(full_house) if box != "yahtzee"]
    for face, own, low in product(range(1, 7), (False, True), (False, True)):
        filled = {"yahtzee": held} | (dict.fromkeys(lower, 0) if low else {})
        filled |= {UPPER[face - 1]: 3 * face} if own else {}
        dice = (face,) * 5
        boxes = offered_boxes(rolled(written(dice), filled, "yahtzee-bga", **options))
        assert boxes == allowed(dice, filled, full_house), (dice, filled)


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
    tree = ast.parse(Path(brute_force.__file__).read_text(encoding="utf-8"))
    imported = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert imported == ["__future__", "collections.abc", "itertools"]
    assert not any(isinstance(node, ast.Import) for node in ast.walk(tree))
