"""One event for everybody: who sits where, who stands where and why, what was settled."""

from __future__ import annotations

from flask import Blueprint, render_template, request

from scoreboard.phrase import Phrase, phrase
from scoreboard.tournament.describing import describe
from scoreboard.tournament.evolving import evolve
from scoreboard.tournament.format_text import write_format
from scoreboard.tournament.printed_settings import printed_settings
from scoreboard.tournament.tournament import opened
from scoreboard.tournament.tournament_transcript import RecordedHappening
from web.hub.hub import Hub
from web.hub.seating import finder
from web.hub.views.giving import Giving
from web.hub.views.people import ROLES

Told = tuple[RecordedHappening, Phrase, Phrase]  # a record, by whom, and what was done
FEW = 300  # lines of the annals, before somebody asks for all


def event_views(hub: Hub) -> Blueprint:
    """`/e/<id>/` and its plain pages."""
    views = Blueprint("event", __name__, url_prefix="/e/<tournament_id>")
    giving = Giving(hub)

    @views.get("/")
    def show(tournament_id: str) -> str:
        look = giving.look(tournament_id)
        return render_template(
            "event.html",
            look=look,
            state=look.state,
            places=finder(look.state),
            rows=hub.rankings.of(look),
        )

    @views.get("/standings")
    def standings(tournament_id: str) -> str:
        look = giving.look(tournament_id)
        rows = hub.rankings.of(look)
        return render_template("standings.html", look=look, state=look.state, rows=rows)

    @views.get("/settings")
    def settings(tournament_id: str) -> str:
        look = giving.look(tournament_id)
        form = look.state.format
        return render_template(
            "settings.html",
            look=look,
            state=look.state,
            printed=printed_settings(form),
            text=write_format(form),
        )

    @views.get("/annals")
    def annals(tournament_id: str) -> str:
        look = giving.look(tournament_id)
        most = look.version if "all" in request.args else FEW
        told = told_happenings(hub, tournament_id, most)
        return render_template("annals.html", look=look, state=look.state, told=told)

    return views


def told_happenings(hub: Hub, tournament_id: str, most: int) -> tuple[Told, ...]:
    """What happened last, newest first, each in a sentence; so many at most."""
    header = hub.desk.look(tournament_id).header
    records = hub.desk.happenings(tournament_id)
    state, told = opened(header.title, header.format), []
    for record in records:
        state = evolve(state, record.happening)
        if record.sequence > len(records) - most:
            told.append((record, _who(record.source), describe(state, record.happening)))
    return tuple(reversed(told))


def _who(source: str) -> Phrase:
    """Who did something, from its record: a role, then a name or a number."""
    role, _, name = source.partition(" ")
    if role == "table":
        return phrase("Table {table}", table=name)
    if role == "player":
        return phrase("Player {number}", number=name)
    if role in ROLES:
        return phrase("{role} {name}", role=ROLES[role], name=name)
    return phrase("{name}", name=source)
