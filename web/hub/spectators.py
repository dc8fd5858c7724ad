"""A page of each table for spectators: the running game as its device tells it."""

from __future__ import annotations

from flask import Blueprint, Response, abort, render_template

from web.hub.hall import current_tables
from web.hub.hub import Hub, event_page
from web.hub.progress import PHASES
from web.hub.public_api import last_roll, watched_table


def spectator_views(hub: Hub) -> Blueprint:
    """`/e/<id>/table/<number>`, and the photo of the last roll there."""
    views = Blueprint("watch", __name__, url_prefix="/e/<tournament_id>/table/<int:number>")

    @views.get("", right="viewer")
    def show(tournament_id: str, number: int) -> str:
        snapshot = hub.service.snapshot(tournament_id)
        return event_page(
            "watch.html",
            snapshot,
            number=number,
            part=table_live(hub, tournament_id, number),
            tables=current_tables(snapshot.state),
        )

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
