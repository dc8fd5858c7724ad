"""One tournament as far as this process has read it, brought up to date from the store."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from threading import Lock

from scoreboard.tournament.hub.ports import Tournaments
from scoreboard.tournament.hub.snapshot import TournamentSnapshot, first_snapshot
from scoreboard.tournament.model.tournament_transcript import (
    header_from_document,
    record_from_document,
)
from scoreboard.tournament.protocol.audit_log import TournamentRecord


class TournamentCache:
    """The newest look at a tournament. Any thread may use it."""

    def __init__(self, tournaments: Tournaments, records: Sequence[TournamentRecord]) -> None:
        """Begin with the records that were read, the opening one at least."""
        opening, *rest = records
        header = header_from_document(opening.body)
        self._tournaments = tournaments
        self._id = header.tournament_id
        self._look = advanced(first_snapshot(header, opening.hash), rest)
        self._lock = Lock()
        self._begun = 0  # readings begun
        self._done = 0  # the last of them that ended well

    @property
    def snapshot(self) -> TournamentSnapshot:
        """What was read last."""
        return self._look

    def caught_up(self) -> TournamentSnapshot:
        """What the store has now; of threads that ask together one reads for those who wait."""
        begun = self._begun
        with self._lock:
            if self._done <= begun:
                self._begun += 1
                records = self._tournaments.records(self._id, self._look.version + 1)
                self._look = advanced(self._look, records)
                self._done = self._begun
            return self._look

    def kept(self, snapshot: TournamentSnapshot) -> None:
        """What it looks like with records that this process appended."""
        with self._lock:
            if snapshot.version > self._look.version:
                self._look = snapshot


def advanced(
    snapshot: TournamentSnapshot, records: Iterable[TournamentRecord]
) -> TournamentSnapshot:
    """The look after the records that follow on it."""
    for record in records:
        snapshot = snapshot.after(record_from_document(record.body).event, record.hash)
    return snapshot
