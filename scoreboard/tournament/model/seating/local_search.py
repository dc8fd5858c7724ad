"""Local search: players who trouble others swap places until nobody does, or steps run out.

A tabu search over swaps that involve somebody in trouble (I. Dotú and P. Van Hentenryck,
"Scheduling social golfers locally", CPAIOR 2005). Steps are counted, not seconds: the same
seed gives the same seating on a slow machine.
"""

from __future__ import annotations

from random import Random
from typing import Final

from scoreboard.tournament.model.seating.chance import chosen
from scoreboard.tournament.model.seating.costs import REPEAT
from scoreboard.tournament.model.seating.partial_seating import PartialSeating

_STEPS_FOR_MEETINGS: Final = 20_000  # swaps looked at while a meeting is repeated
_STEPS_FOR_WISHES: Final = 3_000  # swaps looked at for the lesser wishes alone
_TENURE: Final = 6  # turns in which nobody goes back to the group just left
_TENURE_SPREAD: Final = 6


def settle(room: PartialSeating, chance: Random) -> list[list[int]]:
    """The best groups that swapping finds; never worse than those of the room."""
    total = room.total
    best, best_total = [list(group) for group in room.groups], total
    left_until: dict[tuple[int, int], int] = {}
    steps, turn = 0, 0
    while total and steps < (_STEPS_FOR_MEETINGS if best_total >= REPEAT else _STEPS_FOR_WISHES):
        turn += 1
        one = chosen([each for each, cost in room.cost_of.items() if cost], chance)
        barred = {at for (each, at), until in left_until.items() if each == one and until > turn}
        other, looked_at = _best_partner(room, one, barred, chance)
        steps += looked_at
        if other is None:
            continue
        tenure = turn + _TENURE + int(chance.random() * _TENURE_SPREAD)
        left_until[one, room.group_of[one]] = left_until[other, room.group_of[other]] = tenure
        room.swap(one, other)
        total = room.total
        if total < best_total:
            best, best_total = [list(group) for group in room.groups], total
    return best


def _best_partner(
    room: PartialSeating, one: int, barred: set[int], chance: Random
) -> tuple[int | None, int]:
    """With whom a swap costs least, and how many were looked at; the first who ends all trouble.

    None where nobody is left to swap with.
    """
    home, relief = room.group_of[one], -room.cost_of[one]
    tables = len(room.groups)
    best, least, looked_at = None, 0, 1
    offset = int(chance.random() * tables)
    for step in range(tables):
        at = (offset + step) % tables
        if at == home or at in barred:
            continue
        for other in room.groups[at]:
            looked_at += 1
            change = room.change(one, other)
            if best is None or change < least:
                best, least = other, change
        if best is not None and least <= relief:
            break
    return best, looked_at
