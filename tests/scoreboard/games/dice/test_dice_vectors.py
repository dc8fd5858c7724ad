"""The test vectors of the rules pages that the brute force does not settle, and what is refused.

All rolls of all games stand in test_dice_golden.py; the textbooks have no figures for Yams alone.
"""

from __future__ import annotations

import pytest

from scoreboard.dice import Roll
from scoreboard.errors import RuleViolationError
from scoreboard.games.dice.acts import CategoryScored, DiceKept, ScoreCategory
from scoreboard.games.dice.form import Total
from scoreboard.games.dice.yahtzee import GAME
from scoreboard.games.notation import replay_text
from tests.scoreboard.games.dice.playing import after, card, game_of, offered_boxes, rolled

KEYS = card({}).form.keys
UPPER = KEYS[:6]

VECTORS = [
    ("YM-5", "yams", "66662", {}, {"four-of-a-kind": 66}),
    ("YM-5", "yams", "55556", {}, {"four-of-a-kind": 66, "rigole": 0}),
    ("YM-8", "yams", "55555", {}, {"yams": 75, "four-of-a-kind": 65, "full-house": 55}),
    ("YM-10", "yams", "55555", {}, {"fives": 25, "plus": 25, "minus": 25, "rigole": 0}),
    ("YM-10", "yams", "55555", {}, {"small-straight": 0, "large-straight": 0}),
    ("YM-6", "yams", "55566", {}, {"full-house": 57}),
    ("YM-9", "yams", "55552", {}, {"rigole": 50}),
    ("YM-9", "yams", "55553", {}, {"rigole": 0}),
    ("YM-9", "yams", "22225", {}, {"rigole": 50}),
    ("YM-7", "yams", "12345", {}, {"small-straight": 40, "large-straight": 50}),
    ("YM-7", "yams", "12346", {"small_straight": "45"}, {"small-straight": 45}),
]


@pytest.mark.parametrize(("rule", "game", "roll", "options", "expected"), VECTORS)
def test_a_vector_of_the_rules_page(
    rule: str, game: str, roll: str, options: dict[str, str], expected: dict[str, int]
) -> None:
    """The dice take the points that the page (`rule`) says."""
    worth = offered_boxes(rolled(roll, {}, game, **options))
    assert worth.items() >= expected.items(), rule


@pytest.mark.parametrize(
    ("filled", "box", "points", "bonus"),
    [
        ({"yahtzee": 50}, "fives", 25, 100),
        ({"yahtzee": 50, "fives": 15}, "large-straight", 40, 100),
        ({"yahtzee": 50, "fives": 15}, "full-house", 30, 100),
        ({"yahtzee": 0, "fives": 15}, "large-straight", 40, 0),
    ],
)
def test_a_second_yahtzee_of_the_arena(
    filled: dict[str, int], box: str, points: int, bonus: int
) -> None:
    """YB-4 and YB-5: 100 at once where the first counted, and the box as if it were rolled."""
    state = rolled("55555", filled, "yahtzee-bga")
    (event,) = game_of(state).decide(state, ScoreCategory(box))
    assert event == CategoryScored("Solo", box, points, "YB-4", bonus)


@pytest.mark.parametrize(
    ("first", "second", "points", "bonus"),
    [
        ("55555 score fives", "44444 score yahtzee", 50, 0),  # the letter of the sheet: 100 at once
        ("55555 score fives", "44444 score fours", 20, 0),
        ("12346 score yahtzee", "44444 score fours", 20, 0),  # and by the letter no joker
        ("55555 score yahtzee", "44444 score fours", 20, 100),
    ],
)
def test_the_box_counts_the_yahtzees_of_the_arena(
    first: str, second: str, points: int, bonus: int
) -> None:
    """YB-5, YB-6 as they are written down: it is the filled box that makes the next one a bonus."""
    lines = (line for turn in (first, second) for line in f"roll {turn}".split(" score "))
    acts = [line if line.startswith("roll") else f"score {line}" for line in lines]
    text = "\n".join(["game yahtzee-bga", "players Solo", "option start first", *acts])
    scored = replay_text(text).records[-1].event
    assert isinstance(scored, CategoryScored)
    assert (scored.points, scored.bonus) == (points, bonus)


@pytest.mark.parametrize(
    ("game", "upper", "bonus", "missing"),
    [
        ("yahtzee-bga", 50, 0, 13),
        ("yahtzee-bga", 62, 0, 1),
        ("yahtzee-bga", 63, 35, None),
        ("yams", 59, 0, 1),
        ("yams", 60, 30, None),
        ("yams", 61, 31, None),
        ("yams", 63, 33, None),
        ("yams", 69, 39, None),
    ],
)
def test_the_bonus_row_counts_down(game: str, upper: int, bonus: int, missing: int | None) -> None:
    """YB-3, YM-2: how much is missing, and then the bonus by itself."""
    state = rolled("12345", {"sixes": upper}, game)
    cell = game_of(state).scoresheet(state).row("bonus").cells[0]
    assert (cell.points, cell.missing) == (bonus, missing)


def test_a_full_card_is_missing_nothing() -> None:
    """YM-2: the bonus that was not reached is 0, and nothing is to go."""
    *keys, last = rolled("12345", {}, "yams").form.keys
    state = rolled("12345", dict.fromkeys(keys, 0), "yams")
    full = after(state, DiceKept(Roll.parse("12345")), ScoreCategory(last))
    cell = game_of(full).scoresheet(full).row("bonus").cells[0]
    assert (cell.points, cell.missing) == (0, None)


@pytest.mark.parametrize(
    ("filled", "delta"),
    [
        ({"plus": 20, "minus": 12}, 8),
        ({"plus": 12, "minus": 20}, 0),
        ({"plus": 20, "minus": 20}, 0),
        ({"plus": 20}, None),
        ({"minus": 20}, None),
    ],
)
def test_delta_fills_itself(filled: dict[str, int], delta: int | None) -> None:
    """YM-3, YM-4: the difference, blank until both are filled; the two themselves add nothing."""
    held = card(filled, game="yams")
    assert held.values["delta"] == delta
    assert held.grand == (delta or 0)


def test_a_further_yams_goes_anywhere() -> None:
    """YM-10: no joker and no bonus: what does not fit is 0."""
    state = rolled("55555", {"yams": 75}, "yams")
    boxes = offered_boxes(state)
    assert len(boxes) == 13
    assert boxes["small-straight"] == 0
    assert after(state, ScoreCategory("fives")).cards[0].further == 0


@pytest.mark.parametrize(
    ("game", "options", "printed"),
    [
        ("yahtzee-bga", {}, []),
        ("yahtzee-bga", {"full_house": "25"}, ["full house 25"]),
        ("yams", {"small_straight": "45"}, ["small straight 45"]),
        ("chaser", {"strict_full_house": "yes", "start": "first"}, ["strict full house"]),
    ],
)
def test_house_rules_are_printed(game: str, options: dict[str, str], printed: list[str]) -> None:
    """An invisible house rule looks like a bug: the sheet tells those not at their default."""
    state = rolled("12345", {}, game, **options)
    assert [str(each) for each in game_of(state).scoresheet(state).options] == printed


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
