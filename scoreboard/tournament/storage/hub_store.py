"""A hub's store in a database: when a method returns, its change is on disk."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from scoreboard.storage.backups import backups_of
from scoreboard.storage.database import Database, open_database
from scoreboard.tournament.storage import unrecorded
from scoreboard.tournament.storage.change_feed import ChangeFeed
from scoreboard.tournament.storage.deliveries import SqlDeliveries
from scoreboard.tournament.storage.people import Presence, SqlPeople, SqlPresence
from scoreboard.tournament.storage.players import SqlPlayers
from scoreboard.tournament.storage.tournaments import SqlTournaments


class SqlHubStore:
    """All stored data of a hub. Thread-safe.

    When a method returns, its change is on disk. Every method raises StoreError (an OSError too),
    whose message names fault and cure, when the disk is full or the server is away. Whether a write
    was stored is then unknown: ask, then try again. The store recovers without help. Times are
    arguments: no store reads a clock for them.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self.copy_to: Final = database.copy_to
        self.change_feed = ChangeFeed(self._database)
        self.tournaments = SqlTournaments(self._database, self.change_feed)
        self.deliveries = SqlDeliveries(self._database, self.change_feed)
        self.people = SqlPeople(self._database)
        self.players = SqlPlayers(self._database)
        self.entrant_notes = unrecorded.SqlEntrantNotes(self._database)
        self.event_marks = unrecorded.SqlEventMarks(self._database)
        self.messages = unrecorded.SqlMessages(self._database, self.change_feed)
        self.slip_photos = unrecorded.SqlSlipPhotos(self._database)
        # Shared where several processes are; else no disk need be written for it.
        self.presence = SqlPresence(database) if database.dialect.reaches_processes else Presence()

    def back_up(self, today: datetime) -> None:
        """Make today's backup next to a file once, and keep the newest five. Raises StoreError."""
        path, day = self._database.dialect.path, f"{today:%Y-%m-%d}"
        if path is not None and all(day not in each.name for each in backups_of(path)):
            self._database.back_up(today)

    def close(self) -> None:
        """Stop listening, and let go of the connections."""
        self.change_feed.close()
        self._database.close()


def open_hub_store(url: str) -> SqlHubStore:
    """Open the store at an address of `open_database`. Raises StoreError, SchemaError."""
    return SqlHubStore(open_database(url))
