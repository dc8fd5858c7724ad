"""The state of the event at a table, from its disk, its own games and its hub, and its view."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from threading import RLock
from time import monotonic
from typing import Any, Final

from scoreboard.errors import ScoreboardError
from scoreboard.games.engine.game import Game
from scoreboard.message import Message, message
from scoreboard.table.event import (
    DirectorMessage,
    DueGame,
    EventResult,
    EventView,
    LinkStanding,
    ShownRoundClock,
    Signature,
    Word,
)
from scoreboard.table.ports import EventStore
from scoreboard.table.view import TableView
from scoreboard.tournament.client.attendance import Attendance, AttendanceBook, EventGame, Ticket
from scoreboard.tournament.client.next_game import (
    Local,
    LocalGame,
    games_of,
    next_number,
    obstacle,
    planned,
    seat_names,
)
from scoreboard.tournament.client.outbox import Outbox
from scoreboard.tournament.protocol.hub_update import HubUpdate, ResultUpdate, SeatingUpdate

LOG: Final = logging.getLogger(__name__)
NEW: Final = LinkStanding()


def event_view(
    attendance: Attendance,
    local: Local,
    link: LinkStanding,
    following: EventGame | None = None,
    obstacle: Message | None = None,
) -> EventView:
    """The view of the event; `following` is the game that comes next, if there is one."""
    update, ticket = attendance.word, attendance.ticket
    seating = None if update is None else update.sitting
    due = None
    if following is not None and seating is not None and obstacle is None:
        due = DueGame(
            following.game_id,
            following.game,
            following.players,
            following.options,
            following.round,
            following.number,
            seating.games,
        )
    return EventView(
        title=ticket.title if update is None else update.title,
        place=ticket.place if update is None else update.place,
        address=ticket.address,
        round=None if seating is None else seating.round,
        phase="" if seating is None else seating.rounds_phase,
        players=() if seating is None else seat_names(seating.seats),
        due=due,
        obstacle=obstacle,
        coming=None if following is None else _result(following, LocalGame("open", 0), None),
        results=() if seating is None else results(attendance, seating, local),
        games=frozenset(game.game_id for game in attendance.games),
        link=link,
        notice=None if update is None else notice_of(update),
        messages=()
        if update is None
        else tuple(
            DirectorMessage(each.number, each.text)
            for each in update.messages
            if each.number not in attendance.put_away
        ),
    )


def round_time(update: HubUpdate, heard_at: float) -> ShownRoundClock | None:
    """The round's clock of an update that came at `heard_at` by the stopwatch."""
    clock = update.clock
    if clock is None:
        return None
    return ShownRoundClock(clock.left, heard_at + clock.left if clock.running else None)


def notice_of(update: HubUpdate) -> Message | None:
    """The hub's sentence for the players; English where the hub sent no other form."""
    if update.said is not None:
        return update.said.message
    return message("The hub says: {message}", message=update.notice) if update.notice else None


def results(
    attendance: Attendance, seating: SeatingUpdate, local: Local
) -> tuple[EventResult, ...]:
    """The games of this round that are over at this table, with who signed or disputed each."""
    reported = () if attendance.word is None else attendance.word.results
    by_number = {each.game: each for each in reported if each.round == seating.round}
    played = (
        (game, local[game.game_id])
        for game in games_of(attendance, seating)
        if game.game_id in local and local[game.game_id].stage == "finished"
    )
    found = (_result(game, how, by_number.get(game.number)) for game, how in played)
    return tuple(sorted(found, key=lambda result: result.number))


def _result(game: EventGame, how: LocalGame, update: ResultUpdate | None) -> EventResult:
    """The result of a game; the hub's update on other scores, from before an undo, does not count.

    Whatever the table's sheet says, a result in the referee's hands is one.
    """
    scores, own = {}, {}
    if update is not None:
        scores = {each.entrant: each.score for each in update.game_scores if each.fate == "played"}
        pairs = zip(game.entrants, game.players, strict=True)
        own = {entrant: how.points[player] for entrant, player in pairs if player in how.points}
    agreed = update if scores == own else None
    signed = () if agreed is None else agreed.signed
    scored = game.results[-1] if game.results else [None] * len(game.entrants)
    signatures = tuple(
        Signature(entrant, player, _answer(game, how, entrant, signed), score)
        for entrant, player, score in zip(game.entrants, game.players, scored, strict=True)
    )
    decided = update is not None and update.phase in {"disputed", "settled"}
    shown = update if decided else agreed
    phase = "" if shown is None else shown.phase
    settled = scores if phase == "settled" else {}  # what the referee decided on, by entrant
    replaceable = shown is not None and shown.replaceable
    return EventResult(
        game.game_id, game.round, game.number, signatures, phase, settled, replaceable
    )


