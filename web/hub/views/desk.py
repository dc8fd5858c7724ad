"""The director's desk: the next step, and every table with its state, problems first."""

from __future__ import annotations

from flask import Blueprint, render_template

from web.hub.hub import Hub
from web.hub.rows import for_the_referee, rows_of_round
from web.hub.steps import next_step, tables_left
from web.hub.views.command_form import CommandForm


def desk_views(hub: Hub) -> Blueprint:
    """`/e/<id>/desk`."""
    views = Blueprint("desk", __name__, url_prefix="/e/<tournament_id>/desk")
    command_form = CommandForm(hub)

    @views.get("")
    def show(tournament_id: str) -> str:
        snapshot = command_form.snapshot(tournament_id)
        last = snapshot.state.last_round
        return render_template(
            "desk.html",
            snapshot=snapshot,
            state=snapshot.state,
            step=next_step(snapshot.state),
            last=last,
            left=tables_left(snapshot.state, last) if last else (),
            rows=rows_of_round(hub, snapshot, last) if last else (),
            waiting=for_the_referee(snapshot.state),
        )

    return views


def desk_live(hub: Hub, tournament_id: str) -> str:
    """The part of the desk that follows what happens."""
    snapshot = hub.service.snapshot(tournament_id)
    last = snapshot.state.last_round
    return render_template(
        "desk_live.html",
        snapshot=snapshot,
        state=snapshot.state,
        step=next_step(snapshot.state),
        last=last,
        left=tables_left(snapshot.state, last) if last else (),
        rows=rows_of_round(hub, snapshot, last) if last else (),
        waiting=for_the_referee(snapshot.state),
    )
