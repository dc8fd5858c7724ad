"""A draw: tables with their seats, byes, and a random order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, count
from random import Random
from typing import Final

from scoreboard.errors import NotationError, ScoreboardError
from scoreboard.message import message
from scoreboard.typed_numbers import plain_digits

_PART: Final = re.compile(r"\s*(?:(\d{1,9})\s*:|bye)((?:\s+\d{1,9})+)\s*", re.ASCII)
_BETWEEN: Final = "|"
BYE: Final = 0
OUT: Final = -1


class DrawError(ScoreboardError, ValueError):
    """A draw cannot be made; `message` names the fault and its cure."""


@dataclass(frozen=True, slots=True)
class TableSeats:
    """Entry numbers at a table, the first begins; notation `2: 1 9 6`. Raises NotationError."""

    number: int
    seats: tuple[int, ...]

    def __post_init__(self) -> None:
        if min((self.number, *self.seats)) < 1:
            raise NotationError(message("Tables and entries are numbered from 1."))
        if not self.seats:
            raise NotationError(message("Nobody sits at table {number}.", number=self.number))
        _refuse_twice(self.seats)

    def __str__(self) -> str:
        return f"{self.number}: {' '.join(map(str, self.seats))}"


@dataclass(frozen=True, slots=True)
class Draw:
    """A round's tables and byes: `1: 4 7 12 3 | 2: 1 9 6 | bye 5`. Raises NotationError."""

    tables: tuple[TableSeats, ...]
    byes: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if min(self.byes, default=1) < 1:
            raise NotationError(message("Tables and entries are numbered from 1."))
        numbers = Counter(table.number for table in self.tables)
        if len(numbers) < len(self.tables):
            (number, _), *_ = numbers.most_common(1)
            raise NotationError(message("Table {number} is drawn twice.", number=number))
        _refuse_twice(self.entrants)

    @classmethod
    def parse(cls, text: str) -> Draw:
        """Read the notation; an empty text is an empty draw. Raises NotationError."""
        byes: tuple[int, ...] = ()
        tables = list[TableSeats]()
        for part in plain_digits(text).split(_BETWEEN) if text.strip() else ():
            found = _PART.fullmatch(part)
            if found is None or byes:
                raise NotationError.worded(
                    "“{text}” is no table: write it as in 2: 1 9 6.", text=part.strip()
                )
            seats = tuple(map(int, found[2].split()))
            if found[1] is None:
                byes = seats
            else:
                tables.append(TableSeats(int(found[1]), seats))
        return cls(tuple(tables), byes)

    def __str__(self) -> str:
        byes = [" ".join(["bye", *map(str, self.byes)])] if self.byes else []
        return f" {_BETWEEN} ".join([*map(str, self.tables), *byes])

    @property
    def entrants(self) -> tuple[int, ...]:
        """All entrants of the draw, those with a bye last."""
        return (*chain.from_iterable(table.seats for table in self.tables), *self.byes)

    def table_of(self, entrant: int) -> TableSeats | None:
        """The table of an entrant; None for a bye or an absent one."""
        return next((table for table in self.tables if entrant in table.seats), None)

    def swapped(self, one: int, other: int) -> Draw:
        """The draw with two entrants swapped; a bye is a place, too."""
        trade = {one: other, other: one}
        tables = (
            TableSeats(table.number, tuple(trade.get(each, each) for each in table.seats))
            for table in self.tables
        )
        return Draw(tuple(tables), tuple(trade.get(each, each) for each in self.byes))

    def moved(self, entrants: Collection[int], table: int) -> Draw:
        """The draw with these at the end of a table, perhaps a new one; or of BYE, OUT."""
        places = {BYE: self.byes, **{each.number: each.seats for each in self.tables}}
        left = {at: tuple(x for x in seats if x not in entrants) for at, seats in places.items()}
        left[table] = (*left.get(table, ()), *entrants)
        byes, _ = left.pop(BYE), left.pop(OUT, None)
        return Draw(tuple(TableSeats(at, left[at]) for at in sorted(left) if left[at]), byes)

    def dissolved(self, table: int, most: int, kept: Collection[int] = ()) -> Draw:
        """The draw without a table: its players move to the smallest ones, at last to a bye.

        No table gets more than `most`, those `kept` get none.
        """
        draw, gone = self, [each for each in self.tables if each.number == table]
        for entrant in (seat for each in gone for seat in each.seats):
            others = [each for each in draw.tables if each.number not in {table, *kept}]
            free = [(len(each.seats), each.number) for each in others if len(each.seats) < most]
            draw = draw.moved([entrant], min(free, default=(0, BYE))[1])
        return draw

    def meetings(self) -> Iterator[tuple[int, int]]:
        """Every pair at one table, the lower entry number first."""
        for table in self.tables:
            yield from combinations(sorted(table.seats), 2)


def _refuse_twice(entrants: tuple[int, ...]) -> None:
    if len(set(entrants)) < len(entrants):
        (entrant, _), *_ = Counter(entrants).most_common(1)
        raise NotationError(message("Entrant {entrant} is drawn twice.", entrant=entrant))


def random_order(entrants: tuple[int, ...], seed: int) -> tuple[int, ...]:
    """The entrants in a random order, which a seed makes the same everywhere."""
    chance = Random(seed)
    drawn = {each: chance.random() for each in sorted(entrants)}
    return tuple(sorted(drawn, key=lambda each: (drawn[each], each)))


def table_numbers(
    needing: Sequence[bool], accessible: Sequence[int], own: Sequence[int] = ()
) -> list[int]:
    """The number of each table: those in need get accessible ones, their `own` if it is one."""
    given = {at: number for at, number in enumerate(own) if needing[at] and number in accessible}
    bound = [at for at, needs in enumerate(needing) if needs and at not in given]
    free = [number for number in accessible if number not in given.values()]
    given |= zip(bound, free, strict=False)
    others = (number for number in count(1) if number not in given.values())
    return [given[at] if at in given else next(others) for at in range(len(needing))]


def too_few_accessible(seats: int, needing: int) -> DrawError:
    """The refusal of a draw whose accessible tables do not seat those who need one."""
    return DrawError.worded(
        "Mark more tables as accessible: they seat {seats}, and so many players need one: "
        "{needing}.",
        needing=needing,
        seats=seats,
    )
