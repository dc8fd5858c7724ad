"""News in memory."""

from __future__ import annotations

from threading import RLock

from scoreboard.news import News, Topic
from scoreboard.store.hub.bell import Bell
from scoreboard.store.hub.listening import MOST_AT_ONCE, first_news


class MemoryNewsroom:
    """Keeps the contract of `scoreboard.hub.ports.Newsroom` within one process."""

    reaches_processes = False

    def __init__(self, lock: RLock) -> None:
        self._lock = lock
        self._news: list[News] = []
        self._bell = Bell()

    def latest(self) -> int:
        """The sequence of the last news, 0 before the first."""
        with self._lock:
            return len(self._news)

    def listen(self, after: int, wait_seconds: float) -> tuple[News, ...]:
        """The news above `after`, in order; waits for the first of them."""
        return first_news(lambda: self._above(after), self._bell, wait_seconds)

    def publish(self, topic: Topic, about: str, through: int) -> None:
        """Tell one change; within the lock under which it was made."""
        with self._lock:
            self._news.append(News(len(self._news) + 1, topic, about, through))
        self._bell.ring()

    def _above(self, after: int) -> tuple[News, ...]:
        with self._lock:
            return tuple(self._news[after : after + MOST_AT_ONCE])
