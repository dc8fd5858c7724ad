"""Sheets to print on A4: entries, seating, results, standings, and the players' own links."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, render_template, request, url_for

from scoreboard.tournament.model.printed_settings import printed_settings
from scoreboard.tournament.model.tournament import Tournament
from web.hub.hub import Hub
from web.hub.public_address import public_address
from web.hub.rows import table_rows
from web.hub.seat_finder import finder


def sheet_views(hub: Hub) -> Blueprint:
    """`/e/<id>/sheets`."""
    views = Blueprint("sheets", __name__, url_prefix="/e/<tournament_id>/sheets")
    _add_sheets(views, hub)
    _add_links(views, hub)
    return views


def _add_sheets(views: Blueprint, hub: Hub) -> None:
    @views.get("/entries")
    def entries(tournament_id: str) -> str:
        return _sheet(hub, tournament_id, "sheet_entries.html")

    @views.get("/seating")
    def seating(tournament_id: str) -> str:
        state = hub.service.snapshot(tournament_id).state
        return _sheet(hub, tournament_id, "sheet_seating.html", places=finder(state))

    @views.get("/results")
    def results(tournament_id: str) -> str:
        state = hub.service.snapshot(tournament_id).state
        rounds = [
            (each, sorted(table_rows(state, each, {}), key=lambda row: row.number))
            for each in state.rounds
        ]
        return _sheet(hub, tournament_id, "sheet_results.html", rounds=rounds)

    @views.get("/standings")
    def standings(tournament_id: str) -> str:
        rows = hub.rankings.of(hub.service.snapshot(tournament_id))
        return _sheet(hub, tournament_id, "sheet_standings.html", rows=rows)


def _add_links(views: Blueprint, hub: Hub) -> None:
    @views.get("/links")
    def links(tournament_id: str) -> str:
        state = hub.service.snapshot(tournament_id).state
        here = public_address(hub.house, request.host_url)
        links = [
            (each, here + url_for("player.show", **link_of(hub, tournament_id, state, each.number)))
            for each in state.entrants
        ]
        return _sheet(hub, tournament_id, "sheet_links.html", links=links)


def link_of(hub: Hub, tournament_id: str, state: Tournament, number: int) -> dict[str, Any]:
    """What stands in the address of a player's own page."""
    key = hub.keys.player(tournament_id, number, state.holders_of(number)[-1].entered_as)
    return {"tournament_id": tournament_id, "number": number, "key": key}


def _sheet(hub: Hub, tournament_id: str, template: str, **more: Any) -> str:
    """A sheet with the settings that were used, and the hash that stands for the record."""
    snapshot = hub.service.snapshot(tournament_id)
    return render_template(
        template,
        snapshot=snapshot,
        state=snapshot.state,
        settings=printed_settings(snapshot.state.format),
        printed_at=hub.clock(),
        **more,
    )
