"""Which groups sit at the accessible tables, and what number every table gets."""

from __future__ import annotations

from itertools import count, islice
from random import Random

from scoreboard.message import message
from scoreboard.tournament.model.draw import DrawError
from scoreboard.tournament.model.seating.chance import shuffled
from scoreboard.tournament.model.seating.constraints import Constraints


def open_groups(
    groups: list[list[int]], needing: frozenset[int], wish: Constraints
) -> frozenset[int]:
    """The groups that are to sit at accessible tables: as many as there are such tables.

    Those with most who need one; where tables are scarce the largest.

    Raises:
        DrawError: more need an accessible table than the accessible tables seat.
    """
    tables = min(len(wish.accessible_tables), len(groups))
    seats = sum(sorted(map(len, groups), reverse=True)[:tables])
    if seats < len(needing):
        raise DrawError(
            message(
                "{needing} players need an accessible table, and such tables seat {seats}: mark "
                "more tables as accessible.",
                needing=len(needing),
                seats=seats,
            )
        )
    scarce = len(needing) > tables

    def rank(at: int) -> tuple[int, int]:
        members = sum(each in needing for each in groups[at])
        return (len(groups[at]) if scarce else 0, members)

    return frozenset(sorted(range(len(groups)), key=rank, reverse=True)[:tables])


def numbered(
    groups: list[list[int]], needing: frozenset[int], wish: Constraints, chance: Random
) -> list[tuple[int, list[int]]]:
    """Each group with its table's number, in the order of numbers, given out by chance.

    Numbers run from 1; an accessible table beyond them stands in for the last.
    """
    mixed = shuffled(groups, chance)
    bound = [group for group in mixed if not needing.isdisjoint(group)]
    free = [group for group in mixed if needing.isdisjoint(group)]
    accessible = sorted(wish.accessible_tables)[: len(bound)]
    others = (number for number in count(1) if number not in accessible)
    numbers = [*accessible, *islice(others, len(free))]
    return sorted(zip(numbers, [*bound, *free], strict=True), key=lambda table: table[0])
