"""Parts of pages, drawn once a state and language however many browsers watch."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Final

LASTS_SECONDS: Final = 4.0  # then it is drawn again: devices fall silent without any news
REST_SECONDS: Final = 0.2  # between two drawings of a part, and longer where drawing is long
REST_FOR_COST: Final = 3.0
MOST_KEPT: Final = 200


@dataclass(frozen=True, slots=True)
class Drawing:
    """A part of a page, and after how many news it was drawn."""

    part: str
    news: int


@dataclass(slots=True)
class _Kept:
    drawing: Drawing = field(default_factory=lambda: Drawing("", -1))
    drawn_at: float = float("-inf")
    rest: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock)


class Drawings:
    """The newest drawing of each part. Any thread may ask; of those who wait one draws.

    A busy evening brings hundreds of news a second: a part rests between two drawings, so that
    drawing takes a quarter of the time at most. Its own time on the processor counts: while
    others keep that busy, the boards need not rest the longer.
    """

    def __init__(
        self,
        latest: Callable[[], int],
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        worked: Callable[[], float] = time.thread_time,
    ) -> None:
        self._latest = latest
        self._now = now
        self._sleep = sleep
        self._worked = worked
        self._lock = threading.Lock()
        self._kept: dict[Hashable, _Kept] = {}

    def of(self, what: Hashable, seen: int, draw: Callable[[], str]) -> Drawing:
        """The part after `seen` news or more, drawn anew where what is kept is older."""
        kept = self._of(what)
        with kept.lock:
            if kept.drawing.news < seen or self._now() - kept.drawn_at > LASTS_SECONDS:
                self._draw(kept, draw)
            return kept.drawing

    def _draw(self, kept: _Kept, draw: Callable[[], str]) -> None:
        pause = kept.drawn_at + kept.rest - self._now()
        if pause > 0:
            self._sleep(pause)
        news, begun = self._latest(), self._worked()
        kept.drawing = Drawing(draw(), news)
        kept.drawn_at = self._now()
        kept.rest = max(REST_SECONDS, REST_FOR_COST * (self._worked() - begun))

    def _of(self, what: Hashable) -> _Kept:
        with self._lock:
            if what not in self._kept and len(self._kept) >= MOST_KEPT:
                del self._kept[next(iter(self._kept))]
            return self._kept.setdefault(what, _Kept())
