"""Round robin: everybody meets everybody, by the circle method."""

from __future__ import annotations

from scoreboard.tournament.model.circle import Pairs, circle_rounds
from scoreboard.tournament.model.draw import Draw, TableSeats


def round_robin(entrants: tuple[int, ...], meetings: int = 1) -> tuple[Draw, ...]:
    """All rounds in which each pair meets `meetings` times, in the order of Berger's tables.

    In one meeting each nobody begins more than once more often than not, or less; in the next,
    seats are exchanged. With an odd number one has a bye each round, everybody once a meeting.
    """
    if not entrants:
        return ()
    laps = circle_rounds(len(entrants) + len(entrants) % 2)
    return tuple(
        _draw(entrants, pairs, exchanged=lap % 2 == 1) for lap in range(meetings) for pairs in laps
    )


def without(draw: Draw, absent: frozenset[int]) -> Draw:
    """The same round when some are not there: their opponents have a bye, tables keep numbers."""
    tables = tuple(table for table in draw.tables if absent.isdisjoint(table.seats))
    left = (
        each for table in draw.tables if not absent.isdisjoint(table.seats) for each in table.seats
    )
    byes = (each for each in (*left, *draw.byes) if each not in absent)
    return Draw(tables, tuple(byes))


def _draw(entrants: tuple[int, ...], pairs: Pairs, *, exchanged: bool) -> Draw:
    seated = [
        tuple(entrants[place] for place in (pair[::-1] if exchanged else pair))
        for pair in pairs
        if max(pair) < len(entrants)
    ]
    byes = tuple(entrants[min(pair)] for pair in pairs if max(pair) == len(entrants))
    tables = (TableSeats(number, seats) for number, seats in enumerate(seated, start=1))
    return Draw(tuple(tables), byes)
