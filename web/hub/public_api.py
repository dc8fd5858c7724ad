"""The reading API: `/api/v1/events` and what is under it, for other programs.

It tells what the viewers' pages show, to whoever may open them: everybody, or who has given the
viewing code. It sends no header that lets pages of other websites read it in a visitor's browser:
a hub stands in a home or a hall, and any page that somebody there opens could read the names of
those who play. `tablescore publish` puts the same answers where every website may read them.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from http import HTTPStatus

from flask import Blueprint, Response, abort, get_template_attribute, request

from scoreboard.tournament.hub.snapshot import TournamentSnapshot
from scoreboard.tournament.model.bracket_layout import bracket_drawings
from scoreboard.tournament.protocol.documents import text_of
from scoreboard.tournament.protocol.public_facts import EventList, EventSummary, TableFacts
from scoreboard.tournament.storage.event_marks import EventMarks
from web.hub import public_facts as facts
from web.hub.hub import Hub
from web.words import translate

MarkedEvent = tuple[TournamentSnapshot, EventMarks]


def fact_views(hub: Hub) -> Blueprint:
    """`/api/v1/events`."""
    views = Blueprint("facts", __name__, url_prefix="/api/v1/events")

    @views.get("")
    def events() -> Response:
        listed = shown_events(hub)
        return _answer(EventList(tuple(facts.event_summary(*each, translate) for each in listed)))

    @views.get("/<tournament_id>")
    def event(tournament_id: str) -> Response:
        snapshot = hub.service.snapshot(tournament_id)
        draw = get_template_attribute("drawings.html", "picture")
        brackets = tuple(str(draw(each)) for each in bracket_drawings(snapshot.state))
        summary = _summary(hub, snapshot)
        return _answer(facts.event_facts(snapshot.state, summary, translate, brackets))

    @views.get("/<tournament_id>/standings")
    def standings(tournament_id: str) -> Response:
        snapshot = hub.service.snapshot(tournament_id)
        rows = hub.rankings.of(snapshot)
        return _answer(facts.standings_facts(rows, _summary(hub, snapshot), translate))

    @views.get("/<tournament_id>/rounds/<int:number>")
    def one_round(tournament_id: str, number: int) -> Response:
        snapshot = hub.service.snapshot(tournament_id)
        if not 1 <= number <= len(snapshot.state.rounds):
            abort(HTTPStatus.NOT_FOUND)
        played = snapshot.state.rounds[number - 1]
        return _answer(
            facts.round_facts(snapshot.state, played, _summary(hub, snapshot), translate)
        )

    @views.get("/<tournament_id>/tables/<int:number>")
    def table(tournament_id: str, number: int) -> Response:
        return _answer(watched_table(hub, tournament_id, number))

    return views


def shown_events(hub: Hub, *, in_bin: bool = False) -> list[MarkedEvent]:
    """The events that are not in the bin, or those that are, with their marks, newest first."""
    marks = hub.store.event_marks.all()
    found = (
        (each, marks.get(each.header.tournament_id, EventMarks()))
        for each in hub.service.tournaments()
    )
    return [each for each in found if (each[1].deleted_at is not None) == in_bin]


def by_section(events: Sequence[MarkedEvent]) -> dict[str, list[MarkedEvent]]:
    """Events that share a heading under it, each other one under its own id; newest first."""
    found: dict[str, list[MarkedEvent]] = {}
    for each in events:
        found.setdefault(each[1].section or each[0].header.tournament_id, []).append(each)
    return found


def watched_table(hub: Hub, tournament_id: str, number: int) -> TableFacts:
    """A table of the newest round as it is now; answers 404 where there is none."""
    snapshot = hub.service.snapshot(tournament_id)
    state, last = snapshot.state, snapshot.state.round_at(number)
    if last is None:
        abort(HTTPStatus.NOT_FOUND)
    marks = hub.store.event_marks.of(tournament_id)
    photo = hub.store.event_marks.photo(f"{tournament_id}/{number}") if marks.photos else None
    progress = hub.table_api.table(tournament_id, number).progress
    return facts.table_facts(
        facts.event_summary(snapshot, marks, translate),
        facts.round_summary(state, last, translate),
        facts.table_results(state, last, number, translate),
        progress,
        photo.taken_at if photo else None,
    )


def _summary(hub: Hub, snapshot: TournamentSnapshot) -> EventSummary:
    marks = hub.store.event_marks.of(snapshot.header.tournament_id)
    return facts.event_summary(snapshot, marks, translate)


def _answer(value: object) -> Response:
    """The value as JSON, with a tag by which a program asks whether it changed."""
    text = text_of(value).encode()
    answer = Response(text, mimetype="application/json")
    answer.set_etag(sha256(text).hexdigest()[:32])
    answer.headers["Cache-Control"] = "no-cache"
    answer.headers["Vary"] = "Accept-Language, Cookie"
    answer.make_conditional(request)
    return answer
