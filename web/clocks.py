"""The clocks of a table and of a hub, and what they do again and again."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from threading import Event, Thread
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from scoreboard.table.ports import Clock

STOP_SECONDS: Final = 0.5


def utc_now() -> datetime:
    """The time of day as aware UTC."""
    return datetime.now(UTC)


def steady_clock(wall: Clock = utc_now, monotonic: Callable[[], float] = time.monotonic) -> Clock:
    """A clock that shows the time of day of its start and then never jumps.

    What is measured at the table (turns, presses, patience) is measured by it: a machine without
    a battery for its clock sets the time of day by years when the network comes.
    """
    began, origin = wall(), monotonic()
    return lambda: began + timedelta(seconds=monotonic() - origin)


class Repeater:
    """Calls something at once and after each pause, in a thread of its own, until it is stopped."""

    def __init__(self, name: str, act: Callable[[], None], pause_seconds: float) -> None:
        self._act = act
        self._pause_seconds = pause_seconds
        self._stopping = Event()
        self._thread = Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin; call it once, after any fork."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread."""
        self._stopping.set()
        self._thread.join(STOP_SECONDS)

    def _run(self) -> None:
        self._act()
        while not self._stopping.wait(self._pause_seconds):
            self._act()
