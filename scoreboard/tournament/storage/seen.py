"""The version seen by the giver of a write, checked in the writing transaction."""

from __future__ import annotations

from sqlalchemy import Connection, Executable

from scoreboard.storage.database import Database
from scoreboard.tournament.protocol.audit_log import OutdatedError


def require_seen(
    database: Database, connection: Connection, newest: Executable, seen: int | None
) -> None:
    """Check that `newest` still gives the `seen` value, None for any.

    Of two transactions that saw the same, the second waits here, and finds the first one's
    addition.

    Raises:
        OutdatedError: it gives something else.
    """
    if seen is not None:
        database.dialect.claim(connection)
        if (connection.execute(newest).scalar() or 0) != seen:
            raise OutdatedError
