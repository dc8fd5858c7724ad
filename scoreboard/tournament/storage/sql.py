"""A hub's store in a database: what a method returned from has reached the disk."""

from __future__ import annotations

from scoreboard.storage.database import Database
from scoreboard.storage.dialect import Dialect
from scoreboard.tournament.storage.memory_presence import MemoryPresence
from scoreboard.tournament.storage.sql_change_log import SqlChangeLog
from scoreboard.tournament.storage.sql_deliveries import SqlDeliveries
from scoreboard.tournament.storage.sql_people import SqlPeople
from scoreboard.tournament.storage.sql_presence import SqlPresence
from scoreboard.tournament.storage.sql_tournaments import SqlTournaments


class SqlHubStore:
    """Keeps the contract of `scoreboard.tournament.hub.ports.HubStore`."""

    def __init__(self, dialect: Dialect) -> None:
        """Open the database, and bring its tables up to date.

        Raises:
            SchemaError: another program or a newer Tablescore wrote it.
            StoreError: it cannot be reached, made, read or written.
        """
        self._database = Database(dialect)
        self.change_log = SqlChangeLog(self._database)
        self.tournaments = SqlTournaments(self._database, self.change_log)
        self.deliveries = SqlDeliveries(self._database, self.change_log)
        self.people = SqlPeople(self._database)
        self.presence = _presence(self._database)

    def close(self) -> None:
        """Stop listening, and let go of the connections."""
        self.change_log.close()
        self._database.close()


def _presence(database: Database) -> MemoryPresence | SqlPresence:
    """Shared where several processes are; else no disk need be written for it."""
    return SqlPresence(database) if database.dialect.reaches_processes else MemoryPresence()
