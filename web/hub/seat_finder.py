"""Where everybody sits in the last round, in the order in which people look themselves up."""

from __future__ import annotations

from dataclasses import dataclass

from scoreboard.tournament.model.tournament import Tournament


@dataclass(frozen=True, slots=True)
class Found:
    """Where somebody sits; `table` is None for who has a bye, `seat` counts from 1.

    `away` is true for who has dropped out since.
    """

    entrant: int
    name: str
    table: int | None = None
    seat: int = 0
    away: bool = False


def finder(state: Tournament) -> tuple[Found, ...]:
    """Everybody of the last draw by name; nobody before the first."""
    last = state.last_round
    if last is None or state.finished:
        return ()
    names = state.names
    found = [
        Found(entrant, names[entrant], table.number, seat, entrant in state.away)
        for table in last.draw.tables
        for seat, entrant in enumerate(table.seats, start=1)
    ]
    found += [
        Found(entrant, names[entrant], away=entrant in state.away) for entrant in last.draw.byes
    ]
    return tuple(sorted(found, key=lambda each: each.name.casefold()))
