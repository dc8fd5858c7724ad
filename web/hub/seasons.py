"""Seasons: standings over chosen events."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, abort, g, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from scoreboard.message import message
from scoreboard.tournament.hub.registry import Registry
from scoreboard.tournament.model.scores import read_points, write_points
from scoreboard.tournament.model.season import SUMS, TIES, Season, SeasonStanding, season_standings
from scoreboard.typed_numbers import typed_list
from web.hub.forms import FieldError, back, in_field, one_line, whole
from web.hub.hub import Hub

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
        season, registry = _found(hub, number), hub.registrar.current()
        titles = {each.header.tournament_id: each.state.title for each in hub.registrar.counted()}
        return render_template(
            "season.html",
            season=season,
            registry=registry,
            rows=standings_of_season(registry, season),
            titles={each: titles[each] for each in season.events if each in titles},
            how=SUM_WORDS[season.how],
            tie=TIE_WORDS[season.tie],
        )

    @views.get("/<int:number>/edit", right="director")
    def edit(number: int) -> str:
        season = _found(hub, number) if number else Season(0, "")
        words, events = {"sums": SUM_WORDS, "ties": TIE_WORDS}, hub.registrar.counted()
        return render_template("season_form.html", season=season, events=events, **words)

    @views.post("/<int:number>/edit", right="director", page="seasons.edit")
    def change(number: int) -> AnyResponse:
        kept = players.keep_season(typed_season(hub, number), g.get("seen"))
        return back("seasons.show", number=kept)

    @views.post("/<int:number>/delete", right="director", page="seasons.edit")
    def delete(number: int) -> AnyResponse:
        players.delete_season(number)
        return back("events.show")

    return views


def _found(hub: Hub, number: int) -> Season:
    kept = hub.store.players.seasons()
    return next((each for each in kept if each.number == number), None) or abort(404)


def standings_of_season(registry: Registry, season: Season) -> tuple[SeasonStanding, ...]:
    """The standings after the finished events, without players that are hidden."""
    results = {
        player: {
            each.event.snapshot.header.tournament_id: (each.place, each.points) for each in places
        }
        for player, places in registry.places.items()
        if not registry.known.players[player].hidden
    }
    return season_standings(season, results)


def typed_season(hub: Hub, number: int) -> Season:
    """The season in the form; its events in the order in which they were opened.

    Raises:
        FieldError: the name is missing, no event is chosen, or a number cannot be read.
    """
    typed = request.form
    name, chosen = one_line("name", LONGEST_NAME), set(typed.getlist("events"))
    opened = [each.header.tournament_id for each in reversed(hub.registrar.counted())]
    events = tuple(each for each in opened if each in chosen)
    if not events:
        raise FieldError("events", message("Choose the events of the season."))
    with in_field("places"):
        places = " ".join(write_points(read_points(each)) for each in typed_list(typed["places"]))
    how = next((each for each in SUMS if each == typed.get("how")), SUMS[0])
    tie = next((each for each in TIES if each == typed.get("tie")), TIES[0])
    return Season(number, name, events, places, how, max(0, whole("best")), tie)
