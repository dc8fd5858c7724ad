"""News for everybody who waits in one process."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from threading import Barrier

import pytest

from scoreboard.errors import StoreError
from scoreboard.message import message
from scoreboard.tournament.hub.change_feed import ChangeFeed
from scoreboard.tournament.protocol.audit_log import ChangeEvent
from scoreboard.tournament.storage.hub_store import SqlHubStore
from tests.scoreboard.storage.racing import race
from tests.scoreboard.tournament.hub.clocks import MORNING


@pytest.fixture
def feed(store: SqlHubStore) -> ChangeFeed:
    """A feed of a store that tells nothing yet."""
    return ChangeFeed(store.change_log)


def tell(store: SqlHubStore, *names: str, at: datetime = MORNING) -> None:
    """Something happens: tournaments of these ids are created."""
    for name in names:
        store.tournaments.create(name, name, at)


def tells_of(name: str, change: Sequence[ChangeEvent]) -> bool:
    """Whether one of the news is about this tournament."""
    return any(each.about == name for each in change)


def test_what_was_told_is_heard_once_and_in_order(store: SqlHubStore, feed: ChangeFeed) -> None:
    """Who asks on from what it has heard hears the rest."""
    tell(store, "a", "b", "c")
    heard = feed.hear(0, 0)
    assert [each.about for each in heard] == ["a", "b", "c"]
    assert feed.hear(heard[1].sequence, 0) == heard[2:]
    assert feed.hear(heard[2].sequence, 0) == ()
    assert feed.newest(1) == heard[1:]
    assert feed.newest(3) == ()


def test_a_feed_begins_with_what_is_new(store: SqlHubStore) -> None:
    """What was told before it began is asked of the store, and is heard as well."""
    tell(store, "a", "b")
    feed = ChangeFeed(store.change_log)
    assert feed.last == 2
    tell(store, "c")
    assert [each.about for each in feed.hear(0, 0)] == ["a", "b", "c"]
    assert [each.about for each in feed.newest(0)] == ["a", "b", "c"]
    assert [each.about for each in feed.hear(2, 60)] == ["c"]


def test_all_who_wait_are_woken(store: SqlHubStore, feed: ChangeFeed) -> None:
    """One of ten reads; all hear the same."""
    together = Barrier(11)
    heard: list[tuple[ChangeEvent, ...]] = []

    def wait() -> None:
        together.wait()
        heard.append(feed.hear(0, 60))

    def speak() -> None:
        together.wait()
        tell(store, "a")

    assert race([*[wait] * 10, speak]) == [None] * 11
    assert heard == [(ChangeEvent(1, "tournament", "a", 0),)] * 10


def test_nobody_is_woken_for_what_does_not_concern_them(
    store: SqlHubStore, feed: ChangeFeed
) -> None:
    """Each of ten waits for another tournament, and hears of no other."""
    names = [f"cup-{number}" for number in range(10)]
    heard: dict[str, list[str]] = {}

    def wait(name: str) -> None:
        change = feed.hear(0, 60, lambda told: tells_of(name, told))
        heard[name] = [each.about for each in change if each.about == name]

    acts = [lambda name=name: wait(name) for name in names]
    assert race([*acts, lambda: tell(store, *names)]) == [None] * 11
    assert heard == {name: [name] for name in names}


def test_who_leaves_lets_another_one_read(store: SqlHubStore, feed: ChangeFeed) -> None:
    """The one who reads goes home early; those who stay hear what comes later."""
    left: list[tuple[ChangeEvent, ...]] = []
    heard: list[tuple[ChangeEvent, ...]] = []

    def go_early() -> None:
        left.append(feed.hear(0, 0.01, lambda told: tells_of("b", told)))
        tell(store, "a")

    acts = [go_early, *[lambda: heard.append(feed.hear(0, 60))] * 5]
    assert race(acts) == [None] * 6
    assert left == [()]
    assert [[each.about for each in change] for change in heard] == [["a"]] * 5


def test_news_that_concern_nobody_are_looked_at_once(store: SqlHubStore, feed: ChangeFeed) -> None:
    """Who waits long on a busy evening does not go through all of it again at every piece."""
    looked_at: list[tuple[str, ...]] = []

    def concern(change: Sequence[ChangeEvent]) -> bool:
        looked_at.append(tuple(each.about for each in change))
        return tells_of("last", change)

    def speak() -> None:
        for name in ("a", "b", "last"):
            tell(store, name)

    assert race([lambda: feed.hear(0, 60, concern), speak]) == [None] * 2
    flat = [name for looked in looked_at for name in looked]
    assert sorted(flat) == ["a", "b", "last"]


def test_who_cannot_tell_whether_news_concern_them_asks_again(
    store: SqlHubStore, feed: ChangeFeed
) -> None:
    """The store is away while the news are read for somebody: they hear of it, nobody else does."""
    heard: list[tuple[ChangeEvent, ...]] = []
    together = Barrier(3)

    def troubled(change: Sequence[ChangeEvent]) -> bool:
        if change:
            raise StoreError(message("The database is away."))
        return False

    def wait() -> None:
        together.wait()
        heard.append(feed.hear(0, 60))

    def fail() -> None:
        together.wait()
        with pytest.raises(StoreError):
            feed.hear(0, 60, troubled)

    def speak() -> None:
        together.wait()
        tell(store, "a")

    assert race([wait, fail, speak]) == [None] * 3
    assert heard == [(ChangeEvent(1, "tournament", "a", 0),)]
