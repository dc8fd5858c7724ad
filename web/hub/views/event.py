"""One event for everybody: who sits where, who stands where and why, what was settled."""

from __future__ import annotations

from flask import Blueprint, render_template, request

from scoreboard.message import Message, message
from scoreboard.tournament.model.format_text import write_format
from scoreboard.tournament.model.printed_settings import printed_settings
from scoreboard.tournament.model.tournament import describe, evolve, opened
from scoreboard.tournament.model.tournament_transcript import RecordedEvent
from web.hub.hub import Hub
from web.hub.seat_finder import finder
from web.hub.views.command_form import CommandForm
from web.hub.views.people import ROLES

Told = tuple[RecordedEvent, Message, Message]  # a record, by whom, and what was done
FEW = 300  # lines of the annals, before somebody asks for all


def event_views(hub: Hub) -> Blueprint:
    """`/e/<id>/` and its plain pages."""
    views = Blueprint("event", __name__, url_prefix="/e/<tournament_id>")
    command_form = CommandForm(hub)

    @views.get("/")
    def show(tournament_id: str) -> str:
        snapshot = command_form.snapshot(tournament_id)
        return render_template(
            "event.html",
            snapshot=snapshot,
            state=snapshot.state,
            places=finder(snapshot.state),
            rows=hub.rankings.of(snapshot),
        )

    @views.get("/standings")
    def standings(tournament_id: str) -> str:
        snapshot = command_form.snapshot(tournament_id)
        rows = hub.rankings.of(snapshot)
        return render_template("standings.html", snapshot=snapshot, state=snapshot.state, rows=rows)

    @views.get("/settings")
    def settings(tournament_id: str) -> str:
        snapshot = command_form.snapshot(tournament_id)
        form = snapshot.state.format
        return render_template(
            "settings.html",
            snapshot=snapshot,
            state=snapshot.state,
            printed=printed_settings(form),
            text=write_format(form),
        )

    @views.get("/annals")
    def annals(tournament_id: str) -> str:
        snapshot = command_form.snapshot(tournament_id)
        most = snapshot.version if "all" in request.args else FEW
        told = told_happenings(hub, tournament_id, most)
        return render_template("annals.html", snapshot=snapshot, state=snapshot.state, told=told)

    return views


def told_happenings(hub: Hub, tournament_id: str, most: int) -> tuple[Told, ...]:
    """What happened last, newest first, each in a sentence; so many at most."""
    header = hub.service.snapshot(tournament_id).header
    records = hub.service.events(tournament_id)
    state, told = opened(header.title, header.format), []
    for record in records:
        state = evolve(state, record.event)
        if record.sequence > len(records) - most:
            told.append((record, _who(record.source), describe(state, record.event)))
    return tuple(reversed(told))


def _who(source: str) -> Message:
    """Who did something, from its record: a role, then a name or a number."""
    role, _, name = source.partition(" ")
    if role == "table":
        return message("Table {table}", table=name)
    if role == "player":
        return message("Player {number}", number=name)
    if role in ROLES:
        return message("{role} {name}", role=ROLES[role], name=name)
    return message("{name}", name=source)
