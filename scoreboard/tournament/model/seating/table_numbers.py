"""Which table of a draw gets which number, as entrants and the format wish."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from scoreboard.tournament.model.draw import Draw, TableSeats
from scoreboard.tournament.model.pairing.minimum_cost import heaviest_pairs

# What a wish that is not met costs; each is more than all lesser ones of a thousand tables.
_STEPS: Final = 10**18
_FIXED: Final = 10**13
_SAT: Final = 10**7
_MORE_THAN_ALL: Final = 10**23
_NEAR: Final = 20  # how far a table moves that is not wished elsewhere


@dataclass(frozen=True, slots=True, kw_only=True)
class TableConstraints:
    """Who sits where by preference; entrants by entry number.

    `fixed` are the tables of those who always sit at one. Those in `accessible` need one of
    `accessible_tables`, which goes before all else. `how` is the format's wish: by `order`, the
    best first, or by where everybody sat in the draws of the `past`.
    """

    fixed: Mapping[int, int] = field(default_factory=dict)
    accessible: frozenset[int] = frozenset()
    accessible_tables: frozenset[int] = frozenset()
    how: str = "as-drawn"
    order: tuple[int, ...] = ()
    past: tuple[Draw, ...] = ()


def renumbered(draw: Draw, wishes: TableConstraints) -> Draw:
    """The draw with other numbers for its tables, so that most wishes are met.

    Step-free access goes first, then fixed tables, then the format's wish; what nobody wishes
    stays as near to its place as can be.
    """
    tables, homes = list(draw.tables), [table.number for table in draw.tables]
    if wishes.how == "best-first":
        places = {each: place for place, each in enumerate(wishes.order)}
        tables.sort(key=lambda table: min(places.get(each, len(places)) for each in table.seats))
        homes = list(range(1, len(tables) + 1))
    past = {"spread": wishes.past, "keep": wishes.past[-1:]}.get(wishes.how, ())
    sat = Counter((each, old.number) for one in past for old in one.tables for each in old.seats)

    def costs(table: TableSeats, home: int) -> Iterator[tuple[int, int]]:
        """The numbers that a table may get, and what each costs; the farther from home the more.

        All tables between move up where one goes far, so that those near home and those wished do.
        """
        fixed = [wishes.fixed[each] for each in table.seats if each in wishes.fixed]
        needs = not wishes.accessible.isdisjoint(table.seats)
        was = [number for each, number in sat if each in table.seats]
        near = [number for number in homes if abs(number - home) <= _NEAR]
        for number in {*near, *fixed, *(wishes.accessible_tables if needs else ()), *was}:
            again = sum(sat.get((each, number), 0) for each in table.seats)
            yield (
                number,
                _STEPS * (needs and number not in wishes.accessible_tables)
                + _FIXED * sum(each != number for each in fixed)
                + _SAT
                * (again if wishes.how == "spread" else len(table.seats) - again if sat else 0)
                + min(abs(number - home), _SAT // 1000),
            )

    edges = [
        (row, len(tables) + number, _MORE_THAN_ALL - cost)
        for row, table in enumerate(tables)
        for number, cost in costs(table, homes[row])
    ]
    numbers = {row: column - len(tables) for row, column in heaviest_pairs(edges)}
    moved = (replace(table, number=numbers[row]) for row, table in enumerate(tables))
    return Draw(tuple(sorted(moved, key=lambda table: table.number)), draw.byes)
