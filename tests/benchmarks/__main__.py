"""Run all or the named measurements, and write their pages under docs/reference."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import click

from tests.benchmarks.advice import measure_advice
from tests.benchmarks.best_turns import measure_best_turns
from tests.benchmarks.budget import measure_budget
from tests.benchmarks.chances import measure_chances
from tests.benchmarks.own_tiles import measure_own_tiles
from tests.benchmarks.partitioning import measure_partition
from tests.benchmarks.pictures import measure_pictures
from tests.benchmarks.player_figures import measure_player_figures
from tests.benchmarks.reading import measure_reading
from tests.benchmarks.scale import measure_scale
from tests.benchmarks.seating import measure_seating
from tests.benchmarks.signing_in import measure_signing_in
from tests.benchmarks.standings import measure_standings
from tests.benchmarks.stepping import measure_steps
from tests.benchmarks.stored_games import measure_stored_games
from tests.benchmarks.tiles import measure_tiles
from tests.benchmarks.viewers import measure_viewers

MEASURES: Final[Mapping[str, Callable[[], bool]]] = {
    "viewers": measure_viewers,
    "pictures": measure_pictures,
    "reading": measure_reading,
    "tiles": measure_tiles,
    "own-tiles": measure_own_tiles,
    "budget": measure_budget,
    "advice": measure_advice,
    "chances": measure_chances,
    "partition": measure_partition,
    "best-turns": measure_best_turns,
    "steps": measure_steps,
    "standings": measure_standings,
    "seating": measure_seating,
    "signing-in": measure_signing_in,
    "stored-games": measure_stored_games,
    "statistics": measure_player_figures,
    "scale": measure_scale,
}


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(tuple(MEASURES)))
def main(names: Sequence[str]) -> None:
    """Run the named measurements, or all, and write the pages under docs/reference.

    All of them take half an hour. The exit status is 1 if a promise was not kept.
    """
    kept = [MEASURES[name]() for name in names or MEASURES]
    click.echo("all promises kept" if all(kept) else "a promise was not kept")
    sys.exit(0 if all(kept) else 1)


if __name__ == "__main__":
    main(prog_name="python -m tests.benchmarks")
