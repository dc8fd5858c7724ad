"""Server-sent events for the pages of table and hub: the newest state for every browser.

There is one slot with the newest state, not a queue: a slow viewer skips states and is never
behind by more than one.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Hashable, Iterator, Mapping
from threading import Lock
from types import MappingProxyType
from typing import Any, Final, Generic, TypeVar

from flask import Response, stream_with_context

from scoreboard.table.view import TableView

RETRY_WHEN_FULL_MILLISECONDS: Final = 10_000
STRANGERS_PLACES: Final = 8  # of one address or browser: a few tabs, and no flood
StateT = TypeVar("StateT")
EventT = TypeVar("EventT", str, bytes)
ReaderT = TypeVar("ReaderT", bound=Hashable)


class FullError(RuntimeError):
    """All places are taken; the next browser has to wait."""


class Places:
    """A number of places, for the viewers of one page or of several. Thread-safe.

    A stranger has at most as many as each of `limits` allows, by its key; a viewer without limits
    is no stranger, and takes the place of the youngest stranger if all are taken.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = Lock()
        self._taken: dict[Watch[Any], Mapping[Hashable, int]] = {}  # the youngest last

    def take(self, watch: Watch[Any], limits: Mapping[Hashable, int]) -> Watch[Any] | None:
        """Take a place, and give the watch that lost its own for it. Raises FullError."""
        with self._lock:
            strangers = [(one, known) for one, known in self._taken.items() if known]
            for key, most in limits.items():
                if sum(key in known for _, known in strangers) >= most:
                    raise FullError("One stranger has as many places as may be.")
            lost = None
            if len(self._taken) >= self._most:
                if limits or not strangers:
                    raise FullError("As many browsers watch already as may.")
                lost = strangers[-1][0]
                del self._taken[lost]
            self._taken[watch] = limits
            return lost

    def leave(self, watch: Watch[Any]) -> None:
        with self._lock:
            self._taken.pop(watch, None)


class Live(Generic[StateT]):
    """The newest state of something, for all its viewers. Thread-safe.

    Each viewer takes one of `places`, which several may share. It holds a thread of the server, so
    there must be fewer places than threads.
    """

    def __init__(self, places: Places, heartbeat_seconds: float) -> None:
        self.heartbeat_seconds: Final = heartbeat_seconds
        self._places: Final = places
        self._lock: Final = Lock()
        self._watches: Final = set[Watch[StateT]]()
        self._state: StateT | None = None
        self._ending: Exception | None = None

    @property
    def viewers(self) -> int:
        with self._lock:
            return len(self._watches)

    def announce(self, state: StateT) -> None:
        with self._lock:
            self._state = state
            self._wake_all()

    def close(self, fault: Exception | None = None) -> None:
        """End every watch at once, and every later one; a fault is raised to all viewers."""
        with self._lock:
            self._ending = fault or StopIteration()
            self._wake_all()

    def watch(self, limits: Mapping[Hashable, int] = MappingProxyType({})) -> Watch[StateT]:
        """Become a viewer until the watch is closed; `limits` as for `Places`. Raises FullError."""
        watch = Watch(self)
        lost = self._places.take(watch, limits)
        if lost is not None:
            lost.live.end(lost)
        with self._lock:
            self._watches.add(watch)
            if self._ending is not None or self._state is not None:
                watch.wake()
        return watch

    def newest(self) -> StateT | None:
        """The newest state, None before the first. Raises its end: a fault, or StopIteration."""
        if self._ending is not None:  # no lock: hundreds that are woken would queue for it
            raise self._ending
        return self._state

    def end(self, watch: Watch[StateT]) -> None:
        """Let a viewer go, whose place another one took."""
        with self._lock:
            watch.ended = True
            watch.wake()

    def leave(self, watch: Watch[StateT]) -> None:
        with self._lock:
            self._watches.remove(watch)
        self._places.leave(watch)

    def _wake_all(self) -> None:
        for watch in self._watches:
            watch.wake()


class Watch(Iterator[StateT | None]):
    """One viewer: the newest state at once and after every change; None for a heartbeat.

    Each sleeps on a lock of its own: hundreds that wait for one condition queue for its lock, and
    waking an Event costs several times as much.
    """

    def __init__(self, live: Live[StateT]) -> None:
        self._asleep: Final = Lock()
        self._asleep.acquire()
        self.live = live
        self._shown: StateT | None = None
        self._open = True
        self.ended = False

    def __next__(self) -> StateT | None:
        self._asleep.acquire(timeout=self.live.heartbeat_seconds)
        if self.ended:
            raise StopIteration
        state = self.live.newest()
        if state is self._shown:
            return None
        self._shown = state
        return state

    def wake(self) -> None:
        """Wake this viewer. Caller holds Live's lock."""
        if self._asleep.locked():
            self._asleep.release()

    def close(self) -> None:
        """Stop being a viewer; a second call does nothing."""
        if self._open:
            self._open = False
            self.live.leave(self)


class LiveViews(Live[TableView]):
    """The table's views; an `Announcer`. Versions of another `run` cannot be compared."""

    def __init__(self, viewer_limit: int = 50, heartbeat_seconds: float = 2.0) -> None:
        super().__init__(Places(viewer_limit), heartbeat_seconds)
        self.viewer_limit: Final = viewer_limit
        self.run: Final = secrets.token_hex(4)


class SharedDrawing(Generic[ReaderT]):
    """Draws each state once a language and kind of reader, however many browsers ask for it."""

    def __init__(self, draw: Callable[[TableView, ReaderT], str]) -> None:
        self._draw = draw
        self._lock = Lock()
        self._newest: dict[tuple[str, ReaderT], tuple[object, str]] = {}

    def of(self, view: TableView, locale: str, reader: ReaderT, extra: object = None) -> str:
        """The cached drawing of that view and `extra`, in that language for such a reader."""
        with self._lock:
            drawn, drawing = self._newest.get((locale, reader), (None, ""))
            if drawn != (view.version, extra):
                drawing = self._draw(view, reader)
                self._newest[locale, reader] = ((view.version, extra), drawing)
            return drawing


def server_sent(event: str, data: object, identity: str | None = None) -> str:
    """One server-sent event; the data as JSON, which has no line breaks to escape."""
    head = f"id: {identity}\n" if identity else ""
    return f"{head}event: {event}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"


BEAT: Final = server_sent("beat", data=True)


def event_stream(
    watch: Callable[[], Watch[StateT]], events: Callable[[Watch[StateT]], Iterator[EventT]]
) -> Response:
    """One viewer's stream of events; when all places are taken, one event that reports it."""
    try:
        opened = watch()
    except FullError:
        return _streamed(f"retry: {RETRY_WHEN_FULL_MILLISECONDS}\n{server_sent('full', data=True)}")
    response = _streamed(stream_with_context(events(opened)))
    # not in a finally of the generator: that never runs when it was never started
    response.call_on_close(opened.close)
    return response


def _streamed(events: str | Iterator[str] | Iterator[bytes]) -> Response:
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}  # nginx hands on what comes
    return Response(events, mimetype="text/event-stream", headers=headers)
