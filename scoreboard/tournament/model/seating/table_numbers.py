"""Which table of a draw gets which number, as entrants and the format wish."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import count, islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scoreboard.tournament.model.draw import Draw

# What a wish that is not met costs; each is more than all lesser ones of a thousand tables.
_STEPS: Final = 10**15
_FIXED: Final = 10**12
_SAT: Final = 10**6
_FAR: Final = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True, kw_only=True)
class TableConstraints:
    """Who sits where by preference; entrants by entry number.

    `fixed` are the tables of those who always sit at one. Those in `accessible` need one of
    `accessible_tables`, which goes before all else. `sat` says what it costs, or brings where
    negative, to seat an entrant at a table. `best_first` is the order of standing where the best
    sit at the first tables.
    """

    fixed: Mapping[int, int] = field(default_factory=dict)
    accessible: frozenset[int] = frozenset()
    accessible_tables: frozenset[int] = frozenset()
    sat: Mapping[tuple[int, int], int] = field(default_factory=dict)
    best_first: tuple[int, ...] = ()


def renumbered(draw: Draw, wishes: TableConstraints) -> Draw:
    """The draw with other numbers for its tables, so that most wishes are met.

    Step-free access goes first, then fixed tables, then where somebody sat before; what nobody
    wishes stays as near to its place as can be.
    """
    tables = list(draw.tables)
    if wishes.best_first:
        places = {each: place for place, each in enumerate(wishes.best_first)}
        last = len(places)
        tables.sort(key=lambda table: min(places.get(each, last) for each in table.seats))
    taken = {table.number for table in draw.tables}
    if wishes.best_first:
        taken = set(islice(count(1), len(tables)))
    there = {each for table in tables for each in table.seats}
    taken |= {table for each, table in wishes.fixed.items() if each in there}
    if wishes.accessible & there:
        taken |= wishes.accessible_tables
    numbers = sorted(taken)
    homes = range(1, len(tables) + 1) if wishes.best_first else [each.number for each in tables]
    costs = np.abs(np.subtract.outer(np.array(homes), np.array(numbers))).astype(np.int64)
    costs = np.minimum(costs, len(numbers))
    for row, table in enumerate(tables):
        for column, number in enumerate(numbers):
            needs = not wishes.accessible.isdisjoint(table.seats)
            costs[row, column] += _STEPS * (needs and number not in wishes.accessible_tables)
            for each in table.seats:
                costs[row, column] += _FIXED * (wishes.fixed.get(each, number) != number)
                costs[row, column] += _SAT * wishes.sat.get((each, number), 0)
    chosen = cheapest_assignment(costs)
    moved = (
        replace(table, number=numbers[column]) for table, column in zip(tables, chosen, strict=True)
    )
    return Draw(tuple(sorted(moved, key=lambda table: table.number)), draw.byes)


def cheapest_assignment(costs: NDArray[np.int64]) -> list[int]:
    """The column of each row, each once, so that the costs add up to the least.

    There are at least as many columns as rows. By shortest augmenting paths (J. Munkres,
    "Algorithms for the assignment and transportation problems", Journal of SIAM 5, 1957).
    """
    rows, columns = costs.shape
    row_worth, worth = np.zeros(rows, np.int64), np.zeros(columns, np.int64)
    row_of = np.full(columns, -1)
    for start in range(rows):
        least, before = np.full(columns, _FAR), np.full(columns, -1)
        open_, row, column = np.ones(columns, bool), start, -1
        path: list[int] = []
        while True:
            reduced = costs[row] - row_worth[row] - worth
            nearer = open_ & (reduced < least)
            least[nearer], before[nearer] = reduced[nearer], column
            column = int(np.where(open_, least, _FAR).argmin())
            step = least[column]
            row_worth[[start, *row_of[path]]] += step
            worth[path] -= step
            least[open_] -= step
            open_[column] = False
            path.append(column)
            if row_of[column] < 0:
                break
            row = int(row_of[column])
        while column >= 0:
            earlier = int(before[column])
            row_of[column] = start if earlier < 0 else row_of[earlier]
            column = earlier
    chosen = [0] * rows
    for column, row in enumerate(row_of.tolist()):
        if row >= 0:
            chosen[row] = column
    return chosen
