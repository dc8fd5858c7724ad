"""The constraints of a draw at tables, its history, and chance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from scoreboard.message import message
from scoreboard.tournament.model.draw import Draw, DrawError

Counts = tuple[dict[int, int], ...]
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True, kw_only=True)
class Constraints:
    """All constraints on the draw of one round.

    `entrants` are those present, in entry order or in order of standing. `sizes` are the seats of
    each table; those without a seat have a bye. `past` are the draws of the rounds before, with
    absent entrants too. `clubs` gives the club of those who have one; mates sit apart in round 1.
    Those in `accessible` sit at one of `accessible_tables`. `rounds_planned` keeps room for that
    many rounds without a second meeting. The same constraints give the same draw.

    Raises:
        DrawError: an entrant is present twice, or there are more seats than entrants.
    """

    entrants: tuple[int, ...]
    sizes: tuple[int, ...]
    past: tuple[Draw, ...] = ()
    clubs: Mapping[int, str] = field(default_factory=dict)
    accessible: frozenset[int] = frozenset()
    accessible_tables: frozenset[int] = frozenset()
    seed: int = 0
    rounds_planned: int = 1

    def __post_init__(self) -> None:
        if len(set(self.entrants)) < len(self.entrants):
            raise DrawError(message("Somebody stands in the list of those present twice."))
        if sum(self.sizes) > len(self.entrants) or min(self.sizes, default=1) < 1:
            raise DrawError(
                message(
                    "The tables seat {seats}, and {present} are present: choose other sizes.",
                    seats=sum(self.sizes),
                    present=len(self.entrants),
                )
            )

    @property
    def round_number(self) -> int:
        """The round to be drawn, from 1."""
        return len(self.past) + 1


@dataclass(frozen=True, slots=True)
class SeatingHistory:
    """The past of the seated entrants, each known by the place in `entrants`, from 0.

    So entry numbers decide nothing, only the order of entry does. `met` counts meetings, `short`
    the tables below a round's largest, `seats` how often each had each seat.
    """

    entrants: tuple[int, ...]
    places: dict[int, int]
    met: Counts
    short: tuple[int, ...]
    seats: Counts

    @classmethod
    def of(cls, entrants: tuple[int, ...], past: Iterable[Draw]) -> SeatingHistory:
        """Count the past draws; those who are not among `entrants` are left out."""
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

    def clubs_of(self, constraints: Constraints) -> list[list[int]]:
        """The members of each club who sit, in the order of entry."""
        clubs: dict[str, list[int]] = {}
        for place, entrant in enumerate(self.entrants):
            if entrant in constraints.clubs:
                clubs.setdefault(constraints.clubs[entrant], []).append(place)
        return list(clubs.values())

    def accessible_of(self, constraints: Constraints) -> frozenset[int]:
        """The seated entrants that need an accessible table."""
        return frozenset(
            self.places[each] for each in self.entrants if each in constraints.accessible
        )


def _count_meetings(met: Counts, group: list[int]) -> None:
    for one in group:
        of_one = met[one]
        for other in group:
            if other != one:
                of_one[other] = of_one.get(other, 0) + 1


def shuffled(items: Iterable[Item], chance: Random) -> list[Item]:
    """The items in random order.

    Only `Random.random` gives the same numbers in every Python, so nothing else of it is used.
    """
    return sorted(items, key=lambda _: chance.random())


def chosen(items: Sequence[Item], chance: Random) -> Item:
    """A random item."""
    return items[int(chance.random() * len(items))]
