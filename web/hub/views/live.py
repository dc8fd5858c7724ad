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
BEAT: Final = server_sent("beat", data=True).encode()
See = Callable[[int], Drawing]
Tell = Callable[[Drawing, Drawing | None], bytes]
Wait = Callable[[int, float], int]


def live_views(hub: Hub) -> Blueprint:
    """`/e/<id>/live` and `/e/<id>/desk/live`."""
    views = Blueprint("live", __name__, url_prefix="/e/<tournament_id>")
    places = BoundedSemaphore(hub.house.viewer_limit)
    drawings = Drawings(lambda: hub.pulse.latest)

    @views.get("/live")
    def stream(tournament_id: str) -> Response:
        hub.desk.look(tournament_id)  # or there is no such event
        draw = partial(board_live, hub, tournament_id)
        what = ("board", tournament_id, str(get_locale()))
        wait = partial(hub.pulse.wait_for_event, tournament_id)  # a board shows no single move
        states = _states(hub, partial(drawings.of, what, draw=draw), drawings.event, wait)
        return _stream(places, states)

    @views.get("/desk/live")
    def desk(tournament_id: str) -> Response:
        hub.desk.look(tournament_id)
        draw = partial(desk_live, hub, tournament_id)
        what = ("desk", tournament_id, str(get_locale()))
        see = partial(drawings.of, what, draw=draw)
        return _stream(places, _states(hub, see, drawings.event, hub.pulse.wait))

    return views


def _stream(places: BoundedSemaphore, states: Iterator[bytes]) -> Response:
    """One viewer's stream; when all places are taken, one event that says so."""
    if not places.acquire(blocking=False):
        full = f"retry: {RETRY_WHEN_FULL_MILLISECONDS}\n{server_sent('full', data=True)}"
        return Response(full, mimetype="text/event-stream")
    response = Response(stream_with_context(states), mimetype="text/event-stream")
    # not in a finally of the generator: that never runs when it was never started
    response.call_on_close(places.release)
    return response


def _states(hub: Hub, see: See, tell: Tell, wait: Wait) -> Iterator[bytes]:
    """Each state that is otherwise than the one before, and a beat where nothing was sent long."""
    seen, beat_at = hub.pulse.latest, 0.0
    shown: Drawing | None = None
    while not hub.pulse.closed:
        drawing, now = see(seen), monotonic()
        is_new = shown is None or drawing.part.text != shown.part.text
        if is_new or now >= beat_at:
            yield tell(drawing, shown) if is_new else BEAT
            shown, beat_at = drawing if is_new else shown, now + HEARTBEAT_SECONDS
        seen = wait(drawing.news, max(0.0, beat_at - monotonic()))
