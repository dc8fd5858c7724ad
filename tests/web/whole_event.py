"""A whole event as JSON values, worked out of its exported record."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import Any, Final

from scoreboard.tournament.model.format_text import write_format
from scoreboard.tournament.model.scores import write_points
from scoreboard.tournament.model.tiebreaks import TIEBREAKS
from scoreboard.tournament.model.tournament_transcript import read_links, read_transcript
from web.hub.exports import RESULTS, Cell, Row, result_rows, standings

EXACT: Final = frozenset({"points", "won"})


def whole_event(record: str) -> dict[str, Any]:
    """An exported event as JSON values, its figures exact."""
    read = read_transcript(record)
    state = read.state
    return {
        "tournament_id": read.header.tournament_id,
        "title": state.title,
        "version": len(read.records),
        "hash": read_links(record)[-1].hash,
        "finished": state.finished,
        "format": write_format(state.format),
        "entrants": [
            {
                "number": each.number,
                "name": each.name,
                "club": each.club,
                "seed": each.seed_rank,
                "accessible": each.needs_accessible_table,
                "team": each.team,
                "rating": each.rating,
                "table": each.table,
                "away": each.number in state.away,
            }
            for each in state.entrants
        ],
        "rounds": [
            {
                "round": each.number,
                "stage": each.stage,
                "meeting": each.meeting,
                "phase": each.phase,
                "seed": each.seed,
                "games": each.games,
                "tables": {str(table.number): list(table.seats) for table in each.draw.tables},
                "byes": list(each.draw.byes),
                "corrected_before": list(each.corrected_before),
            }
            for each in state.rounds
        ],
        "results": _documents(RESULTS, result_rows(state)),
        "standings": _documents(*standings(state), EXACT | TIEBREAKS.keys()),
        "annals": [
            {"by": each.by, "at": each.at.isoformat(), "why": each.why} for each in state.amendments
        ],
    }


def _documents(
    head: Sequence[str], rows: Iterable[Row], fractions: Container[str] = EXACT
) -> list[dict[str, str | int]]:
    """Rows as objects; the columns of `fractions` are exact, in their notation."""

    def exact(name: str, cell: Cell) -> str | int:
        if isinstance(cell, str):
            return cell
        is_exact = name in fractions or name.endswith(" points")
        return write_points(cell) if is_exact else int(cell)

    return [{name: exact(name, cell) for name, cell in zip(head, row, strict=True)} for row in rows]
