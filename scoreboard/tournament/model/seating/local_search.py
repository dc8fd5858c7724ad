"""Local search: players who cause costs swap places until nobody does, or steps run out.

A tabu search over swaps that involve somebody who causes a cost (I. Dotú and P. Van Hentenryck,
"Scheduling social golfers locally", CPAIOR 2005). Steps are counted, not seconds: the same
seed gives the same seating on a slow machine. Costs are whole numbers; a greater constraint
outweighs all lesser ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import Final

from scoreboard.tournament.model.seating.constraints import (
    Constraints,
    Counts,
    SeatingHistory,
    chosen,
)

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
    """The costs of two who sit together (`near`), and of one at a short table.

    A meeting costs 2 m after m meetings, the growth of the sum of squares beyond the growth
    for strangers; two whom a later round of the plan seats together cost half a repetition.
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
        """The same, and those dear who are to meet in these later rounds."""
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
    """Groups at tables, what each member costs, and what a swap would change.

    Which groups are short follows from their sizes; `open_to_all` says which of them sit at
    accessible tables.
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
        """The sum of what all members cost; a meeting counts for both."""
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
    """With whom a swap costs least, and how many were looked at; the first who ends all trouble.

    None where nobody is left to swap with.
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
