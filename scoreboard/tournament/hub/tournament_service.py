"""Tournaments at a hub: opened, shown, and commanded by authorised actors.

Commands that arrive together are decided one by one and stored in one transaction: at a round's end
hundreds of tables report and sign within seconds. In a transaction each they would wait for the
disk, and for those of other processes.

The body of a record in the audit log is the document that an exported event has on the same line:
stored records can be checked, exported and imported unchanged.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from hashlib import sha256
from threading import Lock
from typing import Final

from scoreboard.errors import ConflictError, ScoreboardError
from scoreboard.message import message
from scoreboard.players import is_printable
from scoreboard.tournament.hub.snapshot import TournamentCache, TournamentSnapshot, advanced
from scoreboard.tournament.model import tournament_transcript as transcript
from scoreboard.tournament.model.authority import CommandRefusedError, Role
from scoreboard.tournament.model.calls import following_events
from scoreboard.tournament.model.disputes import Dispute, Sign
from scoreboard.tournament.model.entries import moved_up
from scoreboard.tournament.model.format_text import FormatError, new_format_faults
from scoreboard.tournament.model.hash_chain import ORIGIN, Link, SigningKey, linked
from scoreboard.tournament.model.results import ReportResult, SubmitScore, TakeResultBack
from scoreboard.tournament.model.tournament import Command, Event, Tournament, decide, may_command
from scoreboard.tournament.model.tournament_format import TournamentFormat
from scoreboard.tournament.protocol.audit_log import (
    ACTOR_ROLES,
    Actor,
    OutdatedError,
    TournamentRecord,
    UnknownTournamentError,
)
from scoreboard.tournament.protocol.throttle import Throttle
from scoreboard.tournament.storage.batcher import Answers, Batcher
from scoreboard.tournament.storage.hub_store import SqlHubStore
from scoreboard.tournament.storage.tournaments import SqlTournaments


def next_records(
    after: TournamentSnapshot, actor: Actor, at: datetime, events: Iterable[Event], key: SigningKey
) -> tuple[TournamentRecord, ...]:
    """The records of the events of one act at a time (aware UTC), signed by `key`."""
    records, head = list[TournamentRecord](), after.head
    for sequence, event in enumerate(events, start=after.version + 1):
        recorded = transcript.TournamentEvent(sequence, at, f"{actor.role} {actor.name}", event)
        link = key.signed(linked(head, transcript.record_document(recorded)))
        records.append(_record(sequence + 1, actor, at, link))
        head = link.hash
    return tuple(records)


def link_of(record: TournamentRecord) -> Link:
    """The record as the export has it."""
    return Link(record.body, record.previous, record.hash, record.key, record.signature)


def _record(sequence: int, actor: Actor, at: datetime, link: Link) -> TournamentRecord:
    proof = link.previous, link.hash, link.key, link.signature
    return TournamentRecord(sequence, at, actor, link.document, *proof)


def records_taken_over(
    text: str,
) -> tuple[transcript.TournamentHeader, tuple[TournamentRecord, ...]]:
    """Header and records of an export. Raises TranscriptError unless it proves to be sound."""
    read = transcript.read_transcript(text)
    _ = read.state  # refused where it adds up to none
    header = read.header
    sources = [("hub", header.opened_at)]
    sources += [(each.source, each.recorded_at) for each in read.records]
    records: list[TournamentRecord] = []
    for (source, at), link in zip(sources, transcript.read_links(text), strict=True):
        role, _, name = source.partition(" ")
        known = next((each for each in ACTOR_ROLES if each == role), None)
        actor = Actor("hub", source) if known is None else Actor(known, name)
        records.append(_record(len(records) + 1, actor, at.astimezone(UTC), link))
    return header, tuple(records)


ITSELF: Final = Actor("hub", "by itself")
OF_A_TABLE: Final = ReportResult | TakeResultBack | Sign | Dispute
LONGEST_TITLE: Final = 80
LONGEST_PART: Final = 32  # of the title, in the id
TELLING: Final = 8  # digits
LOG: Final = logging.getLogger(__name__)


class NotAllowedError(ScoreboardError, PermissionError):
    """The actor's role may not do this; `message` names the roles that may."""


