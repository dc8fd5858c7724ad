"""Entries: added by hand or from a file, withdrawn, reinstated, corrected and replaced."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from http import HTTPStatus
from typing import Final

from flask import Blueprint, Response, abort, make_response, request
from werkzeug.wrappers import Response as AnyResponse

from scoreboard.message import message
from scoreboard.players import plain_text
from scoreboard.tournament.hub.snapshot import TournamentSnapshot
from scoreboard.tournament.model.entrant import (
    Entrant,
    EntryFault,
    entrant_name,
    read_entries,
    short_words,
    spelling_key,
)
from scoreboard.tournament.model.entries import (
    CorrectEntry,
    DeleteEntry,
    Enter,
    EnterLate,
    Replace,
    Return,
    Withdraw,
    free_number,
    is_undrawn,
)
from scoreboard.tournament.model.tournament import Tournament
from web.hub.forms import FieldError, attribution, back, carry_out, give, in_field, whole
from web.hub.hub import Hub, event_page

MOST_ACCENTS: Final = 2  # in a row
PUNCTUATION: Final = frozenset("\u2018\u2019\u201c\u201d\u2013\xb4\xb7")  # quotes, dashes, points
_BEYOND_ASCII: Final = re.compile(r"[^\x00-\x7f]+")


def entry_views(hub: Hub) -> Blueprint:
    """`/e/<id>/entries`."""
    views = Blueprint("entries", __name__, url_prefix="/e/<tournament_id>/entries")

    @views.get("")
    def show(tournament_id: str) -> Response:
        return _page(hub, hub.service.snapshot(tournament_id))

    @views.post("")
    def add(tournament_id: str) -> AnyResponse:
        state = hub.service.snapshot(tournament_id).state
        (entrant,) = rated(hub, state, [_entrant(free_number(state))])
        command = EnterLate(entrant, **attribution(hub)) if state.rounds else Enter(entrant)
        return carry_out(hub, tournament_id, command, "entries.show")

    @views.post("/file")
    def upload(tournament_id: str) -> AnyResponse:
        snapshot = hub.service.snapshot(tournament_id)
        state = snapshot.state
        read = read_entries(sent_text(), (*state.entrants, *state.waiting), state.last_number)
        if read.faults:
            return _page(hub, snapshot, read.faults)
        said = attribution(hub) if state.rounds else None
        entrants = rated(hub, state, read.entrants)
        new = (EnterLate(each, **said) if said else Enter(each) for each in entrants)
        give(hub, tournament_id, *new)
        hub.store.entrant_notes.keep(tournament_id, "email", read.emails)
        return back("entries.show", tournament_id=tournament_id)

    @views.get("/<int:number>")
    def one(tournament_id: str, number: int) -> str:
        snapshot = hub.service.snapshot(tournament_id)
        entrant = snapshot.state.entrant(number) or abort(404)
        return event_page(
            "entry.html",
            snapshot,
            each=entrant,
            deletable=is_undrawn(snapshot.state, number) and not snapshot.state.finished,
        )

    @views.post("/<int:number>/withdraw")
    def withdraw(tournament_id: str, number: int) -> AnyResponse:
        return carry_out(hub, tournament_id, Withdraw(number, **attribution(hub)), "entries.show")

    @views.post("/<int:number>/delete")
    def delete(tournament_id: str, number: int) -> AnyResponse:
        return carry_out(hub, tournament_id, DeleteEntry(number), "entries.show")

    @views.post("/<int:number>/return")
    def come_back(tournament_id: str, number: int) -> AnyResponse:
        return carry_out(hub, tournament_id, Return(number, **attribution(hub)), "entries.show")

    @views.post("/<int:number>/replace")
    def change(tournament_id: str, number: int) -> AnyResponse:
        kind = CorrectEntry if request.form.get("as") == "correction" else Replace
        command = kind(_entrant(number), **attribution(hub))
        return carry_out(hub, tournament_id, command, "entries.show")

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


def sent_text() -> str:
    """The uploaded file as text, empty for none: UTF-8, or CSV as Excel saves it in Western Europe.

    Raises:
        FieldError: it is text in neither.
    """
    sent = request.files.get("file")
    kept = sent.read() if sent else b""
    if b"\0" in kept:
        raise FieldError(
            "file",
            message(
                "Save the list as “CSV UTF-8” and send that: this file contains zero bytes,"
                " like a workbook or UTF-16 text."
            ),
        )
    try:
        return kept.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if (text := _western(kept)) is not None:
            return text
        raise FieldError(
            "file",
            message("Save the list as “CSV UTF-8” and send that: this file is not UTF-8 text."),
        ) from error


def _western(kept: bytes) -> str | None:
    """Decode cp1252, Windows' code page of Western Europe; None if it is probably another one.

    Text in other code pages decodes too, but to symbols between the letters, or to more accented
    letters in a row than Western European names have.
    """
    try:
        text = kept.decode("cp1252")
    except UnicodeDecodeError:
        return None
    beyond = [run.group() for run in _BEYOND_ASCII.finditer(text)]
    likely = all(
        len(run) <= MOST_ACCENTS and all(sign.isalpha() or sign in PUNCTUATION for sign in run)
        for run in beyond
    )
    return text if likely else None


def _entrant(number: int) -> Entrant:
    """The entrant described by the form. Raises FieldError."""
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
    """The checked text of a field. Raises FieldError."""
    with in_field(field):
        return checked(plain_text(request.form.get(field, "")))


def _page(hub: Hub, snapshot: TournamentSnapshot, faults: Sequence[EntryFault] = ()) -> Response:
    entered = {spelling_key(each.name) for each in snapshot.state.entrants}
    page = event_page(
        "entries.html",
        snapshot,
        faults=faults,
        suggested=[
            each
            for each in hub.registrar.known().players.values()
            if not each.hidden and spelling_key(each.name) not in entered
        ],
        nobody=message("No entries yet."),
    )
    return make_response(page, HTTPStatus.UNPROCESSABLE_ENTITY if faults else HTTPStatus.OK)
