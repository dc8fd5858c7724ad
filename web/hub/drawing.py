"""Parts of pages, drawn once a state and language however many browsers watch."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from web.hub.pieces import Part
from web.live import server_sent

LASTS_SECONDS: Final = 4.0  # then it is drawn again: devices fall silent without any news
REST_SECONDS: Final = 0.2  # between two drawings of a part, and longer where drawing is long
REST_FOR_COST: Final = 3.0
MOST_KEPT: Final = 200
MOST_SINCE: Final = 32


@dataclass(frozen=True, slots=True, eq=False)
class Drawing:
    """A part of a page, the event that shows all of it, and after how many news it was drawn."""

    part: Part
    event: bytes
    news: int

    @classmethod
    def of(cls, text: str, news: int) -> Drawing:
        """What a template drew after so many news."""
        return cls(Part.of(text), server_sent("state", text).encode(), news)

    def since(self, before: Drawing) -> bytes:
        """The event for who was shown another drawing: what is new of it, or all."""
        pieces = self.part.since(before.part)
        return self.event if pieces is None else server_sent("pieces", pieces).encode()


@dataclass(slots=True)
class _Kept:
    drawing: Drawing = field(default_factory=lambda: Drawing.of("", -1))
    drawn_at: float = float("-inf")
    rest: float = 0.0
    drawing_now: bool = False
    changed: threading.Condition = field(default_factory=threading.Condition)


class Drawings:
    """The newest drawing of each part. Any thread may ask; of those who wait one draws.

    Whom the last drawing serves takes it while the next one is made: were they to stand in line
    with those who need the next, some would miss one drawing after another.

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
        self._telling = threading.Lock()  # or all who wait would work it out at once
        self._since = lru_cache(MOST_SINCE)(Drawing.since)

    def event(self, drawing: Drawing, before: Drawing | None) -> bytes:
        """The event for who was shown another drawing or none; written once for all of them."""
        if before is None:
            return drawing.event
        with self._telling:
            return self._since(drawing, before)

    def of(self, what: Hashable, seen: int, draw: Callable[[], str]) -> Drawing:
        """The part after `seen` news or more, drawn anew where what is kept is older."""
        kept = self._of(what)
        with kept.changed:
            while kept.drawing.news < seen or self._now() - kept.drawn_at > LASTS_SECONDS:
                if not kept.drawing_now:
                    kept.drawing_now = True
                    break
                kept.changed.wait()
            else:
                return kept.drawing
        try:
            return self._draw(kept, draw)
        finally:
            with kept.changed:
                kept.drawing_now = False
                kept.changed.notify_all()

    def _draw(self, kept: _Kept, draw: Callable[[], str]) -> Drawing:
        pause = kept.drawn_at + kept.rest - self._now()
        if pause > 0:
            self._sleep(pause)
        news, begun = self._latest(), self._worked()
        drawing = Drawing.of(draw(), news)
        with kept.changed:
            kept.drawing, kept.drawn_at = drawing, self._now()
        kept.rest = max(REST_SECONDS, REST_FOR_COST * (self._worked() - begun))
        return drawing

    def _of(self, what: Hashable) -> _Kept:
        with self._lock:
            if what not in self._kept and len(self._kept) >= MOST_KEPT:
                del self._kept[next(iter(self._kept))]
            return self._kept.setdefault(what, _Kept())
