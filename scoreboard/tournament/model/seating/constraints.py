"""What a draw at tables keeps to: constraints, history, sizes of tables, byes, order of seats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from random import Random
from typing import Final, TypeVar

from scoreboard.message import message
from scoreboard.tournament.model.draw import Draw, DrawError, too_few_accessible

Counts = tuple[dict[int, int], ...]
Item = TypeVar("Item")
_BEGINNING: Final = 100  # beginning weighs more than any other seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Constraints:
    """All constraints on the draw of one round; the same ones give the same draw.

    `entrants` are those present, in entry order or in order of standing; `sizes` are the seats of
    each table. `past` are the draws of the rounds before, with absent entrants too. Those of one of
    the `clubs` sit apart in round 1, of one of the `teams` in all rounds, where they can; those in
    `accessible` at one of `accessible_tables`.
    `rounds_planned` keeps room for that many rounds without a second meeting. Raises DrawError if
    an entrant is present twice, or there are more seats than entrants.
    """

    entrants: tuple[int, ...]
    sizes: tuple[int, ...]
    past: tuple[Draw, ...] = ()
    clubs: Mapping[int, str] = field(default_factory=dict)
    teams: Mapping[int, str] = field(default_factory=dict)
    accessible: frozenset[int] = frozenset()
    accessible_tables: frozenset[int] = frozenset()
    seed: int = 0
    rounds_planned: int = 1

    def __post_init__(self) -> None:
        if len(set(self.entrants)) < len(self.entrants):
            raise DrawError(message("Somebody stands in the list of those present twice."))
        if sum(self.sizes) > len(self.entrants) or min(self.sizes, default=1) < 1:
            raise DrawError.worded(
                "The tables seat {seats}, and {present} are present: choose other sizes.",
                seats=sum(self.sizes),
                present=len(self.entrants),
            )


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
        met = tuple(Counter[int]() for _ in entrants)
        seats = tuple(Counter[int]() for _ in entrants)
        short = [0] * len(entrants)
        for draw in past:
            largest = max((len(table.seats) for table in draw.tables), default=0)
            for table in draw.tables:
                there = [each for each in table.seats if each in places]
                for one, other in permutations(there, 2):
                    met[places[one]][places[other]] += 1
                for entrant in there:
                    seats[places[entrant]][table.seats.index(entrant)] += 1
                    short[places[entrant]] += len(table.seats) < largest
        return cls(entrants, places, met, tuple(short), seats)

    def members(self, groups: Mapping[int, str]) -> list[list[int]]:
        """The members of each club or team who sit, in the order of entry."""
        found: dict[str, list[int]] = {}
        for place, entrant in enumerate(self.entrants):
            if entrant in groups:
                found.setdefault(groups[entrant], []).append(place)
        return list(found.values())

    def accessible_of(self, constraints: Constraints) -> frozenset[int]:
        """The seated entrants that need an accessible table."""
        return frozenset(self.places[one] for one in self.entrants if one in constraints.accessible)

    def rotated(self, group: Iterable[int], chance: Random) -> tuple[int, ...]:
        """The order that makes everyone's seats most even, by least squares; then by chance."""
        members = shuffled(group, chance)
        best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}  # by set: cost and order
        for seat in range(len(members)):
            weight = _BEGINNING if seat == 0 else 1
            costs = [weight * (2 * self.seats[each].get(seat, 0) + 1) for each in members]
            after: dict[int, tuple[int, tuple[int, ...]]] = {}
            for seated, (before, order) in best.items():
                for member, cost in enumerate(costs):
                    together = seated | 1 << member
                    known = after.get(together)
                    if together != seated and (known is None or before + cost < known[0]):
                        after[together] = (before + cost, (*order, member))
            best = after
        ((_, order),) = best.values()
        return tuple(self.entrants[members[each]] for each in order)


def shuffled(items: Iterable[Item], chance: Random) -> list[Item]:
    """The items in random order.

    Only `Random.random` gives the same numbers in every Python, so nothing else of it is used.
    """
    return sorted(items, key=lambda _: chance.random())


def chosen(items: Sequence[Item], chance: Random) -> Item:
    """A random item."""
    return items[int(chance.random() * len(items))]


def open_groups(
    groups: list[list[int]], needing: frozenset[int], constraints: Constraints
) -> frozenset[int]:
    """Groups for accessible tables: most in need, or largest if scarce. Raises DrawError."""
    tables = min(len(constraints.accessible_tables), len(groups))
    seats = sum(sorted(map(len, groups), reverse=True)[:tables])
    if seats < len(needing):
        raise too_few_accessible(seats, len(needing))
    scarce = len(needing) > tables

    def rank(at: int) -> tuple[int, int]:
        members = sum(each in needing for each in groups[at])
        return (len(groups[at]) if scarce else 0, members)

    return frozenset(sorted(range(len(groups)), key=rank, reverse=True)[:tables])


def byes(constraints: Constraints, chance: Random | None = None) -> tuple[int, ...]:
    """As many as find no seat: who sat out least often; then by `chance`, or the last ones."""
    surplus = len(constraints.entrants) - sum(constraints.sizes)
    if not surplus:
        return ()
    had = Counter(entrant for draw in constraints.past for entrant in draw.byes)
    order = constraints.entrants[::-1]
    if chance is not None:
        order = tuple(shuffled(constraints.entrants, chance))
    out = sorted(order, key=lambda each: had[each])[:surplus]
    return tuple(entrant for entrant in constraints.entrants if entrant in out)


def table_sizes(entrants: int, size: int, smallest: int) -> tuple[int, ...]:
    """Tables of `size`, and as few smaller ones as can be, the largest first; all entrants sit.

    The smaller ones have `smallest` seats or more and differ from one another by one at most.
    Raises DrawError if the entrants can't be spread over tables of these sizes.
    """
    if not 1 <= smallest <= size:
        raise DrawError.worded(
            "Tables of {smallest} to {most} leave no room for tables of {size}.",
            smallest=smallest,
            most=size,
            size=size,
        )
    tables = -(-entrants // size)
    if tables * smallest > entrants:
        raise DrawError.worded(
            "{entrants} players can't be spread over tables of {smallest} to {largest}: allow "
            "smaller or larger tables, or give somebody a bye.",
            entrants=entrants,
            smallest=smallest,
            largest=size,
        )
    missing = tables * size - entrants
    smaller = -(-missing // (size - smallest)) if missing else 0
    each, more = divmod(missing, max(smaller, 1))
    short = (size - each,) * (smaller - more) + (size - each - 1,) * more
    return (size,) * (tables - smaller) + short
