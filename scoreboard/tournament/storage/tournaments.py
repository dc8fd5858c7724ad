"""The audit log of every tournament, in a database."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, Final

from sqlalchemy import bindparam, func, insert, select
from sqlalchemy.exc import IntegrityError

from scoreboard.errors import ConflictError
from scoreboard.storage.database import Database
from scoreboard.tournament.protocol import audit_log
from scoreboard.tournament.storage.change_feed import ChangeFeed
from scoreboard.tournament.storage.tables import RECORDS, TOURNAMENTS, read, require_seen, written

Records = Sequence[audit_log.TournamentRecord]
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
                    "A tournament “{tournament_id}” is stored already.", tournament_id=tournament_id
                ) from error
            self._change_feed.publish(connection, [("tournament", tournament_id, 0)])

    def headers(self) -> tuple[audit_log.TournamentSummary, ...]:
        """All tournaments, newest first."""
        rows = self._database.rows(select(TOURNAMENTS).order_by(TOURNAMENTS.c.opened.desc()))
        return tuple(audit_log.TournamentSummary(*row[1:]) for row in rows)

    def append(self, tournament_id: str, expected: int, records: Records) -> None:
        """Append all of `records`, with their hashes as given, or none.

        Raises ConflictError if there are not `expected` ones that these follow on,
        UnknownTournamentError, and ValueError for a body that is not JSON.
        """

        def none_came_first(newer: Records) -> Records:
            if newer:
                raise _moved_on(tournament_id, newer[-1].sequence, expected)
            return records

        self.carry_on(tournament_id, expected, none_came_first)

    def carry_on(
        self, tournament_id: str, after: int, decide: Callable[[Records], Records]
    ) -> None:
        """Append what `decide` makes of the records above `after`; who else writes waits.

        Raises what `decide` raises, and as `append`: a log of fewer than `after` is another one.
        """
        with self._change_feed.publishing() as connection:
            named = {"tournament_id": tournament_id, "after": after}
            if connection.execute(_LOCKED, named).scalar_one_or_none() is None:
                raise audit_log.UnknownTournamentError(tournament_id)
            stored = connection.execute(_LAST, named).scalar() or 0
            if stored < after:
                raise _moved_on(tournament_id, stored, after)
            records = decide(_read(connection.execute(_RECORDS, named)) if stored > after else ())
            for sequence, record in enumerate(records, start=stored + 1):
                if record.sequence != sequence:
                    raise _moved_on(tournament_id, stored, record.sequence - 1)
            if records:
                connection.execute(insert(RECORDS), [_row(tournament_id, one) for one in records])
                through = stored + len(records)
                self._change_feed.publish(connection, [("tournament", tournament_id, through)])

    def records(self, tournament_id: str, after: int = 0) -> tuple[audit_log.TournamentRecord, ...]:
        """The records above the sequence `after`, in order. Raises UnknownTournamentError."""
        rows = self._database.rows(_RECORDS, {"tournament_id": tournament_id, "after": after})
        if not rows:
            raise audit_log.UnknownTournamentError(tournament_id)
        return _read(rows)


def _row(tournament_id: str, record: audit_log.TournamentRecord) -> dict[str, Any]:
    """A record in the order of its columns, as `_read` reads it."""
    named = tournament_id, record.sequence, record.recorded_at, record.actor.role, record.actor.name
    proof = record.previous, record.hash, record.key, record.signature
    return dict(zip(RECORDS.columns.keys(), (*named, written(record.body), *proof), strict=True))


def _read(rows: Iterable[Any]) -> tuple[audit_log.TournamentRecord, ...]:
    return tuple(
        audit_log.TournamentRecord(sequence, at, audit_log.Actor(role, name), read(body), *proof)
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
