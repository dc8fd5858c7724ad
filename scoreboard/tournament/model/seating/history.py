"""What a draw needs to know of those who sit and of the rounds before."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scoreboard.tournament.model.draw import Draw
from scoreboard.tournament.model.seating.constraints import Constraints

Counts = tuple[dict[int, int], ...]


@dataclass(frozen=True, slots=True)
class SeatingHistory:
    """The past of those who sit, each known by the place in `entrants`, from 0.

    So no number of an entry decides anything: only the order of entry does. `met` counts
    meetings, `short` the tables below a round's largest, `seats` how often which seat.
    """

    entrants: tuple[int, ...]
    places: dict[int, int]
    met: Counts
    short: tuple[int, ...]
    seats: Counts

    @classmethod
    def of(cls, entrants: tuple[int, ...], past: Iterable[Draw]) -> SeatingHistory:
        """Count what is in the past draws; who is not among `entrants` is left out."""
        places = {entrant: place for place, entrant in enumerate(entrants)}
        met: Counts = tuple({} for _ in entrants)
        seats: Counts = tuple({} for _ in entrants)
        short = [0] * len(entrants)
        for draw in past:
            largest = max((len(table.seats) for table in draw.tables), default=0)
            for table in draw.tables:
                group = [
                    (seat, places[each]) for seat, each in enumerate(table.seats) if each in places
                ]
                _count_meetings(met, [place for _, place in group])
                for seat, place in group:
                    seats[place][seat] = seats[place].get(seat, 0) + 1
                    short[place] += len(table.seats) < largest
        return cls(entrants, places, met, tuple(short), seats)

    def clubs_of(self, wish: Constraints) -> list[list[int]]:
        """The members of each club who sit, in the order of entry."""
        clubs: dict[str, list[int]] = {}
        for place, entrant in enumerate(self.entrants):
            if entrant in wish.clubs:
                clubs.setdefault(wish.clubs[entrant], []).append(place)
        return list(clubs.values())

    def accessible_of(self, wish: Constraints) -> frozenset[int]:
        """Those who sit and need an accessible table."""
        return frozenset(self.places[each] for each in self.entrants if each in wish.accessible)


def _count_meetings(met: Counts, group: list[int]) -> None:
    for one in group:
        of_one = met[one]
        for other in group:
            if other != one:
                of_one[other] = of_one.get(other, 0) + 1
