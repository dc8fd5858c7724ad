"""How long the best turn of Rummikub takes to find, and whether it is the best."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

import click

from scoreboard.games.advice.best_turns import best_turn
from scoreboard.games.rummikub.referee import TableSets
from tests.benchmarks.machine import machine, moment, versions
from tests.benchmarks.timing import clocked
from tests.scoreboard.games.advice.best_turns import (
    best_by_trying,
    filled,
    most_tiles,
    position,
    rank,
)

PAGE: Final = Path(__file__).parents[2] / "docs" / "reference" / "benchmark-best-turns.md"
SEED: Final = 1
# the tiles on the table, the number of positions, the milliseconds promised: median, p95, most
SIZES: Final = {
    "0 to 60": (range(61), 120, (12.0, 50.0, 200.0)),
    "60 to 75": (range(60, 76), 60, (None, 200.0, 400.0)),
    "84 to 100": (range(84, 101), 60, (None, 200.0, 400.0)),
}
CHECKED: Final = 60
TEMPLATE: Final = """\
# Benchmark: the best turn of Rummikub

The best turn for a rack of 5 to 20 tiles: most tiles, then most points, then the fewest sets
changed, then the fewest jokers. Tables are legal sets drawn at random from the classic box of 106,
with a joker in one of twelve. Times are processor milliseconds, one thread.

| tiles on the table | positions | median | p95 | longest | promised |
|---|---|---|---|---|---|
{rows}

{verdict}

{checked} other positions were solved in other ways, too: {small} small ones by trying every table,
and the rest, up to 40 tiles with jokers on the rack alone, by a dynamic program. Wrong: {wrong}.

Measured on {machine}; {versions}; {moment}.

`make benchmark` measures again and rewrites this page.
"""


def measure_best_turns() -> bool:
    """Measure, write the page, and return whether the promise is kept."""
    rows, kept = [], True
    for name, (sizes, positions, promised) in SIZES.items():
        chance, took = Random(SEED), []
        for _ in range(positions):
            before, rack = filled(chance, chance.choice(sizes), chance.randint(5, 20))
            standing = TableSets(before, melded=True, rack=rack)
            took.append(clocked(partial(best_turn, standing))[0])
        took.sort()
        found = (took[positions // 2], took[positions * 95 // 100], took[-1])
        kept &= all(
            most is None or each <= most for each, most in zip(found, promised, strict=True)
        )
        bars = " / ".join("-" if each is None else f"{each:.0f}" for each in promised)
        rows.append(
            f"| {name} | {positions} | {' | '.join(f'{each:.0f}' for each in found)} | {bars} |"
        )
    wrong = _wrong()
    kept &= not wrong
    PAGE.write_text(
        TEMPLATE.format(
            rows="\n".join(rows),
            verdict="The promise is kept." if kept else "The promise is not kept.",
            checked=2 * CHECKED,
            small=CHECKED,
            wrong=wrong,
            machine=machine(),
            versions=versions(),
            moment=moment(),
        ),
        encoding="utf-8",
    )
    click.echo("\n".join([f"{PAGE.name}:", *rows, f"wrong: {wrong}"]))
    return kept


def _wrong() -> int:
    """How many answers another way to the best turn contradicts."""
    chance, wrong = Random(SEED), 0
    for _ in range(CHECKED):
        before, rack = position(chance, 3, 4, range(1, 7), joker=0.5)
        standing = TableSets(before, melded=True, rack=rack)
        turn = best_turn(standing)
        wrong += (None if turn is None else rank(standing, turn.table)) != best_by_trying(standing)
        before, rack = position(chance, chance.randint(0, 10), chance.randint(1, 12), joker=0)
        standing = TableSets(before, melded=True, rack=rack)
        turn = best_turn(standing)
        laid = (0, 0) if turn is None else rank(standing, turn.table)[:2]
        wrong += laid != most_tiles(before.tiles, rack)
    return wrong


if __name__ == "__main__":
    sys.exit(0 if measure_best_turns() else 1)
