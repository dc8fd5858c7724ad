"""The desk of a hub: opens tournaments, shows where they stand, and carries out orders."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from threading import Lock
from typing import Final

from scoreboard.errors import ConflictError
from scoreboard.tournament.hub.audit_records import Act, first_record, link_of
from scoreboard.tournament.hub.command_handler import CommandHandler, Given
from scoreboard.tournament.hub.event_ids import event_id, event_title
from scoreboard.tournament.hub.ports import Clock, HubStore
from scoreboard.tournament.hub.record_import import records_taken_over
from scoreboard.tournament.hub.rights import require_director
from scoreboard.tournament.hub.snapshot import TournamentSnapshot
from scoreboard.tournament.hub.tournament_cache import TournamentCache
from scoreboard.tournament.model.hash_chain import SigningKey
from scoreboard.tournament.model.tournament import Command, opened
from scoreboard.tournament.model.tournament_format import TournamentFormat
from scoreboard.tournament.model.tournament_transcript import (
    RecordedEvent,
    TournamentHeader,
    record_from_document,
    write_links,
)
from scoreboard.tournament.protocol.audit_log import Actor, TournamentRecord, UnknownTournamentError

LOG: Final = logging.getLogger(__name__)


class TournamentService:
    """Where tournaments are led. Any thread may use it, and several processes one store.

    What happens is signed with `key`, the hub's own, which all of its processes share.
    `rest_seconds` part two keepings of orders, so that more of them are kept together. What a
    method returned from is on disk. Every method raises StoreError where the store is away, and
    UnknownTournamentError (a LookupError too) where there is no such tournament.
    """

    def __init__(
        self, store: HubStore, clock: Clock, key: SigningKey, rest_seconds: float = 0.0
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
            RefusedOrderError: the title is empty or too long.
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
            RefusedOrderError, DrawError: an order cannot be carried out now.
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
