"""From a database's address to its store, and the lock that lets one table write to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from filelock import FileLock, Timeout
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from scoreboard.errors import StoreError
from scoreboard.game import Game
from scoreboard.games import GAMES
from scoreboard.phrase import phrase
from scoreboard.store.memory import MemoryStore
from scoreboard.store.sqlite import SqliteStore

MEMORY: Final = "memory:"


def open_store(
    url: str, games: Mapping[str, Game[Any, Any, Any]] = GAMES
) -> MemoryStore | SqliteStore:
    """Open the store at `sqlite:///path/to/file.db` (relative) or `sqlite:////path`, or `memory:`.

    A file that is not there is made, with the folders above it.

    Raises:
        StoreError: the address is of another kind, or the file cannot be made, read or written.
        SchemaError: the file is no database, or not one of this version.
    """
    path = database_path(url)
    return MemoryStore() if path is None else SqliteStore(path, games)


def database_path(url: str) -> Path | None:
    """The file that the address names, None for the memory.

    Raises:
        StoreError: the address is of a kind that Tablescore cannot keep games in.
    """
    if url == MEMORY:
        return None
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise _unknown_kind(url) from error
    if parsed.drivername != "sqlite" or not parsed.database or parsed.database == ":memory:":
        raise _unknown_kind(url)
    return Path(parsed.database)


@contextmanager
def lock_database(url: str) -> Iterator[None]:
    """Be the only table that writes to this database; others may read meanwhile.

    The lock is a file beside the database, let go by the system when the process dies.

    Raises:
        StoreError: another table holds the database, or the lock file cannot be made.
    """
    path = database_path(url)
    if path is None:
        yield
        return
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
        raise StoreError(
            phrase(
                "Another table plays with {name}; stop that one, or name another database.",
                name=str(path),
            )
        ) from error
    except OSError as error:
        raise StoreError(
            phrase(
                "{name} cannot be written ({fault}); give the right to its folder, "
                "or name another file.",
                name=str(path),
                fault=error.strerror or str(error),
            )
        ) from error


def _unknown_kind(url: str) -> StoreError:
    """The refusal of an address; it tells the kind only, since the rest may hold a password."""
    return StoreError(
        phrase(
            "Games cannot be kept in “{kind}”; write sqlite:///path/to/games.db.",
            kind=url.partition(":")[0],
        )
    )
