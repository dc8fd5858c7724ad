"""The standings as the pages show them: place, name, what counted, and why one is above."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice, zip_longest
from threading import Lock

from scoreboard.message import Message
from scoreboard.tournament.hub.snapshot import TournamentSnapshot
from scoreboard.tournament.model.entries import replacement_told
from scoreboard.tournament.model.scores import Points, shown_points
from scoreboard.tournament.model.standings import (
    Standing,
    Standings,
    qualifying_results,
    standings_of,
    why,
)
from scoreboard.tournament.model.tiebreaks import TIEBREAKS
from scoreboard.tournament.model.tournament import Reported, Tournament


@dataclass(frozen=True, slots=True)
class Ranked:
    """One line of the standings; `why` says why it stands above the next, None for the last.

    `replaces` says for whom they go on, None for who held the entry from the first.
    """

    place: int
    entrant: int
    name: str
    club: str
    points: Points
    values: tuple[tuple[Message, str], ...]
    shared: bool
    away: bool
    replaces: Message | None
    stage: Message | None
    why: Message | None


class Rankings:
    """The newest ranking of each event, worked out once a version. Any thread may ask."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: dict[str, tuple[int, tuple[Ranked, ...]]] = {}
        self._leaders: dict[tuple[str, int], tuple[Tournament, tuple[Ranked, ...]]] = {}

    def of(self, snapshot: TournamentSnapshot) -> tuple[Ranked, ...]:
        """Everybody, best first."""
        with self._lock:
            version, rows = self._kept.get(snapshot.header.tournament_id, (-1, ()))
            if version != snapshot.version:
                rows = ranking(snapshot.state)
                self._kept[snapshot.header.tournament_id] = (snapshot.version, rows)
            return rows

    def leaders(self, snapshot: TournamentSnapshot, many: int) -> tuple[Ranked, ...]:
        """So many of the best, best first; worked out once for all that only signs results."""
        with self._lock:
            name, counts = (snapshot.header.tournament_id, many), unsigned(snapshot.state)
            kept, rows = self._leaders.get(name, (None, ()))
            if kept != counts:
                rows = leaders(snapshot.state, many)
                self._leaders[name] = (counts, rows)
            return rows


def ranking(state: Tournament) -> tuple[Ranked, ...]:
    """Everybody, best first."""
    return tuple(_ranked(state, standings_of(state)))


def unsigned(state: Tournament) -> Tournament:
    """A tournament as far as standings ask: without who signed the results of its last round."""
    last = state.last_round
    if last is None:
        return state
    results = {
        slot: Reported(each.result, objection=each.objection) for slot, each in last.results.items()
    }
    return replace(state, rounds=(*state.rounds[:-1], replace(last, results=results)))


def leaders(state: Tournament, many: int) -> tuple[Ranked, ...]:
    """So many of the best, best first; of a large event far cheaper than everybody."""
    return tuple(islice(_ranked(state, standings_of(state)), many))


def _ranked(state: Tournament, table: Standings) -> Iterator[Ranked]:
    # who was not asked for points is shown those of the rounds before any cut
    totals = {} if "points" in table.tiebreaks else qualifying_results(state).totals
    entrants, names = {each.number: each for each in state.entrants}, state.names
    for row, following in zip_longest(table.rows, table.rows[1:]):
        entrant = entrants[row.entrant]
        yield Ranked(
            place=row.place,
            entrant=row.entrant,
            name=entrant.name,
            club=entrant.club,
            points=_points(table, row, totals),
            values=_values(table, row),
            shared=row.shared,
            away=row.entrant in state.away,
            replaces=replacement_told(state, row.entrant),
            stage=table.stages[row.stage] if row.stage else None,
            why=_why(table, names, row, following) if following else None,
        )


def _points(table: Standings, row: Standing, totals: Mapping[int, Points]) -> Points:
    """The points of the stage that was reached, as far as points were asked for."""
    values = dict(zip(table.tiebreaks, row.values, strict=False))
    return values["points"] if "points" in values else totals[row.entrant]


def _why(table: Standings, names: Mapping[int, str], row: Standing, following: Standing) -> Message:
    """Why a row stands above the next; of these two alone, since looking for rows takes long."""
    return why(replace(table, rows=(row, following)), names, row.entrant, following.entrant)


def _values(table: Standings, row: Standing) -> tuple[tuple[Message, str], ...]:
    """What decided, each under its label, as far as it was asked for."""
    named = zip(table.tiebreaks, row.values, strict=False)
    return tuple((TIEBREAKS[name].label, shown_points(value)) for name, value in named)
