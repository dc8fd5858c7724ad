"""The table page, its stream of states and its pictures."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from http import HTTPStatus

from flask import Blueprint, Response, abort

from scoreboard.table.view import TableView
from web.live import BEAT, Watch, event_stream, server_sent
from web.table.views.table_page import Showing

RETRY_MILLISECONDS = 1_000
A_DAY = "private, max-age=86400, immutable"


def table_views(showing: Showing) -> Blueprint:
    """`/`, `/live` and `/picture/...`."""
    views = Blueprint("table", __name__)

    @views.get("/")
    def show() -> Response:
        return showing.page()

    @views.get("/live")
    def live() -> Response:
        return event_stream(showing.table.live.watch, partial(states, showing))

    @views.get("/picture/<run>/<int:frame>.jpg")
    def picture(run: str, frame: int) -> Response:
        known = run == showing.table.live.run
        kept = showing.table.picture(frame) if known else None
        return jpeg(kept, A_DAY) if kept else abort(404)

    @views.get("/picture/latest.jpg")
    def latest_picture() -> Response:
        latest = showing.table.latest_picture()
        return jpeg(latest, "no-store") if latest else Response(status=HTTPStatus.NO_CONTENT)

    return views


def jpeg(picture: bytes, keeping: str) -> Response:
    """The picture, and how long a browser may keep it."""
    return Response(picture, mimetype="image/jpeg", headers={"Cache-Control": keeping})


def states(showing: Showing, watch: Watch[TableView]) -> Iterator[str]:
    """The events of one viewer: every state that it sees, and heartbeats between."""
    yield f"retry: {RETRY_MILLISECONDS}\n\n"
    for view in watch:
        if view is None:
            yield BEAT
        else:
            document = showing.document(view)
            identity = f"{document['run']}.{document['version']}"
            yield server_sent("table", document, identity)
