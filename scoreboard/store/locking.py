"""The lock that lets one table write to a database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from scoreboard.errors import StoreError
from scoreboard.phrase import phrase
from scoreboard.store.address import database_dialect, database_path
from scoreboard.store.dialect import Dialect

TABLE_LOCK: Final = 0x7AB1E5C1  # the number of the advisory lock of the table that writes


@contextmanager
def lock_database(url: str) -> Iterator[None]:
    """Be the only table that writes to this database; others may read meanwhile.

    For a file the lock is a file beside it, for a server a lock of a connection's own: both are
    let go when the process dies. A server that restarts forgets the lock; a second table
    that writes then is still refused by the sequences that it did not see.

    Raises:
        StoreError: another table holds the database, the lock file cannot be made, or the
            server is away.
    """
    dialect, path = database_dialect(url), database_path(url)
    if dialect is None:
        yield
    elif path is None:
        with _locked_on_server(dialect):
            yield
    else:
        with _locked_file(path):
            yield


@contextmanager
def _locked_on_server(dialect: Dialect) -> Iterator[None]:
    engine = dialect.engine()
    try:
        with engine.connect() as connection:
            connection.execution_options(isolation_level="AUTOCOMMIT")
            if not connection.execute(text(f"SELECT pg_try_advisory_lock({TABLE_LOCK})")).scalar():
                raise _held(dialect.name)
            yield
    except DBAPIError as error:
        raise dialect.fault(error) from error
    finally:
        engine.dispose()


@contextmanager
def _locked_file(path: Path) -> Iterator[None]:
    lock = FileLock(path.with_name(f"{path.name}.lock"))
    _acquire(lock, path)
    try:
        yield
    finally:
        lock.release()


def _acquire(lock: FileLock, path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire(timeout=0)
    except Timeout as error:
        raise _held(str(path)) from error
    except OSError as error:
        raise StoreError(
            phrase(
                "{name} cannot be written ({fault}); give the right to its folder, "
                "or name another file.",
                name=str(path),
                fault=error.strerror or str(error),
            )
        ) from error


def _held(name: str) -> StoreError:
    return StoreError(
        phrase(
            "Another table plays with {name}; stop that one, or name another database.", name=name
        )
    )
