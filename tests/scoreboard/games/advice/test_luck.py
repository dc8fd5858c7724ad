"""Luck of rolls and costs of decisions add up to the score."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod
from random import Random
from typing import Final

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scoreboard.games import DICE_GAMES
from scoreboard.games.advice.luck import (
    ALARM,
    CONCENTRATION,
    PlayerLuck,
    evidence,
    last_turn,
    luck_of,
    verdict,
)
from scoreboard.games.dice.acts import DiceRolled
from scoreboard.games.engine.transcript import events_in_force
from scoreboard.games.notation import replay_text
from tests.scoreboard.games.advice.tables import any_values
from tests.scoreboard.games.dice.playing import evolved, random_events, seeds, setup_of


def analysed(text: str) -> tuple[PlayerLuck, ...]:
    """The luck of a written game."""
    played = replay_text(text)
    values = any_values(played.game.name, frozenset(played.setup.options.items()))
    return luck_of(values, played.game, played.setup, events_in_force(played.records))


def solo(*lines: str) -> PlayerLuck:
    """The luck of a lone player of Yahtzee."""
    (player,) = analysed("\n".join(("game yahtzee", "players Anna", "option start first", *lines)))
    return player


def test_the_start_option_is_written() -> None:
    """The texts here begin with the first counted roll."""
    assert solo().rolls == ()


@pytest.mark.parametrize("name", DICE_GAMES)
@settings(max_examples=25, deadline=None)
@given(seeds, st.just(10_000) | st.integers(0, 150))
def test_average_plus_luck_less_costs_is_the_score(name: str, seed: int, most: int) -> None:
    """Whatever happens: roll-offs, foul dice, corrections, jokers, players who leave.

    Wherever a game breaks off, what is to come counts as well.
    """
    game, setup = setup_of(seed, name=name)
    events = random_events(game.start(setup), seed, most)
    values = any_values(name, frozenset(setup.options.items()))
    state = evolved(game.start(setup), events)
    players = luck_of(values, game, setup, events)
    for player, held in zip(players, state.cards, strict=True):
        told = player.average + player.luck - player.cost
        assert told == pytest.approx(player.expected, abs=1e-6)
        assert (player.score, player.finished) == (held.grand, held.is_full)
        if player.finished:
            assert told == pytest.approx(held.grand, abs=1e-6)
        assert all(each.chosen.cost >= 0 for each in player.decisions)
    counted = sum(isinstance(event, DiceRolled) for event in events)
    assert sum(len(player.rolls) for player in players) == counted


@settings(max_examples=15, deadline=None)
@given(seeds)
def test_the_last_turn_is_one_of_the_game(seed: int) -> None:
    """Its player's decisions are those that the whole game has for the turn of that number."""
    game, setup = setup_of(seed, name="yahtzee")
    events = random_events(game.start(setup), seed)
    values = any_values("yahtzee", frozenset(setup.options.items()))
    assert last_turn(values, game, setup, []) is None
    last = last_turn(values, game, setup, events)
    assume(last is not None)  # whoever plays alone may leave before the first box
    assert last is not None
    player, decisions = last
    (whole,) = (each for each in luck_of(values, game, setup, events) if each.player == player)
    number = decisions[-1].turn
    assert decisions[-1].chosen.box is not None
    assert decisions == tuple(each for each in whole.decisions if each.turn == number)


def test_a_turn_is_told_roll_by_roll() -> None:
    """Each roll's luck, the keep that was best, the box that was not."""
    player = solo("roll 44421", "keep 444", "roll 44455", "score fours")
    decided = [(each.number, str(each.roll)) for each in player.decisions]
    assert decided == [(1, "44421"), (2, "44455")]
    assert len(player.rolls) == 2
    assert [(each.chosen.key, each.grade) for each in player.decisions] == [
        ("keep 444", "best"),
        ("score fours", "costly"),
    ]
    best = [each.advice.best[0].key for each in player.decisions]
    assert best == ["keep 444", "keep 444"]


def test_stopping_is_a_decision_of_its_own() -> None:
    """Whoever stops with three fours pays for that, and not again for the best box."""
    player = solo("roll 44421", "keep 44421", "score fours")
    stop, box = player.decisions
    assert (stop.chosen.key, stop.grade) == ("keep 44421", "costly")
    at_once = solo("roll 44421", "score fours")
    assert at_once.cost == pytest.approx(player.cost)
    assert len(at_once.decisions) == 1
    assert box.chosen.cost < stop.chosen.cost


