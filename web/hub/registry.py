"""Players over all events: their table, each one's history, and corrections of identities."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from flask import Blueprint, abort, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from scoreboard.errors import ConflictError
from scoreboard.message import message
from scoreboard.players import plain_text
from scoreboard.tournament.hub.registry import Registry
from scoreboard.tournament.model.entrant import entrant_name, short_words, spelling_key
from scoreboard.tournament.model.entries import CorrectEntry
from scoreboard.tournament.model.season import Rating
from scoreboard.tournament.storage.players import RegistryPlayer
from web.hub.forms import FieldError, attribution, back, confirm, give
from web.hub.hub import Hub
from web.shared.words import translate

LONGEST_NOTE: Final = 500
UNRATED: Final = Rating(0)


def registry_views(hub: Hub) -> Blueprint:
    """`/players`."""
    views = Blueprint("registry", __name__, url_prefix="/players")

    @views.get("", right="referee")
    def show() -> str:
        registry, by_rating = hub.registrar.current(), request.args.get("by") == "rating"
        listed = [each for each in registry.known.players.values() if each.name]
        if by_rating:
            listed.sort(key=lambda each: -registry.ratings.get(each.player_id, UNRATED).value)
        return render_template("registry.html", registry=registry, listed=listed, by=by_rating)

    @views.get("/<player>", right="referee")
    def player(player: str) -> str:
        registry = hub.registrar.current()
        return render_template(
            "registry_player.html",
            registry=registry,
            player=_found(registry, player),
            places=tuple(reversed(registry.places.get(player, ()))),
            longest=LONGEST_NOTE,
        )

    @views.post("/<player>", right="director", page="registry.player")
    def change(player: str) -> AnyResponse:
        registry, typed = hub.registrar.current(), request.form
        was, name = _found(registry, player), entrant_name(plain_text(typed["name"]))
        if registry.known.owner(name) not in {None, player}:
            fault = message("“{name}” is another player: merge the two instead.", name=name)
            raise FieldError("name", fault)
        club, note = short_words(plain_text(typed["club"])), typed["note"].strip()[:LONGEST_NOTE]
        _respell(hub, was, name)
        hidden = typed.get("hidden") == "yes"
        hub.store.players.change(replace(was, name=name, club=club, note=note, hidden=hidden))
        return back("registry.player", player=player)

    _add_merging(views, hub)
    return views


def _add_merging(views: Blueprint, hub: Hub) -> None:
    @views.post("/<player>/merge", right="director", page="registry.player")
    def merge(player: str) -> AnyResponse:
        registry = hub.registrar.current()
        was, into = (_found(registry, each) for each in (player, request.form["into"]))
        _require_one_person(hub, registry, was, into)
        names = {"one": was.name, "other": into.name}
        confirm(message("{one} becomes {other}, with all events. This can’t be undone.", **names))
        hub.store.players.merge(was, into)
        return back("registry.player", player=into.player_id)

    @views.post("/<player>/erase", right="director", page="registry.player")
    def erase(player: str) -> AnyResponse:
        registry = hub.registrar.current()
        was = _found(registry, player)
        confirm(
            message(
                "The registry forgets {name}. Their events’ own records keep the name until the"
                " events are deleted.",
                name=was.name,
            )
        )
        hub.store.players.erase(player)
        for snapshot in hub.service.tournaments():
            names, event = snapshot.state.names.items(), snapshot.header.tournament_id
            theirs = {number: "" for number, name in names if registry.known.owner(name) == player}
            for kind in ("here_as", "email", "note", "paid_as"):
                hub.store.entrant_notes.keep(event, kind, theirs)
        return back("registry.show")


def _found(registry: Registry, player_id: str) -> RegistryPlayer:
    """The player with this id; 404 where there is none, or who was erased."""
    found = registry.known.players.get(player_id)
    return found if found is not None and found.name else abort(404)


def _require_one_person(
    hub: Hub, registry: Registry, one: RegistryPlayer, other: RegistryPlayer
) -> None:
    """Refuse to merge two who entered the same event. Raises ConflictError."""
    for snapshot in hub.service.tournaments():
        entered = [registry.known.owner(each.name) for each in snapshot.state.entrants]
        if one == other or {one.player_id, other.player_id} <= set(entered):
            raise ConflictError(
                message(
                    "{one} and {other} both entered {event}: they are two people.",
                    one=one.name,
                    other=other.name,
                    event=snapshot.state.title,
                )
            )


def _respell(hub: Hub, was: RegistryPlayer, name: str) -> None:
    """Correct the spelling in all running events. Raises as `give` does."""
    why, spelled = message("spelling corrected in the registry"), map(spelling_key, was.spellings)
    said = attribution(hub, translate(why))
    old = {*spelled} if name != was.name else set()
    for snapshot in hub.service.tournaments():
        for each in () if snapshot.state.finished else snapshot.state.entrants:
            if spelling_key(each.name) in old and each.name != name:
                command = CorrectEntry(replace(each, name=name), **said)
                give(hub, snapshot.header.tournament_id, command)
