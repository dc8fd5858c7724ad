"""News for everybody who waits in one process."""

from __future__ import annotations

from datetime import datetime
from threading import Barrier

import pytest

from scoreboard.hub.feed import Feed
from scoreboard.hub.ports import HubStore
from scoreboard.news import News
from tests.scoreboard.hub.clocks import MORNING
from tests.scoreboard.store.racing import race


@pytest.fixture
def feed(store: HubStore) -> Feed:
    """A feed of a store that tells nothing yet."""
    return Feed(store.newsroom)


def tell(store: HubStore, *names: str, at: datetime = MORNING) -> None:
    """Something happens: tournaments of these ids are created."""
    for name in names:
        store.tournaments.create(name, name, at)


def test_what_was_told_is_heard_once_and_in_order(store: HubStore, feed: Feed) -> None:
    """Who asks on from what it has heard hears the rest."""
    tell(store, "a", "b", "c")
    heard = feed.hear(0, 0)
    assert [each.about for each in heard] == ["a", "b", "c"]
    assert feed.hear(heard[1].sequence, 0) == heard[2:]
    assert feed.hear(heard[2].sequence, 0) == ()
    assert feed.newest(1) == heard[1:]
    assert feed.newest(3) == ()


def test_a_feed_begins_with_what_is_new(store: HubStore) -> None:
    """What was told before it began is asked of the store, and is heard as well."""
    tell(store, "a", "b")
    feed = Feed(store.newsroom)
    assert feed.last == 2
    tell(store, "c")
    assert [each.about for each in feed.hear(0, 0)] == ["a", "b", "c"]
    assert [each.about for each in feed.newest(0)] == ["a", "b", "c"]
    assert [each.about for each in feed.hear(2, 60)] == ["c"]


def test_all_who_wait_are_woken(store: HubStore, feed: Feed) -> None:
    """One of ten reads; all hear the same."""
    together = Barrier(11)
    heard: list[tuple[News, ...]] = []

    def wait() -> None:
        together.wait()
        heard.append(feed.hear(0, 60))

    def speak() -> None:
        together.wait()
        tell(store, "a")

    assert race([*[wait] * 10, speak]) == [None] * 11
    assert heard == [(News(1, "tournament", "a", 0),)] * 10


def test_nobody_is_woken_for_what_does_not_concern_them(store: HubStore, feed: Feed) -> None:
    """Each of ten waits for another tournament, and hears of no other."""
    names = [f"cup-{number}" for number in range(10)]
    heard: dict[str, list[str]] = {}

    def wait(name: str) -> None:
        news = feed.hear(0, 60, lambda each: each.about == name)
        heard[name] = [each.about for each in news]

    acts = [lambda name=name: wait(name) for name in names]
    assert race([*acts, lambda: tell(store, *names)]) == [None] * 11
    assert heard == {name: [name] for name in names}


def test_who_leaves_lets_another_one_read(store: HubStore, feed: Feed) -> None:
    """The one who reads goes home early; those who stay hear what comes later."""
    left: list[tuple[News, ...]] = []
    heard: list[tuple[News, ...]] = []

    def go_early() -> None:
        left.append(feed.hear(0, 0.01, lambda each: each.about == "b"))
        tell(store, "a")

    acts = [go_early, *[lambda: heard.append(feed.hear(0, 60))] * 5]
    assert race(acts) == [None] * 6
    assert left == [()]
    assert [[each.about for each in news] for news in heard] == [["a"]] * 5
