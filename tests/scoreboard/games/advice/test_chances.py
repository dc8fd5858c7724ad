"""How games may end: exact and played results, the chance to win, and what is said of it."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoreboard.dice import Roll
from scoreboard.games.advice.chances import (
    DiceFutures,
    ScoreProbability,
    per_cents,
    win_chances,
)
from scoreboard.games.dice.state import Card
from tests.scoreboard.games.advice.tables import any_values, mean, quantile, spread
from tests.scoreboard.games.dice.playing import card

EMPTY = card({})
UPPER = {"aces": 3, "twos": 6, "threes": 9, "fours": 12, "fives": 15, "sixes": 18}
# the last three turns, with the upper bonus and the Yahtzee bonus still open
LATE = card({**UPPER, "yahtzee": 50, "four-of-a-kind": 0, "full-house": 25, "small-straight": 30})
# pairs of cards of Yahtzee that play against each other
POSITIONS = {
    "the start": (EMPTY, EMPTY),
    "a Yahtzee ahead": (card({"yahtzee": 50}), card({"aces": 2})),
    "midway": (
        card({"aces": 2, "twos": 6, "sixes": 24, "full-house": 25, "chance": 22, "yahtzee": 0}),
        card({"threes": 9, "fours": 12, "fives": 15, "small-straight": 30, "yahtzee": 50}),
    ),
}


def futures_of(name: str, **options: str) -> DiceFutures:
    """The futures of a game whose table comes along."""
    return DiceFutures(any_values(name, frozenset(options.items())))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("strict", "average"),
    [("no", 175.99355282105), ("yes", 174.558623994)],
    ids=["chaser", "strict"],
)
def test_chaser_is_worked_out_exactly(strict: str, average: float) -> None:
    """The average is that of the table, and the spread the one that was examined."""
    empty = card({}, game="chaser", strict_full_house=strict)
    random = np.random.default_rng(1)
    (final,) = futures_of("chaser", strict_full_house=strict).finals([empty], random)
    assert mean(final) == pytest.approx(average, abs=1e-6)
    assert final.probability.sum() == pytest.approx(1)
    if strict == "no":
        assert spread(final) == pytest.approx(37.4, abs=0.05)
        assert [quantile(final, part) for part in (0.05, 0.5, 0.95)] == [113, 177, 243]


def test_the_last_turns_are_exact_whatever_the_game() -> None:
    """Jokers and bonuses included: the average is what the table says, without a random number."""
    futures = futures_of("yahtzee")
    for held in (LATE, card({**UPPER, "yahtzee": 50, "chance": 20, "sixes": 18, "fives": 10})):
        final, again = (futures.finals([held], np.random.default_rng(seed))[0] for seed in range(2))
        assert again.probability.tolist() == final.probability.tolist()
        worth = any_values("yahtzee", frozenset()).of(held)
        assert mean(final) == pytest.approx(held.grand + worth, abs=1e-3)


def test_a_last_box_is_what_three_rolls_give() -> None:
    """The chance of a Yahtzee in three rolls is known: 4.6029 %."""
    others = {key: 0 for key in EMPTY.form.keys if key != "yahtzee"}
    (final,) = futures_of("yahtzee").finals([card(others)], np.random.default_rng(1))
    assert final.at_least(50) == pytest.approx(0.046029, abs=1e-6)
    assert final.at_least(1) == final.at_least(50)
    assert final.at_least(0) == pytest.approx(1)


def test_played_games_score_what_the_table_expects() -> None:
    """From the start, and with the same seed the same."""
    futures = futures_of("yahtzee")
    (final,) = futures.finals([EMPTY], np.random.default_rng(5), futures=4000)
    (again,) = futures.finals([EMPTY], np.random.default_rng(5), futures=4000)
    assert mean(final) == pytest.approx(254.5877, abs=4 * 59.6 / 4000**0.5)
    assert spread(final) == pytest.approx(59.6, abs=4)
    assert final.probability.tolist() == again.probability.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("case", POSITIONS)
def test_a_thousand_futures_are_within_two_points(case: str) -> None:
    """Each chance to win is that of 200,000 games to two points in a hundred."""
    futures, cards = futures_of("yahtzee"), POSITIONS[case]
    many = futures.finals(cards, np.random.default_rng(1), futures=200_000)
    true = np.array(win_chances(many))
    for seed in range(10):
        few = futures.finals(cards, np.random.default_rng(seed + 2), futures=2_000)
        assert np.abs(np.array(win_chances(few)) - true).max() <= 0.02, seed


@pytest.mark.slow
def test_200_000_games_are_those_of_the_table() -> None:
    """The average within four standard errors, and the quantiles as they are published."""
    (final,) = futures_of("yahtzee").finals([EMPTY], np.random.default_rng(3), futures=200_000)
    assert mean(final) == pytest.approx(254.5877, abs=4 * 59.6 / 200_000**0.5)
    quantiles = [quantile(final, part) for part in (0.05, 0.25, 0.5, 0.75, 0.95)]
    assert quantiles == pytest.approx([180, 217, 248, 272, 388], abs=2)


def full(points: int) -> Card:
    """A full card of Chaser with that total."""
    others = dict.fromkeys(card({}, game="chaser").form.keys, 0)
    return card({**others, "choice": points}, game="chaser")


def test_a_finished_game_gives_the_winner_everything() -> None:
    """And those who tie share it."""
    futures, random = futures_of("chaser", strict_full_house="no"), np.random.default_rng(1)
    assert win_chances(futures.finals([full(20), full(24), full(5)], random)) == (0, 1, 0)
    shared = win_chances(futures.finals([full(24), full(24), full(5)], random))
    assert shared == pytest.approx((0.5, 0.5, 0))


finals_strategy = st.lists(
    st.tuples(st.integers(0, 6), st.lists(st.integers(0, 5), min_size=1, max_size=4)).filter(
        lambda each: sum(each[1]) > 0
    ),
    min_size=1,
    max_size=4,
)


@given(finals_strategy)
def test_chances_are_those_of_all_ways_in_which_it_may_end(
    cases: list[tuple[int, list[int]]],
) -> None:
    """However many tie, and whole per cents make a hundred."""
    exact = [Fraction(0)] * len(cases)
    ends = [[(low + at, Fraction(n, sum(w))) for at, n in enumerate(w)] for low, w in cases]
    for end in product(*ends):
        best = max(score for score, _ in end)
        winners = [seat for seat, (score, _) in enumerate(end) if score == best]
        chance = Fraction(1)
        for _, each in end:
            chance *= each
        for seat in winners:
            exact[seat] += chance / len(winners)
    finals = [ScoreProbability(low, np.array(w) / sum(w)) for low, w in cases]
    chances = win_chances(finals)
    assert chances == pytest.approx([float(each) for each in exact], abs=1e-9)
    whole = per_cents(chances)
    assert sum(whole) == 100
    assert all(
        abs(100 * chance - each) < 1 + 1e-6 for chance, each in zip(chances, whole, strict=True)
    )


@pytest.mark.parametrize(
    ("chance", "words"),
    [
        (0.16, "Ben needs 40 more: 1 in 6"),
        (0.801, "Ben needs 40 more: 80 %"),
        (0.001, "Ben needs 40 more: less than 1 in 200"),
    ],
)
def test_what_is_needed_is_said(chance: float, words: str) -> None:
    """The points to the leader, and how likely they are."""
    first = card({**UPPER, "chance": 0, "yahtzee": 0, "full-house": 0, "small-straight": 0})
    ahead = first.with_score("large-straight", 40, 0)
    end = np.zeros(61)
    end[0], end[40] = 1 - chance, chance
    final = ScoreProbability(first.grand, end)
    futures = futures_of("yahtzee")
    said = futures.needed(("Anna", "Ben"), (ahead, first), (final, final), 1)
    assert str(said) == words
    assert futures.needed(("Anna", "Ben"), (ahead, first), (final, final), 0) is None


def test_nothing_is_needed_before_the_last_three_turns() -> None:
    """So early the answer would say nothing."""
    final = ScoreProbability(0, np.ones(1))
    said = futures_of("yahtzee").needed(("Anna", "Ben"), (EMPTY, LATE), (final, final), 0)
    assert said is None


@pytest.mark.parametrize(
    ("box", "dice", "shares", "words"),
    [
        ("yahtzee", None, (48, 52), "Ben needs 50 in Yahtzee: 1 in 22"),
        ("yahtzee", "66661 1", (42, 58), "Ben needs one more six: 1 in 6"),
        ("yahtzee", "66661 2", (35, 65), "Ben needs one more six: 1 in 3"),
        ("yahtzee", "666 1", (49, 51), "Ben needs 50 in Yahtzee: 1 in 36"),
        ("yahtzee", "66661 0", (50, 50), None),
        ("yahtzee", "66666 1", (0, 100), None),
        ("large-straight", "23455 1", (33, 67), "Ben needs a one or a six: 1 in 3"),
        ("large-straight", "12356 1", (42, 58), "Ben needs a four: 1 in 6"),
        ("sixes", "66612 1", (35, 65), "Ben needs 24 in Sixes: 1 in 3"),
    ],
)
def test_the_last_turn_is_followed_roll_by_roll(
    box: str, dice: str | None, shares: tuple[int, int], words: str | None
) -> None:
    """With one box left, what decides is named, and how likely it is; three sixes make it level."""
    keys, futures, ahead = EMPTY.form.keys, futures_of("yahtzee"), 18 * (box == "sixes")
    ben = card({key: 0 for key in keys if key != box} | {"chance": 10})
    anna = card(dict.fromkeys(keys, 0) | {"chance": 10 + ahead})
    roll, left = ("", "0") if dice is None else dice.split()
    rolled = None if dice is None else (Roll.parse(roll), int(left))
    random = np.random.default_rng(1)
    finals = futures.finals((anna, ben), random, seat=1, dice=rolled)
    assert per_cents(win_chances(finals)) == shares
    said = futures.needed(("Anna", "Ben"), (anna, ben), finals, 1, rolled)
    assert (None if said is None else str(said)) == words


def test_early_a_roll_moves_the_average() -> None:
    """Five sixes in the first roll are worth more, a bad last one less; nothing is played anew."""
    futures, random = futures_of("yahtzee"), np.random.default_rng(1)
    (plain,) = futures.finals([EMPTY], random, futures=200)
    for roll, left, gain in (("66666", 2, 60), ("11246", 0, -17)):
        dice = Roll.parse(roll), left
        (final,) = futures.finals([EMPTY], random, futures=200, seat=0, dice=dice)
        assert mean(final) - mean(plain) == pytest.approx(gain, abs=10)


def test_yams_is_played_like_every_other_game() -> None:
    """Its tables are kept in hundredths; the differences and the upper bonus add up."""
    futures, chance = futures_of("yams"), Random(2)
    model = any_values("yams", frozenset()).model
    form = model.form
    left = set(chance.sample(range(len(form.keys)), 2))
    points = tuple(
        None if at in left else int(model.points[at][-1]) for at in range(len(form.keys))
    )
    (final,) = futures.finals([Card(form, points)], np.random.default_rng(1))
    assert final.probability.sum() == pytest.approx(1)
    assert final.at_least(Card(form, points).grand) == pytest.approx(1)
