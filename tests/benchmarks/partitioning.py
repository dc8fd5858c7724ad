"""How long Rummikub's referee takes: for sets in a loose heap, and for a table of new sets."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from typing import Final

import click

from scoreboard.games.rummikub.partition import partition
from scoreboard.games.rummikub.referee import TableSets, judge
from scoreboard.games.rummikub.sets import Laid
from scoreboard.games.rummikub.tiles import CLASSIC, COLOURS, JOKER, NUMBERS, Piece, Tile, Tiles
from tests.benchmarks.machine import machine, moment, versions
from tests.benchmarks.timing import clocked

PAGE: Final = Path(__file__).parents[2] / "docs" / "reference" / "benchmark-sets.md"
MOST_MILLISECONDS: Final = 1000.0
MOST_MILLISECONDS_JUDGED: Final = 50.0
SIZES: Final = (20, 40, 60, 80, 95, 100, 104, 106)
HEAPS: Final = 25
REPEATS: Final = 20
SEED: Final = 1
TEMPLATE: Final = """\
# Benchmark: sets in a loose heap

Can a heap of tiles be partitioned into legal sets, and how? {heaps} heaps of each size,
drawn at random from the classic box of 106 (those of 106 are the whole box in another order), and
the same number of hard ones of 95 to 97 tiles, some of which have no partition. Times are processor
milliseconds.

The promise: at most 1,000 ms, also if the answer is no. {verdict}

| tiles | answered yes | answered no | median | longest |
|---|---|---|---|---|
{rows}

## A first meld of many sets

How long the referee takes to judge a first meld (RK-5) of many sets, for example if the tiles of
the last round are still on the table: the median and the longest of {repeats} judgements.
"Disputed": every set on the table was taken apart, and one copy of most tiles is new, so it is
open which sets are new. "Jokers": a misread picture with more jokers than the box has.

The promise: at most 50 ms. {judged_verdict}

| table | sets | tiles | median | longest |
|---|---|---|---|---|
{judged}

Measured on {machine}; {versions}; {moment}.

`make benchmark` measures again and rewrites this page.
"""


def measure_partition() -> bool:
    """Measure, write the page, and return whether the promise is kept."""
    rows, longest = [], 0.0
    for size, heaps in _heaps().items():
        answers = [(partition(heap) is not None, _took(heap)) for heap in heaps]
        took = sorted(cpu for _, cpu in answers)
        yes = sum(found for found, _ in answers)
        longest = max(longest, took[-1])
        rows.append(
            f"| {size} | {yes} | {len(heaps) - yes} | {took[len(took) // 2]:.0f} | {took[-1]:.0f} |"
        )
    lays = _lays()
    judged = {name: _judged(*tables) for name, tables in lays.items()}
    longest_judged = max(each[-1] for each in judged.values())
    kept = longest < MOST_MILLISECONDS
    kept_judged = longest_judged < MOST_MILLISECONDS_JUDGED
    PAGE.write_text(
        TEMPLATE.format(
            heaps=HEAPS,
            verdict=_said(longest, kept=kept),
            rows="\n".join(rows),
            repeats=REPEATS,
            judged_verdict=_said(longest_judged, kept=kept_judged),
            judged="\n".join(
                f"| {name} | {len(after.sets)} | {len(after.tiles)} |"
                f" {judged[name][REPEATS // 2]:.1f} | {judged[name][-1]:.1f} |"
                for name, (_, after) in lays.items()
            ),
            machine=machine(),
            versions=versions(),
            moment=moment(),
        ),
        encoding="utf-8",
    )
    click.echo(
        f"{PAGE.name}: the longest partition took {longest:.0f} ms, "
        f"the longest judgement {longest_judged:.0f} ms"
    )
    return kept and kept_judged


def _said(longest: float, *, kept: bool) -> str:
    return f"The longest took {longest:.0f} ms: {'kept' if kept else 'not kept'}."


def _judged(before: Laid, after: Laid) -> list[float]:
    """Processor milliseconds of each judgement, the shortest first."""
    standing = TableSets(before, melded=False, may_build=True)
    return sorted(clocked(lambda: judge(standing, after))[0] for _ in range(REPEATS))


def _lays() -> dict[str, tuple[Laid, Laid]]:
    """The tables before and after, by their names on the page."""
    groups = [[f"{colour}{number}" for colour in COLOURS] for number in NUMBERS]
    jokers = [["K12", "K13", "J"], ["R12", "R13", "J"]]
    return {
        "new": (Laid(), _table([*_runs(1), *_runs(1)[:14]])),
        "new, the whole box": (Laid(), _table([*_runs(1), *groups[12:]] * 2 + [["J"], ["J"]])),
        "disputed": (_table(_runs(1)), _table([*groups, *_runs(2)])),
        "jokers": (_table([["K1", "K2", "J"]]), _table([*_runs(1), *jokers * 10])),
    }


def _runs(lowest: int) -> list[list[str]]:
    """All runs of three from this number on, next to each other."""
    lows = range(lowest, NUMBERS[-1] - 1, 3)
    return [[f"{c}{low + step}" for step in range(3)] for c in COLOURS for low in lows]


def _table(sets: list[list[str]]) -> Laid:
    return Laid.parse(", ".join(map(" ".join, sets)))


def _took(heap: Tiles) -> float:
    """Processor milliseconds."""
    return clocked(lambda: partition(heap))[0]


def _heaps() -> dict[str, list[Tiles]]:
    chance = Random(SEED)
    heaps = {str(size): [_heap(size, chance) for _ in range(HEAPS)] for size in SIZES}
    heaps["95 to 97, awkward"] = [_awkward(chance) for _ in range(HEAPS)]
    return heaps


def _box() -> list[Piece]:
    numbered = [Tile(colour, number) for colour in COLOURS for number in NUMBERS]
    return [*numbered * CLASSIC.copies, *[JOKER] * CLASSIC.jokers]


def _heap(size: int, chance: Random) -> Tiles:
    box = _box()
    chance.shuffle(box)
    return Tiles(tuple(box[:size]))


def _awkward(chance: Random) -> Tiles:
    """The box without jokers, most high tiles of two colours, and some other tiles."""
    missing = {Tile("K", 11), Tile("K", 12), Tile("R", 12)}
    left = [each for each in _box() if isinstance(each, Tile) and each not in missing]
    chance.shuffle(left)
    return Tiles(tuple(left[chance.randint(1, 3) :]))


if __name__ == "__main__":
    sys.exit(0 if measure_partition() else 1)
