"""PostgreSQL: a server that goes away and comes back, and what is said meanwhile."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import ExitStack, closing

import psycopg
import pytest
from sqlalchemy import Connection, event, make_url
from sqlalchemy.exc import OperationalError

from scoreboard.errors import StoreError
from scoreboard.storage import SqlStore, lock_database, open_store
from scoreboard.storage.postgresql import PostgresqlDialect
from tests.postgres import Cluster
from tests.scoreboard.storage.records import RECORDS, header, record


@pytest.fixture
def store(postgresql: str) -> Iterator[SqlStore]:
    """A store with one game."""
    kept = open_store(postgresql)
    with closing(kept):
        kept.open_game(header())
        yield kept


@pytest.fixture
def stoppable(cluster: Cluster) -> Iterator[Cluster]:
    """The server, which runs again after the test whatever became of it."""
    yield cluster
    cluster.start()


def test_a_server_that_is_away_is_named_and_found_again(stoppable: Cluster) -> None:
    """After a crash of the server the sentence says what to do; then the same store goes on.

    What was kept before the crash is there.
    """
    url = stoppable.new_address()
    with closing(open_store(url)) as store:
        store.open_game(header())
        store.append("evening", 0, RECORDS[:2])
        stoppable.stop(signal.SIGQUIT)
        with pytest.raises(StoreError, match=r"does not answer .*; start it") as away:
            store.append("evening", 2, RECORDS[2:])
        with pytest.raises(OSError, match="does not answer"):
            open_store(url)
        assert "hush" not in str(away.value)
        stoppable.start()
        assert store.events("evening") == RECORDS[:2]
        store.append("evening", 2, RECORDS[2:])
        assert store.events("evening") == RECORDS


def test_a_server_that_restarted_is_found_without_a_fault(stoppable: Cluster) -> None:
    """Connections that died between two calls are replaced before anybody notices."""
    with closing(open_store(stoppable.new_address())) as store:
        store.open_game(header())
        stoppable.stop()
        stoppable.start()
        store.append("evening", 0, RECORDS)
        assert store.events("evening") == RECORDS


def test_a_lock_of_a_server_that_restarted_ends_in_peace(stoppable: Cluster) -> None:
    """The table that held it goes on, and the next one can take it."""
    url = stoppable.new_address()
    with lock_database(url):
        stoppable.stop()
        stoppable.start()
    with lock_database(url):
        pass


def test_each_commit_waits_for_the_disk(store: SqlStore, cluster: Cluster) -> None:
    """Whatever the server's habit, a confirmed score is on its disk."""
    with cluster.connect() as beside:
        beside.execute("ALTER ROLE tablescore SET synchronous_commit = off")
    try:
        store.close()
        with store._database.reading() as connection:
            settings = [
                connection.exec_driver_sql(f"SHOW {name}").scalar_one()
                for name in ("synchronous_commit", "fsync", "transaction_isolation")
            ]
    finally:
        with cluster.connect() as beside:
            beside.execute("ALTER ROLE tablescore RESET synchronous_commit")
    assert settings == ["on", "on", "repeatable read"]


def test_a_reader_cannot_write(store: SqlStore) -> None:
    with (
        pytest.raises(StoreError, match="cannot be written"),
        store._database.reading() as connection,
    ):
        connection.exec_driver_sql("DELETE FROM games")


def test_a_second_table_is_kept_out(postgresql: str, store: SqlStore) -> None:
    with lock_database(postgresql):
        with (
            pytest.raises(StoreError, match="Another table or hub works"),
            lock_database(postgresql),
        ):
            pass
        assert store.headers() == (header(),)
    with lock_database(postgresql):
        pass


def test_a_busy_game_is_waited_for_then_named(
    store: SqlStore, postgresql: str, cluster: Cluster
) -> None:
    def hold_shortly(connection: Connection) -> None:
        connection.exec_driver_sql("SET LOCAL lock_timeout = '10ms'")

    event.listen(store._database.engine, "begin", hold_shortly)
    with cluster.connect(postgresql) as beside, beside.transaction():
        beside.execute("SELECT * FROM games FOR UPDATE")
        with pytest.raises(StoreError, match="too busy; try again"):
            store.append("evening", 0, RECORDS)
    store.append("evening", 0, RECORDS)


def test_any_other_fault_is_reported(store: SqlStore) -> None:
    with pytest.raises(StoreError, match=r"cannot be used \(.*NUL.*\); look at the server"):
        store.open_game(header("even\0ing"))
    store.append("evening", 0, [record(1, RECORDS[0].event)])


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("postgresql://me:secret@127.0.0.1:1/games", "postgresql://me@127.0.0.1:1/games"),
        ("postgresql+psycopg:///games?host=/nowhere&password=secret", "postgresql:///games"),
    ],
)
def test_an_address_is_shown_without_its_password(address: str, shown: str) -> None:
    with pytest.raises(StoreError, match="does not answer") as away:
        open_store(address)
    assert shown in str(away.value)
    assert "secret" not in str(away.value)


def test_a_full_pool_is_reported(store: SqlStore) -> None:
    store._database.engine.pool._timeout = 0.01  # type: ignore[attr-defined]
    with ExitStack() as held:
        for _ in range(15):
            held.enter_context(store._database.engine.connect())
        with pytest.raises(StoreError, match="too busy; try again"):
            store.headers()
    assert store.headers() == (header(),)


def test_a_lock_at_a_server_that_is_away_is_reported() -> None:
    with (
        pytest.raises(StoreError, match="does not answer"),
        lock_database("postgresql://me@127.0.0.1:1/games"),
    ):
        pass


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("53100", "is full; make room"),
        ("42501", "give its user the right"),
        ("57P01", "does not answer"),
        ("40P01", "try again in a moment"),
    ],
)
def test_what_a_server_reports_is_reported_with_its_cure(state: str, words: str) -> None:
    """The SQLSTATE chooses the sentence."""
    reported = type("Reported", (psycopg.OperationalError,), {"sqlstate": state})("in its words")
    dialect = PostgresqlDialect(make_url("postgresql://me@host/games"))
    given = dialect.fault(OperationalError("SELECT", None, reported))
    assert words in str(given)
    assert "postgresql://me@host/games" in str(given)
