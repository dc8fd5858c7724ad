"""The newest view for every watching browser.

There is one slot with the newest view, not a queue: a slow viewer skips states and is never
behind by more than one. Each state is drawn once and shared by all viewers.
"""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Callable, Iterator
from typing import Final

from scoreboard.table.view import TableView

DEFAULT_VIEWER_LIMIT: Final = 50
DEFAULT_HEARTBEAT_SECONDS: Final = 2.0


class TableFullError(RuntimeError):
    """As many browsers watch as may; the next one has to wait."""


class LiveViews:
    """Hands the newest view to every viewer; an `Announcer` for the session.

    `viewer_limit` must stay below the server's threads, because each viewer holds one.
    `run` names this life of the table: versions of another life cannot be compared.
    """

    def __init__(
        self,
        viewer_limit: int = DEFAULT_VIEWER_LIMIT,
        heartbeat_seconds: float = DEFAULT_HEARTBEAT_SECONDS,
    ) -> None:
        self.viewer_limit: Final = viewer_limit
        self.run: Final = secrets.token_hex(4)
        self._heartbeat_seconds: Final = heartbeat_seconds
        self._changed: Final = threading.Condition()
        self._view: TableView | None = None
        self._viewers = 0
        self._closed = False

    @property
    def viewers(self) -> int:
        """How many browsers watch just now."""
        with self._changed:
            return self._viewers

    def announce(self, view: TableView) -> None:
        """Take the newest view and wake every viewer."""
        with self._changed:
            self._view = view
            self._changed.notify_all()

    def close(self) -> None:
        """End every stream at once, and every later one; for the end of the process."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def watch(self) -> Watch:
        """Become a viewer until the watch is closed.

        Raises:
            TableFullError: as many browsers watch already as may.
        """
        with self._changed:
            if self._viewers >= self.viewer_limit:
                raise TableFullError(f"{self.viewer_limit} browsers watch already.")
            self._viewers += 1
        return Watch(self)

    def wait_for_other(self, seen: TableView | None) -> TableView | None:
        """Wait for a view other than `seen`; None when the heartbeat's time passed without one.

        Raises:
            StopIteration: the table was closed.
        """
        with self._changed:
            self._changed.wait_for(
                lambda: self._closed or self._view is not seen, self._heartbeat_seconds
            )
            if self._closed:
                raise StopIteration
            return None if self._view is seen else self._view

    def leave(self) -> None:
        """One viewer less."""
        with self._changed:
            self._viewers -= 1


class Watch(Iterator[TableView | None]):
    """One viewer's watch: the newest view at once and after every change; None for a heartbeat."""

    def __init__(self, live: LiveViews) -> None:
        self._live = live
        self._seen: TableView | None = None
        self._open = True

    def __next__(self) -> TableView | None:
        """Wait for the next view or heartbeat."""
        view = self._live.wait_for_other(self._seen)
        self._seen = view or self._seen
        return view

    def close(self) -> None:
        """Stop being a viewer; a second call does nothing."""
        if self._open:
            self._open = False
            self._live.leave()


class SharedDrawing:
    """Draws each state once a language, however many browsers ask for it."""

    def __init__(self, draw: Callable[[TableView], str]) -> None:
        self._draw = draw
        self._lock = threading.Lock()
        self._newest: dict[str, tuple[int, str]] = {}

    def of(self, view: TableView, locale: str) -> str:
        """The drawing of that view in that language."""
        with self._lock:
            version, drawing = self._newest.get(locale, (None, ""))
            if version != view.version:
                drawing = self._draw(view)
                self._newest[locale] = (view.version, drawing)
            return drawing


def server_sent(event: str, data: object, identity: str | None = None) -> str:
    """One server-sent event; the data as JSON, which has no line breaks to escape."""
    head = f"id: {identity}\n" if identity else ""
    return f"{head}event: {event}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"
