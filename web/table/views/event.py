"""The event that the table takes part in: joining and leaving, beginning, signing."""

from __future__ import annotations

from http import HTTPStatus

from flask import Blueprint, abort, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from scoreboard.errors import ScoreboardError
from scoreboard.message import Message
from scoreboard.table.requests import EventGameBegun, ResultDisputed, ResultSigned
from web.security import whole_number
from web.table.event_door import EventDoor
from web.table.views.table_page import Showing, StaleError


def event_views(showing: Showing, door: EventDoor) -> Blueprint:
    """`/event` and what is done there."""
    views = Blueprint("event", __name__, url_prefix="/event")
    views.register_error_handler(StaleError, showing.stale)
    _add_door(views, showing, door)
    _add_acts(views, showing)
    return views


def _add_door(views: Blueprint, showing: Showing, door: EventDoor) -> None:
    @views.get("/")
    def show() -> Response:
        return event_page(showing)

    @views.post("/join")
    def join() -> Response:
        try:
            door.join(request.form.get("address", ""), request.form.get("code", ""))
        except ScoreboardError as error:
            return event_page(showing, error.message, HTTPStatus.UNPROCESSABLE_ENTITY)
        return redirect(url_for("table.show"), HTTPStatus.SEE_OTHER)

    @views.get("/leave")
    def ask_leave() -> Response:
        event = showing.table.view().event
        if event is None:
            return redirect(url_for("event.show"), HTTPStatus.SEE_OTHER)
        page = render_template("event_leave.html", event=event, unsent=door.unsent())
        return make_response(page)

    @views.post("/leave")
    def leave() -> Response:
        try:
            door.leave()
        except ScoreboardError as error:
            return event_page(showing, error.message, HTTPStatus.UNPROCESSABLE_ENTITY)
        return redirect(url_for("table.show"), HTTPStatus.SEE_OTHER)


def _add_acts(views: Blueprint, showing: Showing) -> None:
    @views.post("/begin")
    def begin() -> Response:
        showing.expected()
        return showing.submit(EventGameBegun(request.form.get("game", "")))

    @views.post("/sign")
    def sign() -> Response:
        game_id, _, entrants = request.form.get("who", "").partition("=")
        showing.expected()
        return showing.submit(ResultSigned(game_id, numbers(entrants)))

    @views.get("/dispute")
    def ask_dispute() -> Response:
        event = showing.table.view().event
        result = None if event is None else event.result(request.args.get("game"))
        if result is None:
            abort(404)
        view = showing.table.view()
        page = render_template(
            "event_dispute.html", result=result, view=view, run=showing.table.live.run
        )
        return make_response(page)

    @views.post("/dispute")
    def dispute() -> Response:
        game_id, _, entrant = request.form.get("who", "").partition("=")
        showing.expected()
        why = request.form.get("why", "")
        return showing.submit(ResultDisputed(game_id, numbers(entrant)[0], why))


def event_page(
    showing: Showing, fault: Message | None = None, status: int = HTTPStatus.OK
) -> Response:
    """What is known of the event, or the form that joins one, with what was typed."""
    view = showing.table.view()
    page = render_template(
        "event.html",
        event=view.event,
        view=view,
        run=showing.table.live.run,
        fault=fault,
        address=request.values.get("address", ""),
        code=request.values.get("code", ""),
    )
    return make_response(page, status)


def numbers(text: str) -> tuple[int, ...]:
    """Entry numbers with commas between them; 400 where they are none."""
    parts = (whole_number(part) for part in text.split(","))
    return tuple(abort(400) if part is None else part for part in parts)
