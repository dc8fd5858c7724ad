"""News for everybody who waits in this process: one reads, and wakes those whom they concern."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Event, Lock
from time import monotonic
from typing import Final

from scoreboard.hub.ports import Newsroom
from scoreboard.news import News

REMEMBERED: Final = 10_000  # news; who is further behind asks the store
Concern = Callable[[News], bool]


def _anything(_news: News) -> bool:
    return True


@dataclass(slots=True, eq=False)
class _Waiter:
    """Somebody who waits for news that concern them, or for their turn to read."""

    concern: Concern
    woken: Event = field(default_factory=Event)


class Feed:
    """The news of a store. Any thread may use it.

    Of those who wait one reads the store; when it has read enough, another one does. So a
    thousand that wait cost the store no more than one. Raises StoreError where it is away.
    """

    def __init__(self, newsroom: Newsroom) -> None:
        self._newsroom = newsroom
        self._lock = Lock()
        self._news: list[News] = []  # without gaps, the last is `_last`
        self._last = newsroom.latest()
        self._waiting: list[_Waiter] = []
        self._reading = False

    @property
    def last(self) -> int:
        """The sequence of the last news that this process has read."""
        return self._last

    def latest(self) -> int:
        """The sequence of the last news that there is, 0 before the first."""
        return self._newsroom.latest()

    def listen(self, after: int, wait_seconds: float) -> tuple[News, ...]:
        """The news above `after`, in order; waits for the first of them."""
        return self.hear(after, wait_seconds)

    def hear(
        self, after: int, wait_seconds: float, concern: Concern = _anything
    ) -> tuple[News, ...]:
        """The news above `after` that concern one, in order; waits for the first of them."""
        end, waiter = monotonic() + wait_seconds, _Waiter(concern)
        try:
            while True:
                seen = self._last
                if news := tuple(filter(concern, self._above(after))):
                    return news
                left = end - monotonic()
                if left <= 0:
                    return tuple(filter(concern, self._read(max(after, self._last), 0)))
                self._wait(waiter, seen, left)
        finally:
            self._hand_on()

    def newest(self, after: int) -> tuple[News, ...]:
        """All news above `after` that there are by now, in order."""
        latest, news = self._newsroom.latest(), [*self._above(after)]
        while (last := news[-1].sequence if news else after) < latest:
            news += self._read(last, 0)
        return tuple(news)

    def _above(self, after: int) -> Sequence[News]:
        with self._lock:
            oldest = self._last - len(self._news) + 1
            if after >= oldest - 1:
                return self._news[after - oldest + 1 :]
        return self._newsroom.listen(after, 0)

    def _wait(self, waiter: _Waiter, seen: int, seconds: float) -> None:
        """Read for everybody, or wait until somebody who reads finds something."""
        with self._lock:
            if self._last != seen:
                return
            leads, self._reading = not self._reading, True
            if not leads:
                waiter.woken.clear()
                self._waiting.append(waiter)
        if leads:
            self._lead(seconds)
            return
        waiter.woken.wait(seconds)
        with self._lock:
            self._waiting.remove(waiter)

    def _lead(self, seconds: float) -> None:
        try:
            self._read(self._last, seconds)
        finally:
            with self._lock:
                self._reading = False

    def _read(self, after: int, seconds: float) -> Sequence[News]:
        fresh = self._newsroom.listen(after, seconds)
        with self._lock:
            unread = [news for news in fresh if news.sequence > self._last]
            if unread and unread[0].sequence == self._last + 1:
                self._news = [*self._news, *unread][-REMEMBERED:]
                self._last = unread[-1].sequence
            for waiter in self._waiting:
                if any(map(waiter.concern, unread)):
                    waiter.woken.set()
        return fresh

    def _hand_on(self) -> None:
        """Where nobody reads for those who wait, let one of them."""
        with self._lock:
            if self._waiting and not self._reading:
                self._waiting[0].woken.set()
