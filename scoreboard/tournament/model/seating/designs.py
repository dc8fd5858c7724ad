"""Plans of rounds in which no two points meet twice: round robins, and designs for tables.

A round robin is laid out by the circle method: one player stays, the others move round a circle by
half its length each round, and opposite players meet. So come the tables that J. Berger published
in 1893 and chess still uses: the one who stays begins every other round, and the others alternate
but for one break each.

A resolvable design is a list of rounds ("parallel classes") in which every point sits at one table
("block") a round and no two points meet twice. `designs.toml` has the stored ones, by tables and
size; what each guarantees is tested. There are at most (players - 1) // (size - 1) rounds, since
every player meets size - 1 others in each.

| players at fours | rounds | which is |
|---|---|---|
| 12 | 1, no construction | all: of four who sit together at three tables two met before |
| 16 | 5, one fixed and a cycle of 15 | all: the affine plane of order 4 |
| 20 | 5, rows and shifts modulo 5 (`transversal_rounds`) | one below the bound |
| 24 | 7, three fixed and 3 cycles of 7 | all: a group divisible design, 8 groups of 3 |
| 28 | 9, one fixed and 27 vectors modulo 3 | all: a resolvable 2-(28,4,1) design |
| 32 | 9, planes of AG(5,2) | one below the bound |
| 36 | 11, three fixed and 3 cycles of 11 | all: a group divisible design, 12 groups of 3 |
| 40 | 13, one fixed and a cycle of 39 | all: a resolvable 2-(40,4,1) design |

At threes 9, 15 and 27 and at fives 25 players are stored too: 4, 7, 13 and 6 rounds, all that there
can be. Kinds and bounds of such designs: C. J. Colbourn and J. H. Dinitz, "Handbook of
Combinatorial Designs", second edition, 2007, parts II.7 and IV.5.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain, combinations
from math import factorial, gcd
from pathlib import Path
from typing import Final

from scoreboard.tournament.model.draw import Draw, TableSeats

Groups = tuple[tuple[int, ...], ...]
Pairs = tuple[tuple[int, int], ...]
_POINT: Final = re.compile(r"(\d*)([a-z])", re.ASCII)
Offsets = tuple[int, ...]
_SEARCHED_UP_TO: Final = 40  # tables; beyond them the plain multiples give rounds enough
_STEPS: Final = 4000
_PAIR: Final = 2


@dataclass(frozen=True, slots=True)
class Starter:
    """One round, moved along a group: a starter, developed.

    If a group acts on a design, one round and the group define it (R. C. Bose, "On the construction
    of balanced incomplete block designs", Annals of Eugenics 9, 1939). Points are the elements of
    the group, as often as there are components, and points that stay.

    `orders` are those of the cyclic groups whose product it is; an element is one number in mixed
    base. `round_one` has the blocks, a point as its element and its component (`12a`), a fixed
    point as a letter alone (`x`). It is moved `moves` times, by 0, 1, 2, ...
    """

    orders: Sequence[int]
    moves: int
    round_one: Sequence[str]

    def rounds(self) -> tuple[Groups, ...]:
        """All rounds; the points are numbered so that the first round has them in order."""
        blocks = [_POINT.findall(block) for block in self.round_one]
        return _numbered(
            [
                [[self._moved(point, move) for point in block] for block in blocks]
                for move in range(self.moves)
            ]
        )

    def _moved(self, point: tuple[str, str], move: int) -> tuple[str, str]:
        element, component = point
        if not element:
            return point
        total, weight = 0, 1  # the sum of two elements of the group, digit by digit
        for order in self.orders:
            total += (int(element) // weight + move // weight) % order * weight
            weight *= order
        return str(total), component


@dataclass(frozen=True, slots=True)
class Planes:
    """Planes in a space over two elements, each by two vectors that span it.

    Players are the vectors, written as whole numbers and added bit by bit (XOR). A plane through
    zero and its cosets are one round, since four to a plane they hold every vector once; two
    planes that share zero alone never seat two players together twice. So rounds are the lines of
    a partial spread of the projective space (J. W. P. Hirschfeld, "Finite Projective Spaces of
    Three Dimensions", Oxford 1985).
    """

    dimensions: int
    spanning: Sequence[tuple[int, int]]

    def rounds(self) -> tuple[Groups, ...]:
        """A round a plane; the points are numbered so that the first round has them in order."""
        return _numbered([self._cosets(*pair) for pair in self.spanning])

    def _cosets(self, one: int, other: int) -> list[tuple[int, ...]]:
        lowest = [
            vector
            for vector in range(1 << self.dimensions)
            if vector == min(vector, vector ^ one, vector ^ other, vector ^ one ^ other)
        ]
        return [(each, each ^ one, each ^ other, each ^ one ^ other) for each in lowest]


def _numbered(rounds: Sequence[Sequence[Sequence[Hashable]]]) -> tuple[Groups, ...]:
    numbers = {point: at for at, point in enumerate(chain.from_iterable(rounds[0]))}
    return tuple(tuple(tuple(numbers[one] for one in group) for group in each) for each in rounds)


_STORED: Final = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
STARTERS: Final[Mapping[tuple[int, int], Starter | Planes]] = {
    (each["tables"], each["seats"]): (
        Planes(each["dimensions"], each["spanning"])
        if "spanning" in each
        else Starter(each["orders"], each["moves"], each["round_one"])
    )
    for each in _STORED["designs"]
}


def transversal_rounds(tables: int, size: int, most: int) -> tuple[Groups, ...]:
    """Up to `most` rounds of `tables` tables without a second meeting, from rows and shifts.

    Write the players in as many rows as a table has seats, one column a table. In a round each row
    is shifted by its own offset, and every column is a table. So rounds whose offsets differ
    pairwise, in every pair of rows, repeat no meeting: the columns of a difference matrix over the
    integers modulo the number of tables (D. Jungnickel, "On difference matrices, resolvable
    transversal designs and generalized Hadamard matrices", Mathematische Zeitschrift 167, 1979). At
    least (tables - 1) // (size - 1) + 1 rounds are found, and as many as tables where their number
    has no divisor below `size`.
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
            used |= {
                (one, other, (found[other] - found[one]) % tables)
                for one, other in combinations(range(size), 2)
            }
    return tuple(rounds)


def _fitting(a: int, tables: int, size: int, used: set[tuple[int, int, int]]) -> Offsets | None:
    """Offsets that begin with 0 and `a` and whose differences are all new, or None."""
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
            if not any(
                (one, len(tried), (shift - before) % tables) in used
                for one, before in enumerate(tried)
            )
        ]
    return None


@lru_cache(maxsize=8)
def plan(tables: int, size: int, most: int) -> tuple[Groups, ...]:
    """Up to `most` rounds for `tables` tables of `size`, in which no two points meet twice.

    Points are numbered from 0; in the first round point `size * table + seat` sits at `table`. A
    stored design if there is one; the circle for two at a table; else rows and shifts, and then the
    rows among themselves, since none of a row has met another.
    """
    if size == 1 or not tables:
        return ()
    if size == _PAIR:
        return _numbered(circle_rounds(2 * tables))[:most]
    starter = STARTERS.get((tables, size))
    if starter is not None:
        return starter.rounds()[:most]
    rounds = transversal_rounds(tables, size, most)
    left = most - len(rounds)
    if left < 1 or tables % size:
        return rounds
    # every row plays the plan of a smaller event, all rows at once
    inner = (
        tuple(
            tuple(size * point + row for point in group) for row in range(size) for group in groups
        )
        for groups in plan(tables // size, size, left)
    )
    return (*rounds, *inner)


def circle_rounds(players: int) -> tuple[Pairs, ...]:
    """Rounds of pairs of the places 0 to `players - 1`, an even number; the first begins.

    Each pair meets once in `players - 1` rounds. Of an odd number of players the last place, which
    stays, is empty, and its partner has a bye. Raises ValueError for an odd number.
    """
    if players % 2:
        raise ValueError(f"the circle method needs an even number of places, not {players}")
    circle, stays = players - 1, players - 1
    rounds = []
    for number in range(circle):
        first = number * (players // 2) % circle
        top = (stays, first) if number % 2 else (first, stays)
        others = (((first + by) % circle, (first - by) % circle) for by in range(1, players // 2))
        rounds.append((top, *others))
    return tuple(rounds)


def round_robin(entrants: tuple[int, ...], meetings: int = 1) -> tuple[Draw, ...]:
    """All rounds in which each pair meets `meetings` times, in the order of Berger's tables.

    In every other meeting seats are exchanged. With an odd number one has a bye each round.
    """
    if not entrants:
        return ()
    laps = circle_rounds(len(entrants) + len(entrants) % 2)
    return tuple(
        _draw(entrants, pairs, exchanged=lap % 2 == 1) for lap in range(meetings) for pairs in laps
    )


def without(draw: Draw, absent: frozenset[int]) -> Draw:
    """The same round with some absent: their opponents have a bye, tables keep numbers."""
    tables = tuple(table for table in draw.tables if absent.isdisjoint(table.seats))
    left = (each for one in draw.tables if not absent.isdisjoint(one.seats) for each in one.seats)
    byes = (each for each in (*left, *draw.byes) if each not in absent)
    return Draw(tables, tuple(byes))


def _draw(entrants: tuple[int, ...], pairs: Pairs, *, exchanged: bool) -> Draw:
    seated = [
        tuple(entrants[place] for place in (pair[::-1] if exchanged else pair))
        for pair in pairs
        if max(pair) < len(entrants)
    ]
    byes = tuple(entrants[min(pair)] for pair in pairs if max(pair) == len(entrants))
    tables = (TableSeats(number, seats) for number, seats in enumerate(seated, start=1))
    return Draw(tuple(tables), byes)
