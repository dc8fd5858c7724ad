"""From a database's address to the store of a hub."""

from __future__ import annotations

from scoreboard.storage.address import database_dialect
from scoreboard.tournament.storage.memory import MemoryHubStore
from scoreboard.tournament.storage.sql import SqlHubStore


def open_hub_store(url: str) -> MemoryHubStore | SqlHubStore:
    """Open the hub's store at an address as `scoreboard.storage.open_store` takes it.

    With PostgreSQL several processes may open it, each after its fork; with SQLite or in memory
    it is one process's (`change_log.reaches_processes` says so).

    Raises:
        StoreError: the address is of another kind, or the database cannot be reached, made,
            read or written.
        SchemaError: the file is no database, or another program's, or a newer Tablescore's.
    """
    dialect = database_dialect(url)
    return MemoryHubStore() if dialect is None else SqlHubStore(dialect)
