"""Reading what another hub exported, so that it can be kept as it stands."""

from __future__ import annotations

from scoreboard.hub.book import taken_over
from scoreboard.logbook import TournamentRecord
from scoreboard.phrase import phrase
from scoreboard.tournament.happening_json import TournamentTranscriptError
from scoreboard.tournament.tournament_transcript import (
    TournamentHeader,
    Transcript,
    read_links,
    read_transcript,
)


def records_taken_over(text: str) -> tuple[TournamentHeader, tuple[TournamentRecord, ...]]:
    """The header and the records of an exported event, hashes and all.

    Raises:
        TournamentTranscriptError: a line cannot be read, the chain is broken, a record is
            missing, or what happened could not have happened.
    """
    transcript = read_transcript(text)
    _require_replayable(transcript)
    opening, *rest = read_links(text)
    header = transcript.header
    first = taken_over(1, header.opened_at, "hub", opening)
    records = (
        taken_over(each.sequence + 1, each.recorded_at, each.source, link)
        for each, link in zip(transcript.records, rest, strict=True)
    )
    return header, (first, *records)


def _require_replayable(transcript: Transcript) -> None:
    """Whether the record adds up to a state: hashes alone prove nothing about who made them."""
    try:
        _ = transcript.state
    except (LookupError, StopIteration, TypeError, ValueError) as error:
        raise TournamentTranscriptError(
            phrase("The record is whole, but what it tells cannot have happened.")
        ) from error
