"""The table's desk for its event: joins, plans the next game, keeps what players say of it."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from threading import Event, Lock, RLock, Thread
from typing import Any, Final

from scoreboard.errors import NotationError, NotOfferedError, ScoreboardError
from scoreboard.game import Game
from scoreboard.games import GAMES
from scoreboard.linking.attendance import Attendance
from scoreboard.linking.attendance_book import AttendanceBook
from scoreboard.linking.event_game import EventGame, Note
from scoreboard.linking.hub import Hub
from scoreboard.linking.hub_address import HubAddress
from scoreboard.linking.link import Link
from scoreboard.linking.local_game import LocalGame
from scoreboard.linking.outbox import Outbox
from scoreboard.linking.planning import next_number, obstacle, planned
from scoreboard.linking.sighting import sight
from scoreboard.linking.ticket import Ticket
from scoreboard.phrase import Phrase, phrase
from scoreboard.table.event import EventResult, EventSight, LinkStanding
from scoreboard.table.messages import EventHeard
from scoreboard.table.ports import Clock, EventStore
from scoreboard.table.view import TableView
from scoreboard.wire.joining import JoinRequest
from scoreboard.wire.word import Word

LONGEST_WHY: Final = 200
STOP_SECONDS: Final = 0.5
AT_AN_EVENT: Final = phrase("This table is at an event already: leave it first.")
NO_EVENT: Final = phrase("This table is at no event: join one first.")
NO_CODE: Final = phrase("Write the code that the director gave you, too.")
SPOKEN: Final = phrase("That was said already, or the result is no more: look again.")
SAY_WHY: Final = phrase("Say in a few words what is wrong, {most} characters at most.", most=200)


class EventDesk:
    """What the table knows of its event, and all that it says there; any thread may call it.

    `reach` gives the hub at an address; `new_id` names a game by its round, table and number;
    `table` is what the table calls itself. It is an Announcer and the session's Notary.
    """

    def __init__(  # noqa: PLR0913 -- the ports of the desk, each named where it is wired
        self,
        book: AttendanceBook,
        store: EventStore,
        reach: Callable[[str], Hub],
        clock: Clock,
        new_id: Callable[[int, int, int], str],
        *,
        table: str = "Tablescore",
        rulebooks: Mapping[str, Game[Any, Any, Any]] = GAMES,
    ) -> None:
        self._book = book
        self._store = store
        self._reach = reach
        self._clock = clock
        self._new_id = new_id
        self._table = table
        self._rulebooks = rulebooks
        self._outbox = Outbox(store, lambda: book.games, rulebooks)
        self._local: dict[str, LocalGame] = {}
        self._standing = LinkStanding()
        self._word: Word | None = None
        self._shown: EventSight | None = None
        self._tokens: dict[tuple[str, str], str] = {}
        self._link: Link | None = None
        self._post: Callable[[EventHeard], None] | None = None
        self._lock = RLock()
        self._joining = Lock()  # held while the hub is asked, when nobody else may have to wait
        self._due, self._stopping = Event(), Event()
        self._thread: Thread | None = None
        self._log = logging.getLogger(__name__)

    # -- begin and end

    def start(self, post: Callable[[EventHeard], None]) -> None:
        """Take up the event that the table was at; call it once, after any fork."""
        self._post = post
        self._look_up()
        self.settle()
        self._thread = Thread(target=self._work, name="event", daemon=True)
        self._thread.start()
        if self._book.now is not None:
            self._connect(self._book.now.ticket)

    def stop(self) -> None:
        """End all threads."""
        self._stopping.set()
        self._due.set()
        self._disconnect()
        if self._thread is not None:
            self._thread.join(STOP_SECONDS)

    def join(self, address: str, code: str) -> None:
        """Take part in the event of the hub at this address.

        Raises:
            NotationError: the address is none, or there is no code.
            NotOfferedError: the table is at an event already.
            HubAwayError: the hub did not answer; the same code may be tried again.
            HubRefusedError: the code lets nobody in.
            StoreError: the ticket could not be kept.
        """
        asked = HubAddress.parse(address)
        code = "".join(code.split()) or asked.code
        if not code:
            raise NotationError(NO_CODE)
        with self._joining:
            if self._book.now is not None:
                raise NotOfferedError(AT_AN_EVENT)
            ticket = self._ticket(asked.address, code)
            self._word, self._standing = None, LinkStanding()
            self._book.begin(Attendance(ticket))
            self._connect(ticket)
        self.settle()

    def leave(self) -> None:
        """Take part no longer; the games stay in the table's own store.

        Raises:
            NotOfferedError: the table is at no event.
            StoreError: the ticket could not be forgotten.
        """
        with self._joining:
            if self._book.now is None:
                raise NotOfferedError(NO_EVENT)
            self._disconnect()
            with self._lock:
                self._book.forget()
                self._word = None
        self.settle()

    @property
    def attends(self) -> bool:
        """Whether the table is at an event."""
        return self._book.now is not None

    def unsent(self) -> int:
        """How many items the hub has not acknowledged."""
        return self._outbox.waiting()

    def _ticket(self, address: str, code: str) -> Ticket:
        """The hub's answer to the code; asked again with the token that it may know already."""
        token = self._tokens.setdefault((address, code), secrets.token_urlsafe(32))
        joined = self._reach(address).join(JoinRequest(code, self._table, token))
        return Ticket(address, token, joined.tournament_id, joined.title, joined.place)

    def _connect(self, ticket: Ticket) -> None:
        self._outbox = Outbox(self._store, lambda: self._book.games, self._rulebooks)
        self._link = Link(self._reach(ticket.address), ticket.token, self._outbox, self)
        self._link.start()

    def _disconnect(self) -> None:
        if self._link is not None:
            self._link.stop()
            self._link = None

    # -- what players say

    def sign(self, game_id: str, entrants: Sequence[int]) -> EventSight:
        """These agree to the result. Raises NotOfferedError, StoreError."""
        result = self._result(game_id)
        if not entrants or not set(entrants) <= set(result.unsigned):
            raise NotOfferedError(SPOKEN)
        after = len(self._store.events(game_id))
        return self._noted(game_id, *(Note(after, each) for each in entrants))

    def dispute(self, game_id: str, entrant: int, why: str) -> EventSight:
        """One disagrees, and says why. Raises NotOfferedError, StoreError."""
        result, reason = self._result(game_id), " ".join(why.split())
        said = {each.entrant: each.word for each in result.signatures}
        if said.get(entrant, "disputed") == "disputed" or result.phase == "settled":
            raise NotOfferedError(SPOKEN)
        if not 0 < len(reason) <= LONGEST_WHY:
            raise NotOfferedError(SAY_WHY)
        after = len(self._store.events(game_id))
        return self._noted(game_id, Note(after, entrant, reason))

    def _result(self, game_id: str) -> EventResult:
        now = self._seen()
        result = None if now is None else now.result(game_id)
        if result is None:
            raise NotOfferedError(SPOKEN)
        return result

    def _noted(self, game_id: str, *notes: Note) -> EventSight:
        self._book.change(lambda now: now.noted(game_id, *notes))
        self._touch(game_id)
        now = self._seen()
        if now is None:  # the event was left meanwhile, on another page
            raise NotOfferedError(NO_EVENT)
        return now

    # -- what others tell; quick, and never an error

    def announce(self, view: TableView) -> None:
        """The table shows something else: a game of the event may have moved on."""
        game_id = view.game_id
        if game_id is None or not any(game.game_id == game_id for game in self._book.games):
            return
        now = LocalGame.shown(view)
        with self._lock:
            if self._local.get(game_id) == now:
                return
            self._local[game_id] = now
        self._touch(game_id)

    def heard(self, word: Word) -> None:
        """The hub said this."""
        with self._lock:
            self._word = word
        self._due.set()

    def linked(self, *, connected: bool, fault: Phrase | None) -> None:
        """The hub answers, or does not; cut off is the table since it first did not."""
        with self._lock:
            since = None if connected else (self._standing.since or self._clock())
            self._standing = LinkStanding(connected, since, 0, fault)
        self._due.set()

    def known_version(self) -> int:
        """The version of the last word, 0 for none."""
        word = self._word
        if word is None and self._book.now is not None:
            word = self._book.now.word
        return 0 if word is None else word.version

    def _touch(self, game_id: str) -> None:
        self._outbox.touch(game_id)
        link = self._link
        if link is not None:
            link.wake()
        self._due.set()

    # -- what follows from it

    def settle(self) -> None:
        """Keep the hub's word, plan the game that it leads to, and show it all.

        Raises:
            StoreError: it could not be kept.
        """
        with self._lock:
            if self._word is not None:
                self._book.change(_hearing(self._word))
            following = self._following()
            now = self._seen(following)
            changed, self._shown = now != self._shown, now
        if changed and self._post is not None:
            self._post(EventHeard(now))

    def _following(self) -> EventGame | None:
        """The game that comes next, kept before anybody can begin it."""
        now = self._book.now
        number = None if now is None else next_number(now, self._local)
        if now is None or number is None or self._obstacle(now) is not None:
            return None
        game = planned(now, number, self._local, self._rulebook(now), self._new_id)
        if game is not None and now.game(game.game_id) is None:
            self._book.change(lambda before: before.with_game(game))
        return game

    def _seen(self, following: EventGame | None = None) -> EventSight | None:
        now = self._book.now
        if now is None:
            return None
        with self._lock:
            known = following or self._planned_before(now)
            return sight(now, self._local, self._reckoned(), known, self._obstacle(now))

    def _planned_before(self, now: Attendance) -> EventGame | None:
        number = next_number(now, self._local)
        if number is None or self._obstacle(now) is not None:
            return None
        game = planned(now, number, self._local, self._rulebook(now), lambda *_: "")
        return game if game is not None and game.game_id else None

    def _reckoned(self) -> LinkStanding:
        """How the link stands; what waits is counted only where it is shown."""
        if self._standing.connected:
            return self._standing
        return replace(self._standing, waiting=self._outbox.waiting())

    def _obstacle(self, now: Attendance) -> Phrase | None:
        sitting = None if now.word is None else now.word.sitting
        return None if sitting is None else obstacle(sitting, self._rulebooks)

    def _rulebook(self, now: Attendance) -> Game[Any, Any, Any]:
        sitting = None if now.word is None else now.word.sitting
        return self._rulebooks["" if sitting is None else sitting.rulebook]

    def _look_up(self) -> None:
        """How far the event's games are; one that cannot be read is played no further."""
        for game in self._book.games:
            try:
                stored = LocalGame.stored(self._store, game.game_id, self._rulebooks)
            except ScoreboardError:
                self._log.exception("the game %s of the event cannot be read", game.game_id)
                stored = LocalGame("abandoned", 0)
            if stored is not None:
                self._local[game.game_id] = stored

    def _work(self) -> None:
        """The desk's own thread: what others told is worked out here, so that they need not."""
        while self._due.wait() and not self._stopping.is_set():
            self._due.clear()
            try:
                self.settle()
            except Exception:  # noqa: BLE001 -- the edge of the thread: logged, and tried again
                self._log.exception("the event could not be followed")
                self._stopping.wait(STOP_SECONDS)
                self._due.set()


def _hearing(word: Word) -> Callable[[Attendance], Attendance]:
    """The change that keeps a word; what the hub wanted then is of no use later."""
    kept = replace(word, wanted={})
    return lambda now: now.heard(kept)
