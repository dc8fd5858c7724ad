"""Rounds from rows and shifts: quick, and for any number of tables.

Write the players in as many rows as a table has seats, one column a table. In a round each row
is shifted by its own offset, and every column is a table. Two players of different rows meet
again only where two rounds have the same difference of their rows' offsets; two of one row
never meet. So rounds whose offsets differ pairwise, in every pair of rows, repeat no meeting:
the columns of a difference matrix over the integers modulo the number of tables (D. Jungnickel,
"On difference matrices, resolvable transversal designs and generalized Hadamard matrices",
Mathematische Zeitschrift 167, 1979), which is what a set of Latin squares is made of.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import factorial, gcd
from typing import Final

from scoreboard.tournament.model.seating.development import Groups

Offsets = tuple[int, ...]
_SEARCHED_UP_TO: Final = 40  # tables; beyond them the plain multiples give rounds enough
_STEPS: Final = 4000


def transversal_rounds(tables: int, size: int, most: int) -> tuple[Groups, ...]:
    """Up to `most` rounds of `tables` tables without a second meeting.

    Point `size * table + row` sits at `table` in the first round. At least
    (tables - 1) // (size - 1) + 1 rounds, where that many are asked for; as many rounds as
    tables where their number has no divisor below `size`.
    """
    return tuple(
        tuple(
            tuple(size * ((table + shift) % tables) + row for row, shift in enumerate(shifts))
            for table in range(tables)
        )
        for shifts in offsets(tables, size)[:most]
    )


@cache
def offsets(tables: int, size: int) -> tuple[Offsets, ...]:
    """Each round's offset of every row.

    Multiples of the round's number: a times the difference of two rows can't come twice modulo
    the tables while it stays below them, or where the rows' differences are invertible.
    """
    whole = gcd(tables, factorial(size - 1)) == 1
    sure = tables if whole else (tables - 1) // (size - 1) + 1
    plain = tuple(tuple(a * row % tables for row in range(size)) for a in range(min(sure, tables)))
    if whole or tables > _SEARCHED_UP_TO:
        return plain
    return max(plain, _searched(tables, size), key=len)


def _searched(tables: int, size: int) -> tuple[Offsets, ...]:
    """More rounds than the plain ones, round by round, with the lowest offsets that fit."""
    rounds: list[Offsets] = []
    used: set[tuple[int, int, int]] = set()
    for a in range(tables):
        found = _fitting(a, tables, size, used)
        if found is not None:
            rounds.append(found)
            used |= _differences(found, tables)
    return tuple(rounds)


def _fitting(a: int, tables: int, size: int, used: set[tuple[int, int, int]]) -> Offsets | None:
    """Offsets that begin with 0 and `a` and whose differences are all new; None without."""
    begun: list[Offsets] = [(0, a)[:size]]
    for _ in range(_STEPS):
        if not begun:
            return None
        tried = begun.pop()
        if len(tried) == size:
            return tried
        begun += [
            (*tried, shift)
            for shift in range(tables - 1, -1, -1)
            if not used & _new_differences(tried, shift, tables)
        ]
    return None


def _differences(shifts: Offsets, tables: int) -> set[tuple[int, int, int]]:
    return {
        (one, other, (shifts[other] - shifts[one]) % tables)
        for one, other in combinations(range(len(shifts)), 2)
    }


def _new_differences(tried: Offsets, shift: int, tables: int) -> set[tuple[int, int, int]]:
    row = len(tried)
    return {(one, row, (shift - before) % tables) for one, before in enumerate(tried)}
