"""The public pages of an event: its results, charts, board, log, and each running table."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import Any, Final
from unicodedata import east_asian_width

from flask import Blueprint, Response, abort, render_template, request

from scoreboard.message import Message, message
from scoreboard.tournament.hub.admission import TableSeat
from scoreboard.tournament.hub.snapshot import TournamentSnapshot
from scoreboard.tournament.model.bracket_layout import bracket_drawings
from scoreboard.tournament.model.format_text import printed_settings, write_format
from scoreboard.tournament.model.standings import cross_table, player_rounds
from scoreboard.tournament.model.tournament import Tournament, describe, evolve, opened
from scoreboard.tournament.model.tournament_transcript import TournamentEvent
from web.hub.accounts import ROLES
from web.hub.hall import announcements, clock_document, current_tables
from web.hub.hub import Hub, event_page
from web.hub.progress import PHASES, seated_tables, table_rows
from web.hub.public_api import last_roll, watched_table
from web.hub.rankings import box_averages, statistics, tiebreak_columns
from web.shared.words import translate

DescribedEvent = tuple[TournamentEvent, Message, Message]  # a record, who did it, what was done
FEW: Final = 300  # records in the log unless all are asked for
SHOWN: Final = 24  # of the standings


@dataclass(frozen=True, slots=True)
class Found:
    """A seat found by name; `table` is None for a bye, `seat` counts from 1.

    `away`: has dropped out since the draw.
    """

    entrant: int
    name: str
    table: int | None = None
    seat: int = 0
    away: bool = False


def finder(state: Tournament) -> tuple[Found, ...]:
    """Everybody who sits somewhere now, or has a bye, by name; empty before the first draw."""
    if state.finished:
        return ()
    names, current = state.names, state.current_rounds
    found = [
        Found(entrant, names[entrant], table.number, seat, entrant in state.away)
        for _, table in seated_tables(state)
        for seat, entrant in enumerate(table.seats, start=1)
    ]
    byes = current[0].draw.byes if len(current) == 1 else ()
    found += [Found(entrant, names[entrant], away=entrant in state.away) for entrant in byes]
    return tuple(sorted(found, key=lambda each: each.name.casefold()))


def event_views(hub: Hub) -> Blueprint:
    """`/e/<id>/` and its plain pages."""
    views = Blueprint("event", __name__, url_prefix="/e/<tournament_id>")

    @views.get("/", right="viewer")
    def show(tournament_id: str) -> str:
        snapshot = hub.service.snapshot(tournament_id)
        places, rows = finder(snapshot.state), hub.rankings.of(snapshot)
        return event_page("event.html", snapshot, places=places, rows=rows)

    @views.get("/standings", right="viewer")
    def standings(tournament_id: str) -> str:
        snapshot = hub.service.snapshot(tournament_id)
        rows = hub.rankings.of(snapshot)
        return event_page("standings.html", snapshot, rows=rows, columns=tiebreak_columns(rows))

    @views.get("/settings", right="viewer")
    def settings(tournament_id: str) -> str:
        snapshot = hub.service.snapshot(tournament_id)
        printed, text = printed_settings(snapshot.state.format), write_format(snapshot.state.format)
        return event_page("settings.html", snapshot, printed=printed, text=text)

    @views.get("/annals", right="referee")
    def log(tournament_id: str) -> str:
        snapshot = hub.service.snapshot(tournament_id)
        most = snapshot.version if "all" in request.args else FEW
        described = described_events(hub, tournament_id, most)
        return event_page("log.html", snapshot, described=described)

    return views


def described_events(hub: Hub, tournament_id: str, most: int) -> tuple[DescribedEvent, ...]:
    """The last `most` records, newest first, each as a sentence."""
    header = hub.service.snapshot(tournament_id).header
    records = hub.service.events(tournament_id)
    state, described = opened(header.title, header.format), []
    for record in records:
        state = evolve(state, record.event)
        if record.sequence > len(records) - most:
            described.append((record, _who(record.source), describe(state, record.event)))
    return tuple(reversed(described))


def _who(source: str) -> Message:
    """The actor, from the record's source: a role, then a name or a number."""
    role, _, name = source.partition(" ")
    if role in ROLES:
        return message("{role} {name}", role=ROLES[role], name=name)
    actors = {
        "hub": message("The hub"),
        "table": message("Table {table}", table=name),
        "player": message("Player {number}", number=name),
    }
    return actors.get(role, message("{name}", name=source))


def board_views(hub: Hub) -> Blueprint:
    """`/e/<id>/board`."""
    views = Blueprint("board", __name__, url_prefix="/e/<tournament_id>/board")

    @views.get("", right="viewer")
    def show(tournament_id: str) -> str:
        snapshot = hub.service.snapshot(tournament_id)
        part = board_live(hub, tournament_id)
        return event_page("board.html", snapshot, part=part)

    return views


