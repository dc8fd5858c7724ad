"""The draw of a round at tables: no pair meets twice while a design exists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from random import Random
from typing import Final

from scoreboard.tournament.model.draw import Draw, TableSeats
from scoreboard.tournament.model.seating.constraints import Constraints, SeatingHistory, shuffled
from scoreboard.tournament.model.seating.designs import Groups, plan
from scoreboard.tournament.model.seating.local_search import Costs, PartialSeating, settle
from scoreboard.tournament.model.seating.seat_order import byes, numbered, open_groups, rotated

_SPARE_ROUNDS: Final = 4  # rounds of the plan looked at beyond those planned


def dealt(constraints: Constraints, history: SeatingHistory, chance: Random) -> list[list[int]]:
    """Groups of the sizes wished for, the largest first, dealt seat by seat round the tables.

    A club's members lie together in the deal, so that no more of them meet than must where
    the tables are equal; all else is chance.
    """
    clubs = history.clubs_of(constraints)
    alone = set(range(len(history.entrants))).difference(chain.from_iterable(clubs))
    packs = [*(shuffled(club, chance) for club in clubs), *([place] for place in sorted(alone))]
    deal = iter([place for pack in shuffled(packs, chance) for place in pack])
    sizes = sorted(constraints.sizes, reverse=True)
    groups: list[list[int]] = [[] for _ in sizes]
    for seat in range(max(sizes, default=0)):
        for group, size in zip(groups, sizes, strict=True):
            if seat < size:
                group.append(next(deal))
    return groups


@dataclass(frozen=True, slots=True)
class Embedding:
    """A construction laid over the players: who stands on which point, and who found none.

    A past draw is taken for the first round of the construction, so that nothing has to be
    remembered but the draws themselves. The players stand on the points as they sat in that draw;
    somebody who left is a hole (None), and a late entrant steps into the oldest one: nobody whom
    the hole has met has met the newcomer.
    """

    points: tuple[int | None, ...]
    homeless: tuple[int, ...]

    def groups(self, round_: Groups) -> list[list[int]]:
        """The groups of a round of the plan."""
        points = self.points
        return [
            [place for point in block if (place := points[point]) is not None] for block in round_
        ]


def embedding(anchor: Draw, past: Sequence[Draw], history: SeatingHistory, size: int) -> Embedding:
    """The seated entrants on the points of a plan whose first round is `anchor`; seats are rows."""
    tables = sorted(anchor.tables, key=lambda table: -len(table.seats))
    owners = [
        table.seats[seat] if seat < len(table.seats) else None
        for table in tables
        for seat in range(size)
    ]
    points = [None if owner is None else history.places.get(owner) for owner in owners]
    holes = [point for point, place in enumerate(points) if place is None]

    def last_seen(point: int) -> int:
        owner = owners[point]
        rounds = (number for number, draw in enumerate(past) if owner in draw.entrants)
        return -1 if owner is None else max(rounds)

    holes.sort(key=last_seen)
    newcomers = _newcomers(points, past, history)
    for point, place in zip(holes, newcomers, strict=False):
        points[point] = place
    return Embedding(tuple(points), tuple(newcomers[len(holes) :]))


def fitted(
    groups: Iterable[list[int]], sizes: Iterable[int], homeless: Iterable[int]
) -> list[list[int]]:
    """The groups with as many members as the tables have seats, moving as few as can be."""
    ordered = sorted(groups, key=lambda group: -len(group))
    wanted = sorted(sizes, reverse=True)
    pool = [*homeless]
    for group, size in zip(ordered, wanted, strict=True):
        pool += group[size:]
    return [
        [*group[:size], *(pool.pop() for _ in range(size - len(group)))]
        for group, size in zip(ordered, wanted, strict=True)
    ]


def _newcomers(
    points: Iterable[int | None], past: Sequence[Draw], history: SeatingHistory
) -> list[int]:
    """The entrants on no point, the earliest first."""
    standing = set(points)
    missing = [place for place in range(len(history.entrants)) if place not in standing]

    def first_seen(place: int) -> int:
        entrant = history.entrants[place]
        rounds = (number for number, draw in enumerate(past) if entrant in draw.entrants)
        return next(rounds, len(past))

    return sorted(missing, key=first_seen)


@dataclass(frozen=True, slots=True)
class _Start:
    """Groups to begin with, and the rounds that the plan they come from still holds."""

    groups: list[list[int]]
    later: tuple[list[list[int]], ...] = ()


def draw_tables(constraints: Constraints) -> Draw:
    """Seat everybody for the next round: strangers while a design exists.

    In this order: those who need it sit at an accessible table; meetings are repeated as seldom
    as can be; mates of a club sit apart in round 1; short tables go round; seats and the right
    to begin go round. Where the past draws came from this function with the same number of
    tables, the rounds are those of a construction (see `plan`), so that no pair meets twice in as
    many rounds as it gives; else swaps find the best seating in a fixed number of steps.

    Raises:
        DrawError: more need an accessible table than such tables seat.
    """
    chance = Random(constraints.seed)
    out = frozenset(byes(constraints, chance))
    seated = tuple(each for each in constraints.entrants if each not in out)
    history = SeatingHistory.of(seated, constraints.past)
    costs = Costs.of(constraints, history)
    start = _start(constraints, history, costs, chance)
    seating = PartialSeating(
        start.groups,
        costs.reserving(start.later),
        open_groups(start.groups, costs.barred, constraints),
    )
    groups = settle(seating, chance)
    had = dict(enumerate(history.seats))
    tables = tuple(
        TableSeats(
            number,
            tuple(history.entrants[place] for place in rotated(shuffled(group, chance), had)),
        )
        for number, group in numbered(
            groups, history.accessible_of(constraints), constraints, chance
        )
    )
    return Draw(tables, tuple(each for each in constraints.entrants if each not in history.places))


def _start(
    constraints: Constraints, history: SeatingHistory, costs: Costs, chance: Random
) -> _Start:
    """The round of a plan that costs least; where there is none, what the dealing gives."""
    best, least = None, 0
    for start in _planned(constraints, history, costs):
        groups = start.groups
        cost = PartialSeating(groups, costs, open_groups(groups, costs.barred, constraints)).total
        if best is None or cost < least:
            best, least = start, cost
        if not least:
            break
    return _Start(dealt(constraints, history, chance)) if best is None else best


def _planned(constraints: Constraints, history: SeatingHistory, costs: Costs) -> Iterator[_Start]:
    """Every round that the plan of a past draw offers, those of the oldest draw first."""
    if not constraints.sizes:
        return
    size, tables = max(constraints.sizes), len(constraints.sizes)
    rounds = plan(
        tables, size, max(constraints.rounds_planned, constraints.round_number) + _SPARE_ROUNDS
    )
    for anchor in constraints.past:
        if (
            len(anchor.tables) == tables
            and max(len(table.seats) for table in anchor.tables) <= size
        ):
            laid = embedding(anchor, constraints.past, history, size)
            yield from _offered(constraints, costs, rounds, laid)


def _offered(
    constraints: Constraints, costs: Costs, rounds: tuple[Groups, ...], laid: Embedding
) -> Iterator[_Start]:
    """The unused rounds of a plan laid over the players, each with those it leaves for later."""
    unused = [groups for each in rounds if not costs.repeats(groups := laid.groups(each))]
    left = constraints.rounds_planned - constraints.round_number
    for number, groups in enumerate(unused):
        later = [other for at, other in enumerate(unused) if at != number]
        yield _Start(fitted(groups, constraints.sizes, laid.homeless), tuple(later[: max(left, 0)]))
