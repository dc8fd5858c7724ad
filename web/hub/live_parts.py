"""Live parts of pages: rendered once for all viewers, sent in pieces.

A template marks a piece as `<!--piece NAME-->…<!--/piece-->`, around one element whose id is NAME.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import partial
from threading import Lock, Thread
from typing import Final

from flask import Blueprint, Response, copy_current_request_context, request, session
from flask_babel import get_locale

from scoreboard.tournament.storage.change_feed import ChangeFeed, Concern
from web.hub.access import BROWSER, visitor
from web.hub.desk import desk_part
from web.hub.events import board_live, table_live
from web.hub.hall import news_stamps
from web.hub.hub import PLAYERS_WATCHING, Hub
from web.shared.live import BEAT, STRANGERS_PLACES, Live, Places, Watch, event_stream, server_sent

HEARTBEAT_SECONDS: Final = 5.0
LASTS_SECONDS: Final = 4.0  # then it is rendered again: devices fall silent without any change
REST_SECONDS: Final = 0.1  # between two renderings of a part, and longer where rendering is long
REST_FOR_COST: Final = 3.0
_PIECE: Final = re.compile(r"<!--piece ([\w-]+)-->(.*?)<!--/piece-->", re.DOTALL)


class RenderedPart:
    """A rendered part of a page with its predecessor, and the events that show it."""

    def __init__(self, text: str, before: RenderedPart | None = None) -> None:
        self.text: Final = text
        self.version: Final[int] = 0 if before is None else before.version + 1
        self.pieces: Final = dict[str, str](_PIECE.findall(text))
        self.frame: Final = _PIECE.sub(r"<!--\1-->", text)
        self._whole: Final = server_sent("state", text).encode()
        self._since: Final = dict[int, bytes]()  # events by the version that a viewer was shown
        self._writing: Final = Lock()
        self.event(before)  # most viewers were shown that one

    def event(self, shown: RenderedPart | None) -> bytes:
        """The event for a viewer of another rendering or none; written once for all of them."""
        if shown is None:
            return self._whole
        event = self._since.get(shown.version)
        if event is None:
            with self._writing:
                event = self._since.get(shown.version) or self._written(shown)
                self._since[shown.version] = event
        return event

    def _written(self, shown: RenderedPart) -> bytes:
        if self.frame != shown.frame:
            return self._whole
        new = {name: text for name, text in self.pieces.items() if shown.pieces[name] != text}
        return server_sent("pieces", new).encode()


class LiveParts:
    """The watched parts, by page, event and language. Thread-safe.

    While a part is watched, one thread renders it at every change that concerns it; `start` runs a
    function in a thread that may render. A busy evening brings hundreds of changes a second: a part
    rests between two renderings, so that they take a quarter of the time at most.
    """

    def __init__(
        self, feed: ChangeFeed, viewer_limit: int, start: Callable[[Callable[[], None]], None]
    ) -> None:
        self._feed = feed
        self._places = Places(viewer_limit)
        self._start = start
        self._lock = Lock()
        self._watched: dict[Hashable, Live[RenderedPart]] = {}

    def watch(
        self,
        key: Hashable,
        render: Callable[[], str],
        concern: Concern,
        limits: Mapping[Hashable, int],
    ) -> Watch[RenderedPart]:
        """Watch a part, within the `limits` of `Places`. Raises FullError, RuntimeError."""
        with self._lock:
            if key in self._watched:
                return self._watched[key].watch(limits)
            live = Live[RenderedPart](self._places, HEARTBEAT_SECONDS)
            watch = live.watch(limits)
            try:
                self._start(partial(self._keep_rendered, key, live, render, concern))
            except Exception:
                watch.close()
                raise
            self._watched[key] = live
            return watch

    def _keep_rendered(
        self, key: Hashable, live: Live[RenderedPart], render: Callable[[], str], concern: Concern
    ) -> None:
        """Render at every change, until no one watches; a fault is raised to all viewers."""
        newest: RenderedPart | None = None
        try:
            with self._feed.subscribed(concern) as changes:
                while self._is_wanted(key, live):
                    begun = time.thread_time()  # its own work: others keep the processor busy, too
                    text = render()
                    if newest is None or newest.text != text:
                        newest = RenderedPart(text, newest)
                        live.announce(newest)
                    time.sleep(max(REST_SECONDS, REST_FOR_COST * (time.thread_time() - begun)))
                    changes.wait(LASTS_SECONDS)
        except Exception as fault:  # noqa: BLE001 -- raised to everybody who watches
            with self._lock:
                del self._watched[key]
            live.close(fault)

    def _is_wanted(self, key: Hashable, live: Live[RenderedPart]) -> bool:
        with self._lock:
            if live.viewers and not self._feed.closed:
                return True
            del self._watched[key]
        live.close()
        return False


def part_events(watch: Watch[RenderedPart]) -> Iterator[bytes]:
    """Each new rendering, and a heartbeat after a long silence."""
    shown: RenderedPart | None = None
    for part in watch:
        yield BEAT.encode() if part is None else part.event(shown)
        shown = part or shown


def live_views(hub: Hub) -> Blueprint:
    """`/e/<id>/live`, those of the desk, the results and each table, and that of players."""
    views = Blueprint("live", __name__)
    parts = LiveParts(hub.store.change_feed, hub.settings.viewer_limit, _start)
    # places of their own: a hall full of phones leaves the boards theirs
    of_players = LiveParts(hub.store.change_feed, PLAYERS_WATCHING, _start)

    def part_stream(
        name: str,
        tournament_id: str,
        draw: Callable[[Hub, str], str],
        concern: Concern,
        parts: LiveParts = parts,
    ) -> Response:
        hub.service.snapshot(tournament_id)  # or there is no such event
        key, render = (name, tournament_id, str(get_locale())), partial(draw, hub, tournament_id)
        watch = partial(parts.watch, key, render, concern, limits_of_viewer())
        return event_stream(watch, part_events)

    def limits_of_viewer() -> Mapping[Hashable, int]:
        """No limit for officials; else by link, or browser and address, as a hall shares one."""
        if link := (request.view_args or {}).get("key"):
            return {link: STRANGERS_PLACES}
        if visitor(hub).decides:
            return {}
        address, most = request.remote_addr, max(STRANGERS_PLACES, hub.settings.viewer_limit // 2)
        return {address: most, (address, session.get(BROWSER)): STRANGERS_PLACES}

    @views.get("/e/<tournament_id>/live", right="viewer")
    def stream(tournament_id: str) -> Response:
        # a board shows no single move: only the event's own record concerns it
        return part_stream("board", tournament_id, board_live, lambda what: tournament_id in what)

    @views.get("/e/<tournament_id>/<any(desk, results):page>/live", right="referee")
    def desk(tournament_id: str, page: str) -> Response:
        draw = partial(desk_part, template=f"{page}_live.html")
        return part_stream(page, tournament_id, draw, lambda _: True)

    @views.get("/e/<tournament_id>/table/<int:number>/live", right="viewer")
    def table(tournament_id: str, number: int) -> Response:
        draw = partial(table_live, number=number)
        # hundreds may be watched at once: each is rendered every few seconds
        return part_stream(f"table {number}", tournament_id, draw, lambda _: False)

    @views.get("/p/<tournament_id>/<int:number>/<key>/live", right="player")
    def news(tournament_id: str, number: int, key: str) -> Response:  # noqa: ARG001 -- of the address, checked by the guard
        concern: Concern = lambda what: tournament_id in what  # noqa: E731 -- as short as the others
        return part_stream("news", tournament_id, news_stamps, concern, of_players)

    return views


def _start(work: Callable[[], None]) -> None:
    """Render in a thread that has what templates ask of a request: addresses and the language."""
    Thread(target=copy_current_request_context(work), name="live part", daemon=True).start()
