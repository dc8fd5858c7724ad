"""The page on which players sign up by themselves, opened and closed by the director."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, abort, g, request
from werkzeug.wrappers import Response as AnyResponse

from scoreboard.message import message
from scoreboard.tournament.model.entries import DeleteEntry, SetSignUp, SignUp
from scoreboard.tournament.model.tournament import SignUpSet
from scoreboard.tournament.protocol.audit_log import Actor
from web.hub.entries import rated, typed_player
from web.hub.forms import back, carry_out, confirm, whole
from web.hub.hub import Hub, event_page

LONGEST_FEE: Final = 80
BY_PLAYERS: Final = Actor("hub", "sign-up")


def sign_up_views(hub: Hub) -> Blueprint:
    """`/e/<id>/sign-up`."""
    views = Blueprint("sign_up", __name__, url_prefix="/e/<tournament_id>/sign-up")

    @views.get("")
    def show(tournament_id: str) -> str:
        snapshot = hub.service.snapshot(tournament_id)
        if snapshot.state.sign_up is None:
            abort(404)
        return event_page("sign_up.html", snapshot)

    @views.post("")
    def enter(tournament_id: str) -> AnyResponse:
        state = hub.service.snapshot(tournament_id).state
        (player,) = rated(hub, state, [typed_player(1)])
        after = hub.service.give(tournament_id, SignUp(player), BY_PLAYERS).state
        g.pop("counted")  # one that went well counts as a try too
        number = after.last_number
        key = hub.keys.player(tournament_id, number, player.name)
        return back("player.show", tournament_id=tournament_id, number=number, key=key)

    @views.post("/set")
    def change(tournament_id: str) -> AnyResponse:
        typed = request.form
        places = max(0, whole("places")) if typed.get("places", "").strip() else 0
        fee = " ".join(typed.get("fee", "").split())[:LONGEST_FEE]
        asked = SignUpSet(int("open" in typed), places, fee, int("late" in typed))
        return carry_out(hub, tournament_id, SetSignUp(asked), "entries.show", _anchor="sign-up")

    @views.post("/<int:number>/<key>")
    def cancel(tournament_id: str, number: int, key: str) -> AnyResponse:  # noqa: ARG001 -- checked before
        if hub.service.snapshot(tournament_id).state.sign_up is None:
            abort(404)
        confirm(message("Your place on the list goes to somebody else."))
        hub.service.give(tournament_id, DeleteEntry(number), BY_PLAYERS)
        return back("event.show", tournament_id=tournament_id)

    return views
