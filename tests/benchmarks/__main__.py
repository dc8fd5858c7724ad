"""Run every measurement and write its page under docs/reference."""

from __future__ import annotations

import sys

import click

from tests.benchmarks.budget import measure_budget
from tests.benchmarks.partitioning import measure_partition
from tests.benchmarks.reading import measure_reading
from tests.benchmarks.scale import measure_scale
from tests.benchmarks.seating import measure_seating
from tests.benchmarks.standings import measure_standings
from tests.benchmarks.tiles import measure_tiles
from tests.benchmarks.viewers import measure_viewers


def main() -> int:
    """The exit status is 1 when a promise was not kept."""
    measures = (
        measure_viewers,
        measure_reading,
        measure_tiles,
        measure_budget,
        measure_partition,
        measure_standings,
        measure_seating,
        measure_scale,
    )
    kept = [measure() for measure in measures]
    click.echo("all promises kept" if all(kept) else "a promise was not kept")
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
