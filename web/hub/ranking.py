"""The standings as the pages show them: place, name, what counted, and why one is above."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scoreboard.phrase import Phrase
from scoreboard.tournament.points import write_points
from scoreboard.tournament.standings import Standing, Standings, why
from scoreboard.tournament.tallying import qualifying_ledger, standings_of
from scoreboard.tournament.tiebreaks import TIEBREAKS
from scoreboard.tournament.tournament import Tournament


@dataclass(frozen=True, slots=True)
class Ranked:
    """One line of the standings; `why` says why it stands above the next, None for the last."""

    place: int
    entrant: int
    name: str
    club: str
    points: str
    values: tuple[tuple[Phrase, str], ...]
    shared: bool
    away: bool
    stage: Phrase | None
    why: Phrase | None


def ranking(state: Tournament) -> tuple[Ranked, ...]:
    """Everybody, best first."""
    return tuple(_ranked(state, standings_of(state)))


def _ranked(state: Tournament, table: Standings) -> Iterator[Ranked]:
    totals = qualifying_ledger(state).totals
    entrants = {each.number: each for each in state.entrants}
    below = (*table.rows[1:], None)
    for row, following in zip(table.rows, below, strict=True):
        entrant = entrants[row.entrant]
        yield Ranked(
            place=row.place,
            entrant=row.entrant,
            name=entrant.name,
            club=entrant.club,
            points=write_points(totals[row.entrant]),
            values=_values(table, row),
            shared=row.shared,
            away=row.entrant in state.away,
            stage=table.stages[row.stage] if row.stage else None,
            why=why(table, state.names, row.entrant, following.entrant) if following else None,
        )


def _values(table: Standings, row: Standing) -> tuple[tuple[Phrase, str], ...]:
    """What decided, each under its label, as far as it was asked for."""
    named = zip(table.tiebreaks, row.values, strict=False)
    return tuple((TIEBREAKS[name].label, write_points(value)) for name, value in named)
