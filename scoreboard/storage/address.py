"""The address of a database: a file, a server, or the memory.

What speaks to a server is loaded only where one is named: it takes a tenth of a second on a Pi.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sqlalchemy import URL
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from scoreboard.errors import StoreError
from scoreboard.message import message
from scoreboard.storage.dialect import Dialect
from scoreboard.storage.sqlite import SqliteDialect
from scoreboard.storage.watched_file import require_present

MEMORY: Final = "memory:"
SERVERS: Final = ("postgresql", "postgresql+psycopg")


def database_dialect(url: str) -> Dialect | None:
    """The kind and place of the database at an address, None for the memory.

    Raises:
        StoreError: the address is of a kind that Tablescore cannot keep games in.
    """
    if url == MEMORY:
        return None
    parsed = _parsed(url)
    if parsed.drivername in SERVERS:
        from scoreboard.storage.postgresql import PostgresqlDialect  # noqa: PLC0415 -- see above

        return PostgresqlDialect(parsed)
    return SqliteDialect(Path(str(parsed.database)))


def database_path(url: str) -> Path | None:
    """The file that the address names, None for the memory and for a server.

    Raises:
        StoreError: the address is of a kind that Tablescore cannot keep games in.
    """
    if url == MEMORY:
        return None
    parsed = _parsed(url)
    return None if parsed.drivername in SERVERS else Path(str(parsed.database))


def database_name(url: str) -> str:
    """What a database is called where anybody reads it: its file, or its server without password.

    Raises:
        StoreError: the address is of a kind that Tablescore cannot keep games in.
    """
    dialect = database_dialect(url)
    return url if dialect is None else dialect.name


def holds_games(url: str) -> bool:
    """Whether there may be stored games at an address: a file that exists, or any server.

    Raises:
        StoreError: the address is of a kind that Tablescore cannot keep games in, or games were
            kept in a file that is gone or empty.
    """
    path = database_path(url)
    if path is None:
        return url != MEMORY
    require_present(path)
    return path.exists()


def _parsed(url: str) -> URL:
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise _unknown_kind(url) from error
    is_file = parsed.drivername == "sqlite" and parsed.database not in {None, "", ":memory:"}
    if not is_file and parsed.drivername not in SERVERS:
        raise _unknown_kind(url)
    return parsed


def _unknown_kind(url: str) -> StoreError:
    """The refusal of an address; it names the kind only, since the rest may hold a password."""
    return StoreError(
        message(
            "Games cannot be kept in “{kind}”; write sqlite:///path/to/games.db, or "
            "postgresql+psycopg://user@host/database.",
            kind=url.partition(":")[0],
        )
    )
