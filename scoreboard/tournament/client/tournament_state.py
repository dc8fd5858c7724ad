"""The tournament's state at a table, from its disk, its own games and its hub, and its view."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from threading import RLock
from time import monotonic
from typing import Final, Literal

from scoreboard.errors import RuleViolationError, ScoreboardError, UnknownGameError
from scoreboard.games import GAMES
from scoreboard.games.engine.game import Outcome, Setup
from scoreboard.games.engine.transcript import is_abandoned, state_after
from scoreboard.message import Message, message
from scoreboard.players import LONGEST_NAME
from scoreboard.table.ports import EventStore
from scoreboard.table.tournament_view import (
    DirectorMessage,
    DueGame,
    LinkStanding,
    ShownRoundClock,
    Signature,
    SignatureStatus,
    TournamentResult,
    TournamentView,
)
from scoreboard.table.view import TableView
from scoreboard.tournament.client.attendance import (
    Attendance,
    AttendanceBook,
    Ticket,
    TournamentGame,
)
from scoreboard.tournament.client.connection import Outbox
from scoreboard.tournament.protocol.hub_update import (
    HubUpdate,
    ResultUpdate,
    SeatingUpdate,
    SeatUpdate,
)

Stage = Literal["open", "finished", "abandoned"]
LOG: Final = logging.getLogger(__name__)
NO_RULEBOOK: Final = message(
    "Tablescore does not know this game: play it as you do, and tell the director the result."
)


@dataclass(frozen=True, slots=True)
class LocalGame:
    """The status of a game, how many events it has, and each player's points once it is over."""

    stage: Stage
    events: int
    points: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def shown(cls, view: TableView) -> LocalGame:
        """The game that the table shows."""
        ends: dict[str, Stage] = {"finished": "finished", "abandoned": "abandoned"}
        return cls(ends.get(view.stage, "open"), view.sequence, _points(view.outcome))

    @classmethod
    def stored(cls, store: EventStore, game_id: str) -> LocalGame | None:
        """The game in the store, None if it was not begun.

        Raises TranscriptError, SchemaError (its rulebook is not known here), StoreError.
        """
        try:
            header, records = store.header(game_id), store.events(game_id)
        except UnknownGameError:
            return None
        if is_abandoned(records):
            return cls("abandoned", len(records))
        rulebook = GAMES[header.game]
        outcome = rulebook.outcome(state_after(rulebook, header, records))
        stage: Stage = "open" if outcome is None else "finished"
        return cls(stage, len(records), _points(outcome))

    @classmethod
    def entered(cls, game: TournamentGame) -> LocalGame:
        scores = zip(game.players, game.results[-1], strict=True)
        points = {player: each.score for player, each in scores if each.fate == "played"}
        return cls("finished", len(game.results), points)


def _points(outcome: Outcome | None) -> dict[str, int]:
    return {} if outcome is None else {place.player: place.points for place in outcome.ranking}


Local = Mapping[str, LocalGame]


def next_number(attendance: Attendance, local: Local) -> int | None:
    """The number of the round's game to be played now; None if none is.

    The hub may be behind (the table was cut off) or ahead (the director typed a result): a game
    that either knows to be over is not played again.
    """
    seating = None if attendance.word is None else attendance.word.sitting
    if seating is None or seating.rounds_phase != "running":
        return None
    finished = {
        game.number
        for game in games_of(attendance, seating)
        if game.game_id in local and local[game.game_id].stage == "finished"
    }
    ahead = range(seating.game, seating.games + 1)
    return next((number for number in ahead if number not in finished), None)


def games_of(attendance: Attendance, seating: SeatingUpdate) -> tuple[TournamentGame, ...]:
    """The games of this table's round planned for the entrants now seated there."""
    return tuple(
        game
        for game in attendance.games
        if game.round == seating.round and set(game.entrants) == set(seating.entrants)
    )


def planned(
    attendance: Attendance, number: int, local: Local, new_id: Callable[[int, int, int], str]
) -> TournamentGame | None:
    """Game `number` of the round to be begun; None while it is being played.

    A game planned before is kept, unless it was closed or the seats have changed. `new_id` names a
    game by its round, table and number; without a rulebook, only its result can be entered.
    """
    update = attendance.word
    if update is None or update.sitting is None:
        return None
    seating = update.sitting
    fresh = TournamentGame(
        game_id="",
        game=seating.rulebook,
        round=seating.round,
        table=update.place,
        number=number,
        players=seat_names(seating.seats),
        entrants=seating.entrants,
        options=_options(seating),
    )
    for game in games_of(attendance, seating):
        if game.number != number:
            continue
        if game.game_id not in local and game == replace(fresh, game_id=game.game_id):
            return game
        if game.game_id in local and local[game.game_id].stage == "open":
            return None
    return replace(fresh, game_id=new_id(fresh.round, fresh.table, number))


