"""A part of a page that many watch: drawn by one thread, and told where it is otherwise."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from threading import Barrier, Thread
from typing import cast

import pytest

from scoreboard.errors import StoreError
from scoreboard.message import message
from tests.patience import PATIENCE_SECONDS
from tests.scoreboard.storage.racing import race
from web.hub.display import REST_SECONDS, Display, Subject, Tempo
from web.hub.displays import MOST_KEPT, Displays


class Wall:
    """Something that is drawn: `write` changes it and tells of it."""

    def __init__(self) -> None:
        self.text, self.news, self.closed = "one", 1, False
        self.fault: Exception | None = None
        self.drawn: list[str] = []
        self.slept: list[float] = []
        self.threads: list[Thread] = []
        self._changed = threading.Condition()
        self.subject = Subject(self.draw, lambda: self.news, self.wait, lambda: self.closed)
        self.display = Display(self.subject, self.begin, Tempo(sleep=self.slept.append))

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


def shown(event: bytes | None) -> str:
    """What an event shows."""
    assert event is not None
    data = next(line for line in event.decode().splitlines() if line.startswith("data:"))
    said: object = json.loads(data.removeprefix("data:"))
    return said if isinstance(said, str) else str(sorted(cast("dict[str, str]", said).items()))


def test_who_watches_sees_each_state_that_is_otherwise(wall: Wall) -> None:
    """The first at once, the next when something visible has happened."""
    with wall.display.watched() as watch:
        assert shown(watch.event(PATIENCE_SECONDS)) == "one"
        wall.write("one")
        wall.write("two")
        assert shown(watch.event(PATIENCE_SECONDS)) == "two"


def test_where_nothing_happens_nothing_is_shown(wall: Wall) -> None:
    """Who waits is told after the time that they gave."""
    with wall.display.watched() as watch:
        watch.event(PATIENCE_SECONDS)
        assert watch.event(0.01) is None


def test_however_many_watch_one_draws(wall: Wall) -> None:
    """All of them get the same event, which is written once."""
    together = Barrier(8)
    seen: list[list[bytes | None]] = []

    def watch() -> None:
        with wall.display.watched() as one:
            together.wait()
            events = [one.event(PATIENCE_SECONDS)]
            if together.wait() == 0:
                wall.write("two")
            seen.append([*events, one.event(PATIENCE_SECONDS)])
            together.wait()

    assert race([watch] * 8) == [None] * 8
    assert [len({id(event) for event in state}) for state in zip(*seen, strict=True)] == [1, 1]
    assert len(wall.threads) == 1


def test_who_was_slow_is_told_all_at_once(wall: Wall) -> None:
    """What came in between is not told one after another; who kept up is told what is new."""
    with wall.display.watched() as slow, wall.display.watched() as quick:
        assert shown(slow.event(PATIENCE_SECONDS)) == "one"
        for text in ("first", "second", "third"):
            wall.write(f"<!--piece a-->{text}<!--/piece-->")
            event = None
            while event is None or text not in shown(event):
                event = quick.event(PATIENCE_SECONDS)
        assert shown(event) == "[('a', 'third')]"
        assert shown(slow.event(PATIENCE_SECONDS)) == wall.text


def test_between_two_drawings_it_rests(wall: Wall) -> None:
    """Drawing must leave time for the tables."""
    with wall.display.watched() as watch:
        watch.event(PATIENCE_SECONDS)
        wall.write("two")
    wall.close()
    wall.threads[0].join()
    assert wall.slept
    assert min(wall.slept) >= REST_SECONDS


def test_who_comes_after_all_have_left_sees_the_newest(wall: Wall) -> None:
    """While nobody watches nothing is drawn; then it begins again."""
    with wall.display.watched() as watch:
        watch.event(PATIENCE_SECONDS)
    wall.write("two")
    wall.threads[0].join()
    wall.write("three")
    with wall.display.watched() as watch:
        assert shown(watch.event(PATIENCE_SECONDS)) == "three"
    assert "two" not in wall.drawn[1:]


def test_who_comes_later_sees_what_is_drawn_already(wall: Wall) -> None:
    """At once, and nothing is drawn for it."""
    with wall.display.watched() as first:
        first.event(PATIENCE_SECONDS)
        with wall.display.watched() as second:
            assert shown(second.event(PATIENCE_SECONDS)) == "one"
    assert wall.drawn == ["one"]


def test_what_cannot_be_drawn_is_told_to_all_who_watch(wall: Wall) -> None:
    """And who comes later tries again."""
    wall.fault = StoreError(message("The database is away."))
    with wall.display.watched() as watch, pytest.raises(StoreError):
        watch.event(PATIENCE_SECONDS)
    wall.fault = None
    with wall.display.watched() as watch:
        assert shown(watch.event(PATIENCE_SECONDS)) == "one"


def test_drawing_that_could_not_begin_begins_with_the_next_viewer(wall: Wall) -> None:
    """A machine without room for a thread says so, and the display is not stuck for good."""
    cache = Room()
    display = Display(wall.subject, cache)
    with pytest.raises(RuntimeError, match="can't start"), display.watched():
        pass
    cache.free = True
    with display.watched() as watch:
        assert shown(watch.event(PATIENCE_SECONDS)) == "one"


class Room:
    """A machine that has room for one more thread, or none."""

    free = False

    def __call__(self, work: Callable[[], None]) -> None:
        """Start it, as `Display` does by itself."""
        if not self.free:
            raise RuntimeError("can't start new thread")
        Thread(target=work, daemon=True).start()


def test_the_end_lets_everybody_go(wall: Wall) -> None:
    """Nobody waits for news that never come."""
    with wall.display.watched() as watch:
        watch.event(PATIENCE_SECONDS)
        wall.close()
        assert watch.event(PATIENCE_SECONDS) is None


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
