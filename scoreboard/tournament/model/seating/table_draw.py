"""The draw of a round at tables: no pair meets twice while a design exists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from random import Random
from typing import Final

from scoreboard.tournament.model.draw import Draw, TableSeats
from scoreboard.tournament.model.seating.constraints import (
    Constraints,
    Counts,
    SeatingHistory,
    chosen,
    shuffled,
)
from scoreboard.tournament.model.seating.designs import Groups, plan
from scoreboard.tournament.model.seating.seat_order import byes, numbered, open_groups, rotated

BARRED: Final = 10**12  # who needs an accessible table sits at another
REPEAT: Final = 10**6  # half of what a second meeting adds to the sum of squares
CLUB: Final = 10**3  # two of a club at one table in round 1
SHORT: Final = 2  # half of what a second short table adds to the sum of squares


_STEPS_FOR_MEETINGS: Final = 20_000  # swaps looked at while a meeting is repeated
_STEPS_FOR_LESSER: Final = 3_000  # swaps looked at for the lesser constraints alone
_TENURE: Final = 6  # turns in which nobody goes back to the group just left
_TENURE_SPREAD: Final = 6


@dataclass(frozen=True, slots=True)
class Costs:
    """The costs of a pair at one table (`near`), and of a player at a short table.

    A meeting costs 2 m after m meetings, the growth of the sum of squares beyond the growth for
    strangers; a pair seated together in a later round of the plan costs half a repetition.
    """

    near: Counts
    short: tuple[int, ...]
    barred: frozenset[int]

    @classmethod
    def of(cls, constraints: Constraints, history: SeatingHistory) -> Costs:
        """The costs of the past, and in round 1 of the clubs."""
        near: Counts = tuple(
            {other: 2 * times * REPEAT for other, times in met.items()} for met in history.met
        )
        if not constraints.past:
            for members in history.clubs_of(constraints):
                for one in members:
                    near[one].update((other, CLUB) for other in members if other != one)
        least = min(history.short, default=0)
        short = tuple(SHORT * (times - least) for times in history.short)
        return cls(near, short, history.accessible_of(constraints))

    def reserving(self, rounds: Iterable[Iterable[Iterable[int]]]) -> Costs:
        """The same, with a cost for pairs that meet in these later rounds."""
        near: Counts = tuple(dict(each) for each in self.near)
        for groups in rounds:
            for group in groups:
                members = list(group)
                for one in members:
                    near[one].update(
                        (other, near[one].get(other, 0) + REPEAT)
                        for other in members
                        if other != one
                    )
        return Costs(near, self.short, self.barred)

    def repeats(self, groups: Iterable[list[int]]) -> int:
        """The cost of the meetings in these groups."""
        near = self.near
        return sum(
            near[one].get(other, 0)
            for group in groups
            for place, one in enumerate(group)
            for other in group[:place]
        )


class PartialSeating:
    """Groups at tables, each member's cost, and the effect of a swap.

    Which groups are short follows from their sizes; `open_to_all` marks those at accessible tables.
    """

    def __init__(
        self, groups: Iterable[Iterable[int]], costs: Costs, open_to_all: frozenset[int]
    ) -> None:
        self.groups = [list(group) for group in groups]
        self._costs = costs
        self._open = open_to_all
        largest = max(map(len, self.groups), default=0)
        self._short = [len(group) < largest for group in self.groups]
        self.group_of = {each: at for at, group in enumerate(self.groups) for each in group}
        self.cost_of = {each: self.cost_at(each, at) for each, at in self.group_of.items()}

    @property
    def total(self) -> int:
        """The sum of all members' costs; a meeting counts for both."""
        return sum(self.cost_of.values())

    def cost_at(self, member: int, at: int) -> int:
        """The cost of a member in a group, its own or another."""
        near = self._costs.near[member]
        cost = sum([near[other] for other in self.groups[at] if other in near])
        if self._short[at]:
            cost += self._costs.short[member]
        if member in self._costs.barred and at not in self._open:
            cost += BARRED
        return cost

    def change(self, one: int, other: int) -> int:
        """The change in cost if two members of different groups swapped places."""
        here, there = self.group_of[one], self.group_of[other]
        together = 2 * self._costs.near[one].get(other, 0)
        after = self.cost_at(one, there) + self.cost_at(other, here) - together
        return after - self.cost_of[one] - self.cost_of[other]

    def swap(self, one: int, other: int) -> None:
        """Let two members of different groups swap places."""
        here, there = self.group_of[one], self.group_of[other]
        for leaving, coming, at in ((one, other, here), (other, one, there)):
            group = self.groups[at]
            group[group.index(leaving)] = coming
            self.group_of[coming] = at
        for at in (here, there):
            self.cost_of.update((each, self.cost_at(each, at)) for each in self.groups[at])


def settle(seating: PartialSeating, chance: Random) -> list[list[int]]:
    """The best groups that swapping finds; never worse than those of the seating."""
    total = seating.total
    best, best_total = [list(group) for group in seating.groups], total
    left_until: dict[tuple[int, int], int] = {}
    steps, turn = 0, 0
    while total and steps < (_STEPS_FOR_MEETINGS if best_total >= REPEAT else _STEPS_FOR_LESSER):
        turn += 1
        one = chosen([each for each, cost in seating.cost_of.items() if cost], chance)
        barred = {at for (each, at), until in left_until.items() if each == one and until > turn}
        other, looked_at = _best_partner(seating, one, barred, chance)
        steps += looked_at
        if other is None:
            continue
        tenure = turn + _TENURE + int(chance.random() * _TENURE_SPREAD)
        left_until[one, seating.group_of[one]] = left_until[other, seating.group_of[other]] = tenure
        seating.swap(one, other)
        total = seating.total
        if total < best_total:
            best, best_total = [list(group) for group in seating.groups], total
    return best