def obstacle(seating: SeatingUpdate) -> Message | None:
    """The reason the table cannot keep the score of this round, or None."""
    rulebook = GAMES.get(seating.rulebook)
    if rulebook is None:
        return NO_RULEBOOK
    if len(seating.seats) not in rulebook.seats:
        return message(
            "{game} is not for {players} players: tell the director.",
            game=rulebook.title,
            players=len(seating.seats),
        )
    try:
        rulebook.start(Setup(seat_names(seating.seats), _options(seating)))
    except RuleViolationError as error:
        return error.message
    return None


def seat_names(seats: Sequence[SeatUpdate]) -> tuple[str, ...]:
    """The names for a scoresheet: of two equal ones, each with the entry number."""
    names = [seat.name for seat in seats]
    shown = []
    for seat in seats:
        number = "" if names.count(seat.name) == 1 else f" ({seat.entrant})"
        shown.append(seat.name[: LONGEST_NAME - len(number)] + number if number else seat.name)
    return tuple(shown)


def _options(seating: SeatingUpdate) -> dict[str, str]:
    """The tournament's house rules; instead of a roll for the start, the first seat begins."""
    rulebook = GAMES.get(seating.rulebook)
    names = () if rulebook is None else {option.name for option in rulebook.options}
    return {**({"start": "first"} if "start" in names else {}), **seating.options}


def notice_of(update: HubUpdate) -> Message | None:
    """The hub's sentence for the players; English if the hub sent no other form."""
    if update.said is not None:
        return update.said.message
    return message("The hub says: {message}", message=update.notice) if update.notice else None


def results(
    attendance: Attendance, seating: SeatingUpdate, local: Local
) -> tuple[TournamentResult, ...]:
    """The finished games of this round at this table, with signatures and disputes."""
    reported = () if attendance.word is None else attendance.word.results
    by_number = {each.game: each for each in reported if each.round == seating.round}
    played = (
        (game, local[game.game_id])
        for game in games_of(attendance, seating)
        if game.game_id in local and local[game.game_id].stage == "finished"
    )
    found = (_result(game, how, by_number.get(game.number)) for game, how in played)
    return tuple(sorted(found, key=lambda result: result.number))


def _result(game: TournamentGame, how: LocalGame, update: ResultUpdate | None) -> TournamentResult:
    """The result of a game; the hub's update on other scores, from before an undo, does not count.

    A result before the referee counts whatever the table's sheet has.
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
    shown = update if update is not None and update.phase in {"disputed", "settled"} else agreed
    phase = "" if shown is None else shown.phase
    settled = scores if phase == "settled" else {}  # what the referee decided on, by entrant
    replaceable = shown is not None and shown.replaceable
    return TournamentResult(
        game.game_id, game.round, game.number, signatures, phase, settled, replaceable
    )


def _answer(
    game: TournamentGame, how: LocalGame, entrant: int, signed: tuple[int, ...]
) -> SignatureStatus:
    """An entrant's last answer to the current game; an undo voids it."""
    notes = [note for note in game.notes if note.entrant == entrant and note.after >= how.events]
    if notes:
        return "signed" if notes[-1].why is None else "disputed"
    return "signed" if entrant in signed else "open"


