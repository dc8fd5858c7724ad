"""Everything to take along: lists as CSV, the event as JSON, and the whole record as one file."""

from __future__ import annotations

import json

from flask import Blueprint, Response

from scoreboard.tournament.model.entrant import write_entries
from web.hub.export import (
    RESULTS,
    SEATING,
    STANDINGS,
    comma_separated,
    result_rows,
    seating_rows,
    standing_rows,
    whole_event,
)
from web.hub.hub import Hub

BYTE_ORDER_MARK = "\ufeff"  # by which spreadsheets know that it is UTF-8


def export_views(hub: Hub) -> Blueprint:
    """`/e/<id>/export`."""
    views = Blueprint("exports", __name__, url_prefix="/e/<tournament_id>/export")
    _add_lists(views, hub)
    _add_wholes(views, hub)
    return views


def _add_lists(views: Blueprint, hub: Hub) -> None:
    @views.get("/entries.csv")
    def entries(tournament_id: str) -> Response:
        return _csv("entries", write_entries(hub.service.snapshot(tournament_id).state.entrants))

    @views.get("/seating.csv")
    def seating(tournament_id: str) -> Response:
        state = hub.service.snapshot(tournament_id).state
        return _csv("seating", comma_separated(SEATING, seating_rows(state)))

    @views.get("/results.csv")
    def results(tournament_id: str) -> Response:
        state = hub.service.snapshot(tournament_id).state
        return _csv("results", comma_separated(RESULTS, result_rows(state)))

    @views.get("/standings.csv")
    def standings(tournament_id: str) -> Response:
        state = hub.service.snapshot(tournament_id).state
        return _csv("standings", comma_separated(STANDINGS, standing_rows(state)))


def _add_wholes(views: Blueprint, hub: Hub) -> None:
    @views.get("/event.json")
    def everything(tournament_id: str) -> Response:
        document = whole_event(hub.service.snapshot(tournament_id))
        text = json.dumps(document, ensure_ascii=False, indent=1) + "\n"
        return _kept_as(text, f"{tournament_id}.json", "application/json")

    @views.get("/event.jsonl")
    def whole(tournament_id: str) -> Response:
        text = hub.service.export(tournament_id)
        return _kept_as(text, f"{tournament_id}.jsonl", "application/x-ndjson")


def _csv(name: str, text: str) -> Response:
    return _kept_as(BYTE_ORDER_MARK + text, f"{name}.csv", "text/csv")


def _kept_as(text: str, name: str, mimetype: str) -> Response:
    """A file to keep; the browser is told its name."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, mimetype=mimetype, headers=headers)
