"""What is taken along of an event: each list as CSV, and all of it as one document."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from scoreboard.tournament.hub.snapshot import TournamentSnapshot
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.format_text import write_format
from scoreboard.tournament.model.scores import Points, decimal_points, write_points
from scoreboard.tournament.model.tournament import Round, Tournament
from web.hub.rankings import ranking

Cell = str | Points
Row = Sequence[Cell]
SEATING: Final = ("round", "table", "seat", "number", "name")
RESULTS: Final = (
    "round",
    "table",
    "game",
    "number",
    "name",
    "score",
    "points",
    "won",
    "state",
)
EXACT: Final = frozenset({"points", "won"})
STANDINGS: Final = (
    "place",
    "number",
    "name",
    "club",
    "stage",
    "points",
    "away",
    "why",
)


def comma_separated(head: Row, rows: Iterable[Row]) -> str:
    """A table as CSV, with its header row; parts of points are decimals."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([_calculated(cell) for cell in row] for row in rows)
    return text.getvalue()


def _calculated(cell: Cell) -> str:
    return cell if isinstance(cell, str) else decimal_points(cell)


def seating_rows(state: Tournament) -> Iterator[Row]:
    """Everybody's seat in every round; a bye has neither table nor seat."""
    for played in state.rounds:
        names = state.names_in(played.number)
        for table in played.draw.tables:
            for seat, number in enumerate(table.seats, start=1):
                yield played.number, table.number, seat, number, names[number]
        for number in played.draw.byes:
            yield played.number, "", "", number, names[number]


def result_rows(state: Tournament) -> Iterator[Row]:
    """What every game brought everyone; a score that there is none of tells why."""
    for played in state.rounds:
        names = state.names_in(played.number)
        for (table, game), reported in sorted(played.results.items(), key=lambda each: each[0]):
            for award in reported.result:
                score = award.score
                yield (
                    played.number,
                    table,
                    game,
                    award.entrant,
                    names[award.entrant],
                    score.score if score.fate == "played" else score.fate,
                    award.points,
                    award.won,
                    reported.phase,
                )
    names = state.names
    for number, solo in enumerate(state.solo, start=1):
        points = str(solo.score)
        yield "", "", number, solo.entrant, names[solo.entrant], points, points, "", "signed"


def standing_rows(state: Tournament) -> Iterator[Row]:
    """The standings, with the sentence why one stands above the next."""
    for row in ranking(state):
        yield (
            row.place,
            row.entrant,
            row.name,
            row.club,
            str(row.stage or ""),
            row.points,
            "yes" if row.away else "",
            str(row.why or ""),
        )


def whole_event(snapshot: TournamentSnapshot) -> dict[str, Any]:
    """Everything of an event as JSON values, for other programs to read."""
    state = snapshot.state
    return {
        "tournament_id": snapshot.header.tournament_id,
        "title": state.title,
        "version": snapshot.version,
        "hash": snapshot.head,
        "finished": state.finished,
        "format": write_format(state.format),
        "entrants": [_entrant(each, state) for each in state.entrants],
        "rounds": [_round(each) for each in state.rounds],
        "results": _documents(RESULTS, result_rows(state)),
        "standings": _documents(STANDINGS, standing_rows(state)),
        "annals": [
            {"by": each.by, "at": each.at.isoformat(), "why": each.why} for each in state.amendments
        ],
    }


def _entrant(entrant: Entrant, state: Tournament) -> dict[str, Any]:
    return {
        "number": entrant.number,
        "name": entrant.name,
        "club": entrant.club,
        "seed": entrant.seed_rank,
        "accessible": entrant.needs_accessible_table,
        "team": entrant.team,
        "away": entrant.number in state.away,
    }


def _round(played: Round) -> dict[str, Any]:
    return {
        "round": played.number,
        "stage": played.stage,
        "meeting": played.meeting,
        "phase": played.phase,
        "seed": played.seed,
        "games": played.games,
        "tables": {str(table.number): list(table.seats) for table in played.draw.tables},
        "byes": list(played.draw.byes),
        "corrected_before": list(played.corrected_before),
    }


def _documents(head: Sequence[str], rows: Iterable[Row]) -> list[dict[str, str | int]]:
    """Each row by its head; points and games won are exact, in their notation."""
    return [
        {name: _exact(name, cell) for name, cell in zip(head, row, strict=True)} for row in rows
    ]


def _exact(name: str, cell: Cell) -> str | int:
    if isinstance(cell, str):
        return cell
    return write_points(cell) if name in EXACT else int(cell)
