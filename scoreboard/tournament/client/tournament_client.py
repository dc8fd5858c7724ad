"""Joins the tournament, plans the next game, and stores the players' answers."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from threading import Event, Lock
from typing import Final

from scoreboard.errors import NotationError, NotOfferedError, ScoreboardError
from scoreboard.message import Message, message
from scoreboard.table.ports import Clock, EventStore
from scoreboard.table.requests import TournamentUpdated
from scoreboard.table.tournament_view import SeatScore, TournamentResult, TournamentView
from scoreboard.table.view import TableView
from scoreboard.tournament.client.attendance import (
    Attendance,
    AttendanceBook,
    Note,
    Ticket,
    TournamentGame,
)
from scoreboard.tournament.client.connection import Backoff, HubConnection
from scoreboard.tournament.client.http_hub import HttpHub, HubAddress
from scoreboard.tournament.client.tournament_state import TournamentState
from scoreboard.tournament.protocol.hub_update import Greeting, HubUpdate, JoinRequest
from scoreboard.tournament.protocol.throttle import Throttle
from scoreboard.worker import Worker

LONGEST_WHY: Final = 200
JOIN_PAUSE_SECONDS: Final = 1.0
SEEK_SECONDS: Final = 10.0  # between two looks for a hub that does not answer
AT_AN_EVENT: Final = message("This table is at an event already: leave it first.")
NO_EVENT: Final = message("This table is at no event: join one first.")
NO_CODE: Final = message("Write the code that the director gave you, too.")
NOT_ENTERED: Final = message(
    "This result can’t be entered now: the game is being played here, or somebody signed already."
)
ALREADY_ANSWERED: Final = message("Already answered, or this result no longer exists.")
SAY_WHY: Final = message("Say in a few words what is wrong, {most} characters at most.", most=200)


class TournamentClient:
    """Joins and leaves a tournament, stores players' answers, and follows table and hub.

    `reach` gives the hub at an address; `table` is the table's name for itself. It is an Announcer
    and the session's Notary; thread-safe.
    """

    def __init__(  # noqa: PLR0913 -- the ports of the client, each named where it is wired
        self,
        book: AttendanceBook,
        store: EventStore,
        reach: Callable[[str], HttpHub],
        clock: Clock,
        new_id: Callable[[int, int, int], str],
        *,
        table: str = "Tablescore",
        backoff: Backoff | None = None,
        throttle: Throttle | None = None,
        find: Callable[[str], Iterable[str]] = lambda _address: (),
        seek_seconds: float = SEEK_SECONDS,
    ) -> None:
        """Begin with the content of the book.

        `new_id` names a game of the tournament by its round, table and number; `backoff` is the
        pause after a failure to reach the hub, `throttle` separates two tries to join one. `find`
        gives other current addresses of the hub known at an address.
        """
        self._find = find
        self._throttle = throttle or Throttle(JOIN_PAUSE_SECONDS)
        self._backoff = backoff
        self._known = TournamentState(book, store, new_id)
        self._store = store
        self._reach = reach
        self._clock = clock
        self._table = table
        self._tokens: dict[tuple[str, str], str] = {}
        self._shown: TournamentView | None = None
        self._connection: HubConnection | None = None
        self._post: Callable[[TournamentUpdated], None] | None = None
        self._joining = Lock()  # held while the hub is asked; the players do not wait for it
        self._settling = Lock()
        self._due = Event()
        self._worker = Worker("event", self._work, wake=self._due.set)
        self._seeker = Worker("event-seek", self._seek, seek_seconds)
        self._log = logging.getLogger(__name__)

    # -- begin and end

    def start(self, post: Callable[[TournamentUpdated], None]) -> None:
        """Resume the table's tournament; call it once, after any fork. Raises StoreError."""
        self._post = post
        self._known.look_up()
        self.settle()
        self._worker.start()
        self._seeker.start()
        now = self._known.book.now
        if now is not None:
            self._connect(now)

    def stop(self) -> None:
        self._worker.stop()
        self._seeker.stop()
        self._disconnect()

    @property
    def attends(self) -> bool:
        return self._known.book.now is not None

    def join(self, address: str, code: str) -> None:
        """Take part in the tournament of the hub at this address, or of its link with the code.

        A table that comes back, with a new code, goes on where it was. One that lost its hub needs
        only its new address: the hub knows it.

        Raises:
            NotationError: the address is invalid, or there is no code.
            NotOfferedError: the table is at a tournament already.
            HubAwayError: the hub did not answer; the same code may be tried again.
            HubRefusedError: the code is not valid, or the hub does not know the table.
            StoreError: the ticket could not be stored.
        """
        try:
            asked = HubAddress.parse(address)
            asked = replace(asked, code="".join(code.split()) or asked.code)
            if not asked.code and not self.attends:
                raise NotationError(NO_CODE)  # noqa: TRY301 -- logged as the others
        except NotationError as error:  # its words may quote the code, its template does not
            self._log.info("no event joined (NotationError): %s", error.message.template)
            raise
        with self._joining:
            before = self._known.book.now
            if before and self._known.fault is None and not self._known.is_cut_off:
                raise NotOfferedError(AT_AN_EVENT)
            self._throttle.rest()
            if asked.code or before is None:
                ticket = self._joined(asked)
            else:  # the secret is known to the hub of this place alone
                ticket = replace(before.ticket, address=asked.address)
                self._reach(ticket.address).greet(ticket.token, Greeting({}))
            self._disconnect()
            now = self._known.began(ticket)
            joined = ticket.tournament_id, ticket.address, ticket.place
            self._log.info("joined event %s at %s as table %s", *joined)
            self._connect(now)
        self.settle()

    def leave(self) -> None:
        """Leave the tournament; the games stay in the table's own store.

        Raises NotOfferedError at no tournament, StoreError.
        """
        with self._joining:
            if not self.attends:
                raise NotOfferedError(NO_EVENT)
            self._disconnect()
            self._known.ended()
            self._log.info("left the event")
        self.settle()

    def unsent(self) -> int:
        """The number of items that the hub has not acknowledged."""
        return self._known.outbox.waiting()

    def _joined(self, asked: HubAddress) -> Ticket:
        """The hub's answer to the code; asked again with the token that it may know already."""
        address, code = asked.address, asked.code
        token = self._tokens.setdefault((address, code), secrets.token_urlsafe(32))
        try:
            joined = self._reach(address).join(JoinRequest(code, self._table, token))
        except ScoreboardError as error:  # the code is kept out of the log
            self._log.info("no table joined at %s (%s): %s", address, type(error).__name__, error)
            raise
        return Ticket(address, token, joined.tournament_id, joined.title, joined.place)

    def _connect(self, attendance: Attendance) -> None:
        ticket, outbox = attendance.ticket, self._known.outbox
        outbox.forget()
        hub = self._reach(ticket.address)
        self._connection = HubConnection(
            hub, ticket.token, outbox, self, known=attendance.word, backoff=self._backoff
        )
        self._connection.start()

    def _disconnect(self) -> None:
        link, self._connection = self._connection, None
        if link is not None:
            link.stop()

    # -- what players do

    def event_view(self) -> TournamentView | None:
        return self._known.seen()

    def sign(self, game_id: str, entrants: Sequence[int]) -> TournamentView:
        result = self._result(game_id)
        if not entrants or not set(entrants) <= set(result.unsigned):
            raise NotOfferedError(ALREADY_ANSWERED)
        return self._changed(
            game_id, lambda game: game.noted(*(Note(self._events(game), one) for one in entrants))
        )

    def dispute(self, game_id: str, entrant: int, why: str) -> TournamentView:
        result, reason = self._result(game_id), " ".join(why.split())
        words = {each.entrant: each.status for each in result.signatures}
        if words.get(entrant, "disputed") == "disputed" or result.phase == "settled":
            raise NotOfferedError(ALREADY_ANSWERED)
        if not 0 < len(reason) <= LONGEST_WHY:
            raise NotOfferedError(SAY_WHY)
        return self._changed(
            game_id, lambda game: game.noted(Note(self._events(game), entrant, reason))
        )

    def enter(self, game_id: str, scores: Sequence[SeatScore]) -> TournamentView:
        now = self._known.seen()
        if now is None or now.enterable(game_id) is None:
            raise NotOfferedError(NOT_ENTERED)
        entered = tuple(scores)
        return self._changed(game_id, lambda game: game.entered(entered))

    def _result(self, game_id: str) -> TournamentResult:
        now = self._known.seen()
        result = None if now is None else now.result(game_id)
        if result is None:
            raise NotOfferedError(ALREADY_ANSWERED)
        return result

    def _events(self, game: TournamentGame) -> int:
        """How many events a game has; each entered result counts as one."""
        return len(game.results or self._store.events(game.game_id))

    def _changed(
        self, game_id: str, change: Callable[[TournamentGame], TournamentGame]
    ) -> TournamentView:
        self._known.book.change(lambda now: now.changed(game_id, change))
        self._touch(game_id)
        now = self._known.seen()
        if now is None:  # the event was left meanwhile, on another page
            raise NotOfferedError(NO_EVENT)
        return now

    # -- what others report; quick, and never an error

    def announce(self, view: TableView) -> None:
        """The table's view changed: a game of the tournament may have moved on."""
        if view.game_id is not None and self._known.shown(view):
            self._touch(view.game_id)

    def plays(self, game_id: str) -> bool:
        """Whether it is a game of the tournament."""
        return any(each.game_id == game_id for each in self._known.book.games)

    def photographed(self, game_id: str, jpeg: bytes) -> None:
        """The photo of a confirmed roll was stored; the hub may want it."""
        link = self._connection
        if link is not None and self.plays(game_id):
            link.offer_photo(jpeg)

    def received(self, update: HubUpdate) -> None:
        self._known.received(update)
        self._due.set()

    def linked(self, *, connected: bool, fault: Message | None) -> None:
        self._known.linked(self._clock(), connected=connected, fault=fault)
        self._due.set()

    def put_away(self, number: int) -> None:
        """Dismiss a message of the director at this table. Raises StoreError."""
        self._known.book.change(lambda now: now.without_message(number))
        self.settle()

    def _touch(self, game_id: str) -> None:
        self._known.outbox.touch(game_id)
        link = self._connection
        if link is not None:
            link.wake()
        self._due.set()

    def _seek(self) -> None:
        """Look for the hub at other addresses of the network while it does not answer.

        Any machine may announce a hub: the token is shown only to one that proves to know it.
        """
        now = self._known.book.now
        if now is None or not self._known.is_cut_off:
            return
        for address in self._find(now.ticket.address):
            with suppress(ScoreboardError):  # another hub, an older one, or none
                if self._reach(address).knows(now.ticket):
                    self.join(address, "")
                    break

    # -- what follows from it

    def settle(self) -> None:
        """Store the hub's update, plan the next game, have the table show it. Raises StoreError."""
        with self._settling:
            now = self._known.settled()
            changed, self._shown = now != self._shown, now
            if changed and self._post is not None:
                self._post(TournamentUpdated())

    def _work(self) -> None:
        """Process the inputs of other threads, so that they need not wait."""
        self._due.wait()
        self._due.clear()
        if self._worker.stopping.is_set():
            return
        try:
            self.settle()
        except Exception:
            self._due.set()  # it is tried again
            raise
