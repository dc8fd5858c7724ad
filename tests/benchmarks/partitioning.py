"""How long it takes to find sets in a loose heap of Rummikub's tiles, or that there are none."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from typing import Final

import click

from scoreboard.rummikub.box import CLASSIC
from scoreboard.rummikub.partition import partition
from scoreboard.tiles import COLOURS, JOKER, NUMBERS, Piece, Tile, Tiles
from tests.benchmarks.machine import machine, moment, versions
from tests.benchmarks.timing import clocked

PAGE: Final = Path(__file__).parents[2] / "docs" / "reference" / "benchmark-sets.md"
MOST_MILLISECONDS: Final = 1000.0
SIZES: Final = (20, 40, 60, 80, 95, 100, 104, 106)
HEAPS: Final = 25
SEED: Final = 1
TEMPLATE: Final = """\
# Benchmark: sets in a loose heap

Is there a partition of a heap of tiles into legal sets, and which? {heaps} heaps of each size,
drawn by chance from the classic box of 106 (those of 106 are the whole box in another order), and
as many awkward ones of 95 to 97 tiles, of which some are no sets. Milliseconds of the processor.

The promise: at most 1,000 ms, also where the answer is no. {verdict}

| tiles | answered yes | answered no | median | longest |
|---|---|---|---|---|
{rows}

Measured on {machine}; {versions}; {moment}.

`make benchmark` measures again and rewrites this page.
"""


def measure_partition() -> bool:
    """Measure, write the page, and say whether the promise is kept."""
    rows, longest = [], 0.0
    for size, heaps in _heaps().items():
        answers = [(partition(heap) is not None, _took(heap)) for heap in heaps]
        took = sorted(cpu for _, cpu in answers)
        yes = sum(found for found, _ in answers)
        longest = max(longest, took[-1])
        rows.append(
            f"| {size} | {yes} | {len(heaps) - yes} | {took[len(took) // 2]:.0f} | {took[-1]:.0f} |"
        )
    kept = longest < MOST_MILLISECONDS
    PAGE.write_text(
        TEMPLATE.format(
            heaps=HEAPS,
            verdict=f"The longest took {longest:.0f} ms: {'kept' if kept else 'not kept'}.",
            rows="\n".join(rows),
            machine=machine(),
            versions=versions(),
            moment=moment(),
        ),
        encoding="utf-8",
    )
    click.echo(f"{PAGE.name}: the longest partition took {longest:.0f} ms")
    return kept


def _took(heap: Tiles) -> float:
    """Milliseconds of the processor."""
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
    """The box without jokers, without most of two colours' high tiles, and without some other."""
    missing = {Tile("K", 11), Tile("K", 12), Tile("R", 12)}
    left = [each for each in _box() if isinstance(each, Tile) and each not in missing]
    chance.shuffle(left)
    return Tiles(tuple(left[chance.randint(1, 3) :]))


if __name__ == "__main__":
    sys.exit(0 if measure_partition() else 1)
