"""The rounds of a construction: which points sit together in which round."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from scoreboard.tournament.model.circle import circle_rounds
from scoreboard.tournament.model.seating.development import Groups
from scoreboard.tournament.model.seating.starters import STARTERS
from scoreboard.tournament.model.seating.transversal import transversal_rounds

_PAIR: Final = 2


@lru_cache(maxsize=8)
def plan(tables: int, size: int, most: int) -> tuple[Groups, ...]:
    """Up to `most` rounds for `tables` tables of `size`, in which no two points meet twice.

    Points are numbered from 0; in the first round point `size * table + seat` sits at `table`.
    A stored design where there is one; the circle for two at a table; else rows and shifts,
    and then the rows among themselves, since none of a row has met another.
    """
    if size == 1 or not tables:
        return ()
    if size == _PAIR:
        return _circle(tables)[:most]
    starter = STARTERS.get((tables, size))
    if starter is not None:
        return starter.rounds()[:most]
    rounds = transversal_rounds(tables, size, most)
    left = most - len(rounds)
    return rounds if left < 1 or tables % size else (*rounds, *_within(tables, size, left))


def _circle(tables: int) -> tuple[Groups, ...]:
    rounds = circle_rounds(2 * tables)
    numbers = {
        point: 2 * table + seat
        for table, pair in enumerate(rounds[0])
        for seat, point in enumerate(pair)
    }
    return tuple(
        tuple(tuple(numbers[point] for point in pair) for pair in pairs) for pairs in rounds
    )


def _within(tables: int, size: int, most: int) -> tuple[Groups, ...]:
    """Every row plays the plan of a smaller event, all rows at once."""
    return tuple(
        tuple(
            tuple(size * point + row for point in group) for row in range(size) for group in inner
        )
        for inner in plan(tables // size, size, most)
    )
