"""The devices at the tables: how each does, codes by which they join, and shutting one out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from flask import Blueprint, render_template, request, url_for
from werkzeug.wrappers import Response

from scoreboard.errors import NotationError
from scoreboard.message import Message, message
from scoreboard.tournament.hub.overview import TablePhase
from web.hub.hub import Hub
from web.hub.public_address import public_address
from web.hub.views.command_form import CommandForm, back, wholes

MOST_CODES: Final = 400
PHASES: Final[Mapping[TablePhase, Message]] = {
    "drawn": message("seated"),
    "waiting": message("ready to begin"),
    "playing": message("under way"),
    "unsigned": message("not all signed"),
    "disputed": message("disputed"),
    "done": message("done"),
}


def table_views(hub: Hub) -> Blueprint:
    """`/e/<id>/tables`."""
    views = Blueprint("tables", __name__, url_prefix="/e/<tournament_id>/tables")
    command_form = CommandForm(hub)

    @views.get("")
    def show(tournament_id: str) -> str:
        snapshot = command_form.snapshot(tournament_id)
        return render_template(
            "tables.html",
            snapshot=snapshot,
            state=snapshot.state,
            tables=hub.table_api.tables(tournament_id),
            phases=PHASES,
            most=max((len(each.draw.tables) for each in snapshot.state.rounds), default=4),
        )

    @views.post("/codes")
    def offer(tournament_id: str) -> str:
        snapshot = command_form.snapshot(tournament_id)
        numbers = asked_tables()
        codes = [(number, hub.admission.offer_code(tournament_id, number)) for number in numbers]
        here = public_address(hub.house, request.host_url)
        links = [(number, code, here + url_for("doors.join", code=code)) for number, code in codes]
        return render_template("codes.html", snapshot=snapshot, state=snapshot.state, links=links)

    @views.post("/<int:number>/revoke")
    def revoke(tournament_id: str, number: int) -> Response:
        command_form.snapshot(tournament_id)
        hub.admission.revoke(tournament_id, number)
        return back("tables.show", tournament_id=tournament_id)

    return views


def asked_tables() -> tuple[int, ...]:
    """The tables of the form, each once. Raises NotationError for none, and for too many."""
    numbers = tuple(dict.fromkeys(each for part in wholes("first") for each in _upto(part)))
    if not 1 <= len(numbers) <= MOST_CODES:
        raise NotationError(
            message("Name 1 to {most} tables, from the first to the last.", most=MOST_CODES)
        )
    return numbers


def _upto(first: int) -> range:
    last = max(wholes("last"), default=first)
    return range(max(first, 1), min(last, first + MOST_CODES) + 1)
