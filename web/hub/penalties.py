"""Penalties, and the private notes on players."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, request
from werkzeug.wrappers import Response as AnyResponse

from scoreboard.tournament.model.disputes import (
    PENALTY_WORDS,
    AwardPenalty,
    UndoPenalty,
    penalty_message,
)
from scoreboard.tournament.model.entries import entered
from web.hub.forms import attribution, back, carry_out, give, in_field, whole
from web.hub.hub import Hub, event_page

LONGEST_NOTE: Final = 500


def penalty_views(hub: Hub) -> Blueprint:
    """`/e/<id>/penalties`."""
    views = Blueprint("penalties", __name__, url_prefix="/e/<tournament_id>/penalties")

    @views.get("", right="referee")
    def show(tournament_id: str) -> str:
        snapshot = hub.service.snapshot(tournament_id)
        notes = hub.store.entrant_notes.of(tournament_id)
        return event_page(
            "penalties.html",
            snapshot,
            kinds=PENALTY_WORDS,
            penalty_message=penalty_message,
            notes={number: kept.note for number, kept in notes.items() if kept.note},
            longest=LONGEST_NOTE,
        )

    @views.post("", right="referee", page="penalties.show")
    def award(tournament_id: str) -> AnyResponse:
        number, kind = whole("entrant"), request.form.get("kind", "")
        points = request.form.get("points", "") if kind == "points" else "0"
        command = AwardPenalty(number, kind, points, **attribution(hub))
        with in_field("points"):
            give(hub, tournament_id, command)
        last = hub.service.snapshot(tournament_id).state.round_of(number)
        seats = last and last.draw.table_of(number)
        if kind == "game" and last and seats:  # to correct the result there
            at = {"number": last.number, "table": seats.number}
            return back("results.table", tournament_id=tournament_id, **at)
        return back("penalties.show", tournament_id=tournament_id)

    @views.post("/<int:number>/undo", right="referee", page="penalties.show")
    def undo(tournament_id: str, number: int) -> AnyResponse:
        command = UndoPenalty(number, **attribution(hub))
        return carry_out(hub, tournament_id, command, "penalties.show")

    @views.post("/note", right="referee", page="penalties.show")
    def note(tournament_id: str) -> AnyResponse:
        state = hub.service.snapshot(tournament_id).state
        number = entered(state, whole("entrant")).number
        text = request.form.get("note", "").strip()[:LONGEST_NOTE]
        hub.store.entrant_notes.keep(tournament_id, "note", {number: text})
        return back("penalties.show", tournament_id=tournament_id)

    return views
