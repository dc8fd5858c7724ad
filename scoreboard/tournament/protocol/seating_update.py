"""Who sits at a table, and what they are to play next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from msgspec import Meta

from scoreboard.tournament.protocol.bounds import MOST_SEATS, Name, Number

RoundsPhase = Literal["drawn", "running", "closed"]


@dataclass(frozen=True, slots=True)
class SeatUpdate:
    """One seat: the entry number and the name of who sits there."""

    entrant: Number
    name: Name


@dataclass(frozen=True, slots=True)
class SeatingUpdate:
    """A table in a round.

    `game` is the one that comes next, from 1, of `games` in the round; above `games` all are
    played. `rulebook` is a name in `scoreboard.games.GAMES`, empty where Tablescore has no
    rulebook of the game; `options` are its house rules. `seats` are in seating order: the first
    begins.
    """

    round: Number
    rounds_phase: RoundsPhase
    game: Number
    games: Number
    rulebook: str
    options: Mapping[str, str] = field(default_factory=dict)
    seats: Annotated[tuple[SeatUpdate, ...], Meta(max_length=MOST_SEATS)] = ()

    @property
    def is_open(self) -> bool:
        """Whether a game is to be played now."""
        return self.rounds_phase == "running" and self.game <= self.games

    @property
    def names(self) -> tuple[str, ...]:
        """Who sits there, in seating order."""
        return tuple(seat.name for seat in self.seats)

    @property
    def entrants(self) -> tuple[int, ...]:
        """Their entry numbers, in seating order."""
        return tuple(seat.entrant for seat in self.seats)