def test_a_keep_that_nobody_announced_is_taken_for_the_best_that_fits() -> None:
    """A table that only enters its rolls is not told that it kept nothing."""
    unsaid = solo("roll 44421", "roll 44456", "score fours").decisions[0]
    assert (unsaid.chosen.key, unsaid.grade) == ("keep 444", "best")
    same = solo("roll 44421", "roll 44421", "score fours").decisions[0]
    assert same.chosen.key == "keep 444"
    said = solo("roll 44421", "keep -", "roll 44456", "score fours").decisions[0]
    assert (said.chosen.key, said.grade) == ("keep -", "costly")


def test_foul_dice_and_corrections_count_as_they_lay_at_last() -> None:
    """YZ-5: the die that fell off is no roll, and a misreading never happened."""
    plain = solo("roll 44455", "score fours")
    foul = solo("roll 44451", "reroll-one 1 -> 5", "score fours")
    corrected = solo("roll 11111", "correct roll 44455", "score fours")
    assert foul == plain == corrected


def test_a_joker_is_paid_as_luck() -> None:
    """YZ-17: the hundred points come from the roll, not from the box."""
    yahtzee = ("roll 55555", "score yahtzee")
    player = solo(*yahtzee, "roll 55555", "score fives")
    assert player.score == 50 + 100 + 25
    assert player.rolls[1] > 100
    assert player.decisions[1].grade == "best"


FAIR: Final = (1 / 6,) * 6
GAME: Final = 120  # dice that a player rolls in a game of Yahtzee, about


def loaded(six: float) -> tuple[float, ...]:
    """A die that shows more sixes and fewer ones, as one with a weight inside does."""
    return (1 / 3 - six, *FAIR[:4], six)


def rolled(chances: Sequence[float], dice: int, chance: Random) -> list[int]:
    """What so many dice show, by face."""
    shown = chance.choices(range(6), chances, k=dice)
    return [shown.count(face) for face in range(6)]


@cache
def unusual(chances: tuple[float, ...], dice: int, tables: int) -> float:
    """The share of tables at which such dice are called unusual within that many."""
    chance = Random(1)
    found = (
        verdict(rolled(chances, GAME, chance) for _ in range(dice // GAME)) for _ in range(tables)
    )
    return sum(each.is_unusual for each in found) / tables


def test_fair_dice_are_seldom_accused() -> None:
    """At one table in a hundred at most, over forty games and looked at after each."""
    assert unusual(FAIR, 40 * GAME, 500) <= 0.02


@pytest.mark.parametrize(
    ("chances", "dice", "least"),
    [
        (loaded(0.20), 1000, 0.28),
        (loaded(0.20), 2000, 0.72),
        (loaded(0.22), 1000, 0.88),
        (loaded(0.25), 500, 0.90),
        ((0.14, 0.18, 0.18, 0.18, 0.18, 0.14), 1500, 0.40),
    ],
)
def test_loaded_dice_are_found(chances: tuple[float, ...], dice: int, least: float) -> None:
    """About as soon as engines.md 4c measured, with what two hundred tables may differ by."""
    assert unusual(chances, dice, 200) >= least


@given(st.lists(st.integers(0, 4), min_size=6, max_size=6))
def test_evidence_is_the_mixture_s(counts: list[int]) -> None:
    """Die by die, as Pólya's urn draws them: the order makes no difference."""
    urn, likelier = [Fraction(CONCENTRATION)] * 6, Fraction(1)
    for face, count in enumerate(counts):
        for _ in range(count):
            likelier *= 6 * urn[face] / sum(urn)
            urn[face] += 1
    assert evidence(counts) == pytest.approx(float(likelier))


def test_evidence_is_fair_on_average() -> None:
    """Over all rolls of three dice it is 1: what makes false alarms rare."""
    totals = [
        evidence([faces.count(face) for face in range(6)]) for faces in product(range(6), repeat=3)
    ]
    assert sum(totals) / len(totals) == pytest.approx(1)
    assert prod(totals) < 1


def test_what_was_unusual_once_stays_so() -> None:
    """An alarm counts, though later rolls look better."""
    found = verdict([[0, 0, 0, 0, 0, 20], [20, 20, 20, 20, 20, 0]])
    assert (found.dice, found.counts) == (120, (20,) * 6)
    assert found.highest > ALARM > evidence(found.counts)
    assert found.is_unusual
    assert not verdict([]).is_unusual
