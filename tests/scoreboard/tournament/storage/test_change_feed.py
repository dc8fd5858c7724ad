"""Changes are told with what they are about, and nobody who waits misses one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from threading import Barrier
from time import monotonic

import pytest

from scoreboard.errors import ConflictError, StoreError
from scoreboard.message import message
from scoreboard.storage.postgresql import CHANNEL
from scoreboard.tournament.protocol.audit_log import ChangeEvent
from scoreboard.tournament.storage.change_feed import ChangeFeed
from scoreboard.tournament.storage.hub_store import SqlHubStore, open_hub_store
from scoreboard.worker import worker_faults
from tests.patience import PATIENCE_SECONDS
from tests.postgres import Cluster
from tests.scoreboard.storage.racing import race
from tests.scoreboard.tournament.client.fakes import wait_for
from tests.scoreboard.tournament.storage.samples import MORNING, items, record


def anything(_versions: Mapping[str, int]) -> bool:
    """The concern of who wants to hear of everything."""
    return True


class TestChangeFeed:
    """What both kinds of database promise, within one process."""

    def test_changes_come_in_order(self, hub: SqlHubStore) -> None:
        hub.tournaments.create("open", "Winter Open", MORNING)
        hub.tournaments.append("open", 0, [record(1), record(2)])
        hub.deliveries.take("north", "g", items(1, 2, 5))
        expected = (
            ChangeEvent(1, "tournament", "open", 0),
            ChangeEvent(2, "tournament", "open", 2),
            ChangeEvent(3, "game", "g", 2),
        )
        assert hub.change_feed.since(0) == expected
        assert hub.change_feed.since(2) == expected[2:]
        assert hub.change_feed.latest() == 3

    def test_a_record_is_no_change_outside_the_record(self, hub: SqlHubStore) -> None:
        """What is read of messages stays valid while results come in, and not after a message."""
        feed, messages = hub.change_feed, hub.messages
        hub.tournaments.create("open", "Winter Open", MORNING)
        acts: tuple[Callable[[], None], ...] = (
            lambda: hub.tournaments.append("open", 0, [record(1)]),
            lambda: messages.send("open", "all", "Tea is ready.", MORNING, "Kim"),
            lambda: hub.tournaments.append("open", 1, [record(2)]),
            lambda: hub.tournaments.append("open", 2, [record(3)]),
            lambda: messages.send("open", "all", "Cake, too.", MORNING, "Kim"),
        )
        seen = list[int]()
        with feed.subscribed(anything):
            for act in acts:
                act()
                wait_for(lambda: feed.published == feed.latest())
                seen.append(feed.unrecorded("open"))
        assert seen == [2, 3, 3, 3, 6]

    def test_what_was_refused_is_no_change(self, hub: SqlHubStore) -> None:
        """A conflict, and a delivery of what is held, are told to nobody."""
        hub.tournaments.create("open", "Winter Open", MORNING)
        hub.deliveries.take("north", "g", items(1))
        with pytest.raises(ConflictError):
            hub.tournaments.append("open", 4, [record(5)])
        hub.deliveries.take("north", "g", items(1))
        assert hub.change_feed.latest() == 2

    def test_changes_that_come_at_once_are_all_numbered(self, hub: SqlHubStore) -> None:
        acts = [
            lambda game=game, part=part: hub.deliveries.take("north", f"g{game}", items(part))
            for game in range(8)
            for part in (1, 2)
        ]
        assert race(acts) == [None] * 16
        changes = hub.change_feed.since(0)
        assert [change.sequence for change in changes] == list(range(1, 17))
        assert {change.about for change in changes if change.through == 2} == {
            f"g{n}" for n in range(8)
        }

    def test_what_was_there_before_wakes_nobody(self, hub: SqlHubStore) -> None:
        """Whoever subscribes reads after that."""
        hub.tournaments.create("open", "Winter Open", MORNING)
        with hub.change_feed.subscribed(anything) as subscription:
            assert not subscription.wait(0.2)

    def test_all_who_wait_are_woken(self, hub: SqlHubStore) -> None:
        together = Barrier(11)
        woken: list[bool] = []

        def wait() -> None:
            with hub.change_feed.subscribed(anything) as subscription:
                together.wait(PATIENCE_SECONDS)
                woken.append(subscription.wait(PATIENCE_SECONDS))

        def speak() -> None:
            together.wait(PATIENCE_SECONDS)
            hub.tournaments.create("open", "Winter Open", MORNING)

        assert race([*[wait] * 10, speak]) == [None] * 11
        assert woken == [True] * 10

    def test_nobody_is_woken_for_what_does_not_concern_them(self, hub: SqlHubStore) -> None:
        """Who waits for an event is woken neither by moves nor by another event."""
        feed = hub.change_feed
        hub.tournaments.create("open", "Winter Open", MORNING)
        hub.tournaments.create("cup", "Cup", MORNING)
        with (
            feed.subscribed(lambda versions: "open" in versions) as one,
            feed.subscribed(anything) as everything,
        ):
            hub.deliveries.take("north", "g", items(1))
            assert everything.wait(PATIENCE_SECONDS)
            hub.tournaments.append("cup", 0, [record(1)])
            assert everything.wait(PATIENCE_SECONDS)
            assert not one.wait(0.1)
            hub.tournaments.append("open", 0, [record(1), record(2)])
            assert one.wait(PATIENCE_SECONDS)
        assert feed.version("open") == 2

    def test_who_cannot_tell_whether_a_change_concerns_them_is_woken(
        self, hub: SqlHubStore
    ) -> None:
        """They ask again themselves; nobody else is troubled, and later changes are told, too."""

        def troubled(_versions: Mapping[str, int]) -> bool:
            raise StoreError(message("The database is away."))

        with (
            hub.change_feed.subscribed(troubled) as one,
            hub.change_feed.subscribed(anything) as other,
        ):
            for name in ("a", "b"):
                hub.tournaments.create(name, name, MORNING)
                assert one.wait(PATIENCE_SECONDS)
                assert other.wait(PATIENCE_SECONDS)

    def test_its_end_wakes_everybody(self, hub: SqlHubStore) -> None:
        """Those who wait, and those who come later; a second end does nothing."""
        feed = hub.change_feed
        with feed.subscribed(anything) as subscription:
            feed.close()
            assert subscription.wait(PATIENCE_SECONDS)
        assert feed.closed
        with feed.subscribed(anything) as late:
            assert late.wait(PATIENCE_SECONDS)
        feed.close()


class TestTwoHubs:
    """Two stores on one PostgreSQL, as two workers have them."""

    @pytest.fixture
    def hubs(self, postgresql: str) -> Iterator[tuple[SqlHubStore, SqlHubStore]]:
        with (
            closing(open_hub_store(postgresql)) as one,
            closing(open_hub_store(postgresql)) as other,
        ):
            yield one, other

    def test_what_one_keeps_reaches_the_other_at_once(
        self, hubs: tuple[SqlHubStore, SqlHubStore], cluster: Cluster
    ) -> None:
        """Whoever listens at the database is notified, and need not look again and again."""
        with cluster.connect() as listener:
            listener.execute(f"LISTEN {CHANNEL}")
            hubs[0].tournaments.create("open", "Winter Open", MORNING)
            assert list(listener.notifies(timeout=PATIENCE_SECONDS, stop_after=1))

    def test_a_lost_connection_loses_no_change(
        self, hubs: tuple[SqlHubStore, SqlHubStore], cluster: Cluster
    ) -> None:
        """All connections are cut while one listens; what is told after that is heard."""
        teller, listener = hubs
        with listener.change_feed.subscribed(anything) as subscription:
            with cluster.connect() as beside:
                _wait_for_listener(beside)
                beside.execute(
                    "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity"
                    " WHERE application_name = 'tablescore'"
                )
            teller.tournaments.create("open", "Winter Open", MORNING)
            assert subscription.wait(PATIENCE_SECONDS)
            teller.tournaments.append("open", 0, [record(1)])
            assert subscription.wait(PATIENCE_SECONDS)
        assert listener.change_feed.version("open") == 1


def test_a_database_that_is_away_is_told_and_logged_once(
    hub: SqlHubStore, caplog: pytest.LogCaptureFixture
) -> None:
    """Not at each of the attempts to read, several a second and all night."""
    tries: list[int] = []

    class Feed(ChangeFeed):
        def since(self, after: int) -> tuple[ChangeEvent, ...]:
            tries.append(after)
            raise StoreError(message("The database is away."))

    feed = Feed(hub._database)
    with feed.subscribed(anything):
        wait_for(lambda: len(tries) >= 3)
        assert any("database is away" in str(each) for each in worker_faults())
    feed.close()
    assert len(caplog.records) == 1


def _wait_for_listener(beside: object) -> None:
    """Wait until a connection listens."""
    query = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
    end = monotonic() + PATIENCE_SECONDS
    while monotonic() < end:
        if beside.execute(query).fetchone()[0]:  # type: ignore[attr-defined]
            return
    pytest.fail("nobody listens")
