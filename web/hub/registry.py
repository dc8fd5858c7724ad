"""Players over all events: their table, histories, identities, and seasons of chosen events."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from flask import Blueprint, abort, g, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from scoreboard.errors import ConflictError
from scoreboard.message import message
from scoreboard.players import plain_text
from scoreboard.tournament.hub.registry import Registry
from scoreboard.tournament.model import season as seasons
from scoreboard.tournament.model.entrant import entrant_name, short_words, spelling_key
from scoreboard.tournament.model.entries import CorrectEntry
from scoreboard.tournament.model.scores import read_points, write_points
from scoreboard.tournament.storage.players import RegistryPlayer
from scoreboard.typed_numbers import typed_list
from web.hub.forms import FieldError, attribution, back, confirm, give, in_field, one_line, whole
from web.hub.hub import Hub
from web.shared.words import translate

LONGEST_NOTE: Final = 500
UNRATED: Final = seasons.Rating(0)


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

    @views.post("/<player>", right="director", page="registry.player", seen="nothing")
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
    @views.post("/<player>/merge", right="director", page="registry.player", seen="nothing")
    def merge(player: str) -> AnyResponse:
        registry = hub.registrar.current()
        was, into = (_found(registry, each) for each in (player, request.form["into"]))
        _require_one_person(hub, registry, was, into)
        names = {"one": was.name, "other": into.name}
        confirm(message("{one} becomes {other}, with all events. This can’t be undone.", **names))
        hub.store.players.merge(was, into)
        return back("registry.player", player=into.player_id)

    @views.post("/<player>/erase", right="director", page="registry.player", seen="nothing")
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
            names, tournament_id = snapshot.state.names.items(), snapshot.header.tournament_id
            theirs = {number: "" for number, name in names if registry.known.owner(name) == player}
            for kind in ("here_as", "email", "note", "paid_as"):
                hub.store.entrant_notes.keep(tournament_id, kind, theirs)
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
            names = {"one": one.name, "other": other.name, "event": snapshot.state.title}
            raise ConflictError.worded(
                "{one} and {other} both entered {event}: they are two people.", **names
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


LONGEST_NAME: Final = 80
SUM_WORDS: Final = {"sum": message("added up"), "average": message("their average")}
TIE_WORDS: Final = {
    "best": message("the best event"),
    "won": message("events won"),
    "last": message("the last event"),
}


def season_views(hub: Hub) -> Blueprint:
    """`/seasons`."""
    views = Blueprint("seasons", __name__, url_prefix="/seasons")
    players = hub.store.players

    @views.get("/<int:number>", right="viewer")
    def show(number: int) -> str:
        season, registry = _season(hub, number), hub.registrar.current()
        titles = {each.header.tournament_id: each.state.title for each in hub.registrar.counted()}
        rows = standings_of_season(registry, season)
        return render_template(
            "season.html",
            season=season,
            registry=registry,
            rows=rows,
            needed=season.needed(len({each for row in rows for each in row.brought})),
            titles={each: titles[each] for each in season.events if each in titles},
            how=SUM_WORDS[season.how],
            tie=TIE_WORDS[season.tie],
        )

    @views.get("/<int:number>/edit", right="director")
    def edit(number: int) -> str:
        season = _season(hub, number) if number else seasons.Season(0, "")
        words, events = {"sums": SUM_WORDS, "ties": TIE_WORDS}, hub.registrar.counted()
        return render_template("season_form.html", season=season, events=events, **words)

    @views.post("/<int:number>/edit", right="director", page="seasons.edit", seen="seasons")
    def change(number: int) -> AnyResponse:
        kept = players.keep_season(typed_season(hub, number), g.get("seen"))
        return back("seasons.show", number=kept)

    @views.post("/<int:number>/delete", right="director", page="seasons.edit", seen="nothing")
    def delete(number: int) -> AnyResponse:
        players.delete_season(number)
        return back("events.show")

    return views


def _season(hub: Hub, number: int) -> seasons.Season:
    kept = hub.store.players.seasons()
    return next((each for each in kept if each.number == number), None) or abort(404)


def standings_of_season(
    registry: Registry, season: seasons.Season
) -> tuple[seasons.SeasonStanding, ...]:
    """The standings after the finished events, without players that are hidden."""
    results = {
        player: {
            each.event.snapshot.header.tournament_id: (each.place, each.points) for each in places
        }
        for player, places in registry.places.items()
        if not registry.known.players[player].hidden
    }
    return seasons.season_standings(season, results)


def typed_season(hub: Hub, number: int) -> seasons.Season:
    """The season in the form, events as they were opened. Raises FieldError for what it lacks."""
    typed = request.form
    name, chosen = one_line("name", LONGEST_NAME), set(typed.getlist("events"))
    opened = [each.header.tournament_id for each in reversed(hub.registrar.counted())]
    events = tuple(each for each in opened if each in chosen)
    if not events:
        raise FieldError("events", message("Choose the events of the season."))
    with in_field("places"):
        places = " ".join(write_points(read_points(each)) for each in typed_list(typed["places"]))
    how = next((each for each in seasons.SUMS if each == typed.get("how")), seasons.SUMS[0])
    tie = next((each for each in seasons.TIES if each == typed.get("tie")), seasons.TIES[0])
    best, least = (max(0, whole(each, typed.get(each, "0"))) for each in ("best", "least"))
    return seasons.Season(number, name, events, places, how, best, tie, least)
