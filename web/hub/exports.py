"""Lists as CSV and TRF16, the event as a website, its record as a file, and sheets to print."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, repeat
from operator import attrgetter
from typing import Any, Final

from flask import Blueprint, Response, abort

from scoreboard.tournament.hub.snapshot import TournamentSnapshot
from scoreboard.tournament.model.bracket_layout import bracket_pages
from scoreboard.tournament.model.entry_list import write_entries
from scoreboard.tournament.model.format_text import printed_settings
from scoreboard.tournament.model.scores import Points, decimal_points
from scoreboard.tournament.model.tournament import Tournament
from scoreboard.tournament.protocol.trf import has_trf, write_trf
from scoreboard.tournament.storage.unrecorded import NOTHING
from vision.read import slip_layout
from web.hub.access import Right
from web.hub.events import chart_shown, finder
from web.hub.hub import Hub, event_page
from web.hub.player import player_links
from web.hub.progress import table_rows
from web.hub.public_api import site_files, zipped
from web.hub.rankings import ranking, tiebreak_columns
from web.hub.slips import PrintedSlip, marks_path

Cell = str | Points
Row = Sequence[Cell]
WriteList = Callable[[Tournament], str]
Facts = Mapping[str, Any]
SEATING: Final = ("round", "table", "seat", "number", "name")
LINKS: Final = ("number", "name", "email", "link", "short link")
RESULTS: Final = ("round", "table", "game", "number", "name", "score", "points", "won", "state")
BYTE_ORDER_MARK = "\ufeff"  # tells spreadsheets that it is UTF-8


def comma_separated(head: Row, rows: Iterable[Row]) -> str:
    """Rows as CSV with a header; fractions of points as decimals."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(
        [cell if isinstance(cell, str) else decimal_points(cell) for cell in row] for row in rows
    )
    return text.getvalue()


def seating_rows(state: Tournament) -> Iterator[Row]:
    """Everybody's seat in every round; empty table and seat for a bye."""
    for played in state.rounds:
        names = state.names_in(played.number)
        for table in played.draw.tables:
            for seat, number in enumerate(table.seats, start=1):
                yield played.number, table.number, seat, number, names[number]
        for number in played.draw.byes:
            yield played.number, "", "", number, names[number]


def result_rows(state: Tournament) -> Iterator[Row]:
    """Score and points of everybody in every game; the reason instead of a missing score."""
    for played in state.rounds:
        names = state.names_in(played.number)
        for (table, game), reported in sorted(played.results.items(), key=lambda each: each[0]):
            for award in reported.result:
                at, who = (played.number, table, game), award.entrant
                score, phase = award.score, reported.phase
                cell = score.score if score.fate == "played" else score.fate
                yield *at, who, names[who], cell, award.points, award.won, phase
    names = state.names
    for number, solo in enumerate(state.solo, start=1):
        points = str(solo.score)
        yield "", "", number, solo.entrant, names[solo.entrant], points, points, "", "signed"


def standings(state: Tournament) -> tuple[tuple[str, ...], list[Row]]:
    """The standings' columns and rows: tie-breaks, each stage's points after a cut, and why."""
    rows = ranking(state)
    tiebreaks = tiebreak_columns(rows)
    stages = [f"stage {stage} points" for stage in range(len(state.cuts) + 1)]
    stages = stages if state.cuts else []
    head = ("place", "number", "name", "club", "stage", "points", *tiebreaks)
    head = (*head, *stages, "penalties", "away", "why")
    return head, [
        (
            row.place,
            row.entrant,
            row.name,
            row.club,
            str(row.stage or ""),
            row.points,
            *("" if value is None else value for value in row.values.values()),
            *islice(chain(row.earlier, (row.points,), repeat("")), len(stages)),
            "; ".join(map(str, row.penalties)),
            "yes" if row.away else "",
            str(row.why or ""),
        )
        for row in rows
    ]


LISTS: Final[Mapping[str, WriteList]] = {
    "entries": lambda state: write_entries(state.entrants),
    "seating": lambda state: comma_separated(SEATING, seating_rows(state)),
    "results": lambda state: comma_separated(RESULTS, result_rows(state)),
    "standings": lambda state: comma_separated(*standings(state)),
}


