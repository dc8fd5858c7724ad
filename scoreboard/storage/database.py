"""A database: its address, its connections, and transactions that speak our errors."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any, Final, cast

from sqlalchemy import Connection, Engine, Executable
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from scoreboard.errors import StoreError
from scoreboard.storage.backups import copy_to, on_a_server, rotate
from scoreboard.storage.dialect import Dialect
from scoreboard.storage.schema import prepare
from scoreboard.storage.sqlite import SqliteDialect
from scoreboard.storage.watched_file import require_present

MEMORY: Final = "memory:"
SERVERS: Final = ("postgresql", "postgresql+psycopg")


class Database:
    """A database of this version's tables. Thread-safe; to be opened after a fork.

    `dialect` is specific to its kind; `engine` is its pool of connections.
    """

    def __init__(self, dialect: Dialect, folder: TemporaryDirectory[str] | None = None) -> None:
        """Open the database, make its tables or update them; closing it deletes the `folder`.

        Raises StoreError, and SchemaError for what another program or a newer Tablescore wrote.
        """
        self.dialect = dialect
        self._folder = folder
        self.engine = dialect.engine()
        self._reading = self.engine.execution_options(**dialect.reading)
        self._glancing = self.engine.execution_options(**dialect.glancing)
        self._writing = self.engine.execution_options(**dialect.writing)
        # A file has one writer. Its own waiting sleeps and lets others pass; a lock wakes at once.
        self._turn: AbstractContextManager[object] = (
            nullcontext() if dialect.reaches_processes else Lock()
        )
        try:
            with self.writing() as connection:
                prepare(connection, dialect)
        except StoreError:
            self.close()
            raise

    def close(self) -> None:
        self.engine.dispose()
        if self._folder is not None:
            self._folder.cleanup()

    def reading(self) -> AbstractContextManager[Connection]:
        """A transaction that sees one state. Raises StoreError for the driver's errors."""
        return self._transaction(self._reading)

    def rows(self, query: Executable, values: Mapping[str, object] | None = None) -> Sequence[Any]:
        """The rows of a single reading statement. Raises StoreError for the driver's errors."""
        with self._transaction(self._glancing) as connection:
            return connection.execute(query, values).all()

    def value(self, query: Executable, values: Mapping[str, object] | None = None) -> Any | None:
        """The first value of a statement's first row, None without one. Raises StoreError."""
        with self._transaction(self._glancing) as connection:
            return connection.execute(query, values).scalar()

    def write(self, *statements: Executable) -> None:
        """Carry out statements in one transaction. Raises as `writing` does."""
        with self.writing() as connection:
            for each in statements:
                connection.execute(each)

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction, all or nothing, on disk at its end.

        Raises StoreError, also if no connection is free in time or the database was taken away.
        """
        with self._turn:
            self.dialect.require_in_place()
            with self._transaction(self._writing) as connection:
                yield connection

    @contextmanager
    def driver(self) -> Iterator[sqlite3.Connection]:
        """A file's connection outside any transaction. Raises StoreError for its errors."""
        try:
            with closing(self.engine.raw_connection()) as connection:
                yield cast("sqlite3.Connection", connection.driver_connection)
        except sqlite3.Error as error:
            raise self.dialect.fault(DBAPIError(None, None, error)) from error

    def back_up(self, today: datetime) -> Path | None:
        """Write another backup next to a file, keep five; None on a server. Raises StoreError."""
        if self.dialect.path is None:
            return None
        with self.driver() as connection:
            return rotate(connection, self.dialect.path, today)

    def copy_to(self, file: Path) -> None:
        """Write everything into a new file. Raises StoreError, also for a server."""
        if self.dialect.path is None:
            raise on_a_server(self.dialect.name)
        with self.driver() as connection:
            copy_to(connection, file)

    @contextmanager
    def _transaction(self, engine: Engine) -> Iterator[Connection]:
        try:
            with engine.begin() as connection:
                yield connection
        except (DBAPIError, UnicodeDecodeError) as error:
            raise self.dialect.fault(error) from error
        except PoolTimeoutError as error:
            raise StoreError.worded(
                "{name} is too busy; try again in a moment.", name=self.dialect.name
            ) from error


def open_database(url: str) -> Database:
    """Open the database at an address.

    `sqlite:///path/to/file.db` (relative) or `sqlite:////path`: a missing file is created, with its
    folders. `postgresql+psycopg://user@host/database`: an existing database. `memory:`: SQLite in a
    temporary folder, which is deleted on closing. Raises StoreError, also for an address of another
    kind, and SchemaError for a file that is no database of this or an older Tablescore.
    """
    dialect = database_dialect(url)
    if dialect is not None:
        return Database(dialect)
    folder = TemporaryDirectory(prefix="tablescore-")
    return Database(SqliteDialect(Path(folder.name) / "tablescore.db"), folder)


def database_dialect(url: str) -> Dialect | None:
    """The kind and place of the database at an address, None for the memory. Raises StoreError."""
    if url == MEMORY:
        return None
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise _unknown_kind(url) from error
    if parsed.drivername in SERVERS:
        from scoreboard.storage.postgresql import PostgresqlDialect  # noqa: PLC0415 -- it takes a tenth of a second on a Pi

        return PostgresqlDialect(parsed)
    if parsed.drivername != "sqlite" or parsed.database in {None, "", ":memory:"}:
        raise _unknown_kind(url)
    return SqliteDialect(Path(str(parsed.database)))


def database_path(url: str) -> Path | None:
    """The file of the address, None for the memory and for a server. Raises StoreError."""
    dialect = database_dialect(url)
    return None if dialect is None else dialect.path


def database_name(url: str) -> str:
    """A database's readable name: its file, or its server without password. Raises StoreError."""
    dialect = database_dialect(url)
    return url if dialect is None else dialect.name


def holds_games(url: str) -> bool:
    """Whether there may be stored games at an address: a file that exists, or any server.

    Raises StoreError for another kind of address, or a file that had games and is gone or empty.
    """
    path = database_path(url)
    if path is None:
        return url != MEMORY
    require_present(path)
    return path.exists()


def _unknown_kind(url: str) -> StoreError:
    """The refusal of an address; it names the kind only, since the rest may hold a password."""
    return StoreError.worded(
        "Games cannot be kept in “{kind}”; write sqlite:///path/to/games.db, or "
        "postgresql+psycopg://user@host/database.",
        kind=url.partition(":")[0],
    )
