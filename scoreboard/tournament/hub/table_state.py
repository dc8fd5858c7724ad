"""How a table does now, as the director sees it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from scoreboard.message import Message
from scoreboard.tournament.protocol.hub_update import ResultUpdate, SeatUpdate

TablePhase = Literal["drawn", "waiting", "playing", "unsigned", "disputed", "done"]


@dataclass(frozen=True, slots=True)
class GameProgress:
    """How far the running game is.

    `turn` counts its turns from 1 and `player` is whose it is, both None where nobody's is;
    `totals` are the points so far in seat order, `players` who they belong to.
    """

    game_id: str
    number: int
    players: tuple[str, ...]
    totals: tuple[int, ...]
    turn: int | None
    player: str | None
    over: bool
    abandoned: bool

    def same_turn(self, other: GameProgress) -> bool:
        """Whether the other is the same turn of the same game."""
        return replace(self, totals=(), abandoned=False) == replace(
            other, totals=(), abandoned=False
        )

    def with_totals(self, totals: tuple[int, ...]) -> GameProgress:
        """The same with these points."""
        return replace(self, totals=totals)


@dataclass(frozen=True, slots=True)
class TableState:
    """A table of the last round.

    Phases: "drawn" (the round has not begun), "waiting" (a game is to be begun), "playing",
    "unsigned" (all played, not all signed), "disputed", "done". `game` is the next of `games`;
    `heard_at` is when its device was heard last, None where none ever was; `problems` say what
    somebody has to see to, each with its cure. `result_alone` says that its device told the result
    of its last game without the moves.
    """

    number: int
    seats: tuple[SeatUpdate, ...]
    phase: TablePhase
    game: int
    games: int
    results: tuple[ResultUpdate, ...] = ()
    progress: GameProgress | None = None
    heard_at: datetime | None = None
    problems: tuple[Message, ...] = ()
    result_alone: bool = False