class UnknownTokenError(NotAllowedError):
    """The token is made up, expired or revoked."""

    def __init__(self) -> None:
        super().__init__(
            message("The hub does not know this table any more; join again with a new code.")
        )


class TooMuchError(ScoreboardError, ValueError):
    """A table sends more than any game needs; none of it is stored."""


def table_actor(number: int) -> Actor:
    """The table with this number, as the audit log names it."""
    return Actor("table", str(number))


def player_actor(entrant: int) -> Actor:
    """The player with this entry number, as the audit log names them."""
    return Actor("player", str(entrant))


def require_may(state: Tournament, actor: Actor, command: Command) -> None:
    """Check the actor's right; tables and players act for themselves. Raises NotAllowedError."""
    role: Role = "table" if actor.role == "player" else actor.role
    if not may_command(role, command):
        raise NotAllowedError.worded(
            "This is for others to do: ask the director or the referee of the event."
        )
    if role == "table" and not _is_own(state, actor, command):
        raise NotAllowedError(message("Tables and players give results of their own alone."))


def _is_own(state: Tournament, actor: Actor, command: Command) -> bool:
    if actor.role == "table":
        at_table = isinstance(command, OF_A_TABLE) and str(command.table) == actor.name
        return at_table or isinstance(command, SubmitScore)
    match command:
        case Sign(entrant=entrant) | Dispute(entrant=entrant) | SubmitScore(entrant=entrant):
            return str(entrant) == actor.name
        case ReportResult(round=number, table=at) if 1 <= number <= len(state.rounds):
            table = state.rounds[number - 1].table(at)
            return table is not None and actor.name in map(str, table.seats)
    return False


@dataclass(frozen=True, slots=True)
class CommandBatch:
    """Commands to carry out all or none, if `expected` and `seen`, as in `give_all`, hold."""

    commands: Sequence[Command]
    actor: Actor
    expected: int | None = None
    seen: int | None = None


class CommandHandler:
    """Carries out the commands asked of its `batcher`; safe for threads, and for processes."""

    def __init__(
        self,
        cache: TournamentCache,
        tournaments: SqlTournaments,
        clock: Callable[[], datetime],
        key: SigningKey,
        rest_seconds: float,
    ) -> None:
        self.cache = cache
        self._tournaments = tournaments
        self._clock = clock
        self._key = key
        self.batcher = Batcher(self._carried_out, id, Throttle(rest_seconds).rest)

    def _carried_out(self, asked: Sequence[CommandBatch]) -> Answers[TournamentSnapshot]:
        """Decide each on the result of those before it, and store all in one transaction.

        In it other processes wait, so that no command of a table loses a race. A director's may
        take seconds (a draw): it is decided before, and again only if records came in between.
        """
        commands = (command for batch in asked for command in batch.commands)
        cache, quick = self.cache, all(isinstance(each, OF_A_TABLE) for each in commands)
        known = cache.snapshot if quick else cache.caught_up()
        decided = None if quick else self._decided(known, asked)

        def decide(newer: Sequence[TournamentRecord]) -> Sequence[TournamentRecord]:
            nonlocal decided
            if decided is None or newer:
                decided = self._decided(advanced(known, newer), asked)
            return decided[1]

        self._tournaments.carry_on(known.header.tournament_id, known.version + 1, decide)
        assert decided is not None  # noqa: S101 -- `decide` was called
        snapshot, _, answers = decided
        cache.kept(snapshot)
        _log_answers(snapshot.header.tournament_id, asked, answers)
        return answers

    def _decided(
        self, snapshot: TournamentSnapshot, asked: Sequence[CommandBatch]
    ) -> tuple[TournamentSnapshot, Sequence[TournamentRecord], Answers[TournamentSnapshot]]:
        """What follows on a snapshot, the records of that, and the answer to each batch."""
        records = list[TournamentRecord]()
        answers: list[TournamentSnapshot | Exception] = []
        for batch in asked:
            at = self._clock()
            try:
                events = _decided(snapshot, batch)
            except ScoreboardError as error:  # answered to its giver; the others go on
                answers.append(error)
            else:
                fresh = next_records(snapshot, batch.actor, at, events, self._key)
                records += fresh
                snapshot = advanced(snapshot, fresh)
                answers.append(snapshot)
        events = (*moved_up(snapshot.state), *following_events(snapshot.state))
        more = next_records(snapshot, ITSELF, at, events, self._key)
        return advanced(snapshot, more), (*records, *more), answers


