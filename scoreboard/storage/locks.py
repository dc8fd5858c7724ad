"""The lock that lets one table write to a database."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import Final

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from scoreboard.errors import StoreError
from scoreboard.message import message
from scoreboard.storage.backups import on_a_server, restore
from scoreboard.storage.database import Database, database_dialect
from scoreboard.storage.dialect import Dialect
from scoreboard.storage.watched_file import note_last, require_last, require_present

TABLE_LOCK: Final = 0x7AB1E5C1  # the number of the advisory lock of the table that writes
LOCKED_BYTE: Final = 0x7FFFFFFE  # on Windows no other reads a locked byte: none of a table's


def lock_database(url: str) -> AbstractContextManager[None]:
    """Be the only table that writes to this database; others may read meanwhile.

    For a file, which is created if missing, the lock is on the file itself, for a server it is a
    connection's own: both are released when the process dies. A server that restarts forgets the
    lock; a second table that writes then is still refused by the sequences that it did not see.

    Raises StoreError if another table holds the database, it cannot be written, or the last record
    is missing.
    """
    dialect = database_dialect(url)
    if dialect is None:
        return nullcontext()
    path = dialect.path
    return _locked_on_server(dialect) if path is None else _locked_file(path, dialect)


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
def _locked_file(path: Path, dialect: Dialect) -> Iterator[None]:
    """Lock the file itself: a separate lock file could be deleted while the table runs.

    The lock is another kind than SQLite's own, and its descriptor must stay open as long as this
    process has the database open: to close any descriptor of a file ends SQLite's locks on it.
    """
    require_present(path)
    if not path.exists():
        Database(dialect).close()
    try:
        held = path.open("r+b", buffering=0)
    except OSError as error:
        raise _unwritable(path, error) from error
    with held:
        _lock(held.fileno(), path)
        require_last(path)
        yield


def restore_database(url: str, backup: Path) -> Path | None:
    """As `restore`, where no table uses the database. Raises StoreError, also for a server's."""
    dialect = database_dialect(url)
    if dialect is None:
        raise StoreError(message("The memory ends with its table: name a database."))
    path = dialect.path
    if path is None:
        raise on_a_server(dialect.name)
    with ExitStack() as held:
        if path.exists():
            _lock(held.enter_context(path.open("rb", buffering=0)).fileno(), path)
        if sys.platform == "win32":  # which replaces no file that is open
            held.close()
        kept = restore(backup, path)
    note_last(path, None)
    return kept


def _lock(descriptor: int, path: Path) -> None:
    try:
        if sys.platform == "win32":
            import msvcrt  # noqa: PLC0415 -- Windows' own

            os.lseek(descriptor, LOCKED_BYTE, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl  # noqa: PLC0415 -- not to be had on Windows

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError) as error:  # the latter on Windows
        raise _held(str(path)) from error
    except OSError as error:
        raise _unwritable(path, error) from error


def _unwritable(path: Path, error: OSError) -> StoreError:
    return StoreError.worded(
        "{name} cannot be written ({fault}); give the right to its folder, or name another file.",
        name=str(path),
        fault=error.strerror or str(error),
    )


def _held(name: str) -> StoreError:
    return StoreError.worded(
        "Another table or hub works with {name}; stop that one, or name another database.",
        name=name,
    )