def board_live(hub: Hub, tournament_id: str) -> str:
    """Render the part of the board that changes while it is watched."""
    snapshot = hub.service.snapshot(tournament_id)
    state, last = snapshot.state, snapshot.state.last_round
    seated = {(played.number, table.number) for played, table in seated_tables(state)}
    tables = [
        (played, row)
        for played in state.current_rounds
        for row in sorted(table_rows(state, played, {}), key=lambda row: row.number)
        if (played.number, row.number) in seated
    ]
    return event_page(
        "board_live.html",
        snapshot,
        last=last,
        tables=tables,
        leaders=hub.rankings.leaders(snapshot, SHOWN),
        more=max(0, len(state.entrants) - SHOWN),
        begun=hub.round_clocks.of(snapshot),
        clock=clock_document(hub, state),
        announcements=announcements(hub, tournament_id),
        places=finder(state) if last is not None and last.phase == "drawn" else (),
    )


def spectator_views(hub: Hub) -> Blueprint:
    """`/e/<id>/table/<number>`, and the photo of the last roll there."""
    views = Blueprint("watch", __name__, url_prefix="/e/<tournament_id>/table/<int:number>")

    @views.get("", right="viewer")
    def show(tournament_id: str, number: int) -> str:
        snapshot = hub.service.snapshot(tournament_id)
        part, tables = table_live(hub, tournament_id, number), current_tables(snapshot.state)
        return event_page("watch.html", snapshot, number=number, part=part, tables=tables)

    @views.get("/photo.jpg", right="viewer")
    def photo(tournament_id: str, number: int) -> Response:
        kept = last_roll(hub, tournament_id, number) or abort(404)
        return Response(kept.jpeg, mimetype="image/jpeg")

    return views


def table_live(hub: Hub, tournament_id: str, number: int) -> str:
    """Render the part of a table's page that changes while it is watched."""
    if hub.service.snapshot(tournament_id).state.round_at(number) is None:
        return render_template("watch_live.html", facts=None, number=number)
    facts = watched_table(hub, tournament_id, number)
    return render_template("watch_live.html", facts=facts, id=tournament_id, phases=PHASES)


CHARTS: Final = {
    "cross_table": message("Cross table"),
    "wall_chart": message("Wall chart"),
    "statistics": message("Statistics"),
}
WIDE: Final = "WF"  # characters of East Asia that take two columns


def chart_views(hub: Hub) -> Blueprint:
    """`/e/<id>/bracket` and the other charts."""
    views = Blueprint("charts", __name__, url_prefix="/e/<tournament_id>")

    @views.get("/bracket", right="viewer")
    def bracket(tournament_id: str) -> str:
        snapshot = hub.service.snapshot(tournament_id)
        return event_page("bracket.html", snapshot, brackets=bracket_drawings(snapshot.state))

    @views.get("/<any(cross_table, wall_chart, statistics):chart>", right="viewer")
    def show(tournament_id: str, chart: str) -> str:
        snapshot = hub.service.snapshot(tournament_id)
        return event_page("chart.html", snapshot, **chart_shown(hub, snapshot, chart))

    @views.get("/players/<int:number>", right="viewer")
    def player(tournament_id: str, number: int) -> str:
        snapshot = hub.service.snapshot(tournament_id)
        rank = next((each for each in hub.rankings.of(snapshot) if each.entrant == number), None)
        if rank is None:
            abort(404)
        standings = hub.rankings.standings(snapshot)
        own = player_rounds(snapshot.state, standings, (number,))[number]
        there = ((TableSeat(tournament_id, each.table), each.round) for each in own if each.table)
        replays = (hub.table_api.games(*at) for at in there)
        games = ({game.number: game for game in each}.values() for each in replays)
        boxes = box_averages(chain.from_iterable(games), number)
        return event_page("player_results.html", snapshot, rank=rank, own=own, boxes=boxes)

    return views


def chart_shown(hub: Hub, snapshot: TournamentSnapshot, chart: str) -> dict[str, Any]:
    """What a page or sheet with a chart shows: `cells` by entrant, then by opponent or round.

    An event that has no duels has no rows in its cross table.
    """
    state, rows = snapshot.state, hub.rankings.of(snapshot)
    standings, title = hub.rankings.standings(snapshot), CHARTS[chart]
    if chart == "cross_table":
        cross = cross_table(state.format, standings)
        shown = [row for row in rows if row.entrant in cross]
        return {"chart": chart, "title": title, "rows": shown, "cells": cross}
    if chart == "statistics":
        return {"chart": chart, "title": title, "rows": rows, "cells": statistics(state, standings)}
    found = player_rounds(state, standings, state.numbers)
    cells = {entrant: {each.round: each for each in own} for entrant, own in found.items()}
    return {"chart": chart, "title": title, "rows": rows, "cells": cells}


def fitted(text: str | Message, columns: int) -> str:
    """A text cut with an ellipsis to at most that many columns."""
    whole = translate(text) if isinstance(text, Message) else text
    taken, kept = 0, 0
    for at, letter in enumerate(whole, start=1):
        taken += 1 + (east_asian_width(letter) in WIDE)
        kept = at if taken < columns else kept
    return whole if taken <= columns else whole[:kept].rstrip() + "…"