def _log_answers(
    name: str, asked: Sequence[CommandBatch], answers: Answers[TournamentSnapshot]
) -> None:
    """Log the results of commands; those carried out are on disk by now."""
    for batch, answer in zip(asked, answers, strict=True):
        who = f"{batch.actor.role} {batch.actor.name}"
        commands = "; ".join(map(command_words, batch.commands))
        if isinstance(answer, Exception):
            kind = type(answer).__name__
            LOG.info("refused in %s to %s: %s (%s): %s", name, who, commands, kind, answer)
        else:
            at = answer.version
            LOG.info("carried out in %s for %s: %s, version %s", name, who, commands, at)


def command_words(command: Command) -> str:
    """A command with its numbers, without names: `Sign round 1 table 3 game 1 entrant 5`."""
    numbers = [
        f"{each.name} {value}"
        for each in fields(command)
        if isinstance(value := getattr(command, each.name), int) and each.name != "seed"
    ]
    return " ".join((type(command).__name__, *numbers))


def _decided(snapshot: TournamentSnapshot, batch: CommandBatch) -> tuple[Event, ...]:
    """The events of all the commands, each decided on the result of those before it."""
    events: list[Event] = []
    if batch.expected not in {None, snapshot.version}:
        raise ConflictError.worded(
            "The event is at version {version}, and you have seen {seen}: look again, then decide.",
            version=snapshot.version,
            seen=str(batch.expected),
        )
    if batch.seen not in {None, snapshot.changes.official}:
        raise OutdatedError
    for command in batch.commands:
        require_may(snapshot.state, batch.actor, command)
        for event in decide(snapshot.state, command):
            events.append(event)
            snapshot = snapshot.after(event, snapshot.head)
    return tuple(events)


def event_title(text: str) -> str:
    """The title stripped. Raises CommandRefusedError if it is empty or too long for the pages."""
    title = text.strip()
    if not 1 <= len(title) <= LONGEST_TITLE or not is_printable(title):
        raise CommandRefusedError.worded(
            "Give the event a title of 1 to {most} letters.", most=LONGEST_TITLE
        )
    return title


def event_id(title: str, at: datetime) -> str:
    """A tournament's id by title and time of opening: lower-case letters, digits, dashes."""
    part = re.sub(r"[^a-z0-9]+", "-", title.lower())[:LONGEST_PART].strip("-")
    distinction = sha256(f"{title} {at.isoformat()}".encode()).hexdigest()[:TELLING]
    return f"{part or 'event'}-{distinction}"


