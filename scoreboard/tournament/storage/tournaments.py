"""The audit log of every tournament, in a database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Final

from sqlalchemy import bindparam, func, insert, select
from sqlalchemy.exc import IntegrityError

from scoreboard.errors import ConflictError
from scoreboard.storage.database import Database
from scoreboard.tournament.protocol import audit_log
from scoreboard.tournament.storage.change_feed import ChangeFeed
from scoreboard.tournament.storage.tables import RECORDS, TOURNAMENTS, read, require_seen, written

# The one row of a tournament without records is of nulls; of an unknown tournament there is none.
_RECORDS: Final = (
    select(RECORDS)
    .select_from(TOURNAMENTS)
    .outerjoin(
        RECORDS,
        (RECORDS.c.tournament_id == TOURNAMENTS.c.tournament_id)
        & (RECORDS.c.sequence > bindparam("after")),
    )
    .where(TOURNAMENTS.c.tournament_id == bindparam("tournament_id"))
    .order_by(RECORDS.c.sequence)
)
_LOCKED: Final = (
    select(TOURNAMENTS.c.opened)
    .where(TOURNAMENTS.c.tournament_id == bindparam("tournament_id"))
    .with_for_update()
)
_LAST: Final = select(func.max(RECORDS.c.sequence)).where(
    RECORDS.c.tournament_id == bindparam("tournament_id")
)


class SqlTournaments:
    """The audit logs of all tournaments; each call is one transaction. Any may raise StoreError."""

    def __init__(self, database: Database, change_feed: ChangeFeed) -> None:
        self._database = database
        self._change_feed = change_feed

    def create(self, tournament_id: str, name: str, at: datetime, seen: int | None = None) -> None:
        """Begin a log, if there are as many as `seen`. Raises OutdatedError, ConflictError."""
        header = audit_log.TournamentSummary(tournament_id, name, at)
        count = select(func.count()).select_from(TOURNAMENTS)
        with self._change_feed.publishing() as connection:
            require_seen(self._database, connection, count, seen)
            try:
                connection.execute(insert(TOURNAMENTS).values(asdict(header)))
            except IntegrityError as error:
                raise ConflictError.worded(
                    "A tournament “{tournament_id}” is stored already.",
                    tournament_id=tournament_id,
                ) from error
            self._change_feed.publish(connection, [("tournament", tournament_id, 0)])

    def headers(self) -> tuple[audit_log.TournamentSummary, ...]:
        """All tournaments, newest first."""
        rows = self._database.rows(select(TOURNAMENTS).order_by(TOURNAMENTS.c.opened.desc()))
        return tuple(audit_log.TournamentSummary(*row[1:]) for row in rows)

    def append(
        self, tournament_id: str, expected: int, records: Sequence[audit_log.TournamentRecord]
    ) -> None:
        """Append all of `records`, with their hashes as given, or none.

        Raises ConflictError if there are not `expected` ones that these follow on,
        UnknownTournamentError, and ValueError for a body that is not JSON.
        """
        rows = [
            {
                "tournament_id": tournament_id,
                "sequence": record.sequence,
                "recorded_at": record.recorded_at,
                "actor_role": record.actor.role,
                "actor_name": record.actor.name,
                "body": written(record.body),
                "previous": record.previous,
                "hash": record.hash,
                "key": record.key,
                "signature": record.signature,
            }
            for record in records
        ]
        with self._change_feed.publishing() as connection:
            named = {"tournament_id": tournament_id}
            if connection.execute(_LOCKED, named).scalar_one_or_none() is None:
                raise audit_log.UnknownTournamentError(tournament_id)
            stored = connection.execute(_LAST, named).scalar() or 0
            if stored != expected:
                raise _moved_on(tournament_id, stored, expected)
            for sequence, record in enumerate(records, start=expected + 1):
                if record.sequence != sequence:
                    raise _moved_on(tournament_id, expected, record.sequence - 1)
            if rows:
                connection.execute(insert(RECORDS), rows)
                self._change_feed.publish(
                    connection, [("tournament", tournament_id, expected + len(rows))]
                )

    def records(self, tournament_id: str, after: int = 0) -> tuple[audit_log.TournamentRecord, ...]:
        """The records above the sequence `after`, in order. Raises UnknownTournamentError."""
        rows = self._database.rows(_RECORDS, {"tournament_id": tournament_id, "after": after})
        if not rows:
            raise audit_log.UnknownTournamentError(tournament_id)
        return tuple(
            audit_log.TournamentRecord(
                sequence, at, audit_log.Actor(role, name), read(body), *proof
            )
            for _, sequence, at, role, name, body, *proof in rows
            if sequence is not None
        )


def _moved_on(tournament_id: str, stored: int, expected: int) -> ConflictError:
    """The refusal of records that do not follow on the stored ones."""
    return ConflictError.worded(
        "Tournament “{tournament_id}” has {stored} records, not {expected}: someone else was "
        "faster. Look again, then decide.",
        tournament_id=tournament_id,
        stored=stored,
        expected=expected,
    )
