"""Check-in of present entrants, at the door or on their own, and leaving out the missing."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, request
from werkzeug.wrappers import Response as AnyResponse

from scoreboard.message import message
from scoreboard.tournament.model.authority import CommandRefusedError
from scoreboard.tournament.model.entrant import Entrant, spelling_key
from scoreboard.tournament.model.entries import Return, Withdraw, entered
from scoreboard.tournament.model.tournament import Tournament
from scoreboard.tournament.storage.unrecorded import NOTHING, THE_EVENT
from web.hub.access import visitor
from web.hub.forms import attribution, back, confirm, give
from web.hub.hub import Hub, event_page
from web.shared.words import translate


@dataclass(frozen=True, slots=True)
class Presence:
    """The entrants who checked in and paid; `open`: players may check themselves in."""

    open: bool
    here: frozenset[int]
    missing: tuple[Entrant, ...]
    paid: frozenset[int]


def presence_of(hub: Hub, tournament_id: str, state: Tournament) -> Presence:
    """The entrants who checked in and paid, each under the name that they came with."""
    notes = hub.store.entrant_notes.of(tournament_id)
    names = state.entered_as.items()
    here = {number for number, name in names if notes.get(number, NOTHING).here_as == name}
    paid = {number for number, name in names if notes.get(number, NOTHING).paid_as == name}
    gone = here | state.away
    missing = (each for each in state.entrants if each.number not in gone)
    is_open = bool(notes.get(THE_EVENT, NOTHING).here_as)
    return Presence(is_open, frozenset(here), tuple(missing), frozenset(paid))


def check_player_in(
    hub: Hub, tournament_id: str, state: Tournament, number: int, *, here: bool = True
) -> None:
    """Store whether an entrant is here. Raises StoreError."""
    name = state.entered_as[number] if here else ""
    hub.store.entrant_notes.keep(tournament_id, "here_as", {number: name})


def check_in_views(hub: Hub) -> Blueprint:
    """`/e/<id>/check-in`."""
    views = Blueprint("check_in", __name__, url_prefix="/e/<tournament_id>/check-in")

    @views.get("", right="referee")
    def show(tournament_id: str) -> str:
        snapshot = hub.service.snapshot(tournament_id)
        sought, which = request.args.get("q", ""), request.args.get("which", "")
        presence = presence_of(hub, tournament_id, snapshot.state)
        missing = {each.number for each in presence.missing}
        listed = [
            each
            for each in sorted(snapshot.state.entrants, key=lambda each: each.name.casefold())
            if spelling_key(sought) in spelling_key(f"{each.number} {each.name} {each.club}")
            and (which != "missing" or each.number in missing)
        ]
        return event_page(
            "check_in.html", snapshot, presence=presence, listed=listed, sought=sought, which=which
        )

    @views.post("/<int:number>", right="referee", page="check_in.show")
    def mark(tournament_id: str, number: int) -> AnyResponse:
        state = hub.service.snapshot(tournament_id).state
        here, who = request.form.get("here") == "yes", visitor(hub)
        name = entered(state, number).name
        if here and number in state.away:
            if number in state.disqualified or not who.directs:
                raise CommandRefusedError(
                    message("{name} dropped out: a director has to reinstate them.", name=name)
                )
            said = attribution(hub, translate(message("checked in")))
            give(hub, tournament_id, Return(number, **said))
        check_player_in(hub, tournament_id, state, number, here=here)
        return _beside(tournament_id, number)

    @views.post("/<int:number>/paid", right="referee", page="check_in.show")
    def pay(tournament_id: str, number: int) -> AnyResponse:
        state = hub.service.snapshot(tournament_id).state
        entered(state, number)
        paid = state.entered_as[number] if request.form.get("paid") == "yes" else ""
        hub.store.entrant_notes.keep(tournament_id, "paid_as", {number: paid})
        return _beside(tournament_id, number)

    _add_whole_list(views, hub)
    return views


def _add_whole_list(views: Blueprint, hub: Hub) -> None:
    @views.post("/open", right="director", page="check_in.show")
    def allow(tournament_id: str) -> AnyResponse:
        everybody = hub.service.snapshot(tournament_id).state.numbers
        marks = {THE_EVENT: request.form.get("open", "")}
        if "anew" in request.form:  # a league meets again
            marks = dict.fromkeys(everybody, "")
        hub.store.entrant_notes.keep(tournament_id, "here_as", marks)
        return back("check_in.show", tournament_id=tournament_id)

    @views.post("/leave-out", right="director", page="check_in.show")
    def leave_out(tournament_id: str) -> AnyResponse:
        snapshot = hub.service.snapshot(tournament_id)
        missing = presence_of(hub, tournament_id, snapshot.state).missing
        if missing:
            names = ", ".join(each.name for each in missing)
            confirm(
                message("Not checked in, so the next draw leaves them out: {names}", names=names)
            )
        said = attribution(hub, translate(message("not checked in")))
        gone = (Withdraw(each.number, **said) for each in missing)
        give(hub, tournament_id, *gone, expected=snapshot.version)
        return back("check_in.show", tournament_id=tournament_id)


def _beside(tournament_id: str, number: int) -> AnyResponse:
    """Lead back to an entrant in the list as it was searched."""
    kept = {key: request.form[key] for key in ("q", "which") if request.form.get(key)}
    return back("check_in.show", tournament_id=tournament_id, _anchor=f"p{number}", **kept)
