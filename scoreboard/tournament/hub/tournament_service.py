"""The desk of a hub: opens tournaments, shows where they stand, and carries out orders."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from hashlib import sha256
from threading import Lock
from typing import Final, assert_never

from scoreboard.errors import ConflictError, ScoreboardError
from scoreboard.message import message
from scoreboard.tournament.hub.audit_records import (
    Act,
    first_record,
    link_of,
    next_records,
    records_taken_over,
)
from scoreboard.tournament.hub.snapshot import TournamentCache, TournamentSnapshot, advanced
from scoreboard.tournament.model.authority import CommandRefusedError, Role
from scoreboard.tournament.model.disputes import Dispute, Sign
from scoreboard.tournament.model.hash_chain import SigningKey
from scoreboard.tournament.model.results import ReportResult, SubmitScore, TakeResultBack
from scoreboard.tournament.model.tournament import (
    Command,
    Event,
    Tournament,
    decide,
    may_command,
    opened,
)
from scoreboard.tournament.model.tournament_format import TournamentFormat
from scoreboard.tournament.model.tournament_transcript import (
    RecordedEvent,
    TournamentHeader,
    record_from_document,
    write_links,
)
from scoreboard.tournament.protocol.audit_log import (
    Actor,
    ActorRole,
    TournamentRecord,
    UnknownTournamentError,
)
from scoreboard.tournament.protocol.throttle import Throttle
from scoreboard.tournament.storage.batcher import Batcher
from scoreboard.tournament.storage.hub_store import SqlHubStore
from scoreboard.tournament.storage.tournaments import SqlTournaments


class NotAllowedError(ScoreboardError, PermissionError):
    """Somebody asked for what their role may not do; `message` says who may."""


class UnknownTokenError(NotAllowedError):
    """A token that lets no table in: made up, expired or revoked."""

    def __init__(self) -> None:
        super().__init__(
            message("The hub does not know this table any more; join again with a new code.")
        )


class TooMuchError(ScoreboardError, ValueError):
    """A table tells more than any table has to tell; nothing of it is kept."""


def stale(seen: int, version: int) -> ConflictError:
    """The refusal of an order by someone who has not seen what happened since."""
    return ConflictError(
        message(
            "The event is at version {version}, and you have seen {seen}: look again, then decide.",
            version=version,
            seen=seen,
        )
    )


OF_A_TABLE: Final = ReportResult | TakeResultBack | Sign | Dispute


def table_actor(number: int) -> Actor:
    """The table with this number, as the logbook calls it."""
    return Actor("table", str(number))


def player_actor(entrant: int) -> Actor:
    """The player with this entry number, as the logbook calls them."""
    return Actor("player", str(entrant))


def require_may(state: Tournament, actor: Actor, command: Command) -> None:
    """Check that the actor may give the order at all.

    A table orders for itself alone. A player reports for the table where they sit, signs and
    disputes in their own name, and has no other order.

    Raises:
        NotAllowedError: the role may not, or it is another's table or name.
    """
    role = _role(actor.role)
    if role is None or not may_command(role, command):
        raise NotAllowedError(
            message("This is for others to do: ask the director or the referee of the event.")
        )
    if role == "table" and not _is_own(state, actor, command):
        raise NotAllowedError(message("Tables and players give results of their own alone."))


def require_director(actor: Actor) -> None:
    """Check that the actor directs. Raises NotAllowedError."""
    if actor.role != "director":
        raise NotAllowedError(message("This is for the director to do."))


def _role(role: ActorRole) -> Role | None:
    match role:
        case "director" | "referee" | "table":
            return role
        case "player":
            return "table"
        case "hub":
            return None
        case _:
            assert_never(role)


def _is_own(state: Tournament, actor: Actor, command: Command) -> bool:
    if actor.role == "table":
        return isinstance(command, SubmitScore) or _table_of(command) == actor.name
    match command:
        case Sign(entrant=entrant) | Dispute(entrant=entrant) | SubmitScore(entrant=entrant):
            return str(entrant) == actor.name
        case ReportResult(round=number, table=at) if 1 <= number <= len(state.rounds):
            table = state.rounds[number - 1].table(at)
            return table is not None and actor.name in map(str, table.seats)
    return False


def _table_of(command: Command) -> str | None:
    return str(command.table) if isinstance(command, OF_A_TABLE) else None


MOST_RACES: Final = 100  # lost by one order, before it is given up


@dataclass(frozen=True, slots=True)
class Given:
    """Orders of somebody, to be carried out one after another, or none of them."""

    orders: Sequence[Command]
    actor: Actor


class CommandHandler:
    """Gives orders in one room. Any thread may use it, and several processes one store."""

    def __init__(
        self,
        cache: TournamentCache,
        tournaments: SqlTournaments,
        clock: Callable[[], datetime],
        key: SigningKey,
        rest_seconds: float,
    ) -> None:
        self._cache = cache
        self._tournaments = tournaments
        self._clock = clock
        self._key = key
        self._deciding = Lock()  # so that threads of one process need not race
        self._batcher = Batcher(self._decided_anew, id, Throttle(rest_seconds).rest)

    def give(self, given: Given) -> TournamentSnapshot:
        """Carry orders out on whatever they find; raises what refuses them, and ConflictError."""
        return self._batcher.ask(given)

    def give_expecting(self, given: Given, expected: int) -> TournamentSnapshot:
        """Carry orders out on this version; raises what refuses them.

        Raises:
            ConflictError: another version is there by now.
        """
        with self._deciding:
            snapshot = self._cache.caught_up()
            if snapshot.version != expected:
                error = stale(expected, snapshot.version)
                _log_answers(snapshot, [given], [error])
                raise error
            answer = self._carried_out(snapshot, [given])[0]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _decided_anew(self, asked: Sequence[Given]) -> list[TournamentSnapshot | Exception]:
        """Carry orders out; those that others have outrun are decided on what is there then."""
        with self._deciding:
            for _ in range(MOST_RACES - 1):
                try:
                    return self._carried_out(self._cache.caught_up(), asked)
                except ConflictError:
                    continue
            return self._carried_out(self._cache.caught_up(), asked)

    def _carried_out(
        self, snapshot: TournamentSnapshot, asked: Sequence[Given]
    ) -> list[TournamentSnapshot | Exception]:
        """Decide each on what those before it led to, and keep all of it at once."""
        before, records, answers = (
            snapshot,
            list[TournamentRecord](),
            list[TournamentSnapshot | Exception](),
        )
        for given in asked:
            act = Act(given.actor, self._clock())
            try:
                events = _decided(snapshot, given)
            except ScoreboardError as error:  # told to who gave it; the others' are carried out
                answers.append(error)
            else:
                fresh = next_records(snapshot.version, snapshot.head, act, events, self._key)
                records += fresh
                snapshot = advanced(snapshot, fresh)
                answers.append(snapshot)
        self._tournaments.append(before.header.tournament_id, before.version + 1, records)
        self._cache.kept(snapshot)
        _log_answers(before, asked, answers)
        return answers


def _log_answers(
    before: TournamentSnapshot,
    asked: Sequence[Given],
    answers: Sequence[TournamentSnapshot | Exception],
) -> None:
    """Log what came of orders: what was carried out is on disk by now."""
    if not LOG.isEnabledFor(logging.INFO):
        return
    for given, answer in zip(asked, answers, strict=True):
        who = f"{given.actor.role} {given.actor.name}"
        orders = "; ".join(map(command_words, given.orders))
        if isinstance(answer, Exception):
            kind = type(answer).__name__
            tournament_id = before.header.tournament_id
            LOG.info("refused in %s to %s: %s (%s): %s", tournament_id, who, orders, kind, answer)
        else:
            tournament_id, version = answer.header.tournament_id, answer.version
            LOG.info(
                "carried out in %s for %s: %s, version %s", tournament_id, who, orders, version
            )


def command_words(command: Command) -> str:
    """An order with its numbers, as `Sign round 1 table 3 game 1 entrant 5`: no name, no reason."""
    numbers = [
        f"{each.name} {value}"
        for each in fields(command)
        if isinstance(value := getattr(command, each.name), int) and each.name != "seed"
    ]
    return " ".join((type(command).__name__, *numbers))


def _decided(snapshot: TournamentSnapshot, given: Given) -> tuple[Event, ...]:
    """What all the orders lead to, each decided on what those before it led to."""
    events: list[Event] = []
    for command in given.orders:
        require_may(snapshot.state, given.actor, command)
        for event in decide(snapshot.state, command):
            events.append(event)
            snapshot = snapshot.after(event, snapshot.head)
    return tuple(events)


LONGEST_TITLE: Final = 80
LONGEST_PART: Final = 32  # of the title that stands in the id
TELLING: Final = 8  # digits


def event_title(text: str) -> str:
    """Check an event's title and return it without blanks around.

    Raises:
        CommandRefusedError: it is empty, or too long for the pages that show it.
    """
    title = text.strip()
    if not 1 <= len(title) <= LONGEST_TITLE or not title.isprintable():
        raise CommandRefusedError(
            message("Give the event a title of 1 to {most} letters.", most=LONGEST_TITLE)
        )
    return title


def event_id(title: str, at: datetime) -> str:
    """The id of an event of this title, opened at this time: lower-case letters, digits, dashes."""
    part = re.sub(r"[^a-z0-9]+", "-", title.lower())[:LONGEST_PART].strip("-")
    told_apart = sha256(f"{title} {at.isoformat()}".encode()).hexdigest()[:TELLING]
    return f"{part or 'event'}-{told_apart}"


LOG: Final = logging.getLogger(__name__)


class TournamentService:
    """Where tournaments are led. Any thread may use it, and several processes one store.

    What happens is signed with `key`, the hub's own, which all of its processes share.
    `rest_seconds` part two keepings of orders, so that more of them are kept together. What a
    method returned from is on disk. Every method raises StoreError where the store is away, and
    UnknownTournamentError (a LookupError too) where there is no such tournament.
    """

    def __init__(
        self,
        store: SqlHubStore,
        clock: Callable[[], datetime],
        key: SigningKey,
        rest_seconds: float = 0.0,
    ) -> None:
        self._tournaments = store.tournaments
        self._clock = clock
        self._key = key
        self._rest_seconds = rest_seconds
        self._caches: dict[str, TournamentCache] = {}
        self._orderings: dict[TournamentCache, CommandHandler] = {}
        self._lock = Lock()

    @property
    def key(self) -> str:
        """The public key of the hub, in hexadecimal digits."""
        return self._key.public

    def tournaments(self) -> tuple[TournamentSnapshot, ...]:
        """Where all tournaments stand now, newest first."""
        rooms = (self._entered(each.tournament_id) for each in self._tournaments.headers())
        return tuple(cache.caught_up() for cache in rooms if cache is not None)

    def open(self, title: str, form: TournamentFormat, actor: Actor) -> str:
        """Open a tournament and answer its id, made of lower-case letters, digits and dashes.

        Raises:
            NotAllowedError: the actor does not direct.
            CommandRefusedError: the title is empty or too long.
            FormatError: the format cannot be played.
        """
        require_director(actor)
        title, act = event_title(title), Act(actor, self._clock())
        opened(title, form)
        header = TournamentHeader(event_id(title, act.at), title, form, act.at)
        self._begin(header, [first_record(header, act, self._key)])
        LOG.info("opened %s for %s %s", header.tournament_id, actor.role, actor.name)
        return header.tournament_id

    def snapshot(self, tournament_id: str) -> TournamentSnapshot:
        """Where a tournament stands now; cheap, what was read before is not read again."""
        return self._cache(tournament_id).caught_up()

    def known(self, tournament_id: str, version: int) -> TournamentSnapshot:
        """A look at this version or a later one; the store is asked only where need be."""
        snapshot = self._cache(tournament_id).snapshot
        return snapshot if snapshot.version >= version else self.snapshot(tournament_id)

    def give(
        self, tournament_id: str, command: Command, actor: Actor, expected: int | None = None
    ) -> TournamentSnapshot:
        """Carry out an order; raises as `give_all` does."""
        return self.give_all(tournament_id, (command,), actor, expected)

    def give_all(
        self,
        tournament_id: str,
        commands: Sequence[Command],
        actor: Actor,
        expected: int | None = None,
    ) -> TournamentSnapshot:
        """Carry out all the orders, one after another, or none of them.

        `expected` is the version that the actor looked at. Without it an order that was outrun by
        another is decided again on what it finds then.

        Raises:
            NotAllowedError: the actor may not give such an order (a PermissionError too).
            CommandRefusedError, DrawError: an order cannot be carried out now.
            ConflictError: something happened since `expected`, or others are faster all the time.
        """
        given = Given(commands, actor)
        cache = self._cache(tournament_id)
        if expected is None:
            return self._ordering(cache).give(given)
        return self._ordering(cache).give_expecting(given, expected)

    def events(self, tournament_id: str, after: int = 0) -> tuple[RecordedEvent, ...]:
        """What happened above the version `after`, in order, with who and when."""
        records = self._tournaments.records(tournament_id, after + 1)
        return tuple(record_from_document(record.body) for record in records)

    def export(self, tournament_id: str) -> str:
        """The whole record as JSON lines, each with the hash that it was kept with.

        `scoreboard.tournament.model.tournament_transcript` reads and checks it.
        """
        records = self._tournaments.records(tournament_id)
        return write_links(map(link_of, records))

    def take_over(self, text: str) -> str:
        """Keep the tournament that another hub exported, and answer its id.

        Raises:
            TournamentTranscriptError: the record is broken, contradicts itself or lacks a line.
            ConflictError: a tournament of its id is here already.
        """
        header, records = records_taken_over(text)
        self._begin(header, records)
        LOG.info("took over %s with %s records", header.tournament_id, len(records))
        return header.tournament_id

    def _begin(self, header: TournamentHeader, records: Sequence[TournamentRecord]) -> None:
        """Keep a new logbook; one that a killed hub left without any record is begun anew."""
        tournament_id = header.tournament_id
        try:
            self._tournaments.create(tournament_id, header.title, self._clock())
        except ConflictError:
            if self._tournaments.records(tournament_id):
                raise
        self._tournaments.append(tournament_id, 0, records)

    def _ordering(self, cache: TournamentCache) -> CommandHandler:
        with self._lock:
            if cache not in self._orderings:
                self._orderings[cache] = CommandHandler(
                    cache, self._tournaments, self._clock, self._key, self._rest_seconds
                )
            return self._orderings[cache]

    def _cache(self, tournament_id: str) -> TournamentCache:
        cache = self._entered(tournament_id)
        if cache is None:
            raise UnknownTournamentError(tournament_id)
        return cache

    def _entered(self, tournament_id: str) -> TournamentCache | None:
        """The room of a tournament, None where nothing is known of how it is played."""
        with self._lock:
            cache = self._caches.get(tournament_id)
        if cache is not None:
            return cache
        records = self._tournaments.records(tournament_id)
        if not records:  # the hub was killed before it had written more than the name
            return None
        with self._lock:
            return self._caches.setdefault(
                tournament_id, TournamentCache(self._tournaments, records)
            )
