"""How large a tournament a hub can run: a national open, a tenth of it, and three times it."""

from __future__ import annotations

import sys
from typing import Final

import click

from tests.benchmarks.scale_event import Size, measured
from tests.benchmarks.scale_games import scripts
from tests.benchmarks.scale_page import kept, write_page
from tests.postgres import find_programs

GAMES: Final = 24
PROMISED: Final = Size("an open", 250)
SIZES: Final = (Size("a tenth", 25), PROMISED, Size("three times", 750))
MISSING: Final = "PostgreSQL's programs are missing: apt install postgresql"


def measure_scale() -> bool:
    """Measure, write the page, and return whether the promises are kept."""
    programs, games = find_programs(), scripts(GAMES)
    if programs is None:
        click.echo(MISSING, err=True)
        return False
    found = {}
    for size in SIZES:
        found[size.name] = figures = measured(size, programs, games)
        click.echo(
            f"{size.tables} tables: {figures.a_second:.0f} events a second, "
            f"p95 to boards {figures.to_board * 1000:.0f} ms"
        )
    promised = found[PROMISED.name]
    write_page(tuple(found.values()), promised)
    return all(kept(promised))


if __name__ == "__main__":
    sys.exit(0 if measure_scale() else 1)
