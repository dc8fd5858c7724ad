"""The test vectors of the rules pages of BGA's Yahtzee, Yams and Chaser."""

from __future__ import annotations

import pytest

from scoreboard.games.dice.acts import CategoryScored, ScoreCategory
from scoreboard.games.notation import replay_text
from tests.scoreboard.games.dice.playing import after, card, game_of, offered_boxes, rolled

STRICT = {"strict_full_house": "yes"}

VECTORS = [
    ("YB-2", "yahtzee-bga", "55566", {}, {"fives": 15, "sixes": 12, "full-house": 30}),
    ("YB-2", "yahtzee-bga", "55566", {"full_house": "25"}, {"full-house": 25}),
    ("YB-1", "yahtzee-bga", "34561", {}, {"small-straight": 30, "large-straight": 0}),
    ("YB-1", "yahtzee-bga", "12345", {}, {"large-straight": 40}),
    ("YB-6", "yahtzee-bga", "44444", {}, {"yahtzee": 50, "full-house": 0, "fours": 20}),
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
    ("CH-2", "chaser", "55555", {}, {"chase-off": 50, "four-dice": 25, "fives": 25}),
    ("CH-4", "chaser", "55555", {}, {"full-house": 25, "choice": 25, "straight": 0}),
    ("CH-3", "chaser", "55556", {}, {"four-dice": 26, "full-house": 26, "choice": 26}),
    ("CH-5", "chaser", "55556", {}, {"sixes": 6, "fives": 20, "chase-off": 0}),
    ("CH-3", "chaser", "55556", STRICT, {"full-house": 0, "four-dice": 26, "choice": 26}),
    ("CH-3", "chaser", "55555", STRICT, {"full-house": 25}),
    ("CH-4", "chaser", "11225", {}, {"choice": 11, "full-house": 0}),
    ("CH-3", "chaser", "11122", {}, {"full-house": 7, "choice": 7, "aces": 3, "twos": 4}),
    ("CH-2", "chaser", "12346", {}, {"chase-off": 0, "straight": 0, "even-straight": 0}),
    ("CH-7", "chaser", "66666", {}, {"full-house": 30, "sixes": 30}),
    ("CH-2", "chaser", "12345", {}, {"straight": 40, "even-straight": 0}),
    ("CH-2", "chaser", "23456", {}, {"even-straight": 30, "straight": 0}),
    ("CH-5", "chaser", "33312", {}, {"full-house": 0, "choice": 0, "threes": 9}),
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
