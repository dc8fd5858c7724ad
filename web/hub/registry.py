"""Players over all events: their table, each one's history, and corrections of who is who."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flask import Blueprint, abort, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from scoreboard.errors import ConflictError
from scoreboard.message import message
from scoreboard.tournament.hub.registry import Registry
from scoreboard.tournament.model.entrant import (
    Entrant,
    entrant_name,
    plain_text,
    short_words,
    spelling_key,
)
from scoreboard.tournament.model.entries import CorrectEntry
from scoreboard.tournament.storage.players import RegistryPlayer
from web.hub.access import visitor
from web.hub.forms import FieldError, back, confirm, give
from web.hub.hub import Hub
from web.words import translate

LONGEST_NOTE = 500


def registry_views(hub: Hub) -> Blueprint:
    """`/players`."""
    views = Blueprint("registry", __name__, url_prefix="/players")
    players = hub.store.players

    @views.get("")
    def show() -> str:
        registry = hub.registrar.current()
        listed = [each for each in registry.known.players.values() if each.name]
        if request.args.get("by") == "rating":
            listed.sort(key=lambda each: -_value(registry, each.player_id))
        return render_template(
            "registry.html", registry=registry, listed=listed, by=request.args.get("by", "name")
        )

    @views.get("/<player>")
    def player(player: str) -> str:
        registry = hub.registrar.current()
        known = _found(registry, player)
        return render_template(
            "registry_player.html",
            registry=registry,
            player=known,
            places=tuple(reversed(registry.places.get(player, ()))),
            others=[
                each for each in registry.known.players.values() if each.name and each != known
            ],
            longest=LONGEST_NOTE,
        )

    @views.post("/<player>")
    def change(player: str) -> AnyResponse:
        registry = hub.registrar.current()
        was, typed = _found(registry, player), request.form
        name = entrant_name(plain_text(typed.get("name", "")))
        if registry.known.owner(name) not in {None, player}:
            fault = message("“{name}” is another player: merge the two instead.", name=name)
            raise FieldError("name", fault)
        club = short_words(plain_text(typed.get("club", "")))
        note, hidden = typed.get("note", "").strip()[:LONGEST_NOTE], typed.get("hidden") == "yes"
        if name != was.name:
            _respell(hub, was, name)
        players.change(replace(was, name=name, club=club, note=note, hidden=hidden))
        return back("registry.player", player=player)

    _add_merge(views, hub)

    @views.post("/<player>/erase")
    def erase(player: str) -> AnyResponse:
        was = _found(hub.registrar.current(), player)
        confirm(
            message(
                "The registry forgets {name}. Their events’ own records keep the name until the"
                " events are deleted.",
                name=was.name,
            )
        )
        players.erase(player)
        return back("registry.show")

    return views


def _add_merge(views: Blueprint, hub: Hub) -> None:
    @views.post("/<player>/merge")
    def merge(player: str) -> AnyResponse:
        registry = hub.registrar.current()
        was, into = (_found(registry, each) for each in (player, request.form.get("into", "")))
        if was == into:
            abort(400)
        for snapshot in hub.service.tournaments():
            both = {registry.known.owner(each.name) for each in snapshot.state.entrants}
            if {was.player_id, into.player_id} <= both:
                raise ConflictError(
                    message(
                        "{one} and {other} both entered {event}: they are two people.",
                        one=was.name,
                        other=into.name,
                        event=snapshot.state.title,
                    )
                )
        confirm(
            message(
                "{one} becomes {other}, with all events of both. This can’t be undone.",
                one=was.name,
                other=into.name,
            )
        )
        hub.store.players.merge(was, into)
        return back("registry.player", player=into.player_id)


def _found(registry: Registry, player_id: str) -> RegistryPlayer:
    """The player with this id; 404 where there is none, or who was erased."""
    found = registry.known.players.get(player_id)
    return found if found is not None and found.name else abort(404)


def _value(registry: Registry, player_id: str) -> float:
    rating = registry.ratings.get(player_id)
    return 0.0 if rating is None else rating.value


def _respell(hub: Hub, was: RegistryPlayer, name: str) -> None:
    """Correct the spelling in all running events. Raises as `give` does."""
    said: dict[str, Any] = {
        "by": visitor(hub).name,
        "at": hub.clock(),
        "why": translate(message("spelling corrected in the registry")),
    }
    spelled = {spelling_key(each) for each in was.spellings}
    for snapshot in hub.service.tournaments():
        entrants: tuple[Entrant, ...] = () if snapshot.state.finished else snapshot.state.entrants
        give(
            hub,
            snapshot.header.tournament_id,
            *(
                CorrectEntry(replace(each, name=name), **said)
                for each in entrants
                if spelling_key(each.name) in spelled and each.name != name
            ),
        )
