"""What may be done with a roll, and what each choice costs."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoreboard.dice import Roll
from scoreboard.games import DICE_GAMES
from scoreboard.games.advice.dice_advice import (
    Grade,
    RollAdvice,
    advise,
    cost_in_words,
    grade,
    options,
)
from scoreboard.games.advice.dice_values import load
from scoreboard.games.dice.acts import DiceRolled
from tests.scoreboard.games.advice.tables import any_values
from tests.scoreboard.games.dice.playing import (
    after,
    begun,
    card,
    evolved,
    offered_boxes,
    random_events,
    seeds,
    setup_of,
)


def advice_on(
    roll: str, left: int, filled: dict[str, int], game: str = "yahtzee", **agreed: str
) -> RollAdvice:
    """The options of a lone player with this card."""
    values = load(DICE_GAMES[game], agreed)
    assert values is not None
    return options(values, card(filled, 0, game, **agreed), Roll.parse(roll), left)


@pytest.mark.parametrize("name", DICE_GAMES)
@settings(max_examples=25)
@given(seeds, st.integers(0, 200))
def test_advice_offers_what_the_rulebook_offers(name: str, seed: int, length: int) -> None:
    """YZ-18: never another box or other points; every keep is of the roll, and none is missing."""
    game, setup = setup_of(seed, name=name)
    state = game.start(setup)
    state = evolved(state, random_events(state, seed, length))
    values = any_values(name, frozenset(setup.options.items()))
    advice = advise(values, state)
    offers = {offer.key for offer in game.offers(state)}
    scores = state.opening == "over" and any(key.startswith("score:") for key in offers)
    assert (advice is not None) == scores
    if advice is None or state.rolls.roll is None:
        return
    assert {each.box: each.points for each in advice.boxes} == offered_boxes(state)
    keeps = [each.keep for each in advice.options if each.keep is not None]
    ways = 1
    for count in state.rolls.roll.counts.values():
        ways *= count + 1
    assert len(set(keeps)) == len(keeps) == (ways - 1 if "keep" in offers else 0)
    assert all(not keep.missing_from(state.rolls.roll).faces for keep in keeps)
    assert min(each.cost for each in advice.options) == 0
    worths = [each.worth for each in advice.options]
    assert worths == pytest.approx(sorted(worths, reverse=True), abs=1e-6)


def test_the_best_keep_is_named_with_what_the_own_one_costs() -> None:
    """The sentence that a player reads after the turn."""
    advice = advice_on("44421", 1, {})
    said = {each.key: str(advice.words_on(each)) for each in advice.options}
    assert said["keep 44"] == "Best: keep 4 4 4 (you kept 4 4). Cost about 9 points."
    assert said["keep -"].startswith("Best: keep 4 4 4 (you rolled all dice again). Cost about ")
    assert said["score aces"].endswith(" (you scored 1 in Aces). Cost about 16 points.")
    assert len(advice.shown) == 3


def test_a_box_is_named_with_its_points() -> None:
    """A large straight is taken; nothing is kept when no roll is left."""
    advice = advice_on("23456", 0, {})
    assert str(advice.words) == "score 40 in Large straight"
    assert all(each.keep is None for each in advice.options)


def test_a_hopeless_roll_is_rolled_again_whole() -> None:
    """To keep none of the dice has words and a key of its own."""
    advice = advice_on("11234", 2, dict.fromkeys(card({}).form.keys[:12], 0))
    (none,) = (each for each in advice.options if each.key == "keep -")
    assert str(none.words) == "roll all dice again"


def test_equal_options_are_named_together() -> None:
    """With one roll left for the last Yahtzee, each of five dice is as good to keep."""
    filled = dict.fromkeys(card({}).form.keys, 0)
    del filled["yahtzee"]
    advice = advice_on("12345", 1, filled)
    best = [f"keep {face}" for face in range(1, 6)]
    assert [each.key for each in advice.best] == [*best, "keep -"]
    assert str(advice.words).startswith("keep 1 or keep 2 or ")


@pytest.mark.parametrize(
    ("cost", "name", "words"),
    [
        (0, "best", "less than a point"),
        (0.0005, "best", "less than a point"),
        (0.99, "good", "less than a point"),
        (1, "okay", "about a point"),
        (2.99, "okay", "about 3 points"),
        (3, "costly", "about 3 points"),
    ],
)
def test_costs_have_names(cost: float, name: Grade, words: str) -> None:
    """Four for a family, and no fractions of an average."""
    assert grade(cost, 0.001) == name
    assert str(cost_in_words(cost)) == words


def test_there_is_no_advice_without_a_roll() -> None:
    """Before the first roll, and while the players roll for the start."""
    values = load(DICE_GAMES["yahtzee"], {})
    assert values is not None
    assert advise(values, begun("Anna", start="first")) is None
    state = after(begun("Anna", start="first"), DiceRolled(Roll.parse("11234")))
    advice = advise(values, state)
    assert advice is not None
    chance = Random(1)
    shuffled = Roll(tuple(chance.sample((1, 1, 2, 3, 4), 5)))
    assert options(values, state.cards[0], shuffled, 2) == advice
