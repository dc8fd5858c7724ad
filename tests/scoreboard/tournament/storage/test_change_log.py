"""News are told with what they tell, and nobody who listens misses one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from threading import Thread
from time import monotonic

import pytest

from scoreboard.errors import ConflictError, StoreError
from scoreboard.tournament.protocol.audit_log import ChangeEvent
from scoreboard.tournament.storage.hub_store import SqlHubStore, open_hub_store
from tests.postgres import Cluster
from tests.scoreboard.storage.racing import race
from tests.scoreboard.tournament.storage.samples import MORNING, items, record

LONG = 20.0  # seconds; a test that waits as long has failed


def listening(
    hub: SqlHubStore, after: int, *, patient: bool = False
) -> tuple[Thread, list[tuple[ChangeEvent, ...]]]:
    """A thread that waits for news, and where it will put them.

    A patient one asks again with the same sequence when its own reading was cut off.
    """
    heard: list[tuple[ChangeEvent, ...]] = []

    def listen() -> None:
        while not heard:
            try:
                heard.append(hub.change_log.listen(after, LONG))
            except StoreError:
                if not patient:
                    raise

    thread = Thread(target=listen, daemon=True)
    thread.start()
    return thread, heard


class TestNewsroom:
    """The promises of `SqlChangeLog`, within one process."""

    def test_news_come_in_order(self, hub: SqlHubStore) -> None:
        """All news above a sequence are told, with how far each reaches."""
        hub.tournaments.create("open", "Winter Open", MORNING)
        hub.tournaments.append("open", 0, [record(1), record(2)])
        hub.deliveries.take("north", "g", items(1, 2, 5))
        expected = (
            ChangeEvent(1, "tournament", "open", 0),
            ChangeEvent(2, "tournament", "open", 2),
            ChangeEvent(3, "game", "g", 2),
        )
        assert hub.change_log.listen(0, 0) == expected
        assert hub.change_log.listen(2, 0) == expected[2:]
        assert hub.change_log.latest() == 3

    def test_without_news_the_wait_ends(self, hub: SqlHubStore) -> None:
        """Nothing is told when the time is over, and not before."""
        begun = monotonic()
        assert hub.change_log.listen(0, 0.1) == ()
        assert monotonic() - begun >= 0.1
        assert hub.change_log.latest() == 0

    def test_a_listener_is_woken(self, hub: SqlHubStore) -> None:
        """Whoever waits hears at once, in every thread."""
        listeners = [listening(hub, 0) for _ in range(3)]
        hub.tournaments.create("open", "Winter Open", MORNING)
        for thread, heard in listeners:
            thread.join(LONG / 2)
            assert heard == [(ChangeEvent(1, "tournament", "open", 0),)]

    def test_what_was_refused_is_no_news(self, hub: SqlHubStore) -> None:
        """A conflict, and a delivery of what is held, are told to nobody."""
        hub.tournaments.create("open", "Winter Open", MORNING)
        hub.deliveries.take("north", "g", items(1))
        with pytest.raises(ConflictError):
            hub.tournaments.append("open", 4, [record(5)])
        hub.deliveries.take("north", "g", items(1))
        assert hub.change_log.latest() == 2

    def test_news_that_are_told_at_once_are_all_numbered(self, hub: SqlHubStore) -> None:
        """Eight games at once: a listener that asks on from what it has hears each once."""
        acts = [
            lambda game=game, part=part: hub.deliveries.take("north", f"g{game}", items(part))
            for game in range(8)
            for part in (1, 2)
        ]
        thread, heard = self._follow(hub, 16)
        assert race(acts) == [None] * 16
        thread.join(LONG)
        assert [change.sequence for change in heard] == list(range(1, 17))
        assert {change.about for change in heard if change.through == 2} == {
            f"g{n}" for n in range(8)
        }

    def _follow(self, hub: SqlHubStore, number: int) -> tuple[Thread, list[ChangeEvent]]:
        heard: list[ChangeEvent] = []

        def follow() -> None:
            while len(heard) < number:
                heard.extend(hub.change_log.listen(len(heard), LONG))

        thread = Thread(target=follow, daemon=True)
        thread.start()
        return thread, heard


def test_who_is_reached_is_said(hub: SqlHubStore, database: str) -> None:
    """Only PostgreSQL carries news between processes; SQLite says that it does not."""
    assert hub.change_log.reaches_processes == database.startswith("postgresql")


class TestTwoHubs:
    """Two stores on one PostgreSQL, as two workers have them."""

    @pytest.fixture
    def hubs(self, postgresql: str) -> Iterator[tuple[SqlHubStore, SqlHubStore]]:
        """Two hubs that know each other only by the database."""
        with (
            closing(open_hub_store(postgresql)) as one,
            closing(open_hub_store(postgresql)) as other,
        ):
            yield one, other

    def test_one_hears_the_other(self, hubs: tuple[SqlHubStore, SqlHubStore]) -> None:
        """What one keeps wakes the other long before it would look by itself."""
        teller, listener = hubs
        thread, heard = listening(listener, 0)
        teller.tournaments.create("open", "Winter Open", MORNING)
        thread.join(LONG / 2)
        assert heard == [(ChangeEvent(1, "tournament", "open", 0),)]

    def test_a_lost_connection_loses_no_news(
        self, hubs: tuple[SqlHubStore, SqlHubStore], cluster: Cluster
    ) -> None:
        """All connections are cut while one listens; what is told after that is heard."""
        teller, listener = hubs
        thread, heard = listening(listener, 0, patient=True)
        with cluster.connect() as beside:
            _wait_for_ear(beside)
            beside.execute(
                "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity"
                " WHERE application_name = 'tablescore'"
            )
        teller.tournaments.create("open", "Winter Open", MORNING)
        thread.join(LONG / 2)
        assert heard == [(ChangeEvent(1, "tournament", "open", 0),)]
        thread, heard = listening(listener, 1)
        teller.tournaments.append("open", 0, [record(1)])
        thread.join(LONG / 2)
        assert heard == [(ChangeEvent(2, "tournament", "open", 1),)]


def _wait_for_ear(beside: object) -> None:
    """Wait until a connection listens."""
    query = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
    end = monotonic() + LONG
    while monotonic() < end:
        if beside.execute(query).fetchone()[0]:  # type: ignore[attr-defined]
            return
    pytest.fail("nobody listens")
