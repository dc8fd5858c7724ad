"""Immutable snapshots of a tournament, and the newest one of this process."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock

from scoreboard.tournament.model import proposed_draw
from scoreboard.tournament.model import tournament_transcript as transcript
from scoreboard.tournament.model.authority import Attributed
from scoreboard.tournament.model.results import GameEvent, ScoreSubmitted
from scoreboard.tournament.model.tournament import Event, Tournament, evolve, opened
from scoreboard.tournament.protocol.audit_log import TournamentRecord
from scoreboard.tournament.storage.tournaments import SqlTournaments


@dataclass(frozen=True, slots=True)
class Changes:
    """Versions of the last changes at tables; `official` is the last of more than a result."""

    everywhere: int = 0
    at: Mapping[int, int] = field(default_factory=dict)
    official: int = 0

    def last(self, table: int) -> int:
        """The version of the last change that concerns the table with this number."""
        return max(self.everywhere, self.at.get(table, 0))

    def after(self, version: int, event: Event) -> Changes:
        """The changes after one more event; an unpublished draw concerns no table."""
        plain = isinstance(event, GameEvent | ScoreSubmitted) and not isinstance(event, Attributed)
        official = self.official if plain else version
        if isinstance(
            event,
            proposed_draw.RoundProposed
            | proposed_draw.ProposedChanged
            | proposed_draw.PublishingPlanned,
        ):
            return replace(self, official=official)
        if isinstance(event, GameEvent):
            return Changes(self.everywhere, {**self.at, event.table: version}, official)
        return Changes(version, official=official)


@dataclass(frozen=True, slots=True)
class TournamentSnapshot:
    """A tournament after `version` events; `head`, the last record's hash, proves its record."""

    header: transcript.TournamentHeader
    version: int
    state: Tournament
    head: str
    changes: Changes = Changes()

    def after(self, event: Event, head: str) -> TournamentSnapshot:
        """The snapshot one event later."""
        version = self.version + 1
        return replace(
            self,
            version=version,
            state=evolve(self.state, event),
            head=head,
            changes=self.changes.after(version, event),
        )


class TournamentCache:
    """The newest snapshot of a tournament, updated from the store. Thread-safe."""

    def __init__(self, tournaments: SqlTournaments, records: Sequence[TournamentRecord]) -> None:
        """Begin with the records read so far, at least the opening one. Raises FormatError."""
        opening, *rest = records
        header = transcript.header_from_document(opening.body)
        self._tournaments = tournaments
        self._id = header.tournament_id
        first = opened(header.title, header.format)
        self._snapshot = advanced(TournamentSnapshot(header, 0, first, opening.hash), rest)
        self._lock = Lock()
        self._begun = 0  # readings begun
        self._done = 0  # the last of them that ended well

    @property
    def snapshot(self) -> TournamentSnapshot:
        """The snapshot read last."""
        return self._snapshot

    def caught_up(self) -> TournamentSnapshot:
        """The tournament as the store has it now; of threads that ask at once, one reads."""
        begun = self._begun
        with self._lock:
            if self._done <= begun:
                self._begun += 1
                records = self._tournaments.records(self._id, self._snapshot.version + 1)
                self._snapshot = advanced(self._snapshot, records)
                self._done = self._begun
            return self._snapshot

    def kept(self, snapshot: TournamentSnapshot) -> None:
        """Note the snapshot with the records that this process appended."""
        with self._lock:
            if snapshot.version > self._snapshot.version:
                self._snapshot = snapshot


def advanced(snapshot: TournamentSnapshot, more: Iterable[TournamentRecord]) -> TournamentSnapshot:
    """The snapshot after the records that follow on it."""
    for record in more:
        snapshot = snapshot.after(transcript.record_from_document(record.body).event, record.hash)
    return snapshot
