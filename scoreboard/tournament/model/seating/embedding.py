"""Laying a construction over the players: a past draw is taken for its first round.

So nothing has to be remembered beside the draws themselves. The players stand on the points of
the plan as they sat in that draw; somebody who left is a hole, and a late entrant steps into
the oldest one: nobody whom the hole has met has met the newcomer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scoreboard.tournament.model.draw import Draw
from scoreboard.tournament.model.seating.development import Groups
from scoreboard.tournament.model.seating.history import SeatingHistory


@dataclass(frozen=True, slots=True)
class Embedding:
    """Who stands on which point (None: nobody), and who found no point."""

    points: tuple[int | None, ...]
    homeless: tuple[int, ...]

    def groups(self, round_: Groups) -> list[list[int]]:
        """Who sits together in a round of the plan."""
        points = self.points
        return [
            [place for point in block if (place := points[point]) is not None] for block in round_
        ]


def embedding(anchor: Draw, past: Sequence[Draw], facts: SeatingHistory, size: int) -> Embedding:
    """Those who sit, on the points of a plan whose first round is `anchor`; seats are rows."""
    tables = sorted(anchor.tables, key=lambda table: -len(table.seats))
    owners = [
        table.seats[seat] if seat < len(table.seats) else None
        for table in tables
        for seat in range(size)
    ]
    points = [None if owner is None else facts.places.get(owner) for owner in owners]
    holes = [point for point, place in enumerate(points) if place is None]
    holes.sort(key=lambda point: _last_seen(owners[point], past))
    newcomers = _newcomers(points, past, facts)
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
    points: Iterable[int | None], past: Sequence[Draw], facts: SeatingHistory
) -> list[int]:
    """Those on no point, first those who came first."""
    standing = set(points)
    missing = [place for place in range(len(facts.entrants)) if place not in standing]
    return sorted(missing, key=lambda place: _first_seen(facts.entrants[place], past))


def _first_seen(entrant: int, past: Sequence[Draw]) -> int:
    rounds = (number for number, draw in enumerate(past) if entrant in draw.entrants)
    return next(rounds, len(past))


def _last_seen(entrant: int | None, past: Sequence[Draw]) -> int:
    if entrant is None:
        return -1
    return max(number for number, draw in enumerate(past) if entrant in draw.entrants)
