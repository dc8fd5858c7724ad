"""All 252 rolls in all 13 boxes, against the brute force."""

from __future__ import annotations

import ast
from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from scoreboard.games.dice.acts import CategoryScored, Command, ScoreCategory
from scoreboard.games.dice.yahtzee import GAME
from scoreboard.games.engine.game import Offer
from tests.scoreboard.games.dice import brute_force
from tests.scoreboard.games.dice.brute_force import (
    BOXES,
    LOWER,
    ROLLS,
    UPPER,
    Dice,
    allowed,
    bonus,
    deciding_rule,
    worth,
)
from tests.scoreboard.games.dice.playing import rolled

YAHTZEE_BOX = (None, 50, 0)
# How many of the 7,776 ordered rolls score: textbook figures, no code's.
SCORING_THROWS = {
    "three-of-a-kind": 1656,
    "four-of-a-kind": 156,
    "full-house": 300,
    "small-straight": 1200,
    "large-straight": 240,
    "yahtzee": 6,
}


def card_before(dice: Dice, yahtzee: int | None, *, own: bool, lower: bool) -> dict[str, int]:
    """A card with the Yahtzee box as told, and the own upper or all lower boxes filled."""
    filled = dict.fromkeys(LOWER, 0) if lower else {}
    filled.pop("yahtzee", None)
    if own:
        filled[UPPER[dice[0] - 1]] = 3 * dice[0]
    if yahtzee is not None:
        filled["yahtzee"] = yahtzee
    return filled


@pytest.mark.parametrize(
    ("yahtzee", "own", "lower"), list(product(YAHTZEE_BOX, (False, True), (False, True)))
)
def test_every_roll_takes_what_brute_force_gives(
    *, yahtzee: int | None, own: bool, lower: bool
) -> None:
    """YZ-6 to YZ-18, YZ-21: boxes, points, rule and bonus of every roll on every such card."""
    for dice in ROLLS:
        filled = card_before(dice, yahtzee, own=own, lower=lower)
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


@pytest.mark.parametrize("yahtzee", YAHTZEE_BOX)
def test_the_sheet_shows_what_brute_force_gives(yahtzee: int | None) -> None:
    """The fields of the player whose turn it is show each open box's points, and no others."""
    for dice in ROLLS:
        filled = card_before(dice, yahtzee, own=False, lower=False)
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
    scores = {(dice, box): worth(dice, box) for dice in ROLLS for box in SCORING_THROWS}
    scoring: Counter[str] = Counter()
    for dice in product((1, 2, 3, 4, 5, 6), repeat=5):
        key = tuple(sorted(dice))
        scoring.update(box for box in SCORING_THROWS if scores[key, box])
    assert scoring == SCORING_THROWS


def best_first(dice: Dice) -> list[str]:
    """The boxes by points, most first; those of equal points stay in the sheet's order."""
    points = {box: worth(dice, box) for box in BOXES}
    return [box for most in range(50, -1, -1) for box in BOXES if points[box] == most]


def test_brute_force_knows_nothing_of_the_scoreboard() -> None:
    """A table that its subject helped to make would prove nothing."""
    tree = ast.parse(Path(brute_force.__file__).read_text(encoding="utf-8"))
    imported = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert imported == ["__future__", "collections.abc", "itertools"]
    assert not any(isinstance(node, ast.Import) for node in ast.walk(tree))


def test_boxes_are_offered_best_first() -> None:
    """Two buttons step through the boxes from the most points down, ties in sheet order."""
    for dice in ROLLS:
        commands: list[Command] = [
            offer.command
            for offer in GAME.offers(rolled("".join(map(str, dice)), {}))
            if isinstance(offer, Offer) and isinstance(offer.command, ScoreCategory)
        ]
        assert commands == [ScoreCategory(box) for box in best_first(dice)]
