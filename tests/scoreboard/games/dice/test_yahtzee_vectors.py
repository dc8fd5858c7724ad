"""The test vectors of the rules page: dice -> box: points."""

from __future__ import annotations

import pytest

from scoreboard.errors import RuleViolationError
from scoreboard.games.dice.acts import ScoreCategory
from scoreboard.games.dice.form import Total
from scoreboard.games.dice.yahtzee import GAME
from tests.scoreboard.games.dice.playing import after, card, offered_boxes, rolled

KEYS = card({}).form.keys
UPPER = KEYS[:6]

VECTORS = [
    ("YZ-8", "33324", {}, {"threes": 9, "twos": 2, "fours": 4}),
    ("YZ-10", "33324", {}, {"three-of-a-kind": 15, "chance": 15}),
    ("YZ-10", "55521", {}, {"three-of-a-kind": 18, "chance": 18}),
    ("YZ-8", "55521", {}, {"fives": 15, "twos": 2, "aces": 1}),
    ("YZ-7", "55521", {}, {"threes": 0, "fours": 0, "sixes": 0, "four-of-a-kind": 0}),
    ("YZ-7", "55521", {}, {"full-house": 0, "small-straight": 0, "large-straight": 0}),
    ("YZ-7", "55521", {}, {"yahtzee": 0}),
    ("YZ-11", "22226", {}, {"four-of-a-kind": 14, "three-of-a-kind": 14, "chance": 14}),
    ("YZ-8", "22226", {}, {"twos": 8, "sixes": 6}),
    ("YZ-12", "33355", {}, {"full-house": 25, "three-of-a-kind": 19, "chance": 19}),
    ("YZ-8", "33355", {}, {"threes": 9, "fives": 10}),
    ("YZ-18", "44444", {"yahtzee": 50, "fours": 8}, {"large-straight": 40}),
    ("YZ-18", "44444", {"yahtzee": 0, "fours": 8}, {"large-straight": 40}),
    ("YZ-18", "44444", {"yahtzee": 50}, {"fours": 20}),
    ("YZ-21", "44444", {}, {"yahtzee": 50, "full-house": 0}),
    ("YZ-21", "44444", {}, {"small-straight": 0, "large-straight": 0}),
    ("YZ-14", "23456", {}, {"large-straight": 40, "small-straight": 30, "chance": 20}),
    ("YZ-13", "12346", {}, {"small-straight": 30, "large-straight": 0}),
]


@pytest.mark.parametrize(("rule", "roll", "filled", "expected"), VECTORS)
def test_a_vector_of_the_rules_page(
    rule: str, roll: str, filled: dict[str, int], expected: dict[str, int]
) -> None:
    """The dice take the points that the page (`rule`) says."""
    worth = offered_boxes(rolled(roll, filled))
    assert worth.items() >= expected.items(), rule


def test_bonus_marks_have_no_limit() -> None:
    """YZ-17: a second further Yahtzee adds another 100 to the first."""
    state = rolled("44444", {"yahtzee": 50, "fours": 8})
    assert after(state, ScoreCategory("chance")).cards[0].further == 100
    marked = card({"yahtzee": 50}, bonus=100).with_score("fours", 20, 100)
    assert marked.values["yahtzee-bonus"] == 200


@pytest.mark.parametrize(
    ("upper", "bonus"),
    [
        ((3, 6, 9, 12, 15, 17), 0),  # 62
        ((3, 6, 9, 12, 15, 18), 35),  # 63: three of each number
        ((5, 10, 15, 20, 25, 30), 35),
        ((0, 0, 0, 0, 0, 0), 0),
    ],
)
def test_the_upper_bonus_begins_at_63(upper: tuple[int, ...], bonus: int) -> None:
    """YZ-9: 62 earns nothing, 63 earns 35, and no sum earns more."""
    totals = card(dict(zip(UPPER, upper, strict=True))).values
    assert (totals["upper"], totals["bonus"]) == (sum(upper), bonus)
    assert totals["upper-total"] == sum(upper) + bonus


def test_totals_come_in_the_order_of_the_card() -> None:
    """YZ-19: upper sum, bonus, upper total, lower sum, Yahtzee bonus, grand total."""
    filled = {"sixes": 30, "fives": 25, "fours": 8, "yahtzee": 50, "chance": 22}
    marked = card(filled, bonus=200)
    totals = [row.key for row in marked.form.rows if isinstance(row, Total)]
    assert [(key, marked.values[key]) for key in totals] == [
        ("upper", 63),
        ("bonus", 35),
        ("upper-total", 98),
        ("lower", 72),
        ("yahtzee-bonus", 200),
        ("grand", 370),
    ]


REFUSALS = [
    ("YZ-6", "55521", {"fives": 15}, "fives", None),
    ("YZ-6", "44444", {"yahtzee": 50}, "yahtzee", None),  # filled comes before misplaced
    ("YZ-6", "55521", {}, "flush", None),
    ("YZ-18", "44444", {"yahtzee": 50}, "chance", None),
    ("YZ-18", "44444", {"yahtzee": 0}, "aces", 0),
    ("YZ-18", "44444", {"yahtzee": 0, "fours": 4}, "aces", None),
    ("YZ-8", "55521", {}, "fives", 10),
    ("YZ-12", "33355", {}, "full-house", 19),
    ("YZ-15", "55555", {}, "yahtzee", 100),
    ("YZ-21", "55555", {}, "full-house", 25),
    ("YZ-18", "44444", {"yahtzee": 50}, "fours", 120),  # the bonus is not the box's own
    ("YZ-7", "33355", {}, "full-house", 0),
]


@pytest.mark.parametrize(("rule", "roll", "filled", "box", "points"), REFUSALS)
def test_a_refused_box_names_its_rule(
    rule: str, roll: str, filled: dict[str, int], box: str, points: int | None
) -> None:
    """A filled box, a misplaced joker and wrong points are refused by their rules."""
    with pytest.raises(RuleViolationError) as refusal:
        GAME.decide(rolled(roll, filled), ScoreCategory(box, points))
    assert refusal.value.rule == rule
    assert str(refusal.value)
