"""A part of a page that many watch: drawn by one thread, and told where it is otherwise."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from threading import Barrier, Thread

import pytest

from scoreboard.errors import StoreError
from scoreboard.phrase import phrase
from tests.scoreboard.store.racing import race
from web.hub.display import REST_SECONDS, Display, Subject, Tempo
from web.hub.displays import MOST_KEPT, Displays
from web.hub.drawing import Drawing

PATIENCE_SECONDS = 60


class Wall:
    """Something that is drawn: `write` changes it and tells of it."""

    def __init__(self) -> None:
        self.text, self.news, self.closed = "one", 1, False
        self.fault: Exception | None = None
        self.drawn: list[str] = []
        self.slept: list[float] = []
        self.threads: list[Thread] = []
        self._changed = threading.Condition()
        subject = Subject(self.draw, lambda: self.news, self.wait, lambda: self.closed)
        self.display = Display(subject, self.begin, Tempo(sleep=self.slept.append))

    def write(self, text: str) -> None:
        """Something happens, visible or not."""
        with self._changed:
            self.text, self.news = text, self.news + 1
            self._changed.notify_all()

    def close(self) -> None:
        """The hub ends."""
        with self._changed:
            self.closed = True
            self._changed.notify_all()

    def draw(self) -> str:
        """What stands there."""
        if self.fault is not None:
            raise self.fault
        self.drawn.append(self.text)
        return self.text

    def wait(self, seen: int, _seconds: float) -> int:
        """As long as nothing happens."""
        with self._changed:
            self._changed.wait_for(lambda: self.news > seen or self.closed, PATIENCE_SECONDS)
            return self.news

    def begin(self, work: Callable[[], None]) -> None:
        """In a thread of its own."""
        self.threads.append(Thread(target=work, daemon=True))
        self.threads[-1].start()


@pytest.fixture
def wall() -> Iterator[Wall]:
    """One whose thread ends with the test."""
    made = Wall()
    yield made
    made.close()
    for thread in made.threads:
        thread.join()


def text(drawing: Drawing | None) -> str:
    """What a drawing shows."""
    assert drawing is not None
    return drawing.part.text


def test_who_watches_sees_each_state_that_is_otherwise(wall: Wall) -> None:
    """The first at once, the next when something visible has happened."""
    with wall.display.watched():
        first = wall.display.after(None, PATIENCE_SECONDS)
        assert text(first) == "one"
        wall.write("one")
        wall.write("two")
        assert text(wall.display.after(first, PATIENCE_SECONDS)) == "two"


def test_where_nothing_happens_nothing_is_shown(wall: Wall) -> None:
    """Who waits is told after the time that they gave."""
    with wall.display.watched():
        first = wall.display.after(None, PATIENCE_SECONDS)
        assert wall.display.after(first, 0.01) is None


def test_however_many_watch_one_draws(wall: Wall) -> None:
    """All of them get the same drawing, and its event is written once."""
    together = Barrier(8)
    seen: list[Drawing] = []

    def watch() -> None:
        with wall.display.watched():
            together.wait()
            drawing = wall.display.after(None, PATIENCE_SECONDS)
            assert drawing is not None
            seen.append(drawing)
            together.wait()

    assert race([watch] * 8) == [None] * 8
    assert len(set(map(id, seen))) == 1
    assert len(wall.threads) == 1
    before = Drawing.of("before")
    events = [wall.display.event(seen[0], before) for _ in range(2)]
    assert events[0] is events[1]
    assert wall.display.event(seen[0], None) is seen[0].event


def test_between_two_drawings_it_rests(wall: Wall) -> None:
    """Drawing must leave time for the tables."""
    with wall.display.watched():
        wall.display.after(None, PATIENCE_SECONDS)
        wall.write("two")
    wall.close()
    wall.threads[0].join()
    assert wall.slept
    assert min(wall.slept) >= REST_SECONDS


def test_who_comes_after_all_have_left_sees_the_newest(wall: Wall) -> None:
    """While nobody watches nothing is drawn; then it begins again."""
    with wall.display.watched():
        wall.display.after(None, PATIENCE_SECONDS)
    wall.write("two")
    wall.threads[0].join()
    wall.write("three")
    with wall.display.watched():
        assert text(wall.display.after(None, PATIENCE_SECONDS)) == "three"
    assert "two" not in wall.drawn[1:]


def test_what_cannot_be_drawn_is_told_to_all_who_watch(wall: Wall) -> None:
    """And who comes later tries again."""
    wall.fault = StoreError(phrase("The database is away."))
    with ExitStack() as watching:
        watching.enter_context(wall.display.watched())
        with pytest.raises(StoreError):
            wall.display.after(None, PATIENCE_SECONDS)
    wall.fault = None
    with wall.display.watched():
        assert text(wall.display.after(None, PATIENCE_SECONDS)) == "one"


def test_the_end_lets_everybody_go(wall: Wall) -> None:
    """Nobody waits for news that never come."""
    with wall.display.watched():
        first = wall.display.after(None, PATIENCE_SECONDS)
        wall.close()
        assert wall.display.after(first, PATIENCE_SECONDS) is None


def test_each_display_is_made_once() -> None:
    """Those that nobody asked for longest are let go."""
    displays, made = Displays(), list[Wall]()

    def make() -> Display:
        made.append(Wall())
        return made[-1].display

    first = displays.of("first", make)
    assert displays.of("first", make) is first
    for number in range(MOST_KEPT):
        displays.of(number, make)
    assert displays.of("first", make) is not first
    assert len(made) == MOST_KEPT + 2
