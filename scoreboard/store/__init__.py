"""Where recorded events live: memory, SQLite and PostgreSQL under one contract."""

from scoreboard.store.address import database_path, holds_games
from scoreboard.store.locks import lock_database, restore_database
from scoreboard.store.memory import MemoryStore
from scoreboard.store.opening import open_store
from scoreboard.store.sql import SqlStore

__all__ = [
    "MemoryStore",
    "SqlStore",
    "database_path",
    "holds_games",
    "lock_database",
    "open_store",
    "restore_database",
]
