"""The transcript of a tournament: its events in order, and their JSON lines.

An export is a text of JSON lines: the header, then the records, each linked to the line before by
its hash and signed by the hub (see `hash_chain`). Names of kinds are declared, never taken from
classes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from scoreboard.errors import ScoreboardError
from scoreboard.games.engine.transcript import Document, EventCodec, TranscriptError, require_aware
from scoreboard.message import message
from scoreboard.tournament.model import (
    calls,
    disputes,
    entries,
    proposed_draw,
    results,
    rounds,
    settings,
    stages,
    tournament,
)
from scoreboard.tournament.model.format_text import FormatError, read_format, write_format
from scoreboard.tournament.model.hash_chain import Link, read_document, verify, wrongly_signed
from scoreboard.tournament.model.scoring import awarded
from scoreboard.tournament.model.tournament import Event, Tournament, evolve, opened
from scoreboard.tournament.model.tournament_format import TournamentFormat

# The stored name of every event; renaming a class loses no old tournament.
KINDS: Final[Mapping[str, type[Event]]] = {
    "entered": entries.Entered,
    "entered-late": entries.EnteredLate,
    "withdrew": entries.Withdrew,
    "returned": entries.Returned,
    "replaced": entries.Replaced,
    "entry-corrected": entries.EntryCorrected,
    "entry-deleted": entries.EntryDeleted,
    "sign-up-set": tournament.SignUpSet,
    "waitlist-joined": entries.WaitlistJoined,
    "moved-up": entries.MovedUp,
    "penalty-awarded": disputes.PenaltyAwarded,
    "penalty-undone": disputes.PenaltyUndone,
    "rounds-replanned": rounds.RoundsReplanned,
    "round-drawn": rounds.RoundDrawn,
    "round-drawn-by-hand": rounds.RoundDrawnByHand,
    "round-proposed": proposed_draw.RoundProposed,
    "proposed-changed": proposed_draw.ProposedChanged,
    "publishing-planned": proposed_draw.PublishingPlanned,
    "round-published": proposed_draw.RoundPublished,
    "round-started": rounds.RoundStarted,
    "tables-merged": rounds.TablesMerged,
    "table-split": rounds.TableSplit,
    "tables-changed": proposed_draw.TablesChanged,
    "match-called": calls.MatchCalled,
    "match-taken-back": calls.MatchTakenBack,
    "round-closed": rounds.RoundClosed,
    "round-undone": rounds.RoundUndone,
    "clock-set": rounds.ClockSet,
    "result-reported": results.ResultReported,
    "result-taken-back": results.ResultTakenBack,
    "signed": disputes.Signed,
    "disputed": disputes.Disputed,
    "review-requested": disputes.ReviewRequested,
    "result-upheld": disputes.ResultUpheld,
    "settled": disputes.Settled,
    "result-corrected": results.ResultCorrected,
    "score-submitted": results.ScoreSubmitted,
    "score-corrected": results.ScoreCorrected,
    "cut-made": tournament.CutMade,
    "played-off": tournament.PlayedOff,
    "lot-drawn": tournament.LotDrawn,
    "finished": stages.Finished,
    "reopened": stages.Reopened,
    "format-changed": settings.FormatChanged,
    "result-awarded": settings.ResultAwarded,
}
CODEC: Final = EventCodec(KINDS)


@dataclass(frozen=True, slots=True)
class TournamentHeader:
    """What is fixed when a tournament is opened. Raises TranscriptError without a time zone."""

    tournament_id: str
    title: str
    format: TournamentFormat
    opened_at: datetime

    def __post_init__(self) -> None:
        require_aware(self.opened_at)


@dataclass(frozen=True, slots=True)
class TournamentEvent:
    """A stored event, from 1; `source` is its role, and table. Raises TranscriptError."""

    sequence: int
    recorded_at: datetime
    source: str
    event: Event

    def __post_init__(self) -> None:
        require_aware(self.recorded_at)


# Settled is a ResultCorrected
Awarding = results.ResultReported | results.ResultCorrected | settings.ResultAwarded


@dataclass(frozen=True, slots=True)
class Transcript:
    """A whole tournament: its header and all its events."""

    header: TournamentHeader
    records: tuple[TournamentEvent, ...]

    @property
    def state(self) -> Tournament:
        """The state after the last record. Raises TranscriptError.

        Hashes alone prove nothing about who made them, so what every result awards is derived anew.
        """
        try:
            state = opened(self.header.title, self.header.format)
            for record in self.records:
                state = evolve(state, record.event)
                if isinstance(record.event, Awarding):
                    _require_derived(state, record.sequence, record.event)
        except TranscriptError:
            raise
        except (LookupError, StopIteration, TypeError, ValueError, ScoreboardError) as error:
            raise TranscriptError.worded(
                "The record is whole, but what it tells cannot have happened."
            ) from error
        return state


def _require_derived(state: Tournament, sequence: int, recorded: Awarding) -> None:
    """Check that a result's awards follow from its scores."""
    played = state.rounds[recorded.round - 1]
    table = played.table(recorded.table)
    if table is None:
        raise LookupError(recorded.table)
    derived = awarded(state.format.in_stage(played.stage), table, recorded.result.scores)
    if derived != recorded.result:
        raise TranscriptError.worded(
            "Line {line} awards “{told}”, but its scores come to “{derived}”.",
            line=sequence + 1,
            told=str(recorded.result),
            derived=str(derived),
        )


