"""The SQLite file: what reaches the disk, and what is said when it cannot."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import event, make_url, text
from sqlalchemy.exc import DBAPIError

from scoreboard.errors import SchemaError, StoreError
from scoreboard.games.engine.transcript import UNKNOWN, TranscriptError
from scoreboard.storage import SqlStore, open_store
from scoreboard.storage.postgresql import PostgresqlDialect
from scoreboard.storage.schema import VERSION
from scoreboard.storage.sqlite import SqliteDialect
from tests.scoreboard.storage.records import EVENING, RECORDS, STANDING, header, record


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the database lies, in folders yet to be made."""
    return tmp_path / "data" / "table" / "games.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqlStore]:
    """A store with one game."""
    with closing(opened(path)) as kept:
        kept.open_game(header())
        yield kept


def opened(path: Path) -> SqlStore:
    """The store in a file."""
    return open_store(f"sqlite:///{path}")


def in_file(path: Path, *statements: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def test_each_commit_is_synced_to_a_write_ahead_log(store: SqlStore) -> None:
    """A power cut takes no confirmed score back, and readers do not wait for the writer."""
    with store._database.engine.connect() as connection:
        settings = [
            connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]
    assert settings == ["wal", 2, 1]


def test_a_full_disk_keeps_nothing_and_heals(store: SqlStore) -> None:
    """When no page can be added the sentence says so; with room again the same step works."""

    def limit(pages: int) -> Callable[[object], None]:
        def applied(connection: object) -> None:
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")  # type: ignore[attr-defined]

        return applied

    full = limit(1)
    many = [record(number, RECORDS[0].event) for number in range(1, 500)]
    event.listen(store._database.engine, "begin", full)
    with pytest.raises(StoreError, match="full; make room"):
        store.append("evening", 0, many)
    event.remove(store._database.engine, "begin", full)
    event.listen(store._database.engine, "begin", limit(100_000))
    assert store.events("evening") == ()
    store.append("evening", 0, many)
    assert len(store.events("evening")) == 499


def test_a_database_in_use_is_named(store: SqlStore, path: Path) -> None:
    def impatient(connection: sqlite3.Connection, _entry: object) -> None:
        connection.execute("PRAGMA busy_timeout = 1")

    store.close()  # the pool's next connection is an impatient one
    event.listen(store._database.engine, "connect", impatient)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="in use"):
            store.append("evening", 0, RECORDS)


def test_a_file_that_is_no_database_is_named(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.write_text("a shopping list " * 100)
    with pytest.raises(SchemaError, match="no database"):
        opened(path)
    assert path.read_text().startswith("a shopping list")


def test_a_damaged_file_is_named(store: SqlStore, path: Path) -> None:
    store.append("evening", 0, RECORDS)
    store.close()
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xa5" * (len(content) - 4096))
    with pytest.raises(SchemaError, match="damaged"), closing(opened(path)) as again:
        again.events("evening")


def test_another_programs_database_is_left_alone(path: Path) -> None:
    in_file(path, "CREATE TABLE recipes (name)")
    with pytest.raises(SchemaError, match="another program"):
        opened(path)


@pytest.mark.parametrize(("version", "words"), [(0, "older"), (VERSION + 1, "newer")])
def test_another_schema_is_refused_with_its_cure(
    store: SqlStore, path: Path, version: int, words: str
) -> None:
    store.close()
    in_file(path, f"PRAGMA user_version = {version}")
    with pytest.raises(SchemaError, match=words):
        opened(path)


def test_a_game_without_its_rulebook_is_listed_but_not_read(path: Path) -> None:
    """A database of a table with more games is no obstacle to the known ones."""
    with closing(opened(path)) as richer:
        richer.open_game(replace(header(), game="of-tomorrow"))
    with closing(opened(path)) as poorer:
        assert poorer.headers() == (replace(header(), game="of-tomorrow"),)
        with pytest.raises(SchemaError, match="no rulebook “of-tomorrow”"):
            poorer.events("evening")


def test_a_damaged_event_is_named(store: SqlStore, path: Path) -> None:
    store.append("evening", 0, RECORDS)
    in_file(path, "UPDATE events SET event = '{' WHERE sequence = 2")
    with pytest.raises(TranscriptError, match=r"“evening” cannot be read.*Export it as raw"):
        store.events("evening")


def test_a_damaged_note_of_who_confirmed_leaves_the_game_readable(
    store: SqlStore, path: Path
) -> None:
    store.append("evening", 0, [replace(one, confirmed_by="here") for one in RECORDS])
    in_file(path, "UPDATE events SET confirmed_by = CAST(x'ff' AS TEXT) WHERE sequence = 2")
    known = [one.confirmed_by for one in store.events("evening")]
    assert known == ["here", UNKNOWN, "here", "here", "here"]


def test_a_game_with_a_damaged_time_stays_in_the_bin(store: SqlStore, path: Path) -> None:
    """It is listed, is never due, and can be taken back."""
    store.put_in_bin("evening", EVENING)
    in_file(path, "UPDATE bin SET deleted_at = 'gestern'")
    assert store.empty_bin(EVENING + timedelta(days=99)) == ()
    assert [one.deleted_at for one in store.games(in_bin=True)] == [None]
    store.take_back("evening")
    assert store.header("evening") == header()


def test_any_other_fault_of_the_database_is_reported(store: SqlStore, path: Path) -> None:
    in_file(path, "DROP TABLE events")
    with pytest.raises(StoreError, match="no such table"):
        store.events("evening")


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM events WHERE sequence = 5",
        "DELETE FROM standings",
        "UPDATE standings SET totals = 'x'",
        "UPDATE standings SET totals = '[1]'",
    ],
)
def test_a_standing_that_does_not_fit_its_game_is_not_given(
    store: SqlStore, path: Path, change: str
) -> None:
    """Neither after another number of events, nor one that is damaged or of fewer players."""
    store.append("evening", 0, RECORDS, STANDING)
    assert store.games()[0].standing == STANDING
    in_file(path, change)
    assert store.games()[0].standing is None


def test_a_fault_does_not_reveal_what_was_to_be_kept(tmp_path: Path) -> None:
    """A trace in the log would else hold the hub's codes and hashes."""
    engine = SqliteDialect(tmp_path / "hub.db").engine()
    with engine.connect() as connection, pytest.raises(DBAPIError) as failed:
        connection.execute(text("INSERT INTO codes VALUES (:code)"), {"code": "ACDE-3467"})
    engine.dispose()
    assert "ACDE-3467" not in str(failed.value)
    assert PostgresqlDialect(make_url("postgresql://hub@host/league")).engine().hide_parameters
