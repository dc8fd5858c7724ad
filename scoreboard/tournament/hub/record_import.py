"""Reading what another hub exported, so that it can be kept as it stands."""

from __future__ import annotations

from scoreboard.tournament.hub.audit_records import taken_over
from scoreboard.tournament.model.tournament_transcript import (
    TournamentHeader,
    read_links,
    read_transcript,
)
from scoreboard.tournament.protocol.audit_log import TournamentRecord


def records_taken_over(text: str) -> tuple[TournamentHeader, tuple[TournamentRecord, ...]]:
    """The header and the records of an exported event, hashes and all.

    Raises:
        TournamentTranscriptError: a line cannot be read, the chain is broken, a record is
            missing, a result awards what its scores do not come to, or what is told could not
            have happened.
    """
    transcript = read_transcript(text)
    _ = transcript.state  # refused where it adds up to none
    opening, *rest = read_links(text)
    header = transcript.header
    first = taken_over(1, header.opened_at, "hub", opening)
    records = (
        taken_over(each.sequence + 1, each.recorded_at, each.source, link)
        for each, link in zip(transcript.records, rest, strict=True)
    )
    return header, (first, *records)