class TournamentState:
    """Assembles the tournament's view; thread-safe.

    `new_id` names a game by its round, table and number.
    """

    def __init__(
        self, book: AttendanceBook, store: EventStore, new_id: Callable[[int, int, int], str]
    ) -> None:
        self.book = book
        self.outbox = Outbox(store, lambda: book.games)
        self._store = store
        self._new_id = new_id
        self._local: dict[str, LocalGame] = {}
        self._standing = LinkStanding()
        self._update: HubUpdate | None = None
        self._time: ShownRoundClock | None = None
        self._lock = RLock()

    def look_up(self) -> None:
        """Read the states of the games; an unreadable one is played no further."""
        for game in self.book.games:
            try:
                stored = LocalGame.stored(self._store, game.game_id)
            except ScoreboardError:
                LOG.exception("the game %s of the event cannot be read", game.game_id)
                stored = LocalGame("abandoned", 0)
            if stored is not None:
                self._local[game.game_id] = stored

    def began(self, ticket: Ticket) -> Attendance:
        """The table is at a tournament from now on, or again. Raises StoreError."""
        with self._lock:
            attendance = self.book.begin(ticket)
            self._update, self._time, self._standing = None, None, LinkStanding()
            self.look_up()
        return attendance

    def ended(self) -> None:
        """The table has left the tournament. Raises StoreError."""
        with self._lock:
            self.book.forget()
            self._update, self._time, self._standing = None, None, LinkStanding()

    def shown(self, view: TableView) -> bool:
        """The table shows this view; return whether a game of the tournament has moved on."""
        game_id = view.game_id
        if game_id is None or all(game.game_id != game_id for game in self.book.games):
            return False
        now = LocalGame.shown(view)
        with self._lock:
            changed = self._local.get(game_id) != now
            self._local[game_id] = now
        return changed

    def received(self, update: HubUpdate) -> None:
        """The hub sent this update; `settled` stores it."""
        clock, now = update.clock, monotonic()
        ends_at = now + clock.left if clock is not None and clock.running else None
        with self._lock:
            self._update = update
            self._time = None if clock is None else ShownRoundClock(clock.left, ends_at)

    def linked(self, at: datetime, *, connected: bool, fault: Message | None) -> None:
        """The hub answers, or does not; the table is cut off since the first failure."""
        with self._lock:
            since = None if connected else (self._standing.since or at)
            self._standing = LinkStanding(connected, since, 0, fault)

    @property
    def is_cut_off(self) -> bool:
        """Whether the hub did not answer the last request."""
        return self._standing.since is not None

    @property
    def fault(self) -> Message | None:
        """The fault between table and hub that only a person can fix, if any."""
        return self._standing.fault

    def settled(self) -> TournamentView | None:
        """Store the hub's update, plan the next game, and return the view. Raises StoreError."""
        with self._lock:
            if self._update is not None:
                # what it wanted then, and the time that was left, are of no use later
                kept = replace(self._update, wanted={}, clock=None)
                self.book.change(lambda now: replace(now, word=kept))
            following = self._following(self._new_id)
            if following is not None and following not in self.book.games:
                self.book.change(lambda now: replace(now, games=(*now.games, following)))
            return self._seen(following)

    def seen(self) -> TournamentView | None:
        """The view of the tournament, or None."""
        with self._lock:
            following = self._following(lambda *_place: "")
            known = following if following is not None and following.game_id else None
            return self._seen(known)

    def _seen(self, following: TournamentGame | None) -> TournamentView | None:
        """The view of the tournament, in which `following` is the next game, if any."""
        now = self.book.now
        if now is None:
            return None
        standing, due, fault = self._standing, None, None
        if not standing.connected:  # only then what waits is shown, and worth counting
            standing = replace(standing, waiting=self.outbox.waiting())
        update, ticket = now.word, now.ticket
        seating = None if update is None else update.sitting
        if seating is not None:
            fault = obstacle(seating)
        if following is not None and seating is not None and fault is None:
            due = DueGame(
                following.game_id,
                following.game,
                following.players,
                following.options,
                following.round,
                following.number,
                seating.games,
            )
        sent = () if update is None else update.messages
        messages = (each for each in sent if each.number not in now.put_away)
        return TournamentView(
            title=ticket.title if update is None else update.title,
            place=ticket.place if update is None else update.place,
            address=ticket.address,
            round=None if seating is None else seating.round,
            phase="" if seating is None else seating.rounds_phase,
            players=() if seating is None else seat_names(seating.seats),
            due=due,
            obstacle=fault,
            coming=None if following is None else _result(following, LocalGame("open", 0), None),
            results=() if seating is None else results(now, seating, self._stages),
            games=frozenset(game.game_id for game in now.games),
            link=standing,
            notice=None if update is None else notice_of(update),
            messages=tuple(DirectorMessage(each.number, each.text) for each in messages),
            time=self._time,
        )

    def _following(self, new_id: Callable[[int, int, int], str]) -> TournamentGame | None:
        """The next game, if any; a new one is named by `new_id`."""
        now = self.book.now
        seating = None if now is None or now.word is None else now.word.sitting
        if now is None or seating is None:
            return None
        number = next_number(now, self._stages)
        return None if number is None else planned(now, number, self._stages, new_id)

    @property
    def _stages(self) -> Local:
        """The states of the tournament's games begun here, or entered without their moves."""
        entered = (game for game in self.book.games if game.results)
        return self._local | {game.game_id: LocalGame.entered(game) for game in entered}
