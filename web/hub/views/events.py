"""The list of events, a new one, and one taken over from another hub."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Final

from flask import Blueprint, Response, make_response, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from scoreboard.errors import NotationError, ScoreboardError
from scoreboard.message import Message, message
from scoreboard.tournament.model.format_text import FormatError
from scoreboard.tournament.model.formats import FORMATS
from web.hub.format_form import filled, format_of, grouped, stages
from web.hub.hub import Hub
from web.hub.rules_form import house_grouped
from web.hub.views.command_form import back
from web.hub.visitors import visitor

FIRST: Final = "club-evening"
NO_FILE: Final = message("Choose the file that the other hub exported.")


def events_views(hub: Hub) -> Blueprint:
    """`/`, `/new` and `/take-over`."""
    views = Blueprint("events", __name__)
    _add_list(views, hub)
    _add_new(views, hub)
    _add_taking_over(views, hub)
    return views


def _add_list(views: Blueprint, hub: Hub) -> None:
    @views.get("/")
    def show() -> str:
        return render_template("events.html", events=hub.service.tournaments())


def _add_new(views: Blueprint, hub: Hub) -> None:
    @views.get("/new")
    def ask() -> Response:
        preset = request.args.get("preset", FIRST)
        form = FORMATS.get(preset, FORMATS[FIRST])
        return _new_page(preset, "", filled(form))

    @views.post("/new")
    def create() -> AnyResponse:
        title, preset = request.form.get("title", ""), request.form.get("preset", FIRST)
        try:
            made = hub.service.open(title, format_of(request.form), visitor(hub).actor)
        except FormatError as error:
            return _new_page(preset, title, request.form, error.faults)
        except (NotationError, ScoreboardError) as error:
            return _new_page(preset, title, request.form, (error.message,))
        return back("entries.show", tournament_id=made)


def _new_page(
    preset: str, title: str, fields: Mapping[str, str], faults: Sequence[Message] = ()
) -> Response:
    page = render_template(
        "new_event.html",
        preset=preset,
        presets=FORMATS,
        title=title,
        groups=grouped(fields),
        stages=stages(fields),
        houses=house_grouped(fields),
        faults=faults,
    )
    return make_response(page, HTTPStatus.UNPROCESSABLE_ENTITY if faults else HTTPStatus.OK)


def _add_taking_over(views: Blueprint, hub: Hub) -> None:
    @views.get("/take-over")
    def ask_take_over() -> str:
        return render_template("take_over.html", fault=None)

    @views.post("/take-over")
    def take_over() -> AnyResponse:
        sent = request.files.get("file")
        text = sent.read().decode("utf-8", errors="replace") if sent else ""
        if not text.strip():
            return _refused(NO_FILE)
        try:
            return back("event.show", tournament_id=hub.service.take_over(text))
        except ScoreboardError as error:
            return _refused(error.message)


def _refused(fault: Message) -> Response:
    page = render_template("take_over.html", fault=fault)
    return make_response(page, HTTPStatus.UNPROCESSABLE_ENTITY)
