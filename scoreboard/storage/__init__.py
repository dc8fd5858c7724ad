"""Storage of recorded events: SQLite and PostgreSQL under one contract."""

from scoreboard.storage.database import database_name, database_path, holds_games
from scoreboard.storage.locks import lock_database, restore_database
from scoreboard.storage.sql import SqlStore, open_store

__all__ = [
    "SqlStore",
    "database_name",
    "database_path",
    "holds_games",
    "lock_database",
    "open_store",
    "restore_database",
]
