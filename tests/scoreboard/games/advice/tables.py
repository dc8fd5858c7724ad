"""Cards, vectors and tables for the tests of advice."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from scoreboard.games import DICE_GAMES
from scoreboard.games.advice.chances import ScoreProbability
from scoreboard.games.advice.dice_values import DiceValues, load, model_of
from scoreboard.games.dice.family import YachtGame
from scoreboard.games.dice.state import Card
from tests.scoreboard.games.dice.playing import card


@dataclass(frozen=True)
class Vector:
    """A card, and what independent_solver.c says that it is worth."""

    card: Card
    worth: float


@cache
def vectors() -> dict[tuple[str, str], list[Vector]]:
    """All of dice_vectors.csv, by game and house rule; the first of each is the empty card."""
    found: dict[tuple[str, str], list[Vector]] = {}
    with Path(__file__).with_name("dice_vectors.csv").open(encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            pairs = (each.split("=") for each in row["card"].split())
            filled = {box: int(points) for box, points in pairs}
            held = card(filled, 0, row["game"], **agreed(row["option"]))
            vector = Vector(held, float(row["worth"]))
            found.setdefault((row["game"], row["option"]), []).append(vector)
    return found


def agreed(option: str) -> dict[str, str]:
    """House rules as a mapping."""
    return dict([option.split("=")]) if option else {}


@cache
def any_values(name: str, options: frozenset[tuple[str, str]]) -> DiceValues:
    """The values of a game; made up where its table is made at first use."""
    game: YachtGame = DICE_GAMES[name]
    values = load(game, dict(options))
    if values is not None:
        return values
    model = model_of(game, dict(options))
    assert model is not None
    made_up = np.random.default_rng(1).integers(0, 30_000, model.positions, np.uint16)
    made_up[model.start[-2] :] = 0  # nothing is to come for a full card
    return DiceValues(model, made_up)


def mean(final: ScoreProbability) -> float:
    """The expected score."""
    return final.low + float(final.probability @ np.arange(len(final.probability)))


def spread(final: ScoreProbability) -> float:
    """The standard deviation."""
    scores = final.low + np.arange(len(final.probability))
    return float(np.sqrt(final.probability @ (scores - mean(final)) ** 2))


def quantile(final: ScoreProbability, part: float) -> int:
    """The least score that is reached or missed with that probability."""
    summed = np.cumsum(final.probability)
    return final.low + int(np.searchsorted(summed, part * summed[-1] - 1e-12))
