"""A hub's answers to its tables: join, greet, deliver, and wait for updates."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from json import dumps
from math import inf
from time import monotonic
from typing import Final

from scoreboard.errors import ConflictError
from scoreboard.storage.score_photos import MOST_PHOTO_BYTES
from scoreboard.tournament.hub.admission import Admission, TableSeat
from scoreboard.tournament.hub.ingestion import Ingestion, obstacle
from scoreboard.tournament.hub.overview import ActiveGames, Overview
from scoreboard.tournament.hub.replay import ReplayedGame
from scoreboard.tournament.hub.snapshot import TournamentSnapshot
from scoreboard.tournament.hub.table_updates import update_for
from scoreboard.tournament.hub.tournament_service import (
    TooMuchError,
    TournamentService,
    UnknownTokenError,
)
from scoreboard.tournament.protocol.audit_log import JoinRefusedError
from scoreboard.tournament.protocol.hub_update import (
    ClockUpdate,
    Greeting,
    HubUpdate,
    Joined,
    JoinRequest,
    MessageUpdate,
)
from scoreboard.tournament.protocol.items import Delivery, PhotoReceipt, Receipt, StoredItems
from scoreboard.tournament.storage.hub_store import SqlHubStore
from scoreboard.tournament.storage.unrecorded import EVERYBODY, NEWEST_NEWS, HubMessage, TablePhoto

MOST_OF_A_GAME: Final = 10_000  # items; a long game with much taken back has a tenth of it
LARGEST_ITEM: Final = 16_384  # characters; a table with all tiles has a thirtieth
MOST_GAMES_AT_A_TABLE: Final = 1_000  # of an event: a season of evenings has half of it
MOST_MESSAGES: Final = 20  # that a table has at once
PHOTO_SECONDS: Final = 5  # between two photos of a table
WISH_SECONDS: Final = 2.0  # for which it is known whether an event shows photos
JPEG_START: Final = b"\xff\xd8\xff"
LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RestoredItems:
    """How many items a table sent again at `at`, which a restored hub lacked.

    The copy's last record of the tournament is of `copied_at`.
    """

    table: int
    items: int
    copied_at: datetime
    at: datetime


class TableApi:
    """Answers tables. Safe for threads, and for processes on one store.

    Every method raises StoreError if the store is away; those that take a token raise
    UnknownTokenError (a PermissionError too) for an invalid one.
    """

    def __init__(
        self,
        store: SqlHubStore,
        service: TournamentService,
        admission: Admission,
        clock: Callable[[], datetime],
        life: str = "",
    ) -> None:
        """Make it of a hub's parts; all processes started together have one `life`."""
        self._life = life
        self._deliveries = store.deliveries
        self._service = service
        self._admission = admission
        self._presence = store.presence
        self._event_marks = store.event_marks
        self._messages = store.messages
        self._read_messages: dict[str, tuple[int, tuple[HubMessage, ...]]] = {}
        self._told_again: dict[TableSeat, RestoredItems] = {}
        self._photo_wishes: dict[str, tuple[float, int]] = {}  # by event, with when it was read
        self._clock = clock
        self._feed = store.change_feed
        self._ingestion = Ingestion(store.deliveries, service)
        self._active_games = ActiveGames(store.deliveries, self._ingestion, self._feed)
        self.replayed = self._ingestion.replays.caught_up
        overview = Overview(service, self._ingestion, self._active_games, store.presence, clock)
        self.tables, self.table = overview.tables, overview.table

    def examine_all(self) -> None:
        """Do what a killed hub left undone; called once, at the start."""
        for snapshot in self._service.tournaments():
            if not snapshot.state.finished:
                self._ingestion.examine_all(snapshot.header.tournament_id)

    def join(self, request: JoinRequest) -> Joined:
        """Let a table in by its code. Raises JoinRefusedError."""
        try:
            place = self._admission.join(request)
        except JoinRefusedError as error:
            LOG.info("no table joined: %s", error)
            raise
        LOG.info("table %s joined", place)
        self._presence.note(str(place), self._clock())
        title = self._service.snapshot(place.tournament_id).state.title
        return Joined(place.tournament_id, title, place.table)

    def greet(self, token: str, greeting: Greeting) -> HubUpdate:
        """The update for a table that connects, with the items that the hub misses of its games."""
        place = self._admitted(token)
        known = greeting.acknowledged
        missed = {
            game_id: self._missed(place, game_id, last, known.get(game_id, 0))
            for game_id, last in greeting.games.items()
        }
        wanted = {game_id: held for game_id, held in missed.items() if held is not None}
        LOG.info("greeted by table %s; wanted: %s", place, ", ".join(wanted) or "nothing")
        again = sum(max(0, known.get(game, 0) - held.through) for game, held in wanted.items())
        snapshot = self._service.snapshot(place.tournament_id)
        if again:
            LOG.warning("put back from a copy: table %s sends %s items again", place, again)
            last = self._service.events(place.tournament_id, snapshot.version - 1)
            copied_at = last[0].recorded_at if last else snapshot.header.opened_at
            self._told_again[place] = RestoredItems(place.table, again, copied_at, self._clock())
        return self._update(place, snapshot, wanted)

    def games(self, place: TableSeat, number: int) -> tuple[ReplayedGame, ...]:
        """The games that a table delivered of that round, in order. Raises StoreError."""
        return self._active_games.games(place, number)

    def told_again(self, tournament_id: str) -> tuple[RestoredItems, ...]:
        """The tables that recently sent items that a copy lacked to this process, by number."""
        now = self._clock()
        found = (
            each
            for place, each in self._told_again.items()
            if place.tournament_id == tournament_id and now - each.at < NEWEST_NEWS
        )
        return tuple(sorted(found, key=lambda each: each.table))

    def deliver(self, token: str, delivery: Delivery) -> Receipt:
        """Take in items; of a refused delivery nothing is kept.

        Raises ConflictError if the game is another table's, TooMuchError.
        """
        place = self._admitted(token)
        try:
            self._require_bounded(place, delivery)
            receipt = self._ingestion.take(place, delivery)
        except (ConflictError, TooMuchError) as error:
            kind = type(error).__name__
            LOG.info("refused from table %s: %s (%s): %s", place, delivery, kind, error)
            raise
        LOG.info("kept from table %s: %s, %s", place, delivery, receipt)
        self._active_games.played(place, delivery.game_id)
        replay = self._ingestion.replays.known(delivery.game_id)
        if replay.opened is not None and replay.has_ended:
            self._ingestion.settle(place, self._active_games.games(place, replay.opened.round))
        return replace(receipt, photo_seconds=self._photo_seconds(place))

    def take_photo(self, token: str, jpeg: bytes, anew: Callable[[bytes], bytes]) -> PhotoReceipt:
        """Store the photo of a table's last roll if the tournament shows them; else drop it.

        It is stored as `anew` encodes it: no spectator's browser has to read a table's own bytes.
        Raises TooMuchError if it is no JPEG of at most 60,000 bytes, and what `anew` raises.
        """
        place = self._admitted(token)
        if not jpeg.startswith(JPEG_START) or len(jpeg) > MOST_PHOTO_BYTES:
            raise TooMuchError.worded("Send a JPEG of at most {most} bytes.", most=MOST_PHOTO_BYTES)
        seconds = self._photo_seconds(place)
        if seconds:
            self._event_marks.keep_photo(str(place), TablePhoto(self._clock(), anew(jpeg)))
        return PhotoReceipt(seconds)

    def _photo_seconds(self, place: TableSeat) -> int:
        """How often a photo is welcome; not read for every delivery of a full hall."""
        read_at, seconds = self._photo_wishes.get(place.tournament_id, (-inf, 0))
        if monotonic() - read_at > WISH_SECONDS:
            seconds = PHOTO_SECONDS if self._event_marks.of(place.tournament_id).photos else 0
            self._photo_wishes[place.tournament_id] = (monotonic(), seconds)
        return seconds

    def _require_bounded(self, place: TableSeat, delivery: Delivery) -> None:
        """Keep any device from filling the hub's disk. Raises TooMuchError."""
        for item in delivery.items:
            if item.sequence > MOST_OF_A_GAME:
                raise TooMuchError.worded(
                    "A game has at most {most} items: begin a new one.", most=MOST_OF_A_GAME
                )
            if len(dumps(item.body)) > LARGEST_ITEM:
                raise TooMuchError.worded(
                    "Item {sequence} is larger than {most} characters: it is none of a game.",
                    sequence=item.sequence,
                    most=LARGEST_ITEM,
                )
        begun = self._ingestion.replays.known(delivery.game_id).through
        if begun or self._deliveries.table_of(delivery.game_id) is not None:
            return
        if len(self._deliveries.games_of(str(place))) >= MOST_GAMES_AT_A_TABLE:
            raise TooMuchError.worded(
                "This table has told of {most} games: report further results by hand.",
                most=MOST_GAMES_AT_A_TABLE,
            )

    def next_update(
        self, token: str, after: int, wait_seconds: float, heard: tuple[int, ...] | None = None
    ) -> HubUpdate:
        """The update for a table as soon as there is one later than `after`.

        `heard` are the messages that the table has: other ones are an update too, unless it does
        not know of messages (None). After a timeout, the last one again.
        """
        place, end = self._admitted(token), monotonic() + wait_seconds
        tournament = place.tournament_id

        def is_news(snapshot: TournamentSnapshot) -> bool:
            """Whether it is an update for this table: most changes concern others."""
            return snapshot.changes.last(place.table) > after or (
                heard is not None
                and heard != tuple(each.number for each in self._messages_for(place))
            )

        def concerns(versions: Mapping[str, int]) -> bool:
            version = versions.get(tournament)
            return version is not None and is_news(self._service.known(tournament, version - 1))

        with self._feed.subscribed(concerns) as subscription:
            while True:
                # as far as the feed has read, which wakes for what follows
                through = self._feed.version(tournament)
                least = max(through - 1, after) if through else None
                snapshot = self._service.known(tournament, least)
                patience = max(0.0, end - monotonic())
                if self._feed.closed or is_news(snapshot) or not subscription.wait(patience):
                    return self._update(place, snapshot, {})

    def _messages_for(self, place: TableSeat) -> tuple[MessageUpdate, ...]:
        """The director's messages to a table, newest first; read once for all its tables.

        They are valid until the next change outside the record, of which the feed tells.
        """
        newest = self._feed.unrecorded(place.tournament_id)
        read_at, messages = self._read_messages.get(place.tournament_id, (0, ()))
        if not newest or read_at != newest:
            messages = self._messages.of(place.tournament_id)
            self._read_messages[place.tournament_id] = (newest, messages)
        if not messages:  # as a rule: hundreds of tables ask at every change
            return ()
        here, now = {EVERYBODY, f"table {place.table}"}, self._clock()
        fresh = (
            each for each in messages if each.addressee in here and now - each.sent_at < NEWEST_NEWS
        )
        return tuple(MessageUpdate(each.message_id, each.text) for each in fresh)[:MOST_MESSAGES]

    def _admitted(self, token: str) -> TableSeat:
        place = self._admission.table_of(token)
        if place is None:
            LOG.info("refused to a table whose token is not known")
            raise UnknownTokenError
        self._presence.note(str(place), self._clock())
        return place

    def _missed(
        self, place: TableSeat, game_id: str, last: int, acknowledged: int
    ) -> StoredItems | None:
        """The held items of a table's game, None if it is complete.

        A complete game is examined before it is acknowledged: a hub that was killed may not have
        done so.
        """
        held = self._deliveries.held(game_id)
        if held.through < last:
            return held
        if acknowledged < last and self._deliveries.table_of(game_id) == str(place):
            self._ingestion.examine(place, game_id, last)
        return None

    def _update(
        self, place: TableSeat, snapshot: TournamentSnapshot, wanted: dict[str, StoredItems]
    ) -> HubUpdate:
        """The update for a table, with the reason its game does not count, if any."""
        problem, played = None, snapshot.state.round_at(place.table)
        seated = None if played is None else played.table(place.table)
        if played is not None and seated is not None:
            newest = self._active_games.newest(place, played.number, seated.seats)
            problem = None if newest is None else obstacle(snapshot.state, place.table, newest)
        clock = None if seated is None else snapshot.state.round_clock
        shown = None
        if clock is not None and played is not None and clock.round == played.number:
            shown = ClockUpdate(clock.left_at(self._clock()), clock.running)
        return replace(
            update_for(snapshot, place.table, wanted, problem),
            messages=self._messages_for(place),
            clock=shown,
            life=self._life,
        )
