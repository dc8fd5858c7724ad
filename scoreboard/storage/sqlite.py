"""SQLite's differences: one file, pragmas, locks taken at BEGIN, its own error codes."""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import DBAPIConnection, DBAPICursor
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import ConnectionPoolEntry

from scoreboard.errors import SchemaError, StoreError
from scoreboard.message import Message, message
from scoreboard.storage import backups
from scoreboard.storage.dialect import Dialect
from scoreboard.storage.watched_file import WatchedFile, note_last

LOG: Final = logging.getLogger(__name__)
BUSY_TIMEOUT_MILLISECONDS: Final = 5000
PRAGMAS: Final = (
    "PRAGMA synchronous = FULL",  # a power cut must not take a confirmed score back
    "PRAGMA foreign_keys = ON",
    "PRAGMA secure_delete = ON",  # what was deleted leaves no bytes behind in the file
    f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MILLISECONDS}",
)
BUSY_PAUSE_SECONDS: Final = 0.01
BUSY_FAULTS: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
SCHEMA_FAULTS: Final = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)


class SqliteDialect(Dialect):
    """A file of SQLite. A writer's BEGIN IMMEDIATE locks the whole file, its schema too."""

    # A writer begins IMMEDIATE: were the lock only taken at the first write, two writers
    # could both read the same count and one would fail without waiting its turn.
    reading: Mapping[str, Any] = {"begin_mode": "DEFERRED"}
    glancing: Mapping[str, Any] = reading
    writing: Mapping[str, Any] = {"begin_mode": "IMMEDIATE"}
    reaches_processes = False
    telling: tuple[sa.ColumnElement[Any], ...] = ()  # the file wakes no other process

    def __init__(self, path: Path) -> None:
        self.path: Path = path
        self._watched = WatchedFile(path)
        self.name = str(path)

    def engine(self) -> sa.Engine:
        """Connections to the file, its owner's only; makes a missing folder. Raises StoreError."""
        try:
            self.path.parent.mkdir(0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError.worded(
                "The folder {folder} cannot be made ({fault}); name another for the games.",
                folder=str(self.path.parent),
                fault=error.strerror or str(error),
            ) from error
        backups.keep_private(self.path)
        engine = sa.create_engine(
            URL.create("sqlite", database=str(self.path)),
            hide_parameters=True,  # a fault's trace would tell the hub's codes and hashes
        )
        watched = self._watched

        def connected(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
            _configure(connection)
            watched.opened(id(connection))

        def begin(connection: sa.Connection) -> None:
            mode = connection.get_execution_options().get("begin_mode", "DEFERRED")
            connection.exec_driver_sql(f"BEGIN {mode}")

        sa.event.listen(engine, "do_connect", lambda *_parts: watched.opening())
        sa.event.listen(engine, "connect", connected)
        sa.event.listen(engine, "close", lambda connection, _entry: watched.closed(id(connection)))
        sa.event.listen(engine, "begin", begin)
        return engine

    def insert_missing(self, table: sa.Table) -> sa.Insert:
        return insert(table).on_conflict_do_nothing()

    def stored_version(self, connection: sa.Connection, version_table: str) -> int | None:  # noqa: ARG002 -- the file's own mark is older than that table, and counts
        version: int = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
        application = connection.exec_driver_sql("PRAGMA application_id").scalar_one()
        if version == application == 0 and not sa.inspect(connection).get_table_names():
            return None
        if application != backups.APPLICATION_ID:
            raise SchemaError.worded(
                "{name} belongs to another program; name another file for the games.",
                name=self.name,
            )
        return version

    def keep_before_migration(self, version: int) -> None:
        """Copy the file next to it, replacing an earlier copy of that version."""
        copy = backups.schema_copy(self.path, version)
        copy.unlink(missing_ok=True)
        with closing(sqlite3.connect(self.path)) as source:
            backups.copy_to(source, copy)
        LOG.warning("%s is brought up to date; it is kept as it was in %s", self.name, copy)

    def way_back(self, newest: int) -> str | None:
        copies = (backups.schema_copy(self.path, version) for version in range(newest, 0, -1))
        found = next((copy for copy in copies if copy.exists()), None)
        return None if found is None else backups.restore_command(found, self.path)

    def mark_version(self, connection: sa.Connection, version: int) -> None:
        """Write the file's mark; older Tablescores read it and refuse the file."""
        connection.exec_driver_sql(f"PRAGMA application_id = {backups.APPLICATION_ID}")
        connection.exec_driver_sql(f"PRAGMA user_version = {version}")

    def require_in_place(self) -> None:
        self._watched.require_in_place()

    def note_last(self, last: tuple[str, int] | None) -> None:
        note_last(self.path, last)

    def fault(self, error: DBAPIError | UnicodeDecodeError) -> StoreError:
        """The sentence for SQLite's error; only the low byte of its code names the fault.

        For a damaged schema its message is no valid text and cannot be read.
        """
        if isinstance(error, UnicodeDecodeError):
            code, fault = sqlite3.SQLITE_CORRUPT, str(error)
        else:
            code = getattr(error.orig, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
            fault = str(error.orig)
        if code not in SCHEMA_FAULTS:
            return StoreError(_sentence(code, self.name, fault))
        if command := backups.restoring(self.path):
            return SchemaError.worded(
                "{name} is damaged; go on with its newest backup: {command}",
                name=self.name,
                command=command,
            )
        return SchemaError(_sentence(code, self.name, fault))


def _configure(connection: DBAPIConnection) -> None:
    """Take transactions out of the driver's hands, which begins them late and by guess."""
    connection.isolation_level = None
    # Bytes that are no UTF-8 damage one game; as an error of the driver they would hide them all.
    connection.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(pragma)
    _enter_write_ahead(cursor)
    cursor.close()


def _enter_write_ahead(cursor: DBAPICursor) -> None:
    """Let readers read while the writer writes. SQLite's own waiting does not cover this switch.

    If many open a new file at once, one switches and the others are refused as locked without
    having waited: they retry, as long as any other statement would wait.
    """
    end = time.monotonic() + BUSY_TIMEOUT_MILLISECONDS / 1000
    while True:
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if time.monotonic() >= end or error.sqlite_errorcode & 0xFF not in BUSY_FAULTS:
                raise
            time.sleep(BUSY_PAUSE_SECONDS)
        else:
            return


def _sentence(code: int, name: str, fault: str) -> Message:
    match code:
        case sqlite3.SQLITE_FULL:
            return message("The disk with {name} is full; make room, then try again.", name=name)
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return message("{name} is in use by another program; close that one.", name=name)
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return message(
                "{name} cannot be written; give the right to its folder, or name another file.",
                name=name,
            )
        case sqlite3.SQLITE_NOTADB:
            return message("{name} is no database of games; name another file.", name=name)
        case sqlite3.SQLITE_CORRUPT:
            return message("{name} is damaged; put a copy of it back, or name another.", name=name)
        case _:
            return message(
                "{name} cannot be used ({fault}); look at its disk.", name=name, fault=fault
            )
