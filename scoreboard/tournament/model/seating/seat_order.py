"""Sizes and numbers of tables, byes, and the order of seats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import count, islice
from random import Random
from typing import Final

from scoreboard.message import message
from scoreboard.tournament.model.draw import DrawError
from scoreboard.tournament.model.seating.constraints import Constraints, shuffled

_BEGINNING: Final = 100  # beginning weighs more than any other seat


def rotated(group: list[int], had: Mapping[int, Mapping[int, int]]) -> list[int]:
    """The group in the order of seats that makes everyone's seats most even.

    The sum over all of the squares of how often they had the seat is least; `had` is how often each
    had which seat. Among equals the order of the group decides. Solved exactly, seat by seat over
    the sets of those seated.
    """
    best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for seat in range(len(group)):
        weight = _BEGINNING if seat == 0 else 1
        costs = [weight * (2 * had[member].get(seat, 0) + 1) for member in group]
        best = _with_one_more(best, costs)
    ((_, order),) = best.values()
    return [group[member] for member in order]


def _with_one_more(
    best: Mapping[int, tuple[int, tuple[int, ...]]], costs: list[int]
) -> dict[int, tuple[int, tuple[int, ...]]]:
    """For every set of members seated so far and one more: the cheapest order."""
    after: dict[int, tuple[int, tuple[int, ...]]] = {}
    for seated, (before, order) in best.items():
        for member, cost in enumerate(costs):
            together = seated | 1 << member
            if together == seated:
                continue
            known = after.get(together)
            if known is None or before + cost < known[0]:
                after[together] = (before + cost, (*order, member))
    return after


def open_groups(
    groups: list[list[int]], needing: frozenset[int], constraints: Constraints
) -> frozenset[int]:
    """The groups to be seated at accessible tables: as many as there are such tables.

    Those with most members in need; if tables are scarce the largest.

    Raises:
        DrawError: more need an accessible table than the accessible tables seat.
    """
    tables = min(len(constraints.accessible_tables), len(groups))
    seats = sum(sorted(map(len, groups), reverse=True)[:tables])
    if seats < len(needing):
        raise DrawError(
            message(
                "Mark more tables as accessible: they seat {seats}, and so many players need one: "
                "{needing}.",
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
    groups: list[list[int]], needing: frozenset[int], constraints: Constraints, chance: Random
) -> list[tuple[int, list[int]]]:
    """Each group with its table's number, in the order of numbers, given out by chance.

    Numbers run from 1; an accessible table beyond them replaces the last.
    """
    mixed = shuffled(groups, chance)
    bound = [group for group in mixed if not needing.isdisjoint(group)]
    free = [group for group in mixed if needing.isdisjoint(group)]
    accessible = sorted(constraints.accessible_tables)[: len(bound)]
    others = (number for number in count(1) if number not in accessible)
    numbers = [*accessible, *islice(others, len(free))]
    return sorted(zip(numbers, [*bound, *free], strict=True), key=lambda table: table[0])


def byes(constraints: Constraints, chance: Random) -> tuple[int, ...]:
    """As many as find no seat: those who sat out least often, at random among equals."""
    surplus = len(constraints.entrants) - sum(constraints.sizes)
    if not surplus:
        return ()
    had = Counter(entrant for draw in constraints.past for entrant in draw.byes)
    out = set(sorted(shuffled(constraints.entrants, chance), key=lambda each: had[each])[:surplus])
    return tuple(entrant for entrant in constraints.entrants if entrant in out)


def table_sizes(
    entrants: int, size: int, smallest: int, largest: int | None = None
) -> tuple[int, ...]:
    """Tables of `size`, and as few others as can be, the largest first; all entrants sit.

    The others have `smallest` to `largest` seats (None: no more than `size`) and differ from
    one another by one at most.

    Raises:
        DrawError: the entrants can't be spread over tables of these sizes.
    """
    most = size if largest is None else largest
    if not 1 <= smallest <= size <= most:
        raise DrawError(
            message(
                "Tables of {smallest} to {most} leave no room for tables of {size}.",
                smallest=smallest,
                most=most,
                size=size,
            )
        )
    spreads = [
        spread
        for tables in range(1, entrants // smallest + 1)
        if (spread := _spread(entrants, tables, size, (smallest, most))) is not None
    ]
    if entrants and not spreads:
        raise DrawError(
            message(
                "{entrants} players can't be spread over tables of {smallest} to {largest}: allow "
                "smaller or larger tables, or give somebody a bye.",
                entrants=entrants,
                smallest=smallest,
                largest=most,
            )
        )

    def awkwardness(spread: tuple[int, ...]) -> tuple[int, int]:
        """Few tables of another size; among as few, those that differ least."""
        return sum(one != size for one in spread), sum((one - size) ** 2 for one in spread)

    return min(spreads, key=awkwardness, default=())


def _spread(
    entrants: int, tables: int, size: int, limits: tuple[int, int]
) -> tuple[int, ...] | None:
    """That many tables with the fewest not of `size`; None if impossible."""
    missing = tables * size - entrants
    room = size - limits[0] if missing > 0 else limits[1] - size
    others = 0 if not missing else -(-abs(missing) // room) if room else tables + 1
    if others > tables:
        return None
    each, more = divmod(abs(missing), others) if others else (0, 0)
    by = [each + 1] * more + [each] * (others - more)
    sign = -1 if missing > 0 else 1
    spread = [size] * (tables - others) + [size + sign * one for one in by]
    return tuple(sorted(spread, reverse=True))
