"""The thread that tells the table that time passes, while a turn is timed."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread
from typing import Final

from scoreboard.table.ports import Clock
from scoreboard.table.requests import TableRequest, Ticked

PAUSE_SECONDS: Final = 0.25
STOP_SECONDS: Final = 0.5


class Ticker:
    """Posts a tick a few times a second as long as `is_timed` says that somebody waits for it."""

    def __init__(
        self, clock: Clock, is_timed: Callable[[], bool], pause_seconds: float = PAUSE_SECONDS
    ) -> None:
        self._clock = clock
        self._is_timed = is_timed
        self._pause_seconds = pause_seconds
        self._stopping = Event()
        self._thread: Thread | None = None

    def start(self, post: Callable[[TableRequest], None]) -> None:
        """Begin to tick; call it once, after any fork."""
        self._thread = Thread(target=self._tick, args=(post,), name="clock", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the thread."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(STOP_SECONDS)

    def _tick(self, post: Callable[[TableRequest], None]) -> None:
        while not self._stopping.wait(self._pause_seconds):
            if self._is_timed():
                post(Ticked(self._clock()))
