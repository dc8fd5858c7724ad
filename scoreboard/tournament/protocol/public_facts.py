"""The public facts of a tournament for other programs: version 1 of the reading API.

Members are added in this version, and none is removed or changes its meaning. Sentences are in the
requested language; points are decimals, rounded to four places. Times are in ISO 8601 with their
zone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from scoreboard.table.tournament_view import Fate, ResultPhase
from scoreboard.tournament.model.tournament import RoundPhase
from scoreboard.tournament.model.tournament_format import System


@dataclass(frozen=True, slots=True)
class EventSummary:
    """An event in the list.

    `status` is its progress, in a sentence; `section` the heading that it shares with other events,
    empty for none; `test` marks a trial event.
    """

    id: str
    title: str
    status: str
    game: str
    system: System
    opened_at: str
    entrants: int
    rounds: int
    finished: bool
    archived: bool = False
    test: bool = False
    section: str = ""


@dataclass(frozen=True, slots=True)
class EventList:
    """`/api/v1/events`: the events of a hub, newest first."""

    events: tuple[EventSummary, ...]


@dataclass(frozen=True, slots=True)
class EntrantFacts:
    """An entrant; `away` if they dropped out."""

    number: int
    name: str
    club: str
    away: bool


@dataclass(frozen=True, slots=True)
class RoundSummary:
    """A round in the list of its event; `stage` counts the cuts before it."""

    round: int
    name: str
    stage: int
    meeting: int
    phase: RoundPhase
    tables: int


@dataclass(frozen=True, slots=True)
class EventFacts:
    """`/api/v1/events/ID`: an event, who plays, and its rounds; `settings` are sentences.

    `brackets` are the halves of a knockout as SVG, to be styled by their classes.
    """

    event: EventSummary
    settings: tuple[str, ...]
    entrants: tuple[EntrantFacts, ...]
    rounds: tuple[RoundSummary, ...]
    brackets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StandingFacts:
    """A place in the standings.

    `tiebreaks` has the values by name, null for none; `stage` is the last one reached after a cut;
    `why` is the reason for being above the next; `penalties` the penalties with reasons.
    """

    place: int
    shared: bool
    entrant: int
    name: str
    club: str
    points: float
    tiebreaks: Mapping[str, float | None]
    stage: str
    away: bool
    why: str
    penalties: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StandingsFacts:
    """`/api/v1/events/ID/standings`: best first; `tiebreaks` has the labels."""

    event: EventSummary
    tiebreaks: Mapping[str, str]
    standings: tuple[StandingFacts, ...]


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """A seat; the first one begins."""

    entrant: int
    name: str


@dataclass(frozen=True, slots=True)
class ScoreFacts:
    """One entrant's result; `score` is null without a game, `won` a part of a shared win."""

    entrant: int
    name: str
    fate: Fate
    score: int | None
    points: float
    won: float


@dataclass(frozen=True, slots=True)
class ResultFacts:
    """A game of a table and the state of its result; a disputed one does not count yet."""

    game: int
    phase: ResultPhase
    scores: tuple[ScoreFacts, ...]


@dataclass(frozen=True, slots=True)
class TableResults:
    """A table of a round; `match` names that of a knockout."""

    table: int
    match: str
    phase: str
    games: int
    seats: tuple[SeatFacts, ...]
    results: tuple[ResultFacts, ...]


@dataclass(frozen=True, slots=True)
class RoundFacts:
    """`/api/v1/events/ID/rounds/N`: the tables of a round by number, and the byes."""

    event: EventSummary
    round: RoundSummary
    tables: tuple[TableResults, ...]
    byes: tuple[SeatFacts, ...]


@dataclass(frozen=True, slots=True)
class PlayerTotal:
    """The points of a player in the running game, from its table."""

    name: str
    total: int


@dataclass(frozen=True, slots=True)
class GameFacts:
    """The running game of a table; `turn` and `player` are null between turns."""

    game: int
    turn: int | None
    player: str | None
    over: bool
    totals: tuple[PlayerTotal, ...]


@dataclass(frozen=True, slots=True)
class TableFacts:
    """`/api/v1/events/ID/tables/N`: a table of the newest round, now.

    `now` is null if no device reports a game; `photo_at` is when the photo of the last roll was
    taken, null for none.
    """

    event: EventSummary
    round: RoundSummary
    table: TableResults
    now: GameFacts | None
    photo_at: str | None


ANSWERS: Final[tuple[type, ...]] = (EventList, EventFacts, StandingsFacts, RoundFacts, TableFacts)
