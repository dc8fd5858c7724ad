"""Logbooks in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from threading import RLock

from scoreboard.tournament.protocol.audit_log import (
    TournamentHeader,
    TournamentRecord,
    UnknownTournamentError,
)
from scoreboard.tournament.storage.encoding import read, written
from scoreboard.tournament.storage.memory_change_log import MemoryChangeLog
from scoreboard.tournament.storage.refusals import (
    require_successive_records,
    tournament_moved_on,
    tournament_taken,
)


class MemoryTournaments:
    """Keeps the contract of `scoreboard.tournament.hub.ports.Tournaments`."""

    def __init__(self, lock: RLock, change_log: MemoryChangeLog) -> None:
        self._lock = lock
        self._change_log = change_log
        self._headers: dict[str, TournamentHeader] = {}
        self._records: dict[str, tuple[TournamentRecord, ...]] = {}

    def create(self, tournament_id: str, name: str, at: datetime) -> None:
        """Begin an empty logbook. Raises ConflictError when the id is taken."""
        header = TournamentHeader(tournament_id, name, at)
        with self._lock:
            if tournament_id in self._headers:
                raise tournament_taken(tournament_id)
            self._headers[tournament_id] = header
            self._records[tournament_id] = ()
            self._change_log.publish("tournament", tournament_id, 0)

    def headers(self) -> tuple[TournamentHeader, ...]:
        """All tournaments, newest first."""
        with self._lock:
            return tuple(reversed(self._headers.values()))

    def append(
        self, tournament_id: str, expected: int, records: Sequence[TournamentRecord]
    ) -> None:
        """Append all of `records` or none. Raises ConflictError, UnknownTournamentError."""
        kept = tuple(_own_copy(record) for record in records)
        with self._lock:
            stored = self._of(tournament_id)
            if len(stored) != expected:
                raise tournament_moved_on(tournament_id, len(stored), expected)
            require_successive_records(tournament_id, expected, kept)
            self._records[tournament_id] = (*stored, *kept)
            if kept:
                self._change_log.publish("tournament", tournament_id, kept[-1].sequence)

    def records(self, tournament_id: str, after: int = 0) -> tuple[TournamentRecord, ...]:
        """The records above the sequence `after`, in order. Raises UnknownTournamentError."""
        with self._lock:
            return tuple(_own_copy(record) for record in self._of(tournament_id)[after:])

    def _of(self, tournament_id: str) -> tuple[TournamentRecord, ...]:
        try:
            return self._records[tournament_id]
        except KeyError as error:
            raise UnknownTournamentError(tournament_id) from error


def _own_copy(record: TournamentRecord) -> TournamentRecord:
    """The record with a body that nobody else can change. Raises ValueError for no JSON."""
    return replace(record, body=read(written(record.body)))
