"""A part of a page that is kept drawn while somebody watches, however many do."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from web.hub.drawing import Drawing

LASTS_SECONDS: Final = 4.0  # then it is drawn again: devices fall silent without any news
REST_SECONDS: Final = 0.1  # between two drawings of a part, and longer where drawing is long
REST_FOR_COST: Final = 3.0
MOST_SINCE: Final = 16


@dataclass(frozen=True, slots=True)
class Subject:
    """What is drawn: `latest` counts its news, `wait` waits for news above a count, so long.

    `closed` says that nobody is to be shown anything any more.
    """

    draw: Callable[[], str]
    latest: Callable[[], int]
    wait: Callable[[int, float], int]
    closed: Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Tempo:
    """The clocks of a display: the time, how to let it pass, and this thread's own work.

    The work counts, not the time it took: while others keep the processor busy, boards need not
    rest the longer.
    """

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    worked: Callable[[], float] = time.thread_time


class Display:
    """The newest drawing of one part, for all who watch it. Any thread may watch.

    While somebody does, one thread waits for news and draws; those who watch are woken where
    the drawing is another one. `begin` runs what it is given in a thread that may draw. A busy
    evening brings hundreds of news a second: a part rests between two drawings, so that drawing
    takes a quarter of the time at most.
    """

    def __init__(
        self,
        subject: Subject,
        begin: Callable[[Callable[[], None]], None],
        tempo: Tempo | None = None,
    ) -> None:
        self._subject = subject
        self._begin = begin
        self._tempo = tempo or Tempo()
        self._changed = threading.Condition()
        self._drawing: Drawing | None = None
        self._fault: Exception | None = None
        self._watching = 0
        self._is_drawn = False
        self._telling = threading.Lock()  # or all who wait would work it out at once
        self._since = lru_cache(MOST_SINCE)(Drawing.since)

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Keep it drawn as long as somebody watches."""
        with self._changed:
            self._watching += 1
            begins, self._is_drawn = not self._is_drawn, True
            if begins:
                self._drawing, self._fault = None, None
        if begins:
            self._begin(self._keep_drawn)
        try:
            yield
        finally:
            with self._changed:
                self._watching -= 1

    def after(self, shown: Drawing | None, seconds: float) -> Drawing | None:
        """The newest drawing as soon as it is not the one shown; None where that lasts longer.

        To be called by who watches. Raises what drawing raised.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._is_new(shown), seconds)
            if self._fault is not None:
                raise self._fault
            return None if self._drawing is shown else self._drawing

    def event(self, drawing: Drawing, shown: Drawing | None) -> bytes:
        """The event for who was shown another drawing or none; written once for all of them."""
        if shown is None:
            return drawing.event
        with self._telling:
            return self._since(drawing, shown)

    def _is_new(self, shown: Drawing | None) -> bool:
        return self._drawing is not shown or self._fault is not None or self._subject.closed()

    def _keep_drawn(self) -> None:
        """Draw at every news, until nobody watches."""
        try:
            while self._is_wanted():
                seen = self._subject.latest()
                rest = self._draw()
                self._tempo.sleep(rest)
                self._subject.wait(seen, LASTS_SECONDS)
        except Exception as fault:  # noqa: BLE001 -- told to everybody who watches
            with self._changed:
                self._fault, self._is_drawn = fault, False
                self._changed.notify_all()

    def _is_wanted(self) -> bool:
        with self._changed:
            self._is_drawn = self._watching > 0 and not self._subject.closed()
            if not self._is_drawn:
                self._changed.notify_all()
            return self._is_drawn

    def _draw(self) -> float:
        """Draw, wake those who watch where it is otherwise than before; how long to rest then."""
        begun = self._tempo.worked()
        text = self._subject.draw()
        if self._drawing is None or self._drawing.part.text != text:
            drawing = Drawing.of(text)
            with self._changed:
                self._drawing = drawing
                self._changed.notify_all()
        return max(REST_SECONDS, REST_FOR_COST * (self._tempo.worked() - begun))
