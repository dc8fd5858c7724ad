"""What a hub keeps, in memory, in SQLite and in PostgreSQL under one contract."""

from scoreboard.tournament.storage.opening import open_hub_store

__all__ = ["open_hub_store"]
