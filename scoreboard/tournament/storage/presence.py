"""The last contact of each table: in memory, or in a database shared by several processes."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from threading import Lock
from typing import Final

from sqlalchemy import bindparam, select, update

from scoreboard.storage.database import Database
from scoreboard.tournament.storage.tables import PRESENCE, written_time

KEPT_EVERY: Final = timedelta(seconds=10)  # a table speaks far more often than somebody looks
WRITTEN_EVERY: Final = timedelta(seconds=1)  # of many tables one transaction keeps what is due
_LATER: Final = (
    update(PRESENCE)
    .where(PRESENCE.c.table_name == bindparam("table"), PRESENCE.c.heard_at < bindparam("at"))
    .values(heard_at=bindparam("at"))
)


class Presence:
    """The last contact of each table, within this process. Thread-safe."""

    def __init__(self) -> None:
        self._contacts: dict[str, datetime] = {}

    def note(self, table: str, at: datetime) -> None:
        self._contacts[table] = max(at, self._contacts.get(table, at))

    def last_contacts(self, tables: Iterable[str]) -> dict[str, datetime]:
        return {table: self._contacts[table] for table in tables if table in self._contacts}


class SqlPresence(Presence):
    """The last contact with any process on the database, up to ten seconds old.

    Writes once in ten seconds a table, and once a second for all of them; its own contacts it knows
    without reading.
    """

    def __init__(self, database: Database) -> None:
        super().__init__()
        self._database = database
        self._lock = Lock()
        self._kept: dict[str, datetime] = {}
        self._due: set[str] = set()
        self._written_at: datetime | None = None

    def note(self, table: str, at: datetime) -> None:
        with self._lock:
            super().note(table, at)
            kept = self._kept.get(table)
            if kept is None or at - kept >= KEPT_EVERY:
                self._due.add(table)
            written_at = self._written_at
            just_written = written_at is not None and abs(at - written_at) < WRITTEN_EVERY
            if just_written or not self._due:
                return
            self._written_at = at
            due = {each: self._contacts[each] for each in self._due}
        # where writing fails they stay due
        rows = [{"table_name": each, "heard_at": written_time(due[each])} for each in sorted(due)]
        later = [{"table": row["table_name"], "at": row["heard_at"]} for row in rows]
        with self._database.writing() as connection:
            connection.execute(self._database.dialect.insert_missing(PRESENCE), rows)
            connection.execute(_LATER, later)
        with self._lock:
            self._kept |= due
            self._due -= due.keys()

    def last_contacts(self, tables: Iterable[str]) -> dict[str, datetime]:
        wanted = set(tables)
        with self._database.reading() as connection:
            rows = connection.execute(select(PRESENCE).where(PRESENCE.c.table_name.in_(wanted)))
            found = {row.table_name: datetime.fromisoformat(row.heard_at) for row in rows}
        with self._lock:
            own = super().last_contacts(wanted)
        return found | {table: max(at, found.get(table, at)) for table, at in own.items()}
