"""What watching browsers get: the newest state, once drawn, and a beat where nothing is new."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from itertools import count

import pytest
from werkzeug.test import TestResponse

from scoreboard.tournament.entrant import Entrant
from scoreboard.tournament.orders import Enter
from tests.web.hub.house import Browser, Hall
from web.hub.drawing import LASTS_SECONDS, REST_SECONDS, Drawings


@pytest.fixture
def hall() -> Iterator[Hall]:
    """A hub whose pulse beats."""
    made = Hall()
    made.hub.pulse.start()
    yield made
    made.hub.pulse.close()


def watch(hall: Hall, event: str) -> TestResponse:
    """Somebody who watches the board; whoever asks reads the stream and closes it."""
    return hall.app.test_client().get(f"/e/{event}/live", buffered=False)


def test_a_viewer_gets_the_state_at_once_and_after_every_change(hall: Hall) -> None:
    """Within the time that the news take."""
    event = hall.event(entrants=2)
    with watch(hall, event) as answer:
        states = iter(answer.response)
        assert "Anna" in _text(next(states))
        hall.give(event, Enter(Entrant(7, "Zoe")))
        assert "Zoe" in "".join(_text(next(states)) for _ in range(2))


def test_when_all_places_are_taken_it_is_told(hall: Hall) -> None:
    """And a place is free again when somebody leaves."""
    event = hall.event()
    with watch(hall, event), watch(hall, event):
        assert "event: full" in watch(hall, event).text
    with watch(hall, event) as answer:
        assert "event: state" in _text(next(iter(answer.response)))


def test_the_end_of_the_hub_lets_everybody_go() -> None:
    """A stream does not hold the process."""
    hall = Hall()
    hall.hub.pulse.start()
    event = hall.event()
    with watch(hall, event) as answer:
        states = iter(answer.response)
        next(states)
        hall.hub.pulse.close()
        assert list(states) == []


def test_an_unknown_event_has_no_stream(hall: Hall) -> None:
    """404, as for a page."""
    assert Browser(hall.app.test_client()).get("/e/nowhere/live").status_code == 404


def _text(part: object) -> str:
    return part.decode() if isinstance(part, bytes) else str(part)


class Time:
    """A clock that moves when somebody sleeps."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        """The time."""
        return self.now

    def sleep(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds


def test_a_part_is_drawn_once_however_many_ask() -> None:
    """And again for newer news, after its rest, or when it grew old."""
    time, news, drawn = Time(), [1], count(1)
    drawings = Drawings(lambda: news[0], time, time.sleep)

    def see(seen: int) -> str:
        return drawings.of("board", seen, lambda: str(next(drawn))).part.text

    assert [see(1), see(1), see(0)] == ["1", "1", "1"]
    news[0] = 5
    before = time.now
    assert see(2) == "2"
    assert time.now == pytest.approx(before + REST_SECONDS)
    assert see(5) == "2"
    time.now += LASTS_SECONDS + 1
    assert see(5) == "3"


def test_of_many_who_ask_together_one_draws() -> None:
    """The others wait for it."""
    drawings, drawn = Drawings(lambda: 1), count()
    barrier = threading.Barrier(8)

    def see() -> None:
        barrier.wait()
        drawings.of("board", 1, lambda: str(next(drawn)))

    threads = [threading.Thread(target=see) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert next(drawn) == 1
