"""When each table was heard last: in memory, or in a database that several processes share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from threading import Lock
from typing import Final, Protocol

from sqlalchemy import bindparam, select, update

from scoreboard.storage.database import Database
from scoreboard.tournament.storage.tables import PRESENCE, written_moment

KEPT_EVERY: Final = timedelta(seconds=10)  # a table speaks far more often than somebody looks
WRITTEN_EVERY: Final = timedelta(seconds=1)  # of many tables one transaction keeps what is due
_LATER: Final = (
    update(PRESENCE)
    .where(
        PRESENCE.c.table_name == bindparam("table"),
        PRESENCE.c.heard_at < bindparam("at"),
    )
    .values(heard_at=bindparam("at"))
)


class Presence(Protocol):
    """When each table was heard last, whichever process heard it. Any thread may use it."""

    def note(self, table: str, at: datetime) -> None:
        """A table was heard at this time, aware UTC. Raises StoreError."""
        ...

    def heard(self, tables: Iterable[str]) -> Mapping[str, datetime]:
        """When these tables were heard last, those that ever were; ten seconds may be missing.

        Raises:
            StoreError: the database cannot be read.
        """
        ...


class SqlPresence:
    """Presence in a database that several processes share.

    Writes once in ten seconds a table, and once a second for all of them; what this process heard
    it knows without reading.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = Lock()
        self._heard: dict[str, datetime] = {}
        self._kept: dict[str, datetime] = {}
        self._due: set[str] = set()
        self._written_at: datetime | None = None

    def note(self, table: str, at: datetime) -> None:
        """A table was heard at this time. Raises StoreError."""
        with self._lock:
            self._heard[table] = max(at, self._heard.get(table, at))
            kept = self._kept.get(table)
            if kept is None or at - kept >= KEPT_EVERY:
                self._due.add(table)
            written_at = self._written_at
            just_written = written_at is not None and abs(at - written_at) < WRITTEN_EVERY
            if just_written or not self._due:
                return
            self._written_at = at
            due = {each: self._heard[each] for each in self._due}
        self._write(due)

    def heard(self, tables: Iterable[str]) -> Mapping[str, datetime]:
        """When these tables were heard last, those that ever were. Raises StoreError."""
        wanted = set(tables)
        with self._database.reading() as connection:
            rows = connection.execute(select(PRESENCE).where(PRESENCE.c.table_name.in_(wanted)))
            heard = {row.table_name: datetime.fromisoformat(row.heard_at) for row in rows}
        with self._lock:
            for table in wanted & self._heard.keys():
                heard[table] = max(self._heard[table], heard.get(table, self._heard[table]))
        return heard

    def _write(self, due: Mapping[str, datetime]) -> None:
        """Keep the times that are due; where that fails they stay due."""
        rows = [{"table_name": each, "heard_at": written_moment(due[each])} for each in sorted(due)]
        later = [{"table": row["table_name"], "at": row["heard_at"]} for row in rows]
        with self._database.writing() as connection:
            connection.execute(self._database.dialect.insert_missing(PRESENCE), rows)
            connection.execute(_LATER, later)
        with self._lock:
            self._kept |= due
            self._due -= due.keys()


class MemoryPresence:
    """Presence within one process."""

    def __init__(self) -> None:
        self._heard: dict[str, datetime] = {}

    def note(self, table: str, at: datetime) -> None:
        """A table was heard at this time."""
        known = self._heard.get(table)
        self._heard[table] = at if known is None else max(at, known)

    def heard(self, tables: Iterable[str]) -> Mapping[str, datetime]:
        """When these tables were heard last, those that ever were."""
        return {table: self._heard[table] for table in tables if table in self._heard}
