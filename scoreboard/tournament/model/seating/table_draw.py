"""The draw of a round at tables: no pair meets twice while a design exists, or by standing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, combinations, permutations
from random import Random
from typing import Final, Literal, NamedTuple

from scoreboard.tournament.model.draw import Draw, TableSeats, table_numbers
from scoreboard.tournament.model.seating.constraints import (
    Constraints,
    Counts,
    SeatingHistory,
    byes,
    chosen,
    open_groups,
    shuffled,
)
from scoreboard.tournament.model.seating.designs import plan

# Eight at two tables of four: "blocks" gives 1-2-3-4 and 5-6-7-8, "snake" 1-4-5-8 and 2-3-6-7,
# "odd-even" 1-3-5-7 and 2-4-6-8, as the semi-finals of nationals are seated.
SeatingPattern = Literal["blocks", "snake", "odd-even"]
BARRED: Final = 10**12  # who needs an accessible table sits at another
REPEAT: Final = 10**6  # half of what a second meeting adds to the sum of squares
MATES: Final = 10**3  # two of a team at one table, or of a club in round 1
SHORT: Final = 2  # half of what a second short table adds to the sum of squares
_STEPS_FOR_MEETINGS: Final = 20_000  # swaps looked at while a meeting is repeated
_STEPS_FOR_LESSER: Final = 3_000  # swaps looked at for the lesser constraints alone
_TENURE: Final = 6  # turns in which a player stays away from the group just left
_TENURE_SPREAD: Final = 6
_SPARE_ROUNDS: Final = 4  # rounds of the plan looked at beyond those planned


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
        """The costs of the past, of the teams, and in round 1 of the clubs."""
        near: Counts = tuple(
            {other: 2 * times * REPEAT for other, times in met.items()} for met in history.met
        )
        for groups in (constraints.teams, {} if constraints.past else constraints.clubs):
            for members in history.members(groups):
                for one, other in permutations(members, 2):
                    near[one][other] = near[one].get(other, 0) + MATES
        least = min(history.short, default=0)
        short = tuple(SHORT * (times - least) for times in history.short)
        return cls(near, short, history.accessible_of(constraints))

    def reserving(self, rounds: Iterable[Iterable[Iterable[int]]]) -> Costs:
        """The same, with a cost for pairs that meet in these later rounds."""
        near: Counts = tuple(dict(each) for each in self.near)
        for group in chain.from_iterable(rounds):
            for one, other in permutations(group, 2):
                near[one][other] = near[one].get(other, 0) + REPEAT
        return replace(self, near=near)

    def repeats(self, groups: Iterable[list[int]]) -> int:
        """The cost of the meetings in these groups."""
        pairs = chain.from_iterable(combinations(group, 2) for group in groups)
        return sum(self.near[one].get(other, 0) for one, other in pairs)


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
    """The cheapest swap partner, if any, and how many were tried until all trouble ended."""
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


def dealt(constraints: Constraints, history: SeatingHistory, chance: Random) -> list[list[int]]:
    """Groups of the requested sizes, the largest first, dealt seat by seat round the tables.

    A team's members are consecutive in the deal, or a club's, so that no more of them meet than
    must if the tables are equal; all else is chance.
    """
    clubs = history.members({**constraints.clubs, **constraints.teams})
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


def embedded(
    anchor: Draw, past: Sequence[Draw], history: SeatingHistory, size: int
) -> tuple[list[int | None], list[int]]:
    """Each point's player in a plan whose first round is `anchor`, and the players without a point.

    A past draw serves as the first round of the construction, so that only the draws need to be
    stored. The players are on the points by their seats in that draw; a player who left is a hole
    (None), and a late entrant steps into the oldest one: no player whom the hole has met has met
    the newcomer.
    """
    tables = sorted(anchor.tables, key=lambda table: -len(table.seats))
    owners = [
        table.seats[seat] if seat < len(table.seats) else None
        for table in tables
        for seat in range(size)
    ]
    points = [None if owner is None else history.places.get(owner) for owner in owners]
    holes = [point for point, place in enumerate(points) if place is None]

    def rounds_of(entrant: int | None) -> list[int]:
        return [number for number, draw in enumerate(past) if entrant in draw.entrants]

    holes.sort(key=lambda point: max(rounds_of(owners[point]), default=-1))
    missing = sorted(set(range(len(history.entrants))).difference(points))
    missing.sort(key=lambda place: min(rounds_of(history.entrants[place]), default=len(past)))
    for point, place in zip(holes, missing, strict=False):
        points[point] = place
    return points, missing[len(holes) :]


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


class _Start(NamedTuple):
    groups: list[list[int]]
    later: list[list[list[int]]]


def draw_tables(constraints: Constraints) -> Draw:
    """Seat everybody for the next round: strangers while a design exists.

    In this order: those who need it sit at an accessible table; meetings are repeated as seldom as
    possible; mates of a team sit apart, of a club in round 1; short tables rotate; seats and the
    right to begin rotate. If the past draws came from this function with the same number of tables,
    the rounds are those of a construction (see `plan`), so that no pair meets twice in as many
    rounds as it gives; else swaps find the best seating in a fixed number of steps. Raises
    DrawError.
    """
    chance = Random(constraints.seed)
    out = byes(constraints, chance)
    seated = tuple(each for each in constraints.entrants if each not in out)
    history = SeatingHistory.of(seated, constraints.past)
    costs = Costs.of(constraints, history)
    start = _start(constraints, history, costs, chance)
    seating = PartialSeating(
        start.groups,
        costs.reserving(start.later),
        open_groups(start.groups, costs.barred, constraints),
    )
    mixed = shuffled(settle(seating, chance), chance)
    needing = [not costs.barred.isdisjoint(group) for group in mixed]
    numbers = table_numbers(needing, sorted(constraints.accessible_tables))
    tables = (
        TableSeats(number, history.rotated(group, chance))
        for number, group in sorted(zip(numbers, mixed, strict=True))
    )
    return Draw(tuple(tables), out)


def _start(
    constraints: Constraints, history: SeatingHistory, costs: Costs, chance: Random
) -> _Start:
    best, least = None, 0
    for start in _planned(constraints, history, costs):
        groups = start.groups
        cost = PartialSeating(groups, costs, open_groups(groups, costs.barred, constraints)).total
        if best is None or cost < least:
            best, least = start, cost
        if not least:
            break
    return _Start(dealt(constraints, history, chance), []) if best is None else best


def _planned(constraints: Constraints, history: SeatingHistory, costs: Costs) -> Iterator[_Start]:
    """Every unused round that the plan of a past draw offers, those of the oldest draw first."""
    if not constraints.sizes:
        return
    size, tables = max(constraints.sizes), len(constraints.sizes)
    number, planned = len(constraints.past) + 1, constraints.rounds_planned
    rounds = plan(tables, size, max(planned, number) + _SPARE_ROUNDS)
    for anchor in constraints.past:
        seats = [len(table.seats) for table in anchor.tables]
        if len(seats) == tables and max(seats) <= size:
            points, homeless = embedded(anchor, constraints.past, history, size)
            laid = [
                [
                    [place for point in block if (place := points[point]) is not None]
                    for block in groups
                ]
                for groups in rounds
            ]
            unused = [groups for groups in laid if not costs.repeats(groups)]
            for at, groups in enumerate(unused):
                later = [*unused[:at], *unused[at + 1 :]][: max(planned - number, 0)]
                yield _Start(fitted(groups, constraints.sizes, homeless), later)


def draw_by_standing(constraints: Constraints, pattern: SeatingPattern = "blocks") -> Draw:
    """Seat the entrants, the best first, at tables 1, 2, ... of the constraints' sizes, in order.

    Byes go to the lowest among those who sat out least often. At a cut ("odd-even") the seats are
    in order of standing, so that the best begins; else seats rotate as in `draw_tables`. Those who
    need an accessible table get one: its number is exchanged, and if that is not enough, they swap
    with the nearest in standing. Raises DrawError.
    """
    chance = Random(constraints.seed)
    out = byes(constraints)
    seated = tuple(each for each in constraints.entrants if each not in out)
    history = SeatingHistory.of(seated, constraints.past)
    groups = _laid(constraints.sizes, pattern)
    needing = history.accessible_of(constraints)
    _let_in(groups, needing, open_groups(groups, needing, constraints))
    bound = [not needing.isdisjoint(group) for group in groups]
    accessible = sorted(constraints.accessible_tables)
    tables = [
        TableSeats(
            number,
            tuple(seated[place] for place in sorted(group))
            if pattern == "odd-even"
            else history.rotated(group, chance),
        )
        for number, group in zip(
            table_numbers(bound, accessible, range(1, len(groups) + 1)), groups, strict=True
        )
    ]
    return Draw(tuple(sorted(tables, key=lambda table: table.number)), out)


def _laid(sizes: tuple[int, ...], pattern: SeatingPattern) -> list[list[int]]:
    groups: list[list[int]] = [[] for _ in sizes]
    turns = []  # the table at which the best sits, then that of the second, and so on
    if pattern == "blocks":
        turns = [at for at, size in enumerate(sizes) for _ in range(size)]
    else:
        for lap in range(max(sizes, default=0)):
            tables = [at for at, size in enumerate(sizes) if lap < size]
            turns += tables[::-1] if pattern == "snake" and lap % 2 else tables
    for place, at in enumerate(turns):
        groups[at].append(place)
    return groups


def _let_in(groups: list[list[int]], needing: frozenset[int], opened: frozenset[int]) -> None:
    """Swap everyone who needs it into an opened group with the nearest who doesn't."""
    for at, group in enumerate(groups):
        for seat, place in enumerate(group):
            if place in needing and at not in opened:
                there = [
                    (abs(each - place), other, number)
                    for other in opened
                    for number, each in enumerate(groups[other])
                    if each not in needing
                ]
                _, other, number = min(there, key=lambda each: each[0])
                group[seat], groups[other][number] = groups[other][number], place


# What a wish that is not met costs; each is more than all lesser ones of a thousand tables.
_STEPS: Final = 10**18
_FIXED: Final = 10**13
_SAT: Final = 10**7
_MORE_THAN_ALL: Final = 10**23
_NEAR: Final = 20  # how far a table moves that is not wished elsewhere


@dataclass(frozen=True, slots=True, kw_only=True)
class TableConstraints:
    """Preferred tables; entrants by entry number.

    Those in `accessible` need one of `accessible_tables`. `how` is the format's wish: by `order`,
    the best first, or by everyone's tables in the draws of the `past`.
    """

    fixed: Mapping[int, int] = field(default_factory=dict)
    accessible: frozenset[int] = frozenset()
    accessible_tables: frozenset[int] = frozenset()
    how: str = "as-drawn"
    order: tuple[int, ...] = ()
    past: tuple[Draw, ...] = ()


def renumbered(draw: Draw, wishes: TableConstraints) -> Draw:
    """The draw with its tables renumbered so that most wishes are met, and others stay near."""
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
