"""How long advice on dice takes: the options of a roll, loading, working the tables out."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Final

import click

from scoreboard.games import DICE_GAMES
from scoreboard.games.advice.card_model import CardModel
from scoreboard.games.advice.dice_advice import options
from scoreboard.games.advice.dice_values import DiceValues, load, model_of, solve
from scoreboard.games.advice.table_build import TableBuild
from scoreboard.games.dice.state import Card
from tests.benchmarks.machine import machine, moment, versions
from tests.benchmarks.tables import at_most, bar_rows
from tests.benchmarks.timing import clocked
from tests.scoreboard.games.dice.playing import random_roll

PAGE: Final = Path(__file__).parents[2] / "docs" / "reference" / "benchmark-advice.md"
MOST_MS_OPTIONS: Final = 5.0
MOST_MS_LOAD: Final = 10.0
MOST_SECONDS_SOLVE: Final = 15.0
MOST_SECONDS_YAMS: Final = 90.0
ROLLS: Final = 500
LOADS: Final = 20
SHIPPED: Final[tuple[tuple[str, dict[str, str]], ...]] = (
    ("yahtzee", {}),
    ("yahtzee-bga", {"full_house": "30"}),
    ("chaser", {"strict_full_house": "no"}),
    ("chaser", {"strict_full_house": "yes"}),
)
FIRST_LOAD: Final = """
import time
from scoreboard.games import DICE_GAMES
from scoreboard.games.advice.dice_values import load
began = time.process_time()
load(DICE_GAMES["yahtzee"], {})
print(1000 * (time.process_time() - began))
"""
TEMPLATE: Final = """\
# Benchmark: advice on dice

Options: everything that may be done with a roll, with its worth, for {rolls} random cards and rolls
of each game whose table comes along. Loading: a table is mapped into memory; the first time in a
process the rulebook is also asked what every roll is worth in every box, to know that the table
fits. Tables: worked out by `make advice-tables`, in float64 on one processor; that of Yams at its
first use by two processes with low priority, in float32. Milliseconds and seconds of the
processor, but where it says wall.

| what | at most | measured | kept |
|---|---|---|---|
{bars}

The average at best play: {averages}. Options, median: {median:.2f} ms; the first load in a process:
{first:.0f} ms; Yams: {yams_wall:.0f} s wall, on a machine with the load below.

Measured on {machine}; {versions}; {moment}.

`make benchmark` measures again and rewrites this page.
"""


def measure_advice() -> bool:
    """Measure, write the page, and return whether the promises are kept."""
    took = sorted(ms for name, agreed in SHIPPED for ms in _options(name, agreed))
    first = _first_load()
    yahtzee = DICE_GAMES["yahtzee"]
    again = sorted(clocked(lambda: load(yahtzee, {}))[0] for _ in range(LOADS))
    bars = [
        at_most("all options of a roll, ms, 95 of 100", MOST_MS_OPTIONS, quantiles(took, n=20)[-1]),
        at_most("loading a table, ms", MOST_MS_LOAD, median(again), digits=2),
    ]
    averages = []
    for name, agreed in SHIPPED:
        model = _model(name, agreed)
        began = time.process_time()
        table = solve(model)
        spent = time.process_time() - began
        label = " ".join((name, *agreed.values()))
        bars.append(at_most(f"table of {label}, s", MOST_SECONDS_SOLVE, spent))
        averages.append(f"{label} {table[0]:.8f}")
    wall, spent, average = _yams()
    averages.append(f"yams {average:.2f}")
    bars.append(at_most("table of yams, s of each of two processes", MOST_SECONDS_YAMS, spent / 2))
    PAGE.write_text(
        TEMPLATE.format(
            rolls=ROLLS,
            bars=bar_rows(bars),
            averages=", ".join(averages),
            median=median(took),
            first=first,
            yams_wall=wall,
            machine=machine(),
            versions=versions(),
            moment=moment(),
        ),
        encoding="utf-8",
    )
    kept = all(bar.kept for bar in bars)
    click.echo(f"{PAGE.name}: all options of a roll {bars[0].measured} ms, Yams {wall:.0f} s wall")
    return kept


def _model(name: str, agreed: dict[str, str]) -> CardModel:
    model = model_of(DICE_GAMES[name], agreed)
    assert model is not None
    return model


def _options(name: str, agreed: dict[str, str]) -> list[float]:
    values = load(DICE_GAMES[name], agreed)
    assert values is not None
    chance = Random(1)
    cases = [(_card(values, chance), random_roll(chance, 5)) for _ in range(ROLLS)]
    return [clocked(lambda: options(values, card, roll, 2))[0] for card, roll in cases]  # noqa: B023 -- called at once


def _card(values: DiceValues, chance: Random) -> Card:
    """A card with some boxes filled with what they may hold."""
    boxes = len(values.model.points)
    filled = set(chance.sample(range(boxes), chance.randrange(boxes)))
    points = values.model.points
    held = (int(chance.choice(points[box])) if box in filled else None for box in range(boxes))
    return Card(values.model.form, tuple(held))


def _first_load() -> float:
    command = [sys.executable, "-c", FIRST_LOAD]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def _yams() -> tuple[float, float, float]:
    """The wall seconds, the processor seconds and the average."""
    game = DICE_GAMES["yams"]
    with tempfile.TemporaryDirectory() as folder:
        began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        build = TableBuild(game, {}, Path(folder))
        build.wait()
        build.close()
        wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
        values = load(game, {}, Path(folder))
        assert values is not None
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return wall, spent, values.of(Card.empty(values.model.form))


if __name__ == "__main__":
    sys.exit(0 if measure_advice() else 1)
