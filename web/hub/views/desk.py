"""The director's desk: the next step, and every table with its state, problems first."""

from __future__ import annotations

from flask import Blueprint, render_template

from web.hub.hub import Hub
from web.hub.rows import for_the_referee, rows_of_round
from web.hub.steps import next_step, tables_left
from web.hub.views.giving import Giving


def desk_views(hub: Hub) -> Blueprint:
    """`/e/<id>/desk`."""
    views = Blueprint("desk", __name__, url_prefix="/e/<tournament_id>/desk")
    giving = Giving(hub)

    @views.get("")
    def show(tournament_id: str) -> str:
        look = giving.look(tournament_id)
        last = look.state.last_round
        return render_template(
            "desk.html",
            look=look,
            state=look.state,
            step=next_step(look.state),
            last=last,
            left=tables_left(look.state, last) if last else (),
            rows=rows_of_round(hub, look, last) if last else (),
            waiting=for_the_referee(look.state),
        )

    return views


def desk_live(hub: Hub, tournament_id: str) -> str:
    """The part of the desk that follows what happens."""
    look = hub.desk.look(tournament_id)
    last = look.state.last_round
    return render_template(
        "desk_live.html",
        look=look,
        state=look.state,
        step=next_step(look.state),
        last=last,
        left=tables_left(look.state, last) if last else (),
        rows=rows_of_round(hub, look, last) if last else (),
        waiting=for_the_referee(look.state),
    )
