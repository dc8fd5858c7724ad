"""A bell within one process: rung when something was kept, heard by all who wait."""

from __future__ import annotations

from threading import Condition


class ChangeNotifier:
    """Counts how often it was rung, so that no one who looked before misses a stroke."""

    def __init__(self) -> None:
        self._strokes = 0
        self._condition = Condition()

    @property
    def strokes(self) -> int:
        """How often it was rung."""
        with self._condition:
            return self._strokes

    def ring(self) -> None:
        """Wake all who wait."""
        with self._condition:
            self._strokes += 1
            self._condition.notify_all()

    def wait(self, heard: int, seconds: float) -> bool:
        """Wait until it was rung more than `heard` times; False when the time passed without."""
        with self._condition:
            return self._condition.wait_for(lambda: self._strokes > heard, seconds)
