"""The list of events, a new event, and the public pages of an event."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from flask import Blueprint, g, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scoreboard.message import Message, message
from scoreboard.text_files import decode_text
from scoreboard.tournament.model.format_text import printed_settings, write_format
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.tournament import Tournament, describe, evolve, opened
from scoreboard.tournament.model.tournament_format import TournamentFormat
from scoreboard.tournament.model.tournament_transcript import TournamentEvent
from web.hub.access import LARGEST_UPLOAD_BYTES, visitor
from web.hub.accounts import ROLES
from web.hub.event_life import FIRST_PRESET, presets
from web.hub.format_form import filled, format_of, grouped_fields
from web.hub.forms import FieldError, back, sent_form
from web.hub.hall import announcements, clock_document
from web.hub.hub import Hub, event_page
from web.hub.progress import seated_tables, table_rows
from web.hub.public_api import by_section, shown_events
from web.hub.rankings import tiebreak_columns

NO_FILE: Final = message("Choose the file that the other hub exported.")
DescribedEvent = tuple[TournamentEvent, Message, Message]  # a record, who did it, what was done
FEW: Final = 300  # records in the log unless all are asked for
SHOWN: Final = 24  # of the standings


def events_views(hub: Hub) -> Blueprint:
    """`/`, `/new` and `/take-over`."""
    views = Blueprint("events", __name__)

    @views.get("/", right="viewer")
    def show() -> str:
        shown = [each for each in shown_events(hub) if each[1].archived_at is None]
        return render_template("events.html", sections=by_section(shown))

    @views.get("/new", right="director")
    def ask() -> str:
        preset = request.values.get("preset", FIRST_PRESET)
        sent = sent_form(url_for("events.create"))
        fields = sent.fields if sent else filled(_offered(hub, preset))
        shown = {"preset": preset, "presets": presets(hub), "form": sent}
        return render_template("new_event.html", **shown, **grouped_fields(fields))

    @views.post("/new", right="director", page="events.ask")
    def create() -> AnyResponse:
        title, form = request.form.get("title", ""), format_of(request.form)
        made = hub.service.open(title, form, visitor(hub).actor, g.get("seen"))
        return back("entries.show", tournament_id=made)

    @views.get("/take-over", right="director")
    def ask_take_over() -> str:
        return render_template("take_over.html")

    @views.post(
        "/take-over",
        right="director",
        page="events.ask_take_over",
        most_bytes=LARGEST_UPLOAD_BYTES,
    )
    def take_over() -> AnyResponse:
        sent = request.files.get("file")
        try:
            text = decode_text(sent.read()) if sent else ""
        except UnicodeDecodeError as error:
            raise FieldError("file", NO_FILE) from error
        if not text.strip():
            raise FieldError("file", NO_FILE)
        return back("event.show", tournament_id=hub.service.take_over(text))

    return views


def _offered(hub: Hub, preset: str) -> TournamentFormat:
    """The settings to begin from; the directors' own unchanged."""
    form = presets(hub).get(preset, FORMATS[FIRST_PRESET])
    return replace(form, next_match="called") if form in FORMATS.values() else form


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
        return event_page(
            "event.html", snapshot, places=finder(snapshot.state), rows=hub.rankings.of(snapshot)
        )

    @views.get("/standings", right="viewer")
    def standings(tournament_id: str) -> str:
        snapshot = hub.service.snapshot(tournament_id)
        rows = hub.rankings.of(snapshot)
        return event_page("standings.html", snapshot, rows=rows, columns=tiebreak_columns(rows))

    @views.get("/settings", right="viewer")
    def settings(tournament_id: str) -> str:
        snapshot = hub.service.snapshot(tournament_id)
        form = snapshot.state.format
        return event_page(
            "settings.html", snapshot, printed=printed_settings(form), text=write_format(form)
        )

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
    if role == "hub":
        return message("The hub")
    if role == "table":
        return message("Table {table}", table=name)
    if role == "player":
        return message("Player {number}", number=name)
    if role in ROLES:
        return message("{role} {name}", role=ROLES[role], name=name)
    return message("{name}", name=source)


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
