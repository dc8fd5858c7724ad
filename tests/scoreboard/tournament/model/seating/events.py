"""Whole events, drawn round after round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from scoreboard.tournament.model.draw import Draw, TableSeats
from scoreboard.tournament.model.seating.constraints import Constraints, table_sizes
from scoreboard.tournament.model.seating.table_draw import draw_tables


def event(
    entrants: int, size: int, rounds: int, seed: int = 1, smallest: int | None = None
) -> tuple[Draw, ...]:
    """The draws of an event in which everybody is there all the time."""
    past: tuple[Draw, ...] = ()
    for number in range(rounds):
        past += (
            draw_tables(
                Constraints(
                    entrants=tuple(range(1, entrants + 1)),
                    sizes=table_sizes(entrants, size, smallest or size - 1),
                    past=past,
                    seed=seed + number,
                    rounds_planned=rounds,
                )
            ),
        )
    return past


def repeats(draws: Iterable[Draw]) -> int:
    """How many meetings were not the first of the two."""
    met = Counter(pair for draw in draws for pair in draw.meetings())
    return sum(times - 1 for times in met.values())


def mirrored(entrant: int) -> int:
    """Another entry number for everybody, which turns their order round."""
    return 1000 - entrant


def mirrored_draw(draw: Draw) -> Draw:
    """The same draw of people with other entry numbers."""
    tables = (TableSeats(table.number, tuple(map(mirrored, table.seats))) for table in draw.tables)
    return Draw(tuple(tables), tuple(map(mirrored, draw.byes)))