def _best_partner(
    seating: PartialSeating, one: int, barred: set[int], chance: Random
) -> tuple[int | None, int]:
    """The cheapest swap partner, and how many were tried; the first swap that ends all trouble.

    None if no partner is left.
    """
    home, relief = seating.group_of[one], -seating.cost_of[one]
    tables = len(seating.groups)
    best, least, looked_at = None, 0, 1
    offset = int(chance.random() * tables)
    for step in range(tables):
        at = (offset + step) % tables
        if at == home or at in barred:
            continue
        for other in seating.groups[at]:
            looked_at += 1
            change = seating.change(one, other)
            if best is None or change < least:
                best, least = other, change
        if best is not None and least <= relief:
            break
    return best, looked_at


# What a wish that is not met costs; each is more than all lesser ones of a thousand tables.
_STEPS: Final = 10**18
_FIXED: Final = 10**13
_SAT: Final = 10**7
_MORE_THAN_ALL: Final = 10**23
_NEAR: Final = 20  # how far a table moves that is not wished elsewhere


@dataclass(frozen=True, slots=True, kw_only=True)
class TableConstraints:
    """Preferred tables; entrants by entry number.

    `fixed` are the tables of entrants with a fixed one. Those in `accessible` need one of
    `accessible_tables`, which goes before all else. `how` is the format's wish: by `order`, the
    best first, or by everyone's tables in the draws of the `past`.
    """

    fixed: Mapping[int, int] = field(default_factory=dict)
    accessible: frozenset[int] = frozenset()
    accessible_tables: frozenset[int] = frozenset()
    how: str = "as-drawn"
    order: tuple[int, ...] = ()
    past: tuple[Draw, ...] = ()


def renumbered(draw: Draw, wishes: TableConstraints) -> Draw:
    """Renumber the draw's tables so that most wishes are met.

    Step-free access goes first, then fixed tables, then the format's wish; a table without a wish
    stays as near to its place as possible.
    """
    tables, homes = list(draw.tables), [table.number for table in draw.tables]
    if wishes.how == "best-first":
        places = {each: place for place, each in enumerate(wishes.order)}
        tables.sort(key=lambda table: min(places.get(each, len(places)) for each in table.seats))
        homes = list(range(1, len(tables) + 1))
    past = {"spread": wishes.past, "keep": wishes.past[-1:]}.get(wishes.how, ())
    sat = Counter((each, old.number) for one in past for old in one.tables for each in old.seats)

    def costs(table: TableSeats, home: int) -> Iterator[tuple[int, int]]:
        """The possible numbers of a table, and their costs, growing with the distance from home."""
        fixed = [wishes.fixed[each] for each in table.seats if each in wishes.fixed]
        needs = not wishes.accessible.isdisjoint(table.seats)
        was = [number for each, number in sat if each in table.seats]
        near = [number for number in homes if abs(number - home) <= _NEAR]
        for number in {*near, *fixed, *(wishes.accessible_tables if needs else ()), *was}:
            again = sum(sat.get((each, number), 0) for each in table.seats)
            yield (
                number,
                _STEPS * (needs and number not in wishes.accessible_tables)
                + _FIXED * sum(each != number for each in fixed)
                + _SAT
                * (again if wishes.how == "spread" else len(table.seats) - again if sat else 0)
                + min(abs(number - home), _SAT // 1000),
            )

    # It needs the extra of a hub, and a table imports this module
    from scoreboard.tournament.model.pairing.minimum_cost import (  # noqa: PLC0415 -- see above
        heaviest_pairs,
    )

    edges = [
        (row, len(tables) + number, _MORE_THAN_ALL - cost)
        for row, table in enumerate(tables)
        for number, cost in costs(table, homes[row])
    ]
    numbers = {row: column - len(tables) for row, column in heaviest_pairs(edges)}
    moved = (replace(table, number=numbers[row]) for row, table in enumerate(tables))
    return Draw(tuple(sorted(moved, key=lambda table: table.number)), draw.byes)


_SPARE_ROUNDS: Final = 4  # rounds of the plan looked at beyond those planned


def dealt(constraints: Constraints, history: SeatingHistory, chance: Random) -> list[list[int]]:
    """Groups of the requested sizes, the largest first, dealt seat by seat round the tables.

    A club's members are consecutive in the deal, so that no more of them meet than must if the
    tables are equal; all else is chance.
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
    """A construction laid over the players: each one's point, and the players without.

    A past draw serves as the first round of the construction, so that only the draws need to be
    stored. The players are on the points by their seats in that draw; a player who left is a hole
    (None), and a late entrant steps into the oldest one: no player whom the hole has met has met
    the newcomer.
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
    """Groups to begin with, and the rounds left in their plan."""

    groups: list[list[int]]
    later: tuple[list[list[int]], ...] = ()


def draw_tables(constraints: Constraints) -> Draw:
    """Seat everybody for the next round: strangers while a design exists.

    In this order: those who need it sit at an accessible table; meetings are repeated as seldom as
    possible; mates of a club sit apart in round 1; short tables rotate; seats and the right to
    begin rotate. If the past draws came from this function with the same number of tables, the
    rounds are those of a construction (see `plan`), so that no pair meets twice in as many rounds
    as it gives; else swaps find the best seating in a fixed number of steps.

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
    """The cheapest round of a plan; without one, the deal."""
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
