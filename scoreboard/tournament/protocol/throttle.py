"""A pause between two turns of work."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock


class Throttle:
    """At least `seconds` between two turns, over all threads."""

    def __init__(
        self,
        seconds: float,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._seconds = seconds
        self._now = now
        self._sleep = sleep
        self._free_at = float("-inf")
        self._lock = Lock()

    def rest(self) -> None:
        """Wait for the next turn; no wait if the last one is long ago."""
        with self._lock:
            now = self._now()
            turn = max(now, self._free_at)
            self._free_at = turn + self._seconds
        if turn > now:
            self._sleep(turn - now)
