"""News for everybody who waits in this process: one reads, and wakes those whom they concern."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Event, Lock
from time import monotonic
from typing import Final

from scoreboard.errors import StoreError
from scoreboard.tournament.protocol.audit_log import ChangeEvent
from scoreboard.tournament.storage.change_log import SqlChangeLog

REMEMBERED: Final = 10_000  # news; who is further behind asks the store
Concern = Callable[[Sequence[ChangeEvent]], bool]


@dataclass(slots=True, eq=False)
class _Waiter:
    """Somebody who waits for news that concern them, or for their turn to read."""

    concern: Concern
    woken: Event = field(default_factory=Event)

    def wake_for(self, change: Sequence[ChangeEvent]) -> None:
        """Wake them if the news concern them, or if that cannot be known now."""
        try:
            concerned = self.concern(change)
        except StoreError:  # they ask again themselves, and tell who waits for them
            concerned = True
        if concerned:
            self.woken.set()


class ChangeFeed:
    """The news of a store. Any thread may use it.

    Of those who wait one reads the store; when it has read enough, another one does. So a
    thousand that wait cost the store no more than one. Raises StoreError where it is away.
    """

    def __init__(self, change_log: SqlChangeLog) -> None:
        self._change_log = change_log
        self._lock = Lock()
        self._news: list[ChangeEvent] = []  # without gaps, the last is `_last`
        self._last = change_log.latest()
        self._waiting: list[_Waiter] = []
        self._reading = False

    @property
    def last(self) -> int:
        """The sequence of the last news that this process has read."""
        return self._last

    def latest(self) -> int:
        """The sequence of the last news that there is, 0 before the first."""
        return self._change_log.latest()

    def listen(self, after: int, wait_seconds: float) -> tuple[ChangeEvent, ...]:
        """The news above `after`, in order; waits for the first of them."""
        return self.hear(after, wait_seconds)

    def hear(
        self, after: int, wait_seconds: float, concern: Concern = bool
    ) -> tuple[ChangeEvent, ...]:
        """News above `after`, in order, as soon as some of them concern one; none in vain.

        `concern` is asked by other threads, too. It may raise StoreError.
        """
        end, waiter = monotonic() + wait_seconds, _Waiter(concern)
        try:
            while True:
                seen = self._last
                change = tuple(self._above(after))
                if concern(change):
                    return change
                after = change[-1].sequence if change else after
                left = end - monotonic()
                if left <= 0:
                    change = tuple(self._read(max(after, self._last), 0))
                    return change if concern(change) else ()
                self._wait(waiter, seen, left)
        finally:
            self._hand_on()

    def newest(self, after: int) -> tuple[ChangeEvent, ...]:
        """All news above `after` that there are by now, in order."""
        latest, change = self._change_log.latest(), [*self._above(after)]
        while (last := change[-1].sequence if change else after) < latest:
            change += self._read(last, 0)
        return tuple(change)

    def _above(self, after: int) -> Sequence[ChangeEvent]:
        with self._lock:
            oldest = self._last - len(self._news) + 1
            if after >= oldest - 1:
                return self._news[after - oldest + 1 :]
        return self._change_log.listen(after, 0)

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

    def _read(self, after: int, seconds: float) -> Sequence[ChangeEvent]:
        fresh = self._change_log.listen(after, seconds)
        with self._lock:
            unread = [change for change in fresh if change.sequence > self._last]
            if unread and unread[0].sequence == self._last + 1:
                self._news = [*self._news, *unread][-REMEMBERED:]
                self._last = unread[-1].sequence
            waiting = tuple(self._waiting) if unread else ()
        for waiter in waiting:
            waiter.wake_for(unread)
        return fresh

    def _hand_on(self) -> None:
        """Where nobody reads for those who wait, let one of them."""
        with self._lock:
            if self._waiting and not self._reading:
                self._waiting[0].woken.set()
