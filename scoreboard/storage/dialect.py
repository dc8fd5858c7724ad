"""Differences between the supported databases."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, Insert, Table
from sqlalchemy.exc import DBAPIError

from scoreboard.errors import StoreError


class Dialect(ABC):
    """A kind of database, and its place."""

    name: str  # the database as a person knows it, without any password
    path: Path | None  # the file that the database is, None for a server's
    # Execution options: of a transaction that reads one consistent state, of a single statement
    # that only reads, of a transaction that writes.
    reading: Mapping[str, Any]
    glancing: Mapping[str, Any]
    writing: Mapping[str, Any]
    reaches_processes: bool  # whether `telling` reaches other processes
    # What to select along with something else, so that listeners wake when that is stored.
    telling: tuple[ColumnElement[Any], ...]

    @abstractmethod
    def engine(self) -> Engine:
        """A new pool of connections, each of which commits to the disk. Raises StoreError."""

    @abstractmethod
    def insert_missing(self, table: Table) -> Insert:
        """An INSERT that leaves out the rows whose keys are there already."""

    @abstractmethod
    def stored_version(self, connection: Connection, version_table: str) -> int | None:
        """The version of the tables, None if empty. Raises SchemaError: another program's."""

    @abstractmethod
    def fault(self, error: DBAPIError | UnicodeDecodeError) -> StoreError:
        """The sentence for a driver's error."""

    def claim(self, connection: Connection) -> None:  # noqa: B027 -- BEGIN may have done it
        """Make all others who claim the database wait until the transaction ends."""

    def keep_before_migration(self, version: int) -> None:  # noqa: B027 -- pg_dump copies a server's
        """Copy the database of that version, before its tables are changed. Raises StoreError."""

    def way_back(self, newest: int) -> str | None:  # noqa: ARG002 -- a server's is pg_restore
        """The command that restores such a copy, of at most that version; None without one."""
        return None

    def mark_version(self, connection: Connection, version: int) -> None:  # noqa: B027 -- the version table may do
        """Mark the database as ours and of this version, in addition to the version table."""

    def require_in_place(self) -> None:  # noqa: B027 -- a server looks after its own files
        """Check that the database was not deleted, replaced or cut. Raises StoreError."""

    def note_last(self, last: tuple[str, int] | None) -> None:  # noqa: B027 -- as above
        """Note the last recorded event and its game, None without games.

        The next start checks by it that nothing was lost.
        """
