"""The desk of a hub: opens tournaments, shows where they stand, and carries out orders."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

from scoreboard.errors import ConflictError
from scoreboard.hub.book import Act, first_record, link_of
from scoreboard.hub.look import Look
from scoreboard.hub.naming import event_id, event_title
from scoreboard.hub.ordering import Given, Ordering
from scoreboard.hub.ports import Clock, HubStore
from scoreboard.hub.rights import require_director
from scoreboard.hub.room import Room
from scoreboard.hub.taking_over import records_taken_over
from scoreboard.logbook import Actor, TournamentRecord, UnknownTournamentError
from scoreboard.tournament.orders import Order
from scoreboard.tournament.record_signature import SigningKey
from scoreboard.tournament.tournament import opened
from scoreboard.tournament.tournament_format import TournamentFormat
from scoreboard.tournament.tournament_transcript import (
    RecordedHappening,
    TournamentHeader,
    record_from_document,
    write_links,
)


class HubDesk:
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
        self._rooms: dict[str, Room] = {}
        self._orderings: dict[Room, Ordering] = {}
        self._lock = Lock()

    @property
    def key(self) -> str:
        """The public key of the hub, in hexadecimal digits."""
        return self._key.public

    def tournaments(self) -> tuple[Look, ...]:
        """Where all tournaments stand now, newest first."""
        rooms = (self._entered(each.tournament_id) for each in self._tournaments.headers())
        return tuple(room.caught_up() for room in rooms if room is not None)

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
        return header.tournament_id

    def look(self, tournament_id: str) -> Look:
        """Where a tournament stands now; cheap, what was read before is not read again."""
        return self._room(tournament_id).caught_up()

    def known(self, tournament_id: str, version: int) -> Look:
        """A look at this version or a later one; the store is asked only where need be."""
        look = self._room(tournament_id).look
        return look if look.version >= version else self.look(tournament_id)

    def give(
        self, tournament_id: str, order: Order, actor: Actor, expected: int | None = None
    ) -> Look:
        """Carry out an order; raises as `give_all` does."""
        return self.give_all(tournament_id, (order,), actor, expected)

    def give_all(
        self,
        tournament_id: str,
        orders: Sequence[Order],
        actor: Actor,
        expected: int | None = None,
    ) -> Look:
        """Carry out all the orders, one after another, or none of them.

        `expected` is the version that the actor looked at. Without it an order that was outrun by
        another is decided again on what it finds then.

        Raises:
            NotAllowedError: the actor may not give such an order (a PermissionError too).
            RefusedOrderError, DrawError: an order cannot be carried out now.
            ConflictError: something happened since `expected`, or others are faster all the time.
        """
        given = Given(orders, actor)
        room = self._room(tournament_id)
        if expected is None:
            return self._ordering(room).give(given)
        return self._ordering(room).give_expecting(given, expected)

    def happenings(self, tournament_id: str, after: int = 0) -> tuple[RecordedHappening, ...]:
        """What happened above the version `after`, in order, with who and when."""
        records = self._tournaments.records(tournament_id, after + 1)
        return tuple(record_from_document(record.body) for record in records)

    def export(self, tournament_id: str) -> str:
        """The whole record as JSON lines, each with the hash that it was kept with.

        `scoreboard.tournament.tournament_transcript` reads and checks it.
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

    def _ordering(self, room: Room) -> Ordering:
        with self._lock:
            if room not in self._orderings:
                self._orderings[room] = Ordering(
                    room, self._tournaments, self._clock, self._key, self._rest_seconds
                )
            return self._orderings[room]

    def _room(self, tournament_id: str) -> Room:
        room = self._entered(tournament_id)
        if room is None:
            raise UnknownTournamentError(tournament_id)
        return room

    def _entered(self, tournament_id: str) -> Room | None:
        """The room of a tournament, None where nothing is known of how it is played."""
        with self._lock:
            room = self._rooms.get(tournament_id)
        if room is not None:
            return room
        records = self._tournaments.records(tournament_id)
        if not records:  # the hub was killed before it had written more than the name
            return None
        with self._lock:
            return self._rooms.setdefault(tournament_id, Room(self._tournaments, records))
