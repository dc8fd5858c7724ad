"""Differences between the supported databases."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from sqlalchemy import ColumnElement, Connection, Engine, Insert, Table
from sqlalchemy.exc import DBAPIError

from scoreboard.errors import StoreError


class Dialect(Protocol):
    """A kind of database, and where this one is."""

    @property
    def name(self) -> str:
        """The database as a person knows it, without any password."""
        ...

    @property
    def path(self) -> Path | None:
        """The file that the database is, None for a server's."""
        ...

    @property
    def reading(self) -> Mapping[str, Any]:
        """Execution options of a transaction that only reads, and reads one consistent state."""
        ...

    @property
    def glancing(self) -> Mapping[str, Any]:
        """Execution options of a single statement that only reads."""
        ...

    @property
    def writing(self) -> Mapping[str, Any]:
        """Execution options of a transaction that writes."""
        ...

    @property
    def reaches_processes(self) -> bool:
        """Whether `telling` reaches other processes."""
        ...

    def engine(self) -> Engine:
        """A new pool of connections, each of which commits to the disk. Raises StoreError."""
        ...

    def insert_missing(self, table: Table) -> Insert:
        """An INSERT that leaves out the rows whose keys are there already."""
        ...

    @property
    def telling(self) -> tuple[ColumnElement[Any], ...]:
        """What to select along with something else, so that listeners wake when that is stored."""
        ...

    def claim_schema(self, connection: Connection) -> None:
        """Keep all others from changing tables until the transaction ends."""
        ...

    def stored_version(self, connection: Connection, version_table: str) -> int | None:
        """The version that the tables have, None for an empty database.

        Raises:
            SchemaError: another program wrote the database.
        """
        ...

    def mark_version(self, connection: Connection, version: int) -> None:
        """Mark the database as ours and of this version, in addition to Alembic's own mark."""
        ...

    def require_in_place(self) -> None:
        """Check that what is open is still what the address names.

        Raises:
            StoreError: somebody deleted, replaced or cut it.
        """
        ...

    def note_last(self, last: tuple[str, int] | None) -> None:
        """Note which event of which game was recorded last, None where no game is left.

        The next start checks by it that nothing was lost.
        """
        ...

    def fault(self, error: DBAPIError | UnicodeDecodeError) -> StoreError:
        """The sentence for what the driver reports."""
        ...
