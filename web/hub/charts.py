"""Charts of an event: the bracket, the cross table, the wall chart, and the results of a player."""

from __future__ import annotations

from typing import Any, Final
from unicodedata import east_asian_width

from flask import Blueprint, abort

from scoreboard.message import Message, message
from scoreboard.tournament.hub.snapshot import TournamentSnapshot
from scoreboard.tournament.model.bracket_layout import bracket_drawings
from scoreboard.tournament.model.standings import cross_table, player_rounds
from web.hub.hub import Hub, event_page
from web.shared.words import translate

CHARTS: Final = {"cross_table": message("Cross table"), "wall_chart": message("Wall chart")}
WIDE: Final = "WF"  # characters of East Asia that take two columns


def chart_views(hub: Hub) -> Blueprint:
    """`/e/<id>/bracket` and the other charts."""
    views = Blueprint("charts", __name__, url_prefix="/e/<tournament_id>")

    @views.get("/bracket", right="viewer")
    def bracket(tournament_id: str) -> str:
        snapshot = hub.service.snapshot(tournament_id)
        return event_page("bracket.html", snapshot, brackets=bracket_drawings(snapshot.state))

    @views.get("/<any(cross_table, wall_chart):chart>", right="viewer")
    def show(tournament_id: str, chart: str) -> str:
        snapshot = hub.service.snapshot(tournament_id)
        return event_page("chart.html", snapshot, **chart_shown(hub, snapshot, chart))

    @views.get("/players/<int:number>", right="viewer")
    def player(tournament_id: str, number: int) -> str:
        snapshot = hub.service.snapshot(tournament_id)
        rank = next((each for each in hub.rankings.of(snapshot) if each.entrant == number), None)
        if rank is None:
            abort(404)
        standings = hub.rankings.standings(snapshot)
        own = player_rounds(snapshot.state, standings, (number,))[number]
        return event_page("player_results.html", snapshot, rank=rank, own=own)

    return views


def chart_shown(hub: Hub, snapshot: TournamentSnapshot, chart: str) -> dict[str, Any]:
    """What a page or sheet with a chart shows: `cells` by entrant, then by opponent or round.

    An event that has no duels has no rows in its cross table.
    """
    state, rows = snapshot.state, hub.rankings.of(snapshot)
    standings, title = hub.rankings.standings(snapshot), CHARTS[chart]
    if chart == "cross_table":
        cross = cross_table(state.format, standings)
        shown = [row for row in rows if row.entrant in cross]
        return {"chart": chart, "title": title, "rows": shown, "cells": cross}
    found = player_rounds(state, standings, state.numbers)
    cells = {entrant: {each.round: each for each in own} for entrant, own in found.items()}
    return {"chart": chart, "title": title, "rows": rows, "cells": cells}


def fitted(text: str | Message, columns: int) -> str:
    """A text cut with an ellipsis to at most that many columns."""
    whole = translate(text) if isinstance(text, Message) else text
    taken, kept = 0, 0
    for at, letter in enumerate(whole, start=1):
        taken += 1 + (east_asian_width(letter) in WIDE)
        kept = at if taken < columns else kept
    return whole if taken <= columns else whole[:kept].rstrip() + "…"
