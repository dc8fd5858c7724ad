"""A hub's store in a database: what a method returned from has reached the disk."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from scoreboard.storage.address import database_dialect
from scoreboard.storage.backups import backups_of
from scoreboard.storage.database import Database
from scoreboard.storage.dialect import Dialect
from scoreboard.storage.sqlite import SqliteDialect
from scoreboard.tournament.storage.change_feed import ChangeFeed
from scoreboard.tournament.storage.deliveries import SqlDeliveries
from scoreboard.tournament.storage.entrant_notes import SqlEntrantNotes
from scoreboard.tournament.storage.event_marks import SqlEventMarks
from scoreboard.tournament.storage.messages import SqlMessages
from scoreboard.tournament.storage.people import SqlPeople
from scoreboard.tournament.storage.players import SqlPlayers
from scoreboard.tournament.storage.presence import Presence, SqlPresence
from scoreboard.tournament.storage.slip_photos import SqlSlipPhotos
from scoreboard.tournament.storage.tournaments import SqlTournaments


class SqlHubStore:
    """Everything that a hub keeps. Any thread may call it.

    What a method returned from is on disk. Every method raises StoreError (an OSError too), whose
    message names fault and cure, when the disk is full or the server is away. Whether a write was
    kept is then unknown: ask, then try again. The store recovers without help. Times are
    arguments: no store looks at a clock for them.
    """

    def __init__(self, dialect: Dialect, folder: TemporaryDirectory[str] | None = None) -> None:
        """Open the database, and bring its tables up to date; `folder` goes when it is closed.

        Raises:
            SchemaError: another program or a newer Tablescore wrote it.
            StoreError: it cannot be reached, made, read or written.
        """
        self._folder = folder
        self._database = Database(dialect)
        self.change_feed = ChangeFeed(self._database)
        self.tournaments = SqlTournaments(self._database, self.change_feed)
        self.deliveries = SqlDeliveries(self._database, self.change_feed)
        self.people = SqlPeople(self._database)
        self.players = SqlPlayers(self._database)
        self.entrant_notes = SqlEntrantNotes(self._database)
        self.event_marks = SqlEventMarks(self._database)
        self.messages = SqlMessages(self._database, self.change_feed)
        self.slip_photos = SqlSlipPhotos(self._database)
        # Shared where several processes are; else no disk need be written for it.
        self.presence = SqlPresence(self._database) if dialect.reaches_processes else Presence()

    def back_up(self, today: datetime) -> None:
        """Make today's backup next to the file unless it is there, and keep the newest five.

        Nothing is done on a server. Raises StoreError.
        """
        path, day = self._database.dialect.path, f"{today:%Y-%m-%d}"
        if path is not None and all(day not in each.name for each in backups_of(path)):
            self._database.back_up(today)

    def copy_to(self, file: Path) -> None:
        """Write everything into a new file. Raises StoreError, also where a server keeps it."""
        self._database.copy_to(file)

    def close(self) -> None:
        """Stop listening, and let go of the connections."""
        self.change_feed.close()
        self._database.close()
        if self._folder is not None:
            self._folder.cleanup()


def open_hub_store(url: str) -> SqlHubStore:
    """Open the hub's store at an address as `scoreboard.storage.open_store` takes it.

    With PostgreSQL several processes may open it, each after its fork; with SQLite it is one
    process's (`Dialect.reaches_processes` says so). `memory:` is SQLite in a temporary folder,
    which goes when the store is closed or the process ends.

    Raises:
        StoreError: the address is of another kind, or the database cannot be reached, made,
            read or written.
        SchemaError: the file is no database, or another program's, or a newer Tablescore's.
    """
    dialect = database_dialect(url)
    if dialect is not None:
        return SqlHubStore(dialect)
    folder = TemporaryDirectory(prefix="tablescore-hub-")
    return SqlHubStore(SqliteDialect(Path(folder.name) / "hub.db"), folder)
