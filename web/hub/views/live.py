"""What changes while somebody watches: parts of pages, sent as soon as they are otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from threading import BoundedSemaphore, Thread
from typing import Final

from flask import Blueprint, Response, copy_current_request_context, stream_with_context
from flask_babel import get_locale

from web.hub.desk import desk_live
from web.hub.display import Display, Subject
from web.hub.displays import Displays
from web.hub.events import board_live
from web.hub.hub import Hub
from web.live import server_sent

HEARTBEAT_SECONDS: Final = 5.0
RETRY_WHEN_FULL_MILLISECONDS: Final = 10_000
BEAT: Final = server_sent("beat", data=True).encode()
Draw = Callable[[Hub, str], str]
Wait = Callable[[int, float], int]


def live_views(hub: Hub) -> Blueprint:
    """`/e/<id>/live` and `/e/<id>/desk/live`."""
    views = Blueprint("live", __name__, url_prefix="/e/<tournament_id>")
    places = BoundedSemaphore(hub.house.viewer_limit)
    displays = Displays()

    def display(name: str, tournament_id: str, draw: Draw, wait: Wait) -> Display:
        """The one display of this part in this language."""
        hub.service.snapshot(tournament_id)  # or there is no such event
        pulse = hub.pulse
        subject = Subject(
            partial(draw, hub, tournament_id), lambda: pulse.latest, wait, lambda: pulse.closed
        )
        what = (name, tournament_id, str(get_locale()))
        return displays.of(what, lambda: Display(subject, _begin))

    @views.get("/live")
    def stream(tournament_id: str) -> Response:
        wait = partial(hub.pulse.wait_for_event, tournament_id)  # a board shows no single move
        return _stream(hub, places, display("board", tournament_id, board_live, wait))

    @views.get("/desk/live")
    def desk(tournament_id: str) -> Response:
        return _stream(hub, places, display("desk", tournament_id, desk_live, hub.pulse.wait))

    return views


def _begin(work: Callable[[], None]) -> None:
    """Draw in a thread that has what templates ask of a request: addresses and the language."""
    Thread(target=copy_current_request_context(work), name="display", daemon=True).start()


def _stream(hub: Hub, places: BoundedSemaphore, display: Display) -> Response:
    """One viewer's stream; when all places are taken, one event that says so."""
    if not places.acquire(blocking=False):
        full = f"retry: {RETRY_WHEN_FULL_MILLISECONDS}\n{server_sent('full', data=True)}"
        return Response(full, mimetype="text/event-stream")
    states = stream_with_context(_states(hub, display))
    response = Response(states, mimetype="text/event-stream")
    # not in a finally of the generator: that never runs when it was never started
    response.call_on_close(places.release)
    return response


def _states(hub: Hub, display: Display) -> Iterator[bytes]:
    """Each state that is otherwise than the one before, and a beat where nothing was sent long."""
    with display.watched() as watch:
        while not hub.pulse.closed:
            yield watch.event(HEARTBEAT_SECONDS) or BEAT
