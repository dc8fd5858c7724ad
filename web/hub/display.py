"""A part of a page that is kept drawn while somebody watches, however many do."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from web.hub.newest import Newest
from web.hub.rendered_part import RenderedPart

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
        self._lock = threading.Lock()  # of those who watch, and of whether it is drawn
        self._watches: set[Watch] = set()
        self._is_drawn = False
        self._fault: Exception | None = None
        self._newest: Newest | None = None
        self._telling = threading.Lock()  # or all who are behind would work it out at once
        self._since = lru_cache(MOST_SINCE)(RenderedPart.since)

    @contextmanager
    def watched(self) -> Iterator[Watch]:
        """Keep it drawn as long as somebody watches. Raises what beginning to draw raised."""
        watch = Watch(self)
        with self._lock:
            self._watches.add(watch)
            begins, self._is_drawn = not self._is_drawn, True
            if begins:
                self._newest, self._fault = None, None
            elif self._newest is not None:
                watch.wake()
        try:
            if begins:
                self._begin_drawing()
            yield watch
        finally:
            with self._lock:
                self._watches.remove(watch)

    @property
    def newest(self) -> Newest | None:
        """What was drawn last, None before the first. Raises what drawing raised."""
        if self._fault is not None:
            raise self._fault
        return self._newest

    def event(self, newest: Newest, shown: RenderedPart | None) -> bytes:
        """The event for who was shown another drawing or none; written once for all of them."""
        if shown is None:
            return newest.drawing.event
        if shown is newest.before:
            return newest.since
        with self._telling:
            return self._since(newest.drawing, shown)

    def _begin_drawing(self) -> None:
        try:
            self._begin(self._keep_drawn)
        except Exception as fault:
            self._end(fault)
            raise

    def _keep_drawn(self) -> None:
        """Draw at every news, until nobody watches."""
        try:
            while self._is_wanted():
                seen = self._subject.latest()
                rest = self._draw()
                self._tempo.sleep(rest)
                self._subject.wait(seen, LASTS_SECONDS)
        except Exception as fault:  # noqa: BLE001 -- told to everybody who watches
            self._end(fault)

    def _is_wanted(self) -> bool:
        with self._lock:
            self._is_drawn = bool(self._watches) and not self._subject.closed()
            if not self._is_drawn:
                self._wake_all()
            return self._is_drawn

    def _end(self, fault: Exception) -> None:
        with self._lock:
            self._fault, self._is_drawn = fault, False
            self._wake_all()

    def _draw(self) -> float:
        """Draw, wake those who watch where it is otherwise than before; how long to rest then."""
        begun = self._tempo.worked()
        text, before = self._subject.draw(), self._newest
        if before is None or before.drawing.part.text != text:
            newest = Newest.of(text, None if before is None else before.drawing)
            with self._lock:
                self._newest = newest
                self._wake_all()
        return max(REST_SECONDS, REST_FOR_COST * (self._tempo.worked() - begun))

    def _wake_all(self) -> None:
        for watch in self._watches:
            watch.wake()


class Watch:
    """One viewer of a display: hundreds are woken at once, and none waits for another."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._shown: RenderedPart | None = None
        self._asleep = threading.Lock()
        self._asleep.acquire()

    def event(self, seconds: float) -> bytes | None:
        """The event for what is new, as soon as there is one; None where that lasts longer.

        Who was slow is told all at once, and may get a None too early after that. Raises what
        drawing raised.
        """
        if not self._asleep.acquire(timeout=seconds):
            return None
        newest, shown = self._display.newest, self._shown
        if newest is None or newest.drawing is shown:
            return None
        self._shown = newest.drawing
        return self._display.event(newest, shown)

    def wake(self) -> None:
        """There is news. To be called with the display's lock held, so by one at a time."""
        if self._asleep.locked():
            self._asleep.release()
