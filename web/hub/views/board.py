"""The board for a big screen: seating, live tables, standings with their reasons, the clock."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, render_template

from web.hub.hub import Hub
from web.hub.rows import table_rows

SHOWN: Final = 24  # of the standings


def board_views(hub: Hub) -> Blueprint:
    """`/e/<id>/board`."""
    views = Blueprint("board", __name__, url_prefix="/e/<tournament_id>/board")

    @views.get("")
    def show(tournament_id: str) -> str:
        snapshot = hub.service.snapshot(tournament_id)
        part = board_live(hub, tournament_id)
        return render_template("board.html", snapshot=snapshot, state=snapshot.state, part=part)

    return views


def board_live(hub: Hub, tournament_id: str) -> str:
    """The part of the board that follows what happens."""
    snapshot = hub.service.snapshot(tournament_id)
    state, last = snapshot.state, snapshot.state.last_round
    rows = () if last is None else table_rows(state, last, {})
    return render_template(
        "board_live.html",
        snapshot=snapshot,
        state=state,
        last=last,
        rows=sorted(rows, key=lambda row: row.number),
        leaders=hub.rankings.leaders(snapshot, SHOWN),
        more=max(0, len(state.entrants) - SHOWN),
        begun=hub.beginnings.of(snapshot),
    )
