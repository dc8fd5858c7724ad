"""Who was heard when, in a database that several processes share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import select, update

from scoreboard.store.database import Database
from scoreboard.store.hub.tables import PRESENCE, written_moment

KEPT_EVERY: Final = timedelta(seconds=10)  # a table speaks far more often than somebody looks


class SqlPresence:
    """Keeps the contract of `scoreboard.hub.ports.Presence`; writes once in ten seconds a table."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._kept: dict[str, datetime] = {}

    def note(self, table: str, at: datetime) -> None:
        """A table was heard at this time. Raises StoreError."""
        kept = self._kept.get(table)
        if kept is not None and at - kept < KEPT_EVERY:
            return
        row = {"table_name": table, "heard_at": written_moment(at)}
        later = (PRESENCE.c.table_name == table) & (PRESENCE.c.heard_at < row["heard_at"])
        with self._database.writing() as connection:
            if not connection.execute(update(PRESENCE).where(later).values(row)).rowcount:
                connection.execute(self._database.dialect.insert_missing(PRESENCE).values(row))
        self._kept[table] = at

    def heard(self, tables: Iterable[str]) -> Mapping[str, datetime]:
        """When these tables were heard last, those that ever were. Raises StoreError."""
        wanted = set(tables)
        with self._database.reading() as connection:
            rows = connection.execute(select(PRESENCE).where(PRESENCE.c.table_name.in_(wanted)))
            return {row.table_name: datetime.fromisoformat(row.heard_at) for row in rows}
