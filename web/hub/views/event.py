"""One event for everybody: who sits where, who stands where and why, what was settled."""

from __future__ import annotations

from flask import Blueprint, render_template

from scoreboard.phrase import Phrase
from scoreboard.tournament.describing import describe
from scoreboard.tournament.evolving import evolve
from scoreboard.tournament.format_text import write_format
from scoreboard.tournament.printed_settings import printed_settings
from scoreboard.tournament.tournament import opened
from scoreboard.tournament.tournament_transcript import RecordedHappening
from web.hub.hub import Hub
from web.hub.ranking import ranking
from web.hub.seating import finder
from web.hub.views.giving import Giving


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
            rows=ranking(look.state),
        )

    @views.get("/standings")
    def standings(tournament_id: str) -> str:
        look = giving.look(tournament_id)
        rows = ranking(look.state)
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
        told = told_happenings(hub, tournament_id)
        return render_template("annals.html", look=look, state=look.state, told=told)

    return views


def told_happenings(hub: Hub, tournament_id: str) -> tuple[tuple[RecordedHappening, Phrase], ...]:
    """All that happened, newest first, each in a sentence."""
    header = hub.desk.look(tournament_id).header
    state, told = opened(header.title, header.format), []
    for record in hub.desk.happenings(tournament_id):
        state = evolve(state, record.happening)
        told.append((record, describe(state, record.happening)))
    return tuple(reversed(told))
