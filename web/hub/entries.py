"""Entries: by hand, from a list or by players themselves; corrected, withdrawn, checked in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from http import HTTPStatus
from typing import Final

from flask import Blueprint, Response, abort, g, make_response, request
from werkzeug.wrappers import Response as AnyResponse

from scoreboard.message import message
from scoreboard.players import plain_text
from scoreboard.tournament.hub.snapshot import TournamentSnapshot
from scoreboard.tournament.model import entries as model
from scoreboard.tournament.model.authority import CommandRefusedError
from scoreboard.tournament.model.disputes import PENALTY_WORDS
from scoreboard.tournament.model.entrant import Entrant, entrant_name, short_words, spelling_key
from scoreboard.tournament.model.entry_list import EntryList, read_entries
from scoreboard.tournament.model.tournament import SignUpSet, Tournament
from scoreboard.tournament.protocol.audit_log import Actor
from scoreboard.tournament.protocol.trf import entries_of_trf
from scoreboard.tournament.storage.unrecorded import NOTHING, THE_EVENT
from web.hub.access import visitor
from web.hub.encodings import Decoding, decodings
from web.hub.forms import FieldError, attribution, back, carry_out, confirm, give, in_field, whole
from web.hub.hub import Hub, event_page
from web.shared.words import translate

MOST_LIST_BYTES: Final = 2 * 1024 * 1024
LONGEST_NOTE: Final = 500
MOST_SHOWN: Final = 5  # entries of a list that is looked at


@dataclass(frozen=True, slots=True)
class ListPreview:
    """A list before it is taken: its reading, and the alternatives."""

    read: EntryList
    choices: Sequence[Decoding]
    sure: bool

    @property
    def samples(self) -> list[str]:
        """The words of each reading that are not common to all."""
        common = set[str].intersection(*({*each.words} for each in self.choices))
        differing = ([word for word in each.words if word not in common] for each in self.choices)
        return [", ".join(each[:MOST_SHOWN]) for each in differing]

    @property
    def is_good(self) -> bool:
        return self.sure and not self.read.faults and not self.choices[0].encoding


def entry_views(hub: Hub) -> Blueprint:
    """`/e/<id>/entries`."""
    views = Blueprint("entries", __name__, url_prefix="/e/<tournament_id>/entries")
    done = partial(carry_out, hub, page="entries.show")

    @views.get("", right="director")
    def show(tournament_id: str) -> Response:
        return _page(hub, hub.service.snapshot(tournament_id))

    @views.post("", right="director", page="entries.show", seen="nothing")
    def add(tournament_id: str) -> AnyResponse:
        state = hub.service.snapshot(tournament_id).state
        _enter(hub, tournament_id, state, [_entrant(model.free_number(state))])
        return back("entries.show", tournament_id=tournament_id)

    @views.post(
        "/file", right="director", page="entries.show", most_bytes=MOST_LIST_BYTES, seen="nothing"
    )
    def upload(tournament_id: str) -> AnyResponse:
        return _import(hub, tournament_id)

    @views.get("/<int:number>", right="referee")
    def one(tournament_id: str, number: int) -> str:
        snapshot = hub.service.snapshot(tournament_id)
        state, entrant = snapshot.state, snapshot.state.entrant(number) or abort(404)
        kept = hub.store.entrant_notes.of(tournament_id).get(number)
        return event_page(
            "entry.html",
            snapshot,
            each=entrant,
            deletable=model.is_undrawn(state, number) and not state.finished,
            kinds=PENALTY_WORDS,
            note="" if kept is None else kept.note,
            longest=LONGEST_NOTE,
        )

    @views.post("/<int:number>/withdraw", right="director", page="entries.one")
    def withdraw(tournament_id: str, number: int) -> AnyResponse:
        return done(tournament_id, model.Withdraw(number, **attribution(hub)))

    @views.post("/<int:number>/delete", right="director", page="entries.one")
    def delete(tournament_id: str, number: int) -> AnyResponse:
        return done(tournament_id, model.DeleteEntry(number))

    @views.post("/<int:number>/return", right="director", page="entries.one")
    def come_back(tournament_id: str, number: int) -> AnyResponse:
        return done(tournament_id, model.Return(number, **attribution(hub)))

    @views.post("/<int:number>/replace", right="director", page="entries.one")
    def change(tournament_id: str, number: int) -> AnyResponse:
        kind = model.CorrectEntry if request.form.get("as") == "correction" else model.Replace
        return done(tournament_id, kind(_entrant(number), **attribution(hub)))

    return views


def rated(hub: Hub, state: Tournament, entrants: Sequence[Entrant]) -> list[Entrant]:
    """The entrants; those without a rating with that of the registry, where ratings pair them."""
    if not state.format.dutch:
        return [*entrants]
    registry = hub.registrar.current()

    def known(each: Entrant) -> int | None:
        found = registry.ratings.get(registry.known.owner(each.name) or "")
        return round(found.value) if found and each.rating is None else each.rating

    return [replace(each, rating=known(each)) for each in entrants]


def _import(hub: Hub, tournament_id: str) -> AnyResponse:
    """Take a list that is beyond doubt, or the good lines of one that was shown; else show it."""
    snapshot, choices, sure = hub.service.snapshot(tournament_id), *_sent_list()
    read = _read(snapshot, choices[0].text)
    taken = request.form.get("do") == "take" or (
        bool(choices[0].encoding) and sure and not read.faults and not read.is_guess
    )
    if taken and read.entrants:
        _enter(hub, tournament_id, snapshot.state, read.entrants)
        hub.store.entrant_notes.keep(tournament_id, "email", read.emails)
        if not read.faults:
            return back("entries.show", tournament_id=tournament_id)
        snapshot, choices = hub.service.snapshot(tournament_id), (Decoding("", read.left),)
        read = _read(snapshot, read.left)
    return _page(hub, snapshot, ListPreview(read, choices, sure=sure))


def _sent_list() -> tuple[tuple[Decoding, ...], bool]:
    """The ways to read the uploaded list, and whether the first is sure; the typed one is."""
    sent, typed = request.files.get("file"), request.form.get("text", "")
    if not sent or not sent.filename:
        return (Decoding("", entries_of_trf(typed)),), True
    if typed.strip():
        raise FieldError("file", message("Choose a file or paste a list: one at a time."))
    choices, sure = decodings(sent.read())
    if not choices:
        why = message(
            "This file is no list of names: save it as CSV, or copy its cells and paste them."
        )
        raise FieldError("file", why)
    return tuple(replace(each, text=entries_of_trf(each.text)) for each in choices), sure


def _enter(hub: Hub, tournament_id: str, state: Tournament, entrants: Sequence[Entrant]) -> None:
    said, given = attribution(hub) if state.rounds else None, rated(hub, state, entrants)
    commands = (model.EnterLate(each, **said) if said else model.Enter(each) for each in given)
    give(hub, tournament_id, *commands)


def _read(snapshot: TournamentSnapshot, text: str) -> EntryList:
    state = snapshot.state
    return read_entries(text, (*state.entrants, *state.waiting), state.last_number)


def _entrant(number: int) -> Entrant:
    seed, rating, table = (
        whole(field) if request.form.get(field, "").strip() else None
        for field in ("seed", "rating", "table")
    )
    return replace(typed_player(number), seed_rank=seed, rating=rating, table=table)


def typed_player(number: int) -> Entrant:
    """The entrant in the form, without what officials alone decide. Raises FieldError."""
    return Entrant(
        number,
        _words("name", entrant_name),
        _words("club", short_words),
        needs_accessible_table=request.form.get("accessible") == "yes",
        team=_words("team", short_words),
    )


def _words(field: str, checked: Callable[[str], str]) -> str:
    with in_field(field):
        return checked(plain_text(request.form.get(field, "")))


def _page(hub: Hub, snapshot: TournamentSnapshot, preview: ListPreview | None = None) -> Response:
    names = {spelling_key(each.name) for each in snapshot.state.entrants}
    page = event_page(
        "entries.html",
        snapshot,
        preview=preview,
        most_shown=MOST_SHOWN,
        suggested=[
            each
            for each in hub.registrar.known().players.values()
            if not each.hidden and spelling_key(each.name) not in names
        ],
        none_yet=message("No entries yet."),
    )
    is_good = preview is None or preview.is_good
    return make_response(page, HTTPStatus.OK if is_good else HTTPStatus.UNPROCESSABLE_ENTITY)


LONGEST_FEE: Final = 80
BY_PLAYERS: Final = Actor("hub", "sign-up")


def sign_up_views(hub: Hub) -> Blueprint:
    """`/e/<id>/sign-up`."""
    views = Blueprint("sign_up", __name__, url_prefix="/e/<tournament_id>/sign-up")

    @views.get("", right="viewer")
    def show(tournament_id: str) -> str:
        snapshot = hub.service.snapshot(tournament_id)
        if snapshot.state.sign_up is None:
            abort(404)
        return event_page("sign_up.html", snapshot)

    @views.post("", right="viewer", page="sign_up.show", seen="nothing", tries="sign-up")
    def enter(tournament_id: str) -> AnyResponse:
        state = hub.service.snapshot(tournament_id).state
        (player,) = rated(hub, state, [typed_player(1)])
        after = hub.service.give(tournament_id, model.SignUp(player), BY_PLAYERS).state
        g.pop("counted")  # one that went well counts as a try too
        number = after.last_number
        key = hub.keys.player(tournament_id, number, player.name)
        return back("player.show", tournament_id=tournament_id, number=number, key=key)

    @views.post("/set", right="director", page="entries.show", seen="nothing")
    def change(tournament_id: str) -> AnyResponse:
        typed = request.form
        places = max(0, whole("places")) if typed.get("places", "").strip() else 0
        fee = " ".join(typed.get("fee", "").split())[:LONGEST_FEE]
        asked = SignUpSet(int("open" in typed), places, fee, int("late" in typed))
        return carry_out(
            hub, tournament_id, model.SetSignUp(asked), "entries.show", _anchor="sign-up"
        )

    @views.post(
        "/<int:number>/<key>", right="player", page="player.show", waiting=True, seen="nothing"
    )
    def cancel(tournament_id: str, number: int, key: str) -> AnyResponse:  # noqa: ARG001 -- checked before
        if hub.service.snapshot(tournament_id).state.sign_up is None:
            abort(404)
        confirm(message("Your place on the list goes to somebody else."))
        hub.service.give(tournament_id, model.DeleteEntry(number), BY_PLAYERS)
        return back("event.show", tournament_id=tournament_id)

    return views


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

    @views.post("/<int:number>", right="referee", page="check_in.show", seen="nothing")
    def mark(tournament_id: str, number: int) -> AnyResponse:
        state = hub.service.snapshot(tournament_id).state
        here, who = request.form.get("here") == "yes", visitor(hub)
        name = model.entered(state, number).name
        if here and number in state.away:
            if number in state.disqualified or not who.directs:
                raise CommandRefusedError.worded(
                    "{name} dropped out: a director has to reinstate them.", name=name
                )
            said = attribution(hub, translate(message("checked in")))
            give(hub, tournament_id, model.Return(number, **said))
        check_player_in(hub, tournament_id, state, number, here=here)
        return _in_list(tournament_id, number)

    @views.post("/<int:number>/paid", right="referee", page="check_in.show", seen="nothing")
    def pay(tournament_id: str, number: int) -> AnyResponse:
        state = hub.service.snapshot(tournament_id).state
        model.entered(state, number)
        paid = state.entered_as[number] if request.form.get("paid") == "yes" else ""
        hub.store.entrant_notes.keep(tournament_id, "paid_as", {number: paid})
        return _in_list(tournament_id, number)

    _add_whole_list(views, hub)
    return views


def _add_whole_list(views: Blueprint, hub: Hub) -> None:
    @views.post("/open", right="director", page="check_in.show", seen="nothing")
    def allow(tournament_id: str) -> AnyResponse:
        everybody = hub.service.snapshot(tournament_id).state.numbers
        marks = {THE_EVENT: request.form.get("open", "")}
        if "anew" in request.form:  # a league meets again
            marks = dict.fromkeys(everybody, "")
        hub.store.entrant_notes.keep(tournament_id, "here_as", marks)
        return back("check_in.show", tournament_id=tournament_id)

    @views.post("/leave-out", right="director", page="check_in.show", seen="nothing")
    def leave_out(tournament_id: str) -> AnyResponse:
        snapshot = hub.service.snapshot(tournament_id)
        missing = presence_of(hub, tournament_id, snapshot.state).missing
        if missing:
            names = ", ".join(each.name for each in missing)
            out = message("Not checked in, so the next draw leaves them out: {names}", names=names)
            confirm(out)
        said = attribution(hub, translate(message("not checked in")))
        gone = (model.Withdraw(each.number, **said) for each in missing)
        give(hub, tournament_id, *gone, expected=snapshot.version)
        return back("check_in.show", tournament_id=tournament_id)


def _in_list(tournament_id: str, number: int) -> AnyResponse:
    """Lead back to an entrant in the list as it was searched."""
    kept = {key: request.form[key] for key in ("q", "which") if request.form.get(key)}
    return back("check_in.show", tournament_id=tournament_id, _anchor=f"p{number}", **kept)