def _answer(game: EventGame, how: LocalGame, entrant: int, signed: tuple[int, ...]) -> Word:
    """How an entrant last answered the game as it stands; an undo voids it."""
    notes = [note for note in game.notes if note.entrant == entrant and note.after >= how.events]
    if notes:
        return "signed" if notes[-1].why is None else "disputed"
    return "signed" if entrant in signed else "open"


class EventState:
    """Puts together what is shown of the event; any thread may call it.

    `new_id` names a game by its round, table and number.
    """

    def __init__(
        self,
        book: AttendanceBook,
        store: EventStore,
        new_id: Callable[[int, int, int], str],
        rulebooks: Mapping[str, Game[Any, Any, Any]],
    ) -> None:
        self.book = book
        self.outbox = Outbox(store, lambda: book.games, rulebooks)
        self._store = store
        self._new_id = new_id
        self._rulebooks = rulebooks
        self._local: dict[str, LocalGame] = {}
        self._standing = NEW
        self._update: HubUpdate | None = None
        self._time: ShownRoundClock | None = None
        self._lock = RLock()

    def look_up(self) -> None:
        """Read the state of the event's games; one that cannot be read is played no further."""
        for game in self.book.games:
            try:
                stored = LocalGame.stored(self._store, game.game_id, self._rulebooks)
            except ScoreboardError:
                LOG.exception("the game %s of the event cannot be read", game.game_id)
                stored = LocalGame("abandoned", 0)
            if stored is not None:
                self._local[game.game_id] = stored

    def began(self, ticket: Ticket) -> Attendance:
        """The table is at an event from now on, or again. Raises StoreError."""
        with self._lock:
            attendance = self.book.begin(ticket)
            self._update, self._time, self._standing = None, None, NEW
            self.look_up()
        return attendance

    def ended(self) -> None:
        """The table is at no event any more. Raises StoreError."""
        with self._lock:
            self.book.forget()
            self._update, self._time, self._standing = None, None, NEW

    def shown(self, view: TableView) -> bool:
        """The table shows this view; return whether a game of the event has moved on."""
        game_id = view.game_id
        if game_id is None or all(game.game_id != game_id for game in self.book.games):
            return False
        now = LocalGame.shown(view)
        with self._lock:
            changed = self._local.get(game_id) != now
            self._local[game_id] = now
        return changed

    def received(self, update: HubUpdate) -> None:
        """The hub sent this update; `settled` keeps it."""
        with self._lock:
            self._update, self._time = update, round_time(update, monotonic())

    def linked(self, at: datetime, *, connected: bool, fault: Message | None) -> None:
        """The hub answers, or does not; the table is cut off since the first failure."""
        with self._lock:
            since = None if connected else (self._standing.since or at)
            self._standing = LinkStanding(connected, since, 0, fault)

    @property
    def is_cut_off(self) -> bool:
        """Whether the hub did not answer when it was asked last."""
        return self._standing.since is not None

    @property
    def fault(self) -> Message | None:
        """The fault between table and hub that only a person can fix, if any."""
        return self._standing.fault

    def settled(self) -> EventView | None:
        """Keep the hub's update, plan the game that it leads to, and return the view.

        Raises:
            StoreError: it could not be kept.
        """
        with self._lock:
            if self._update is not None:
                # what it wanted then, and the time that was left, are of no use later
                kept = replace(self._update, wanted={}, clock=None)
                self.book.change(lambda now: now.with_update(kept))
            following = self._following(self._new_id)
            if following is not None and following not in self.book.games:
                self.book.change(lambda now: now.with_game(following))
            return self._seen(following)

    def seen(self) -> EventView | None:
        """The view of the event, None where the table is at none."""
        with self._lock:
            following = self._following(lambda *_place: "")
            known = following if following is not None and following.game_id else None
            return self._seen(known)

    def _seen(self, following: EventGame | None) -> EventView | None:
        now = self.book.now
        if now is None:
            return None
        standing = self._standing
        if not standing.connected:  # only then what waits is shown, and worth counting
            standing = replace(standing, waiting=self.outbox.waiting())
        obstacle = self._obstacle(now)
        view = event_view(now, self._stages, standing, following, obstacle)
        return replace(view, time=self._time)

    def _following(self, new_id: Callable[[int, int, int], str]) -> EventGame | None:
        """The game that comes next, if there is one; a new one is named by `new_id`."""
        now = self.book.now
        seating = None if now is None or now.word is None else now.word.sitting
        if now is None or seating is None:
            return None
        number = next_number(now, self._stages)
        if number is None:
            return None
        rulebook = self._rulebooks.get(seating.rulebook)
        return planned(now, number, self._stages, rulebook, new_id)

    @property
    def _stages(self) -> Local:
        """Where the event's games stand that were begun here, or entered without their moves."""
        entered = (game for game in self.book.games if game.results)
        return self._local | {game.game_id: LocalGame.entered(game) for game in entered}

    def _obstacle(self, now: Attendance) -> Message | None:
        seating = None if now.word is None else now.word.sitting
        return None if seating is None else obstacle(seating, self._rulebooks)
