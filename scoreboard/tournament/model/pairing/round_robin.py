"""Round robin: everybody meets everybody once, by the circle method (Berger tables).

One player stays, the others move round a circle by half its length each round; opposite players
meet. So come the tables that J. Berger published in 1893 and chess still uses: the one who
stays begins every other round, and the others alternate but for one break each.
"""

from __future__ import annotations

from scoreboard.tournament.model.draw import Draw, TableSeats

Pairs = tuple[tuple[int, int], ...]


def circle_rounds(players: int) -> tuple[Pairs, ...]:
    """Rounds of pairs of the places 0 to `players - 1`, an even number; the first begins.

    Each pair meets once in `players - 1` rounds. Of an odd number of players the last place, which
    stays, is empty, and its partner has a bye. Raises ValueError for an odd number.
    """
    if players % 2:
        raise ValueError(f"the circle method needs an even number of places, not {players}")
    circle, stays = players - 1, players - 1
    rounds = []
    for number in range(circle):
        first = number * (players // 2) % circle
        top = (stays, first) if number % 2 else (first, stays)
        others = (
            ((first + step) % circle, (first - step) % circle) for step in range(1, players // 2)
        )
        rounds.append((top, *others))
    return tuple(rounds)


def round_robin(entrants: tuple[int, ...], meetings: int = 1) -> tuple[Draw, ...]:
    """All rounds in which each pair meets `meetings` times, in the order of Berger's tables.

    In every other meeting seats are exchanged. With an odd number one has a bye each round.
    """
    if not entrants:
        return ()
    laps = circle_rounds(len(entrants) + len(entrants) % 2)
    return tuple(
        _draw(entrants, pairs, exchanged=lap % 2 == 1) for lap in range(meetings) for pairs in laps
    )


def without(draw: Draw, absent: frozenset[int]) -> Draw:
    """The same round with some absent: their opponents have a bye, tables keep numbers."""
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
