"""Seasons: standings over chosen events, as page, sheet and CSV."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, abort, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from scoreboard.errors import NotationError
from scoreboard.message import message
from scoreboard.tournament.hub.registry import Registry
from scoreboard.tournament.model.scores import read_points
from scoreboard.tournament.model.season import (
    LONGEST_NAME,
    SUMS,
    TIES,
    Season,
    SeasonStanding,
    season_standings,
)
from web.hub.exports import BYTE_ORDER_MARK, comma_separated, download
from web.hub.forms import FieldError, back, whole
from web.hub.hub import Hub

SUM_WORDS: Final = {"sum": message("added up"), "average": message("their average")}
TIE_WORDS: Final = {
    "best": message("the best event"),
    "won": message("events won"),
    "last": message("the last event"),
}


def season_views(hub: Hub) -> Blueprint:
    """`/seasons`."""
    views = Blueprint("seasons", __name__, url_prefix="/seasons")

    def page(number: int, *, paper: bool) -> str:
        season, registry = _found(hub, number), hub.registrar.current()
        titles = {each.header.tournament_id: each.state.title for each in hub.service.tournaments()}
        return render_template(
            "season.html",
            season=season,
            registry=registry,
            rows=standings_of_season(registry, season),
            titles={each: titles[each] for each in season.events if each in titles},
            how=SUM_WORDS[season.how],
            tie=TIE_WORDS[season.tie],
            paper=paper,
        )

    @views.get("/<int:number>")
    def show(number: int) -> str:
        return page(number, paper=False)

    @views.get("/<int:number>/sheet")
    def sheet(number: int) -> str:
        return page(number, paper=True)

    @views.get("/<int:number>/standings.csv")
    def export(number: int) -> Response:
        season, registry = _found(hub, number), hub.registrar.current()
        known = registry.known.players
        rows = [
            (
                row.place,
                known[row.player].name,
                known[row.player].club,
                row.points,
                *(row.brought.get(each, "") for each in season.events),
            )
            for row in standings_of_season(registry, season)
        ]
        text = comma_separated(("place", "name", "club", "points", *season.events), rows)
        return download(BYTE_ORDER_MARK + text, f"season-{number}.csv", "text/csv")

    _add_form(views, hub)
    return views


def _add_form(views: Blueprint, hub: Hub) -> None:
    players = hub.store.players

    def form(season: Season) -> str:
        return render_template(
            "season_form.html",
            season=season,
            events=hub.service.tournaments(),
            sums=SUM_WORDS,
            ties=TIE_WORDS,
            longest=LONGEST_NAME,
        )

    @views.get("/new")
    def ask() -> str:
        return form(Season(0, ""))

    @views.post("")
    def create() -> AnyResponse:
        return back("seasons.show", number=players.keep_season(typed_season(hub, 0)))

    @views.get("/<int:number>/edit")
    def edit(number: int) -> str:
        return form(_found(hub, number))

    @views.post("/<int:number>/edit")
    def change(number: int) -> AnyResponse:
        _found(hub, number)
        return back("seasons.show", number=players.keep_season(typed_season(hub, number)))

    @views.post("/<int:number>/delete")
    def delete(number: int) -> AnyResponse:
        players.delete_season(number)
        return back("events.show")


def _found(hub: Hub, number: int) -> Season:
    kept = hub.store.players.seasons()
    return next((each for each in kept if each.number == number), None) or abort(404)


def standings_of_season(registry: Registry, season: Season) -> tuple[SeasonStanding, ...]:
    """The standings after the finished events, without players that are hidden."""
    known = registry.known.players
    return season_standings(
        season,
        {
            player: {each.tournament_id: (each.place, each.points) for each in places}
            for player, places in registry.places.items()
            if not known[player].hidden
        },
    )


def typed_season(hub: Hub, number: int) -> Season:
    """The season in the form; its events in the order in which they were opened.

    Raises:
        FieldError: the name is missing, no event is chosen, or a number cannot be read.
    """
    typed = request.form
    name, places = typed.get("name", "").strip(), " ".join(typed.get("places", "").split())
    chosen = set(typed.getlist("events"))
    opened = [each.header.tournament_id for each in reversed(hub.service.tournaments())]
    events = tuple(each for each in opened if each in chosen)
    if not events:
        raise FieldError("events", message("Choose the events of the season."))
    if not name or len(name) > LONGEST_NAME:
        most = message("Give the season a name of 1 to {most} letters.", most=LONGEST_NAME)
        raise FieldError("name", most)
    try:
        for each in places.split():
            read_points(each)
    except NotationError as error:
        raise FieldError("places", error.message) from error
    how = next((each for each in SUMS if each == typed.get("how")), SUMS[0])
    tie = next((each for each in TIES if each == typed.get("tie")), TIES[0])
    return Season(number, name, events, places, how, max(0, whole("best")), tie)
