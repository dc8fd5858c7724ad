"""Players sign up by themselves, see their place on the waiting list, and take it back."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from flask import Blueprint, abort, g, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from scoreboard.tournament.model.entrant import plain_text
from scoreboard.tournament.model.sign_up import CancelSignUp, SetSignUp, SignUp
from scoreboard.tournament.model.tournament import Tournament
from scoreboard.tournament.protocol.audit_log import Actor
from web.hub.credentials import same
from web.hub.entries import rated, typed_player
from web.hub.forms import back, carry_out, whole
from web.hub.hub import Hub

LONGEST_FEE: Final = 80
BY_PLAYERS: Final = Actor("hub", "sign-up")
NO_NUMBER: Final = 0  # before the entry; keys of players' own pages begin with entry 1


def sign_up_views(hub: Hub) -> Blueprint:
    """`/e/<id>/sign-up`, and what the director does about it on the entries page."""
    views = Blueprint("sign_up", __name__, url_prefix="/e/<tournament_id>")

    @views.get("/sign-up")
    def show(tournament_id: str) -> str:
        return _page(hub, tournament_id)

    @views.post("/sign-up")
    def enter(tournament_id: str) -> AnyResponse:
        state = hub.service.snapshot(tournament_id).state
        if state.sign_up is None:
            abort(404)
        (entrant,) = rated(hub, state, [typed_player(1)])
        at = hub.clock()
        hub.service.give(tournament_id, SignUp(entrant, at), BY_PLAYERS)
        g.pop("counted")  # one that went well counts as a try too
        key = _key(hub, tournament_id, entrant.name, at)
        return back("sign_up.mine", tournament_id=tournament_id, key=key)

    @views.get("/sign-up/<key>")
    def mine(tournament_id: str, key: str) -> str:
        return _page(hub, tournament_id, key)

    @views.post("/sign-up/<key>")
    def cancel(tournament_id: str, key: str) -> AnyResponse:
        state = hub.service.snapshot(tournament_id).state
        name = _name_of(hub, tournament_id, state, key) or abort(404)
        hub.service.give(tournament_id, CancelSignUp(name), BY_PLAYERS)
        return back("sign_up.show", tournament_id=tournament_id)

    @views.post("/entries/sign-up")
    def change(tournament_id: str) -> AnyResponse:
        typed = request.form
        places = whole("places") if typed.get("places", "").strip() else 0
        fee = " ".join(plain_text(typed.get("fee", "")).split())[:LONGEST_FEE]
        is_open, late = typed.get("open") == "yes", typed.get("late") == "yes"
        command = SetSignUp(is_open, places, fee, late)
        return carry_out(hub, tournament_id, command, "entries.show", _anchor="sign-up")

    @views.post("/entries/strike")
    def strike(tournament_id: str) -> AnyResponse:
        command = CancelSignUp(request.form.get("name", ""))
        return carry_out(hub, tournament_id, command, "entries.show", _anchor="sign-up")

    return views


def _name_of(hub: Hub, tournament_id: str, state: Tournament, key: str) -> str | None:
    """The name that somebody signed up with who has this key, None for nobody's."""
    signed_up = state.signed_up.items()
    theirs = (name for name, at in signed_up if same(key, _key(hub, tournament_id, name, at)))
    return next(theirs, None)


def _key(hub: Hub, tournament_id: str, name: str, at: datetime) -> str:
    """The key of the page of a sign-up; who signs up under the same name later has another."""
    return hub.keys.player(tournament_id, NO_NUMBER, f"{name}\n{at.isoformat()}")


def _page(hub: Hub, tournament_id: str, key: str = "") -> str:
    """The form to sign up with, under what became of the sign-up with this key."""
    snapshot = hub.service.snapshot(tournament_id)
    state = snapshot.state
    if state.sign_up is None:
        abort(404)
    name = _name_of(hub, tournament_id, state, key) if key else None
    number = next((number for number, was in state.entered_as.items() if was == name), None)
    return render_template(
        "sign_up.html",
        snapshot=snapshot,
        state=state,
        key=key,
        name=name,
        number=number,
        place=[each.name for each in state.waiting].index(name) + 1 if name and not number else 0,
        own=number and hub.keys.player(tournament_id, number, name or ""),
    )
