"""What one sees who looks at a tournament: its state, how far it has come, what changed when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from scoreboard.tournament.model.disputes import (
    Disputed,
    ResultUpheld,
    ReviewRequested,
    Settled,
    Signed,
)
from scoreboard.tournament.model.results import ResultCorrected, ResultReported, ResultTakenBack
from scoreboard.tournament.model.tournament import Event, Tournament, evolve, opened
from scoreboard.tournament.model.tournament_transcript import TournamentHeader

AT_ONE_TABLE: Final = (
    ResultReported
    | ResultTakenBack
    | Signed
    | Disputed
    | ReviewRequested
    | ResultUpheld
    | Settled
    | ResultCorrected
)


@dataclass(frozen=True, slots=True)
class Changes:
    """At which version something last changed that a table is told of."""

    everywhere: int = 0
    at: Mapping[int, int] = field(default_factory=dict)

    def last(self, table: int) -> int:
        """The version at which the table with this number was last concerned."""
        return max(self.everywhere, self.at.get(table, 0))

    def after(self, version: int, event: Event) -> Changes:
        """The changes after one more happening, which made the version."""
        if isinstance(event, AT_ONE_TABLE):
            return Changes(self.everywhere, {**self.at, event.table: version})
        return Changes(version)


@dataclass(frozen=True, slots=True)
class TournamentSnapshot:
    """A tournament at one moment.

    `version` counts its happenings; `head` is the hash of the last record, which whoever wants to
    be sure of the record keeps elsewhere.
    """

    header: TournamentHeader
    version: int
    state: Tournament
    head: str
    changes: Changes = Changes()

    def after(self, event: Event, head: str) -> TournamentSnapshot:
        """The look one happening later."""
        version = self.version + 1
        return replace(
            self,
            version=version,
            state=evolve(self.state, event),
            head=head,
            changes=self.changes.after(version, event),
        )


def first_snapshot(header: TournamentHeader, head: str) -> TournamentSnapshot:
    """A tournament that was just opened. Raises FormatError."""
    return TournamentSnapshot(header, 0, opened(header.title, header.format), head)
