"""From a database's address to the store of its games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoreboard.games import GAMES
from scoreboard.games.engine.game import Game
from scoreboard.storage.address import database_dialect
from scoreboard.storage.database import Database
from scoreboard.storage.memory import MemoryStore
from scoreboard.storage.sql import SqlStore


def open_store(
    url: str, games: Mapping[str, Game[Any, Any, Any]] = GAMES
) -> MemoryStore | SqlStore:
    """Open the store at an address, and bring its tables up to date.

    `sqlite:///path/to/file.db` (relative) or `sqlite:////path`: a file that is not there is made,
    with the folders above it. `postgresql+psycopg://user@host/database`: a database that is
    there. `memory:`: gone when the process ends.

    Raises:
        StoreError: the address is of another kind, or the database cannot be reached, made,
            read or written.
        SchemaError: the file is no database, or another program's, or a newer Tablescore's.
    """
    dialect = database_dialect(url)
    return MemoryStore() if dialect is None else SqlStore(Database(dialect), games)
