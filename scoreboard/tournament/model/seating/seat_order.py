"""Which seat at the table: everybody begins as often as everybody, and sits in every seat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_BEGINNING: Final = 100  # beginning weighs more than any other seat


def rotated(group: list[int], had: Mapping[int, Mapping[int, int]]) -> list[int]:
    """The group in the order of seats that makes the seats had most even.

    The sum over all of the squares of how often they had the seat is least; `had` says how
    often each had which seat. Among equals the order of the group decides. Solved exactly, seat
    by seat over the sets of those seated.
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
