"""What changes while somebody watches: parts of pages, sent as soon as they are otherwise."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from threading import Thread

from flask import Blueprint, Response, copy_current_request_context
from flask_babel import get_locale

from scoreboard.tournament.storage.change_feed import Concern
from web.hub.desk import desk_live
from web.hub.events import board_live
from web.hub.hub import Hub
from web.hub.live_parts import LiveParts, part_events
from web.live import event_stream


def live_views(hub: Hub) -> Blueprint:
    """`/e/<id>/live` and `/e/<id>/desk/live`."""
    views = Blueprint("live", __name__, url_prefix="/e/<tournament_id>")
    parts = LiveParts(hub.store.change_feed, hub.house.viewer_limit, _start)

    def part_stream(
        name: str, tournament_id: str, draw: Callable[[Hub, str], str], concern: Concern
    ) -> Response:
        hub.service.snapshot(tournament_id)  # or there is no such event
        key, render = (name, tournament_id, str(get_locale())), partial(draw, hub, tournament_id)
        return event_stream(partial(parts.watch, key, render, concern), part_events)

    @views.get("/live")
    def stream(tournament_id: str) -> Response:
        # a board shows no single move: only the event's own record concerns it
        return part_stream("board", tournament_id, board_live, lambda event: tournament_id in event)

    @views.get("/desk/live")
    def desk(tournament_id: str) -> Response:
        return part_stream("desk", tournament_id, desk_live, lambda _: True)

    return views


def _start(work: Callable[[], None]) -> None:
    """Render in a thread that has what templates ask of a request: addresses and the language."""
    Thread(target=copy_current_request_context(work), name="live part", daemon=True).start()
