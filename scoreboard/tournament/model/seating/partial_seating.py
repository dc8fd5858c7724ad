"""A seating in the making: groups of players who swap places."""

from __future__ import annotations

from collections.abc import Iterable

from scoreboard.tournament.model.seating.costs import BARRED, Costs


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
        """What a member costs, or would cost, among those of a group."""
        near = self._costs.near[member]
        cost = sum([near[other] for other in self.groups[at] if other in near])
        if self._short[at]:
            cost += self._costs.short[member]
        if member in self._costs.barred and at not in self._open:
            cost += BARRED
        return cost

    def change(self, one: int, other: int) -> int:
        """What two members of different groups would cost more if they swapped places."""
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