class TournamentService:
    """All tournaments of a hub. Safe for threads, and for processes on one store.

    Records are signed with `key`, which all processes of the hub share. Commits of commands are
    `rest_seconds` apart, so that more of them share one. When a method returns, its change is on
    disk. Every method raises StoreError if the store is away, and UnknownTournamentError for an
    unknown tournament.
    """

    def __init__(
        self,
        store: SqlHubStore,
        clock: Callable[[], datetime],
        key: SigningKey,
        rest_seconds: float = 0.0,
    ) -> None:
        self.key: Final = key.public  # of the hub, in hexadecimal digits
        self._tournaments = store.tournaments
        self._clock = clock
        self._key = key
        self._rest_seconds = rest_seconds
        self._handlers: dict[str, CommandHandler] = {}
        self._lock = Lock()

    def tournaments(self, *, unfinished: bool = False) -> tuple[TournamentSnapshot, ...]:
        """All tournaments now, newest first; `unfinished`: without those last seen as finished."""
        found = (self._found(each.tournament_id) for each in self._tournaments.headers())
        caches = (each.cache for each in found if each is not None)
        wanted = (each for each in caches if not (unfinished and each.snapshot.state.finished))
        return tuple(each.caught_up() for each in wanted)

    def open(
        self, title: str, form: TournamentFormat, actor: Actor, seen: int | None = None
    ) -> str:
        """Open a tournament and answer its id; `seen` is how many tournaments the actor saw.

        Raises OutdatedError if there are others, NotAllowedError unless the actor directs,
        CommandRefusedError for the title, FormatError for a format that cannot be played.
        """
        if actor.role != "director":
            raise NotAllowedError(message("This is for the director to do."))
        title, at = event_title(title), self._clock()
        if faults := new_format_faults(form):
            raise FormatError(faults)
        header = transcript.TournamentHeader(event_id(title, at), title, form, at)
        link = self._key.signed(linked(ORIGIN, transcript.header_document(header)))
        self._begin(header, [_record(1, actor, at, link)], seen)
        LOG.info("opened %s for %s %s", header.tournament_id, actor.role, actor.name)
        return header.tournament_id

    def snapshot(self, tournament_id: str) -> TournamentSnapshot:
        """A tournament now; only what is new is read."""
        return self._handler(tournament_id).cache.caught_up()

    def known(self, tournament_id: str, version: int | None) -> TournamentSnapshot:
        """One of this version or a later one, read only if need be; the newest if that is None."""
        cache = self._handler(tournament_id).cache
        is_behind = version is None or cache.snapshot.version < version
        return cache.caught_up() if is_behind else cache.snapshot

    def give(
        self, tournament_id: str, command: Command, actor: Actor, expected: int | None = None
    ) -> TournamentSnapshot:
        """Carry out one command; raises as `give_all` does."""
        return self.give_all(tournament_id, (command,), actor, expected)

    def give_all(
        self,
        tournament_id: str,
        commands: Sequence[Command],
        actor: Actor,
        expected: int | None = None,
        seen: int | None = None,
    ) -> TournamentSnapshot:
        """Carry out all the commands in order, or none of them.

        `expected` is the version that the actor saw, `seen` that of the last official event
        (`Changes`). Without them a command is decided on the state that is there by then.

        Raises NotAllowedError, CommandRefusedError or DrawError, and ConflictError if something
        changed since.
        """
        batch = CommandBatch(commands, actor, expected, seen)
        return self._handler(tournament_id).batcher.ask(batch)

    def events(self, tournament_id: str, after: int = 0) -> tuple[transcript.TournamentEvent, ...]:
        """The events above the version `after`, in order, with actor and time."""
        records = self._tournaments.records(tournament_id, after + 1)
        return tuple(transcript.record_from_document(record.body) for record in records)

    def export(self, tournament_id: str) -> str:
        """The whole record as JSON lines, each with its stored hash; `take_over` reads it."""
        return transcript.write_links(map(link_of, self._tournaments.records(tournament_id)))

    def take_over(self, text: str) -> str:
        """Keep an exported tournament, for its id. Raises TranscriptError, ConflictError."""
        header, records = records_taken_over(text)
        self._begin(header, records)
        LOG.info("took over %s with %s records", header.tournament_id, len(records))
        return header.tournament_id

    def _begin(
        self,
        header: transcript.TournamentHeader,
        records: Sequence[TournamentRecord],
        seen: int | None = None,
    ) -> None:
        """Store a new audit log; one that a killed hub left empty is begun anew."""
        tournament_id = header.tournament_id
        try:
            self._tournaments.create(tournament_id, header.title, self._clock(), seen)
        except OutdatedError:
            raise
        except ConflictError:
            if self._tournaments.records(tournament_id):
                raise
        self._tournaments.append(tournament_id, 0, records)

    def _handler(self, tournament_id: str) -> CommandHandler:
        handler = self._found(tournament_id)
        if handler is None:
            raise UnknownTournamentError(tournament_id)
        return handler

    def _found(self, tournament_id: str) -> CommandHandler | None:
        """The handler of a tournament, None if only its name was written before a kill."""
        with self._lock:
            handler = self._handlers.get(tournament_id)
        if handler is not None:
            return handler
        records = self._tournaments.records(tournament_id)
        if not records:
            return None
        cache = TournamentCache(self._tournaments, records)
        parts = self._tournaments, self._clock, self._key, self._rest_seconds
        with self._lock:
            return self._handlers.setdefault(tournament_id, CommandHandler(cache, *parts))
