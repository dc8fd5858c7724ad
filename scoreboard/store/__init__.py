"""Where recorded events live: memory and SQLite under one contract."""

from scoreboard.store.memory import MemoryStore
from scoreboard.store.opening import database_path, lock_database, open_store
from scoreboard.store.sqlite import SqliteStore

__all__ = ["MemoryStore", "SqliteStore", "database_path", "lock_database", "open_store"]
