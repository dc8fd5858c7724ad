"""How long chances to win take, and how far they are from those of many more games."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Final

import click
import numpy as np

from scoreboard.games import DICE_GAMES
from scoreboard.games.advice.chances import DiceFutures, win_chances
from scoreboard.games.advice.dice_values import DiceValues, load
from scoreboard.games.dice.state import Card
from tests.benchmarks.machine import machine, moment, versions
from tests.benchmarks.tables import at_most, bar_rows, rows
from tests.scoreboard.games.advice.tables import mean, quantile, spread

PAGE: Final = Path(__file__).parents[2] / "docs" / "reference" / "benchmark-chances.md"
MOST_SECONDS_GAMES: Final = 0.7
MOST_SECONDS_TABLE: Final = 1.0
MOST_SECONDS_CHASER: Final = 4.7
MOST_ERROR: Final = 2.0
GAMES: Final = 2_000
MANY: Final = 200_000
PLAYERS: Final = 4
FILLED: Final = (0, 3, 6, 9, 11)  # boxes of every player
REPEATS: Final = 20
TEMPLATE: Final = """\
# Benchmark: chances to win

Seconds of one processor. The first time in a process the rulebook is also asked which boxes five
alike may fill. Error: the largest difference, in points of a hundred, of any player's chance to win
from that by {many:,} games for each player, over {repeats} runs at each of {positions} positions of
{players} players of Yahtzee.

| what | at most | measured | kept |
|---|---|---|---|
{bars}

{players} players; seconds by 1,000 futures each, errors by 5,000, as the big screen has them:

| boxes filled | seconds | largest error |
|---|---|---|
{table}

{games:,} games the first time: {first:.2f} s. By {many:,} games Yahtzee brings {mean:.2f} on
average, SD {sd:.1f}; 5, 25, 50, 75, 95 and 99 of 100 are at {quantiles}. Chaser, exactly:
{chaser_mean:.2f}, SD {chaser_sd:.1f}; 5, 50 and 95 of 100 at {chaser_quantiles}.

Measured on {machine}; {versions}; {moment}.

`make benchmark ONLY=chances` measures again and rewrites this page.
"""


def measure_chances() -> bool:
    """Measure, write the page, and return whether the promises are kept."""
    values, empty = _loaded("yahtzee", {})
    futures, start = DiceFutures(values), np.full(GAMES, values.model.number(empty))
    first = _spent(lambda: futures.play(start, np.random.default_rng(1)))
    games = min(_spent(lambda: futures.play(start, np.random.default_rng(2))) for _ in range(3))
    chaser_values, chaser_empty = _loaded("chaser", {"strict_full_house": "no"})
    random = np.random.default_rng(3)
    chaser = DiceFutures(chaser_values)
    chaser_seconds = _spent(lambda: chaser.finals([chaser_empty], random))
    (exact,) = chaser.finals([chaser_empty], random)
    found = [_position(futures, values, filled) for filled in FILLED]
    (final,) = futures.finals([empty], random, futures=MANY)
    bars = [
        at_most("2,000 games of Yahtzee, s", MOST_SECONDS_GAMES, games, digits=2),
        at_most("4 players, 1,000 futures each, s", MOST_SECONDS_TABLE, found[0][0], digits=2),
        at_most("Chaser exactly, once, s", MOST_SECONDS_CHASER, chaser_seconds),
        at_most("error of 5,000 futures, points", MOST_ERROR, max(each for _, each in found)),
    ]
    table = [
        (str(filled), f"{seconds:.2f}", f"{error:.2f}")
        for filled, (seconds, error) in zip(FILLED, found, strict=True)
    ]
    PAGE.write_text(
        TEMPLATE.format(
            many=MANY,
            repeats=REPEATS,
            positions=len(FILLED),
            players=PLAYERS,
            games=GAMES,
            bars=bar_rows(bars),
            table=rows(table),
            first=first,
            mean=mean(final),
            sd=spread(final),
            quantiles=_quantiles(final, (0.05, 0.25, 0.5, 0.75, 0.95, 0.99)),
            chaser_mean=mean(exact),
            chaser_sd=spread(exact),
            chaser_quantiles=_quantiles(exact, (0.05, 0.5, 0.95)),
            machine=machine(),
            versions=versions(),
            moment=moment(),
        ),
        encoding="utf-8",
    )
    click.echo(f"{PAGE.name}: 2,000 games {games:.2f} s, error {bars[-1].measured} points")
    return all(bar.kept for bar in bars)


def _loaded(name: str, agreed: dict[str, str]) -> tuple[DiceValues, Card]:
    values = load(DICE_GAMES[name], agreed)
    assert values is not None
    return values, Card.empty(values.model.form)


def _spent(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _position(futures: DiceFutures, values: DiceValues, filled: int) -> tuple[float, float]:
    """The seconds, and the largest error, of four cards with so many boxes filled."""
    chance, keys = Random(filled), len(values.model.points)
    cards = []
    for _ in range(PLAYERS):
        boxes = set(chance.sample(range(keys), filled))
        held = (
            int(values.model.points[box][len(values.model.points[box]) // 2])
            if box in boxes
            else None
            for box in range(keys)
        )
        cards.append(Card(values.model.form, tuple(held)))
    many = futures.finals(cards, np.random.default_rng(0), futures=MANY)
    true = np.array(win_chances(many))
    seconds, error = [], 0.0
    for seed in range(1, REPEATS + 1):
        random = np.random.default_rng(seed)
        seconds.append(_spent(lambda: futures.finals(cards, random, futures=1000)))  # noqa: B023 -- called at once
        own = np.array(win_chances(futures.finals(cards, random)))
        error = max(error, 100 * float(np.abs(own - true).max()))
    return float(np.median(seconds)), error


def _quantiles(final: Any, parts: tuple[float, ...]) -> str:
    return ", ".join(str(quantile(final, part)) for part in parts)


if __name__ == "__main__":
    sys.exit(0 if measure_chances() else 1)
