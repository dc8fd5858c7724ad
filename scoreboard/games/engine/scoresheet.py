"""The scoresheet as paper shows it, and scores as players write them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final, Literal

from scoreboard.errors import NotationError
from scoreboard.message import Message
from scoreboard.typed_numbers import plain_digits

RowKind = Literal["box", "total"]


@dataclass(frozen=True, slots=True)
class Cell:
    """One player's field in one row.

    `points` is None while empty. `possible` is the box's points for the dice now on the table, set
    only for the player in turn and only for boxes that may be filled; `offer` is the key of the
    offer that fills it; `rule` decides it.
    """

    points: int | None = None
    possible: int | None = None
    offer: str | None = None
    rule: str | None = None
    missing: int | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the sheet: a box that players fill, or a total that fills itself.

    `key` is the row's name in notation and JSON ("full-house", "grand"); `section` groups
    rows as the paper does ("upper", "lower", "totals"); `hint` is the paper's short rule, and
    `rule` the identifier of the rule that decides it. A `signed` row shows a plus, too.
    """

    key: str
    label: Message
    kind: RowKind
    section: str
    cells: tuple[Cell, ...]
    hint: Message | None = None
    rule: str | None = None
    signed: bool = False

    def shown(self, points: int) -> str:
        return f"+{points}" if self.signed and points > 0 else str(points)


@dataclass(frozen=True, slots=True)
class Scoresheet:
    """The whole sheet: one column a player in seat order, rows in the paper's order.

    `current` is the seat in turn, None before the start and after the end; `options` are house
    rules that are not at their default, to be printed on the sheet; `gone` are the seats of those
    who left. `better` is the rulebook's for these house rules.
    """

    game: str
    players: tuple[str, ...]
    rows: tuple[Row, ...]
    current: int | None = None
    options: tuple[Message, ...] = ()
    gone: frozenset[int] = frozenset()
    better: int = 1

    @property
    def without_offers(self) -> Scoresheet:
        """The same sheet to look at only, without offers."""
        rows = (
            replace(row, cells=tuple(replace(cell, offer=None) for cell in row.cells))
            for row in self.rows
        )
        return replace(self, rows=tuple(rows))

    def row(self, key: str) -> Row:
        """Raises KeyError: the sheet has no such row."""
        return {row.key: row for row in self.rows}[key]


_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,5}")


@dataclass(frozen=True, slots=True)
class Scores:
    """Numbers in seat order; notation `24 -6 -13 -5`, `-` for none."""

    numbers: tuple[int, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Scores:
        """Read the notation; a plus before a number is fine. Raises NotationError."""
        plain = plain_digits(text)
        parts = [] if plain.strip() == "-" else plain.split()
        for one in parts:
            if not _NUMBER.fullmatch(one):
                raise NotationError.worded("“{text}” is no whole number, as in 24 or -6.", text=one)
        return cls(tuple(map(int, parts)))

    def __str__(self) -> str:
        return " ".join(map(str, self.numbers)) or "-"

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def total(self) -> int:
        return sum(self.numbers)