def export_views(hub: Hub) -> Blueprint:
    """`/e/<id>/export`."""
    views = Blueprint("exports", __name__, url_prefix="/e/<tournament_id>/export")

    for name, write in LISTS.items():

        def listed(tournament_id: str, name: str = name, write: WriteList = write) -> Response:
            text = BYTE_ORDER_MARK + write(hub.service.snapshot(tournament_id).state)
            return download(text, f"{name}.csv", "text/csv")

        right = "director" if name == "entries" else "viewer"
        views.add_url_rule(f"/{name}.csv", name, listed, right=right)

    @views.get("/links.csv", right="director")
    def links(tournament_id: str) -> Response:
        state = hub.service.snapshot(tournament_id).state
        found = player_links(hub, tournament_id, state)
        notes = hub.store.entrant_notes.of(tournament_id)
        rows = [
            (each.number, each.name, notes.get(each.number, NOTHING).email, *found[each.number])
            for each in state.entrants
        ]
        return download(BYTE_ORDER_MARK + comma_separated(LINKS, rows), "links.csv", "text/csv")

    @views.get("/site.zip", right="director")
    def site(tournament_id: str) -> Response:
        packed = zipped(site_files(hub, (tournament_id,)))
        return download(packed, f"{tournament_id}.zip", "application/zip")

    @views.get("/event.trf", right="director")
    def chess_report(tournament_id: str) -> Response:
        state = hub.service.snapshot(tournament_id).state
        if not has_trf(state.format):
            abort(404)
        return download(write_trf(state), f"{tournament_id}.trf", "text/plain")

    @views.get("/event.jsonl", right="director")
    def whole(tournament_id: str) -> Response:
        text = hub.service.export(tournament_id)
        return download(text, f"{tournament_id}.jsonl", "application/x-ndjson")

    return views


def download(content: str | bytes, name: str, mimetype: str) -> Response:
    """A file to download under this name."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, mimetype=mimetype, headers=headers)


def sheet_views(hub: Hub) -> Blueprint:
    """`/e/<id>/sheets`."""
    views = Blueprint("sheets", __name__, url_prefix="/e/<tournament_id>/sheets")

    def sheet(name: str, right: Right, facts: Callable[[TournamentSnapshot], Facts]) -> None:
        def shown(tournament_id: str) -> str:
            snapshot = hub.service.snapshot(tournament_id)
            return _sheet(hub, snapshot, f"sheet_{name}.html", facts(snapshot))

        views.add_url_rule(f"/{name}", name, shown, right=right)

    def standings(snapshot: TournamentSnapshot) -> Facts:
        rows = hub.rankings.of(snapshot)
        return {"rows": rows, "columns": tiebreak_columns(rows)}

    def links(snapshot: TournamentSnapshot) -> Facts:
        return {"links": player_links(hub, snapshot.header.tournament_id, snapshot.state)}

    sheet("entries", "director", lambda _: {})
    sheet("seating", "viewer", lambda snapshot: {"places": finder(snapshot.state)})
    sheet("results", "viewer", _results)
    sheet("standings", "viewer", standings)
    sheet("bracket", "viewer", lambda snapshot: {"brackets": bracket_pages(snapshot.state)})
    sheet("slips", "referee", _slips)
    sheet("links", "director", links)

    @views.get("/<any(cross_table, wall_chart):chart>", right="viewer")
    def chart(tournament_id: str, chart: str) -> str:
        snapshot = hub.service.snapshot(tournament_id)
        return _sheet(hub, snapshot, "sheet_chart.html", chart_shown(hub, snapshot, chart))

    return views


def _results(snapshot: TournamentSnapshot) -> Facts:
    rounds = [
        (each, sorted(table_rows(snapshot.state, each, {}), key=attrgetter("number")))
        for each in snapshot.state.rounds
    ]
    return {"rounds": rounds}


def _slips(snapshot: TournamentSnapshot) -> Facts:
    name, rounds = snapshot.header.tournament_id, snapshot.state.rounds
    under_way = [each for each in rounds if each.phase != "closed"]
    tables = [(each, table) for each in under_way for table in each.draw.tables]
    return {
        "slips": [slip for at in tables for slip in PrintedSlip.of_table(name, *at)],
        "too_large": any(len(table.seats) > slip_layout.MOST_SEATS for _, table in tables),
        "slip_layout": slip_layout,
        "marks": marks_path(),
    }


def _sheet(hub: Hub, snapshot: TournamentSnapshot, template: str, facts: Facts) -> str:
    settings = printed_settings(snapshot.state.format)
    return event_page(template, snapshot, settings=settings, printed_at=hub.clock(), **facts)
