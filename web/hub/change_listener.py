"""The hub's news for every watching browser of one process: one listener, many who wait."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Final, Protocol

from scoreboard.errors import StoreError
from scoreboard.tournament.protocol.audit_log import ChangeEvent

LISTEN_SECONDS: Final = 1.0


class ChangeSource(Protocol):
    """Where news come from: a newsroom, or the feed that reads it for the whole process."""

    def latest(self) -> int:
        """The sequence of the last news, 0 before the first. Raises StoreError."""
        ...

    def listen(self, after: int, wait_seconds: float) -> Sequence[ChangeEvent]:
        """The news above `after`, in order; waits for the first of them. Raises StoreError."""
        ...


class ChangeListener:
    """Counts the news of a store, and wakes who waits for the next.

    One thread listens, however many browsers watch. While the store is away it tries again.
    """

    def __init__(self, change_log: ChangeSource, listen_seconds: float = LISTEN_SECONDS) -> None:
        self._change_log = change_log
        self._listen_seconds = listen_seconds
        self._changed = threading.Condition()
        self._recorded = threading.Condition()
        self._latest = 0
        self._events: dict[str, int] = {}
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._listen, name="pulse", daemon=True)

    def start(self) -> None:
        """Begin to listen. Raises StoreError."""
        self._latest = self._change_log.latest()
        self._thread.start()

    def close(self) -> None:
        """Let everybody go and stop listening."""
        self._closed.set()
        for waiting in (self._changed, self._recorded):
            with waiting:
                waiting.notify_all()
        if self._thread.is_alive():
            self._thread.join()

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._closed.is_set()

    @property
    def latest(self) -> int:
        """The sequence of the last news."""
        with self._changed:
            return self._latest

    def wait_for_event(self, tournament_id: str, seen: int, seconds: float) -> int:
        """Wait for news of one event's record above `seen`, at most so long; the last of them.

        What tables play meanwhile wakes nobody here.
        """

        def is_told() -> bool:
            return self._closed.is_set() or self._events.get(tournament_id, 0) > seen

        with self._recorded:
            self._recorded.wait_for(is_told, seconds)
            return self._events.get(tournament_id, 0)

    def wait(self, seen: int, seconds: float) -> int:
        """Wait for news above `seen`, at most so long; the last sequence."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed.is_set() or self._latest > seen, seconds)
            return self._latest

    def _listen(self) -> None:
        while not self._closed.is_set():
            try:
                change = self._change_log.listen(self.latest, self._listen_seconds)
            except StoreError:  # who reads a page meanwhile is told; here it is tried again
                self._closed.wait(self._listen_seconds)
                continue
            if change:
                self._tell(change)

    def _tell(self, change: Sequence[ChangeEvent]) -> None:
        with self._changed:
            self._latest = change[-1].sequence
            self._changed.notify_all()
        if told := {each.about: each.sequence for each in change if each.topic == "tournament"}:
            with self._recorded:
                self._events |= told
                self._recorded.notify_all()
