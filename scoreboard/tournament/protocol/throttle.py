"""A pause between two turns of work."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from threading import Lock


@dataclass(slots=True)
class Throttle:
    """At least `seconds` between two turns, over all threads."""

    seconds: float
    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    _free_at: float = field(default=-inf, init=False)
    _lock: Lock = field(default_factory=Lock, init=False)

    def rest(self) -> None:
        """Wait for the next turn; no wait if the last one is long ago."""
        with self._lock:
            now = self.now()
            turn = max(now, self._free_at)
            self._free_at = turn + self.seconds
        if turn > now:
            self.sleep(turn - now)