def header_document(header: TournamentHeader) -> Document:
    """A header as JSON values; the time in ISO 8601, the format as TOML."""
    return {
        "tournament_id": header.tournament_id,
        "title": header.title,
        "format": write_format(header.format),
        "opened_at": header.opened_at.isoformat(),
    }


def record_document(record: TournamentEvent) -> Document:
    """A record as JSON values; the time in ISO 8601."""
    return {
        "sequence": record.sequence,
        "recorded_at": record.recorded_at.isoformat(),
        "source": record.source,
        "happening": CODEC.document(record.event),
    }


def header_from_document(document: Mapping[str, Any]) -> TournamentHeader:
    """Read back what `header_document` wrote. Raises TranscriptError."""
    try:
        return TournamentHeader(
            _text(document, "tournament_id"),
            _text(document, "title"),
            read_format(_text(document, "format")),
            _time(document, "opened_at"),
        )
    except FormatError as error:
        raise TranscriptError(error.message) from error


def record_from_document(document: Mapping[str, Any]) -> TournamentEvent:
    """Read back what `record_document` wrote. Raises TranscriptError."""
    sequence, event = document.get("sequence"), document.get("happening")
    if type(sequence) is not int or not isinstance(event, dict):
        raise _misshapen("sequence, happening")
    return TournamentEvent(
        sequence, _time(document, "recorded_at"), _text(document, "source"), CODEC.event(event)
    )


def write_links(links: Iterable[Link]) -> str:
    """The links of an exported tournament as JSON lines, right or not."""
    lines = []
    for link in links:
        members = {"hash": link.hash, "previous": link.previous, "document": link.document}
        signed = {"key": link.key, "signature": link.signature} if link.signature else {}
        lines.append(f"{json.dumps(members | signed)}\n")
    return "".join(lines)


def read_links(text: str) -> tuple[Link, ...]:
    """The links of an exported tournament; `verify` judges them. Raises TranscriptError."""
    return tuple(_link(number, line) for number, line in enumerate(text.split("\n"), 1) if line)


def read_transcript(text: str) -> Transcript:
    """Read and check a hub's export of a tournament. Raises TranscriptError, naming the line."""
    try:
        links = read_links(text)
        broken = verify(links)
        if broken is not None or not links:
            raise TranscriptError.worded(
                "The record is broken at line {line}.", line=(broken or 0) + 1
            )
        unsigned = wrongly_signed(links)
        if unsigned is not None:
            raise TranscriptError.worded(
                "Line {line} is not signed by the key that it names.", line=unsigned + 1
            )
        header, *rest = (link.document for link in links)
        records = tuple(record_from_document(document) for document in rest)
        for number, record in enumerate(records, start=1):
            if record.sequence != number:
                raise TranscriptError.worded(
                    "Record {number} carries the number {sequence}: one is missing.",
                    number=number,
                    sequence=record.sequence,
                )
        return Transcript(header_from_document(header), records)
    except RecursionError as error:
        raise TranscriptError.worded(
            "The record holds something that is nested too deeply."
        ) from error


def _link(number: int, line: str) -> Link:
    try:
        members = read_document(line)
    except ValueError as error:
        raise _unlinked(number) from error
    match {"key": "", "signature": ""} | members:
        case {
            "hash": str(own),
            "previous": str(previous),
            "document": dict(document),
            "key": str(key),
            "signature": str(signature),
            **more,
        } if not more:
            return Link(document, previous, own, key, signature)
    raise _unlinked(number)


def _unlinked(number: int) -> TranscriptError:
    return TranscriptError(message("Line {number} is no record of a tournament.", number=number))


def _text(document: Mapping[str, Any], name: str) -> str:
    value = document.get(name)
    if not isinstance(value, str):
        raise _misshapen(name)
    return value


def _time(document: Mapping[str, Any], name: str) -> datetime:
    try:
        return datetime.fromisoformat(_text(document, name))
    except ValueError as error:
        raise _misshapen(name) from error


def _misshapen(names: str) -> TranscriptError:
    return TranscriptError(message("A record has a wrong field: {names}.", names=names))
