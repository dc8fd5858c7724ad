"""The audit log of a tournament: its header first, then its events, all chained.

The body of a record is the document that an exported event has on the same line, so that what is
kept can be checked, exported and taken over as it stands.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from scoreboard.tournament.model.hash_chain import ORIGIN, Link, SigningKey, linked
from scoreboard.tournament.model.tournament import Event
from scoreboard.tournament.model.tournament_transcript import (
    TournamentEvent,
    TournamentHeader,
    header_document,
    read_links,
    read_transcript,
    record_document,
)
from scoreboard.tournament.protocol.audit_log import ACTOR_ROLES, Actor, TournamentRecord


@dataclass(frozen=True, slots=True)
class Act:
    """Who did something, and when (aware UTC)."""

    actor: Actor
    at: datetime

    @property
    def source(self) -> str:
        """Who it was, as the record says it: role, then name."""
        return f"{self.actor.role} {self.actor.name}"


def first_record(header: TournamentHeader, act: Act, key: SigningKey) -> TournamentRecord:
    """The record that opens a tournament's audit log, signed with the hub's key."""
    return _record(1, act, key.signed(linked(ORIGIN, header_document(header))))


def next_records(
    version: int, head: str, act: Act, events: Iterable[Event], key: SigningKey
) -> tuple[TournamentRecord, ...]:
    """The records of the events of one act, after `version` recorded events.

    Each is signed with the hub's key.
    """
    records: list[TournamentRecord] = []
    for sequence, event in enumerate(events, start=version + 1):
        recorded = TournamentEvent(sequence, act.at, act.source, event)
        link = key.signed(linked(head, record_document(recorded)))
        records.append(_record(sequence + 1, act, link))
        head = link.hash
    return tuple(records)


def link_of(record: TournamentRecord) -> Link:
    """The record as the export has it."""
    return Link(record.body, record.previous, record.hash, record.key, record.signature)


def taken_over(sequence: int, at: datetime, source: str, link: Link) -> TournamentRecord:
    """A record that another hub made, with its hash and signature, as this one keeps it."""
    role, _, name = source.partition(" ")
    known = next((each for each in ACTOR_ROLES if each == role), None)
    actor = Actor("hub", source) if known is None else Actor(known, name)
    return _record(sequence, Act(actor, at.astimezone(UTC)), link)


def _record(sequence: int, act: Act, link: Link) -> TournamentRecord:
    return TournamentRecord(
        sequence,
        act.at,
        act.actor,
        link.document,
        link.previous,
        link.hash,
        link.key,
        link.signature,
    )


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
