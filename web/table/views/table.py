"""The table page, its stream of states and its pictures."""

from __future__ import annotations

from collections.abc import Iterator
from http import HTTPStatus

from flask import Blueprint, Response, abort, stream_with_context

from web.live import TableFullError, Watch, server_sent
from web.table.views.table_page import Showing

RETRY_MILLISECONDS = 1_000
RETRY_WHEN_FULL_MILLISECONDS = 10_000
A_DAY = "private, max-age=86400, immutable"


def table_views(showing: Showing) -> Blueprint:
    """`/`, `/live` and `/picture/...`."""
    views = Blueprint("table", __name__)

    @views.get("/")
    def show() -> Response:
        return showing.page()

    @views.get("/live")
    def live() -> Response:
        return stream(showing)

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


def stream(showing: Showing) -> Response:
    """One viewer's stream; when the table is full, one event that says so."""
    try:
        watch = showing.table.live.watch()
    except TableFullError:
        full = f"retry: {RETRY_WHEN_FULL_MILLISECONDS}\n{server_sent('full', data=True)}"
        return _event_stream(full)
    response = _event_stream(stream_with_context(states(showing, watch)))
    # not in a finally of the generator: that never runs when it was never started
    response.call_on_close(watch.close)
    return response


def states(showing: Showing, watch: Watch) -> Iterator[str]:
    """The events of one viewer: every state that it sees, and heartbeats between."""
    yield f"retry: {RETRY_MILLISECONDS}\n\n"
    for view in watch:
        if view is None:
            yield server_sent("beat", data=True)
        else:
            document = showing.document(view)
            identity = f"{document['run']}.{document['version']}"
            yield server_sent("table", document, identity)


def _event_stream(events: str | Iterator[str]) -> Response:
    return Response(events, mimetype="text/event-stream", headers={"Cache-Control": "no-store"})
