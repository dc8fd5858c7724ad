"""One round of a tournament: its draw, and the results as far as they are in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from scoreboard.errors import NotationError
from scoreboard.tournament.model.draw import Draw, TableSeats
from scoreboard.tournament.model.result_table import SeatResult
from scoreboard.tournament.model.table_result import GameResult, GameScores

RoundPhase = Literal["drawn", "running", "closed"]
ResultPhase = Literal["reported", "signed", "disputed", "settled"]
THE_HUB: Final = 0  # who disagrees where no entrant does: a game went against its rulebook
_CONTRADICTION: Final = re.compile(r"The hub has (.+); the table's sheet says (.+)\.")


@dataclass(frozen=True, slots=True)
class Objection:
    """Who disagrees with a result, THE_HUB where no entrant does, and why."""

    entrant: int
    why: str


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two results of one game: the hub's, which was signed, and that on the table's sheet.

    Its text is kept in the event as the hub's reason, with scores in their notation; people are
    told it with names, in their language.
    """

    reported: GameScores
    sheet: GameScores

    @classmethod
    def parse(cls, why: str) -> Contradiction | None:
        """The contradiction that is the hub's reason, None where it has another."""
        found = _CONTRADICTION.fullmatch(why)
        if found is None:
            return None
        try:
            return cls(GameScores.parse(found[1]), GameScores.parse(found[2]))
        except NotationError:
            return None

    def __str__(self) -> str:
        return f"The hub has {self.reported}; the table's sheet says {self.sheet}."


@dataclass(frozen=True, slots=True)
class Reported:
    """A result with what was said of it since: who signed, who objects, whether it was settled.

    A result that somebody objects to is pending and counts for nothing until it is settled; one
    that the referee is asked to look at again (`request`) counts as before.
    """

    result: GameResult
    signed: frozenset[int] = frozenset()
    objection: Objection | None = None
    settled: bool = False
    request: Objection | None = None

    @property
    def phase(self) -> ResultPhase:
        """How far it is agreed on: signed when all who played have signed."""
        if self.objection is not None:
            return "disputed"
        if self.settled:
            return "settled"
        return "signed" if self.signers <= self.signed else "reported"

    @property
    def signers(self) -> frozenset[int]:
        """Whose agreement is asked for: all who played."""
        awards = self.result.awards
        return frozenset(each.entrant for each in awards if each.score.fate == "played")


@dataclass(frozen=True, slots=True)
class Round:
    """One round; `results` are by table and game, `stage` counts the cuts before it.

    `seed` is None where the director seated by hand. `corrected_before` are the earlier rounds
    that were corrected since this one was drawn from their results: the draw is kept, and this is
    its mark. `brought` is what it brought each, worked out once it is closed, since the standings
    ask for it again and again; it follows from the rest and is None before.
    """

    number: int
    draw: Draw
    games: int
    stage: int = 0
    meeting: int = 1
    seed: int | None = None
    phase: RoundPhase = "drawn"
    results: Mapping[tuple[int, int], Reported] = field(default_factory=dict)
    corrected_before: tuple[int, ...] = ()
    brought: Mapping[int, SeatResult] | None = field(default=None, compare=False, repr=False)

    def table(self, number: int) -> TableSeats | None:
        """The table with a number, None where there is none."""
        return next((table for table in self.draw.tables if table.number == number), None)

    def games_of(self, table: int) -> tuple[GameResult, ...]:
        """The results of a table that count, in the order of its games."""
        found = [
            (game, reported.result)
            for (at, game), reported in self.results.items()
            if at == table and reported.objection is None
        ]
        return tuple(result for _, result in sorted(found, key=lambda each: each[0]))

    @property
    def games_by_table(self) -> Mapping[int, tuple[GameResult, ...]]:
        """The results that count of every table, each table's in the order of its games."""
        found: dict[int, dict[int, GameResult]] = {}
        for (table, game), reported in self.results.items():
            if reported.objection is None:
                found.setdefault(table, {})[game] = reported.result
        return {
            table: tuple(games[game] for game in sorted(games)) for table, games in found.items()
        }

    @property
    def disputed(self) -> tuple[tuple[int, int], ...]:
        """Table and game of every result that waits for the referee."""
        return tuple(sorted(at for at, each in self.results.items() if each.objection is not None))

    @property
    def for_the_referee(self) -> tuple[tuple[int, int, Objection], ...]:
        """Table, game and objection of every result that the referee has to look at."""
        return tuple(
            (table, game, objection)
            for (table, game), each in sorted(self.results.items(), key=lambda item: item[0])
            if (objection := each.objection or each.request) is not None
        )
