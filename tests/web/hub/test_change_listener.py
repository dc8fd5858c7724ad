"""The news of a store, for all who watch in this process."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from scoreboard.errors import StoreError
from scoreboard.message import message
from scoreboard.tournament.protocol.audit_log import ChangeEvent, Topic
from tests.patience import PATIENCE_SECONDS
from web.hub.change_listener import ChangeListener


class FakeNewsroom:
    """A newsroom that a test feeds, and breaks."""

    reaches_processes = False

    def __init__(self) -> None:
        self.news: list[ChangeEvent] = []
        self.away = False
        self.asked = threading.Event()

    def latest(self) -> int:
        """The sequence of the last news."""
        return len(self.news)

    def listen(self, after: int, wait_seconds: float) -> tuple[ChangeEvent, ...]:
        """The news above `after`."""
        self.asked.set()
        if self.away:
            raise StoreError(message("The server is away."))
        if len(self.news) <= after:
            threading.Event().wait(wait_seconds)
        return tuple(self.news[after:])

    def tell(self, topic: Topic = "tournament", about: str = "e") -> None:
        """One more."""
        self.news.append(ChangeEvent(len(self.news) + 1, topic, about, 1))


@pytest.fixture
def change_log() -> FakeNewsroom:
    """The newsroom."""
    return FakeNewsroom()


@pytest.fixture
def pulse(change_log: FakeNewsroom) -> Iterator[ChangeListener]:
    """A pulse that beats until the end of the test."""
    change_log.tell()
    made = ChangeListener(change_log, listen_seconds=0.01)
    made.start()
    yield made
    made.close()


def test_it_begins_with_what_is_known(pulse: ChangeListener) -> None:
    """Nobody is woken by what was there before."""
    assert pulse.latest == 1
    assert pulse.wait(1, 0.0) == 1


def test_many_who_wait_are_woken_by_one_piece_of_news(
    pulse: ChangeListener, change_log: FakeNewsroom
) -> None:
    """However many there are."""
    woken: list[int] = []
    threads = [
        threading.Thread(target=lambda: woken.append(pulse.wait(1, PATIENCE_SECONDS)))
        for _ in range(5)
    ]
    for thread in threads:
        thread.start()
    change_log.tell()
    for thread in threads:
        thread.join()
    assert woken == [2] * 5


def test_who_waits_for_an_event_is_not_woken_by_moves(
    pulse: ChangeListener, change_log: FakeNewsroom
) -> None:
    """Nor by another event: only what stands in its own record counts."""
    change_log.tell("game", "g")
    change_log.tell("tournament", "other")
    assert pulse.wait(2, PATIENCE_SECONDS) == 3
    assert pulse.wait_for_event("e", 1, 0.0) == 0
    change_log.tell()
    assert pulse.wait_for_event("e", 1, PATIENCE_SECONDS) == 4


def test_a_store_that_was_away_is_heard_again(
    pulse: ChangeListener, change_log: FakeNewsroom
) -> None:
    """Nothing is missed, and the thread does not end."""
    change_log.away = True
    change_log.asked.clear()
    assert change_log.asked.wait(PATIENCE_SECONDS)
    change_log.tell()
    change_log.away = False
    assert pulse.wait(1, PATIENCE_SECONDS) == 2


def test_its_end_wakes_everybody(change_log: FakeNewsroom) -> None:
    """And a second end does nothing; one that never began may end too."""
    pulse = ChangeListener(change_log, listen_seconds=0.01)
    pulse.start()
    waiting = threading.Thread(target=pulse.wait, args=(9, PATIENCE_SECONDS))
    waiting.start()
    pulse.close()
    waiting.join(PATIENCE_SECONDS)
    assert not waiting.is_alive()
    assert pulse.closed
    pulse.close()
    ChangeListener(change_log).close()
