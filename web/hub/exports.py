"""Lists as CSV and TRF16, the event as a website, its record as a file, and sheets to print."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from itertools import chain, islice, repeat
from operator import attrgetter
from typing import Any, Final
from urllib.parse import urljoin

from flask import Blueprint, Response, abort, request

from scoreboard.tournament.hub.snapshot import TournamentSnapshot
from scoreboard.tournament.model.bracket_layout import bracket_pages
from scoreboard.tournament.model.entry_list import write_entries
from scoreboard.tournament.model.format_text import printed_settings
from scoreboard.tournament.model.scores import Points, decimal_points
from scoreboard.tournament.model.standings import standings_of
from scoreboard.tournament.model.tournament import Tournament
from scoreboard.tournament.protocol.trf import has_trf, write_trf
from scoreboard.tournament.storage.unrecorded import NOTHING
from vision.read import slip_layout
from vision.read.slip_layout import Rows
from web.hub.access import Right
from web.hub.events import chart_shown, finder
from web.hub.hub import Hub, event_page, public_address
from web.hub.player import player_links
from web.hub.progress import table_rows
from web.hub.public_api import site_files, zipped
from web.hub.rankings import Ranked, ranking, statistics, tiebreak_columns
from web.hub.slips import PrintedSlip, marks_path
from web.shared.spreadsheet import as_csv, has_decimal_comma, write_xlsx
from web.shared.words import wished_languages

Cell = str | Points
Row = Sequence[Cell]
Table = tuple[Row, Iterable[Row]]  # its head and its rows
Facts = Mapping[str, Any]
SEATING: Final = ("round", "table", "seat", "number", "name")
LINKS: Final = ("number", "name", "email", "link", "short link")
RESULTS: Final = ("round", "table", "game", "number", "name", "score", "points", "won", "state")
STATISTICS: Final = ("place", "number", "name", "average", "best", "won", "games", "points")
BYTE_ORDER_MARK = "\ufeff"  # tells spreadsheets that it is UTF-8


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
        who, points = solo.entrant, solo.score
        yield "", "", number, who, names[who], points, points, "", "signed"


def standings(state: Tournament) -> tuple[tuple[str, ...], list[Row]]:
    """The standings' columns and rows: tie-breaks, each stage's points after a cut, and why."""
    rows = ranking(state)
    tiebreaks = tiebreak_columns(rows)
    stages = [f"stage {stage} points" for stage in range(len(state.cuts) + 1)]
    stages = stages if state.cuts else []
    head = ("place", "number", "name", "club", "stage", "points", *tiebreaks)
    head = (*head, *stages, "penalties", "away", "why")

    def cells(row: Ranked) -> Row:
        first = (row.place, row.entrant, row.name, row.club, str(row.stage or ""), row.points)
        values = ("" if value is None else value for value in row.values.values())
        points = islice(chain(row.earlier, (row.points,), repeat("")), len(stages))
        penalties, away = "; ".join(map(str, row.penalties)), "yes" if row.away else ""
        return (*first, *values, *points, penalties, away, str(row.why or ""))

    return head, [*map(cells, rows)]


def statistic_rows(state: Tournament) -> Iterator[Row]:
    """What everybody played, best first; nothing as average and best of no game."""
    found = statistics(state, standings_of(state))
    for row in ranking(state):
        figures = ("" if each is None else each for each in found[row.entrant])
        yield row.place, row.entrant, row.name, *figures, row.points


LISTS: Final[Mapping[str, Callable[[Tournament], Table]]] = {
    "seating": lambda state: (SEATING, seating_rows(state)),
    "results": lambda state: (RESULTS, result_rows(state)),
    "standings": standings,
    "statistics": lambda state: (STATISTICS, statistic_rows(state)),
}
WORKBOOK_TYPE: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def export_views(hub: Hub) -> Blueprint:
    """`/e/<id>/export`."""
    views = Blueprint("exports", __name__, url_prefix="/e/<tournament_id>/export")

    @views.get(f"/<any({', '.join(LISTS)}):what>.<any(csv, xlsx):form>", right="viewer")
    def listed(tournament_id: str, what: str, form: str) -> Response:
        head, rows = LISTS[what](hub.service.snapshot(tournament_id).state)
        return spreadsheet(f"{what}.{form}", head, rows)

    @views.get("/entries.csv", right="director")
    def entries(tournament_id: str) -> Response:
        separator = ";" if has_decimal_comma(wished_languages()) else ","
        entrants = hub.service.snapshot(tournament_id).state.entrants
        text = BYTE_ORDER_MARK + write_entries(entrants, separator)
        return download(text, "entries.csv", "text/csv")

    @views.get("/links.csv", right="director")
    def links(tournament_id: str) -> Response:
        state = hub.service.snapshot(tournament_id).state
        found = player_links(hub, tournament_id, state)
        notes = hub.store.entrant_notes.of(tournament_id)
        rows = [
            (each.number, each.name, notes.get(each.number, NOTHING).email, *found[each.number])
            for each in state.entrants
        ]
        return spreadsheet("links.csv", LINKS, rows)

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


def spreadsheet(name: str, head: Row, rows: Iterable[Row]) -> Response:
    """A table to download as CSV, as the reader's spreadsheet wants it, or as xlsx."""
    cells = [
        [cell if isinstance(cell, str) else decimal_points(cell) for cell in row]
        for row in chain([head], rows)
    ]
    if name.endswith(".xlsx"):
        file = BytesIO()
        write_xlsx(cells, file)
        return download(file.getvalue(), name, WORKBOOK_TYPE)
    lines = as_csv(cells, decimal_comma=has_decimal_comma(wished_languages()))
    return download(BYTE_ORDER_MARK + "".join(lines), name, "text/csv")


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
    sheet("slips", "referee", lambda snapshot: _slips(hub, snapshot))
    sheet("links", "director", links)

    @views.get("/<any(cross_table, wall_chart, statistics):chart>", right="viewer")
    def chart(tournament_id: str, chart: str) -> str:
        snapshot = hub.service.snapshot(tournament_id)
        return _sheet(hub, snapshot, "sheet_chart.html", chart_shown(hub, snapshot, chart))

    return views


def _results(snapshot: TournamentSnapshot) -> Facts:
    state, order = snapshot.state, attrgetter("number")
    rounds = [(each, sorted(table_rows(state, each, {}), key=order)) for each in state.rounds]
    return {"rounds": rounds}


def _slips(hub: Hub, snapshot: TournamentSnapshot) -> Facts:
    name, rounds = snapshot.header.tournament_id, snapshot.state.rounds
    under_way = [each for each in rounds if each.phase != "closed"]
    tables = [(each, table) for each in under_way for table in each.draw.tables]
    rows: Rows = "S" if snapshot.state.format.zero_sum else "Y"
    return {
        "slips": [slip for at in tables for slip in PrintedSlip.of_table(name, *at, rows)],
        "address": urljoin(public_address(hub.settings, request.host_url), request.script_root),
        "too_large": any(len(table.seats) > slip_layout.MOST_SEATS for _, table in tables),
        "slip_layout": slip_layout,
        "marks": marks_path(),
    }


def _sheet(hub: Hub, snapshot: TournamentSnapshot, template: str, facts: Facts) -> str:
    settings = printed_settings(snapshot.state.format)
    return event_page(template, snapshot, settings=settings, printed_at=hub.clock(), **facts)
