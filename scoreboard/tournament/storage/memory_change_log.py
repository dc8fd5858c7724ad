"""News in memory."""

from __future__ import annotations

from threading import RLock

from scoreboard.tournament.protocol.changes import ChangeEvent, Topic
from scoreboard.tournament.storage.change_notifier import ChangeNotifier
from scoreboard.tournament.storage.long_poll import MOST_AT_ONCE, first_changes


class MemoryChangeLog:
    """Keeps the contract of `scoreboard.tournament.hub.ports.ChangeLog` within one process."""

    reaches_processes = False

    def __init__(self, lock: RLock) -> None:
        self._lock = lock
        self._news: list[ChangeEvent] = []
        self._notifier = ChangeNotifier()

    def latest(self) -> int:
        """The sequence of the last news, 0 before the first."""
        with self._lock:
            return len(self._news)

    def listen(self, after: int, wait_seconds: float) -> tuple[ChangeEvent, ...]:
        """The news above `after`, in order; waits for the first of them."""
        return first_changes(lambda: self._above(after), self._notifier, wait_seconds)

    def publish(self, topic: Topic, about: str, through: int) -> None:
        """Tell one change; within the lock under which it was made."""
        with self._lock:
            self._news.append(ChangeEvent(len(self._news) + 1, topic, about, through))
        self._notifier.ring()

    def _above(self, after: int) -> tuple[ChangeEvent, ...]:
        with self._lock:
            return tuple(self._news[after : after + MOST_AT_ONCE])
