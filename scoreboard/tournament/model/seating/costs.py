"""What speaks against a seating, as whole numbers: the greater wish outweighs all lesser ones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from scoreboard.tournament.model.seating.constraints import Constraints
from scoreboard.tournament.model.seating.history import Counts, SeatingHistory

BARRED: Final = 10**12  # who needs an accessible table sits at another
REPEAT: Final = 10**6  # half of what a second meeting adds to the sum of squares
CLUB: Final = 10**3  # two of a club at one table in round 1
SHORT: Final = 2  # half of what a second short table adds to the sum of squares


@dataclass(frozen=True, slots=True)
class Costs:
    """What it costs that two sit together (`near`), or that one sits at a short table.

    A meeting costs 2 m after m meetings, the growth of the sum of squares beyond the growth
    for strangers; two whom a later round of the plan seats together cost half a repetition.
    """

    near: Counts
    short: tuple[int, ...]
    barred: frozenset[int]

    @classmethod
    def of(cls, wish: Constraints, facts: SeatingHistory) -> Costs:
        """The costs of the past, and in round 1 of the clubs."""
        near: Counts = tuple(
            {other: 2 * times * REPEAT for other, times in met.items()} for met in facts.met
        )
        if not wish.past:
            _add_clubs(near, facts.clubs_of(wish))
        least = min(facts.short, default=0)
        short = tuple(SHORT * (times - least) for times in facts.short)
        return cls(near, short, facts.accessible_of(wish))

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
        """What the meetings in these groups cost."""
        near = self.near
        return sum(
            near[one].get(other, 0)
            for group in groups
            for place, one in enumerate(group)
            for other in group[:place]
        )


def _add_clubs(near: Counts, clubs: list[list[int]]) -> None:
    for members in clubs:
        for one in members:
            near[one].update((other, CLUB) for other in members if other != one)
