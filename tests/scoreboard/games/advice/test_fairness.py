"""Fairness of dice: how rarely fair ones are accused, and how soon loaded ones are."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod
from random import Random
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoreboard.games.advice.fairness import ALARM, CONCENTRATION, evidence, verdict

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
    assert found.highest > ALARM > found.evidence
    assert found.is_unusual
    assert not verdict([]).is_unusual
