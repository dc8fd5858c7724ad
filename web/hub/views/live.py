"""What changes while somebody watches: parts of pages, sent as soon as they are otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from threading import BoundedSemaphore
from time import monotonic
from typing import Final

from flask import Blueprint, Response, stream_with_context
from flask_babel import get_locale

from web.hub.drawing import Drawing, Drawings
from web.hub.hub import Hub
from web.hub.views.board import board_live
from web.hub.views.desk import desk_live
from web.live import server_sent

HEARTBEAT_SECONDS: Final = 5.0  # and as often devices that fell silent are looked at
RETRY_WHEN_FULL_MILLISECONDS: Final = 10_000
BEAT: Final = server_sent("beat", data=True)
See = Callable[[int], Drawing]
Wait = Callable[[int, float], int]


def live_views(hub: Hub) -> Blueprint:
    """`/e/<id>/live` and `/e/<id>/desk/live`."""
    views = Blueprint("live", __name__, url_prefix="/e/<tournament_id>")
    places = BoundedSemaphore(hub.house.viewer_limit)
    drawings = Drawings(lambda: hub.pulse.latest)

    @views.get("/live")
    def stream(tournament_id: str) -> Response:
        hub.desk.look(tournament_id)  # or there is no such event
        draw = partial(_event, board_live, hub, tournament_id)
        what = ("board", tournament_id, str(get_locale()))
        wait = partial(hub.pulse.wait_for_event, tournament_id)  # a board shows no single move
        return _stream(hub, places, partial(drawings.of, what, draw=draw), wait)

    @views.get("/desk/live")
    def desk(tournament_id: str) -> Response:
        hub.desk.look(tournament_id)
        draw = partial(_event, desk_live, hub, tournament_id)
        what = ("desk", tournament_id, str(get_locale()))
        return _stream(hub, places, partial(drawings.of, what, draw=draw), hub.pulse.wait)

    return views


def _event(draw: Callable[[Hub, str], str], hub: Hub, tournament_id: str) -> str:
    """A part of a page as an event: written once, for all who watch."""
    return server_sent("state", draw(hub, tournament_id))


def _stream(hub: Hub, places: BoundedSemaphore, see: See, wait: Wait) -> Response:
    """One viewer's stream; when all places are taken, one event that says so."""
    if not places.acquire(blocking=False):
        full = f"retry: {RETRY_WHEN_FULL_MILLISECONDS}\n{server_sent('full', data=True)}"
        return Response(full, mimetype="text/event-stream")
    response = Response(stream_with_context(_states(hub, see, wait)), mimetype="text/event-stream")
    # not in a finally of the generator: that never runs when it was never started
    response.call_on_close(places.release)
    return response


def _states(hub: Hub, see: See, wait: Wait) -> Iterator[str]:
    """Each state that is otherwise than the one before, and a beat where nothing was sent long."""
    seen, sent, beat_at = hub.pulse.latest, "", 0.0
    while not hub.pulse.closed:
        drawing, now = see(seen), monotonic()
        if drawing.part != sent or now >= beat_at:
            yield BEAT if drawing.part == sent else drawing.part
            sent, beat_at = drawing.part, now + HEARTBEAT_SECONDS
        seen = wait(drawing.news, max(0.0, beat_at - monotonic()))
