"""The table at play: takes requests one by one, records what is confirmed, shows the result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from scoreboard.errors import ConflictError, NotOfferedError, ScoreboardError
from scoreboard.games.engine.transcript import UNKNOWN, Abandoned, Resumed, Retraction, Source
from scoreboard.message import Message, message
from scoreboard.players import player_names
from scoreboard.table import button_actions, requests
from scoreboard.table.announcements import announced
from scoreboard.table.game_repository import GameRepository
from scoreboard.table.game_session import SWITCH_CLOCK, GameSession, Ranks, no_ranks
from scoreboard.table.pending_acts import GAME_OVER, ConfirmedReading, Pending
from scoreboard.table.ports import Announcer, Clock, EventStore, Notary
from scoreboard.table.requests import DEVICE_EXPECTED, TOO_EARLY, TOO_LATE, UNCHANGED, Answer
from scoreboard.table.session_log import log_request, log_unasked
from scoreboard.table.tournament_participation import Begin
from scoreboard.table.view import TableView
from scoreboard.table.view_builder import DEPENDED_ON, shown


class TableSession:
    """The table at play; only one thread may call it.

    A confirmed act is in the store before it is shown. `view` is a frozen value that any thread may
    read. Versions count on from the milliseconds of the start, so that a page left over from before
    a restart never fits.

    A page's act is stale when what it depends on (see `depends_on`) changed after the version that
    the page saw; the camera's state and notices never make it so.
    """

    def __init__(  # noqa: PLR0913 -- the ports of the table, each named where it is wired
        self,
        store: EventStore,
        clock: Clock,
        announcers: Sequence[Announcer],
        new_id: Callable[[], str],
        *,
        steady: Clock | None = None,
        read_again: Callable[[], None] = lambda: None,
        confirmed: Callable[[ConfirmedReading], None] = lambda _: None,
        policy: button_actions.ConfirmPolicy | None = None,
        tray: bool = False,
        notary: Notary | None = None,
        ranks: Ranks = no_ranks,
    ) -> None:
        """Begin without a game.

        `clock` gives the time of day, for the record; `steady` never jumps, and measures turns,
        presses and patience (by default the time of day does). `new_id` names a new game;
        `read_again` asks the camera for a fresh reading; `confirmed` gets the reading behind the
        events just stored, and returns quickly; `policy` confirms readings without a press; `tray`:
        the camera sees a calibrated tray and nothing beyond it; `notary` stores the players'
        answers to a tournament's results; by `ranks` the buttons order boxes.
        """
        self._notary = notary
        self._ledger = GameRepository(store, clock, new_id, ranks)
        self._clock = steady or clock
        self._announcers = tuple(announcers)
        self._read_again = read_again
        self._confirmed = confirmed
        self._policy = policy
        self._pending = Pending(tray=tray)
        self._best: int | None = None
        self._last_done: requests.TableRequest | None = None
        self._asker = UNKNOWN  # of the message that is being acted on
        self._reading_due = False
        first = int(clock().timestamp() * 1000)
        view, actions = self._shown()
        self._history = button_actions.History(actions)
        self._view = replace(view, version=first)
        self._changed_on: dict[requests.Dependence, int] = dict.fromkeys(DEPENDED_ON, first)

    @property
    def view(self) -> TableView:
        return self._view

    def receive(self, request: requests.TableRequest, by: str = UNKNOWN) -> Answer:
        """Act on one message, sent `by` a device; a refusal is an answer, not an exception."""
        self._asker = by
        meant = self._history.now[request.action] if isinstance(request, requests.Pressed) else None
        fault: ScoreboardError | None = None
        try:
            answer = self._answer(request)
        except ConflictError as error:
            fault, answer = error, Answer("stale", error.message)
        except ScoreboardError as error:
            fault, answer = error, Answer("refused", error.message)
        if isinstance(request, requests.Unasked):
            log_unasked(request, answer, self._pending)
        else:
            session = self._pending.session
            game_id = None if session is None else session.header.game_id
            log_request(request, answer, game_id, meant=meant, error=fault)
            # for everyone: what changed the table, and what a button did
            by_button = isinstance(request, requests.ByButton)
            explained = by_button and answer.verdict != "unchanged" and answer != TOO_LATE
            if answer.verdict == "done" or explained:
                self._pending = replace(self._pending, notice=answer.notice)
        if answer != UNCHANGED:
            self._show(request.action if isinstance(request, requests.Pressed) else None)
            if self._reading_due:  # last, when everyone knows what the table now waits for
                self._reading_due = False
                self._read_again()
        return answer

    def notify(self, notice: Message) -> Answer:
        """Show a notice to all, and refuse with it."""
        self._pending = replace(self._pending, notice=notice)
        self._show()
        return Answer("refused", notice)

    def resume_newest(self) -> None:
        """Resume the newest unfinished game that was not closed. Raises StoreError.

        A game that cannot be read is named to the players and skipped.
        """
        session, fault = self._ledger.newest_unfinished()
        if session is not None:
            self._seat(session)
        self._pending = replace(self._pending, notice=fault)
        self._show()

    # -- from a request to its answer

    def _answer(self, request: requests.TableRequest) -> Answer:
        if isinstance(request, requests.Unasked):
            return self._unasked(request)
        expected = getattr(request, "expected", None)
        by_hand = isinstance(request, requests.ByButton) and expected is None
        if not by_hand and requests.without_time(request) == self._last_done:
            return UNCHANGED  # a page's own second tap
        since = self._changed_on[requests.depends_on(request)]
        if expected is not None and not since <= expected <= self._view.version:
            return TOO_LATE
        answer = self._asked(request)
        if answer.verdict == "done":
            self._last_done = requests.without_time(request)
        return answer

    def _unasked(self, request: requests.Unasked) -> Answer:
        pending = self._pending
        match request:
            case requests.Proposed(proposal, known):
                return self._moved(pending.read(proposal, self._clock(), known=known))
            case requests.TableStatusChanged(status, cause):
                seen = replace(pending, status=status, camera_notice=cause)
                if status is requests.TableStatus.MOVING:
                    seen = seen.stirred()
                elif status is requests.TableStatus.STILL:
                    seen = seen.looked()
                return self._moved(seen)
            case requests.TrayCalibrated(known):
                return self._moved(replace(pending, tray=known, unplaced=True))
            case requests.HealthChanged(health):
                return self._moved(replace(pending, health=health))
            case requests.TournamentUpdated():
                event = None if self._notary is None else self._notary.event_view()
                return self._moved(replace(pending, event=event))
            case requests.Ticked(at):
                return self._ticked(at)

    def _asked(self, request: requests.Asked) -> Answer:  # noqa: C901, PLR0911, PLR0912 -- one arm a member
        match request:
            case requests.Pressed(action, at, expected):
                if expected is None and not self._history.is_steady(action, at):
                    return TOO_EARLY
                source: Source = "button" if expected is None else "page"
                return self._do(self._history.now[action], source)
            case requests.DeviceExpected():
                return DEVICE_EXPECTED
            case requests.GameOpened():
                return self._taken_up(self._ledger.opened(request))
            case requests.GameResumed(game_id):
                return self._resumed(game_id)
            case requests.GameDeleted(game_id, for_good):
                return self._deleted(game_id, for_good=for_good)
            case requests.GameTakenBack(game_id):
                self._ledger.taken_back(game_id)
                return Answer()
            case requests.PlayerJoined(player):
                return self._joined(self._pending.playing, player)
            case requests.PlayerNameChanged():
                return self._renamed()
            case requests.PlayerDeleted(_, names):
                return self._player_deleted(names)
            case requests.TournamentGameBegun(game_id):
                return self._begun(game_id)
            case requests.BothButtonsHeld():
                agreed = self._pending.agreed_by_all()
                return UNCHANGED if agreed is None else self._asked(agreed)
            case requests.ResultSigned() | requests.ResultDisputed() | requests.ResultEntered():
                return self._moved(self._pending.result_answered(self._notary, request))
            case _:
                return self._played(request, self._pending.playing)

    def _played(self, request: requests.Played, session: GameSession) -> Answer:  # noqa: PLR0911 -- one a member
        pending, now = self._pending, self._clock()
        match request:
            case requests.Chosen(key, _, filling) if key == SWITCH_CLOCK:
                return self._clock_switched(stop=filling == "stop")
            case requests.Chosen(key, _, filling):
                return self._do(pending.chosen(key, filling, now), "page")
            case requests.Corrected(roll):
                return self._moved(pending.entered(roll, now))
            case requests.DieCorrected(die, face):
                return self._moved(pending.die_corrected(die, face, now))
            case requests.PieceCorrected(piece, label):
                return self._moved(pending.piece_corrected(piece, label))
            case requests.ReadAgain():
                pending.require_awaited()
                self._pending = replace(pending.dropped(), wanted=True)
                self._reading_due = True
                return Answer()
            case requests.KeepMarked(die, kept):
                return self._moved(pending.marked(die, kept=kept))
            case requests.GameAbandoned():
                return self._abandoned(session)
            case requests.StepsUndone(step):
                return self._undone_to(session, step)

    def _clock_switched(self, *, stop: bool) -> Answer:
        """Switch the clock; or only `stop` it, as a page does when pieces are rearranged."""
        clock = self._pending.clock
        if stop and (clock is None or clock.since is None):
            return UNCHANGED
        return self._do(self._pending.clock_switched(), "page")

    def _moved(self, pending: Pending) -> Answer:
        before, self._pending = self._pending, pending
        return UNCHANGED if pending == before else Answer()

    def _ticked(self, at: datetime) -> Answer:
        """The turn's clock warns and ends; else a stated policy confirms the reading."""
        pending, clock = self._pending, self._pending.clock
        if clock is not None and clock.since is not None:
            if clock.is_over(at):
                return self._do(pending.carried_out(clock.time_up), "clock")
            timed = self._moved(replace(pending, clock=clock.seen_at(at)))
            if timed != UNCHANGED:
                return timed
        due = None if self._policy is None else pending.by_policy(self._policy, at)
        return UNCHANGED if due is None else self._do(due, "camera")

    # -- what is done

    def _do(self, action: button_actions.ButtonAction, source: Source) -> Answer:  # noqa: PLR0911 -- one an action
        match action:
            case button_actions.Record():
                return self._record(action, source)
            case button_actions.TakeBack(0):
                session, (player, _) = self._pending.playing, self._pending.joined or ("", ())
                others = tuple(name for name in session.header.players if name != player)
                return self._seated(session.seated(others))
            case button_actions.TakeBack(step):
                return self._undone(step, source)
            case button_actions.Refuse(why):
                return Answer("refused", why)
            case Begin(due):
                return self._begun(due.game_id)
            case button_actions.Reject():
                self._pending = self._pending.rejected()
                return Answer()
            case button_actions.AnswerRolled(rolled):
                return self._moved(self._pending.answered(rolled=rolled))
            case _:
                self._pending, notice = self._pending.turned(action, self._clock())
                return Answer(notice=notice)

    def _undone_to(self, session: GameSession, step: int) -> Answer:
        """Undo all steps after that one at once."""
        later = [record.step for record in session.in_force if record.step > step]
        if not session.is_in_force(step) or not later:
            raise NotOfferedError(message("There is nothing to undo after that step."))
        return self._undone(later[0], "page")

    def _undone(self, step: int, source: Source) -> Answer:
        """Undo that step and all after it, the newest event first."""
        before = self._pending
        undone = (each for each in reversed(before.playing.in_force) if each.step >= step)
        events = [Retraction(record.sequence) for record in undone]
        self._pending = before.after_undo(step, self._append(events, source))
        return Answer()

    def _record(self, record: button_actions.Record, source: Source) -> Answer:
        before = self._pending
        reading = before.confirmed_by(record.acts)
        now = self._append(before.playing.outcome_of(record.acts), source)
        if reading is not None:
            self._confirmed(reading)
        self._pending, self._reading_due = before.recorded(now, record, self._clock())
        return Answer()

    def _append(self, events: Iterable[object], source: Source) -> GameSession:
        """Store the events as one step, and only then have them on the table."""
        session = self._pending.playing
        try:
            now = self._ledger.followed(session, events, source, self._asker)
        except ConflictError:
            self._seat(self._ledger.stored(session.header.game_id))
            raise
        self._pending = replace(self._pending, session=now)
        return now

    # -- games come and go

    def _begun(self, game_id: str) -> Answer:
        return self._taken_up(self._ledger.opened(self._pending.opening(game_id)))

    def _resumed(self, game_id: str) -> Answer:
        session = self._pending.session
        if session is None or session.header.game_id != game_id:
            session = self._ledger.stored(game_id)
        elif not session.is_abandoned:
            return UNCHANGED
        if session.is_abandoned:
            session = self._ledger.followed(session, [Resumed()], "page", self._asker)
        return self._taken_up(session)

    def _taken_up(self, session: GameSession) -> Answer:
        """The table is read, as a roll may be there; but the earlier dice are not."""
        self._seat(session)
        self._reading_due = session.awaits_camera
        return Answer()

    def _abandoned(self, session: GameSession) -> Answer:
        if session.is_finished:
            return Answer("refused", GAME_OVER)
        self._append([Abandoned()], "page")
        self._pending = replace(self._pending.after_act(), clock=None)
        return Answer()

    def _joined(self, session: GameSession, player: str) -> Answer:
        if session.is_finished:
            return Answer("refused", GAME_OVER)
        self._pending.require_free(session.header.game_id)
        *_, name = player_names((*session.header.players, player))
        return self._seated(session.joined_by(name), name)

    def _seated(self, now: GameSession | None, joined: str | None = None) -> Answer:
        pending = self._pending
        if now is None or (pending.waits and now.at_turn != pending.playing.at_turn):
            return Answer("refused", message("Confirm or reject the waiting roll first."))
        self._ledger.seated(now)
        noted = None if joined is None else (joined, now.last_step)
        self._pending = replace(pending, session=now, joined=noted, asking=None, notice=None)
        self._best = self._ledger.best_before(now)
        return Answer()

    def _deleted(self, game_id: str, *, for_good: bool) -> Answer:
        session = self._pending.session
        self._pending.require_free(game_id)
        self._ledger.deleted(game_id, for_good=for_good)
        if session is not None and session.header.game_id == game_id:
            self._view = replace(self._view, announced=None)  # it is of that game
            self._pending, self._best = self._pending.cleared(), None
        return Answer()

    def _player_deleted(self, names: tuple[str, ...]) -> Answer:
        session = self._pending.session
        self._pending.require_absent(names, self._ledger.headers)
        self._ledger.erased(names)
        self._view = replace(self._view, announced=None)  # it may name them
        if session is not None and not set(names).isdisjoint(session.header.players):
            self._seat(self._ledger.stored(session.header.game_id))
        return Answer()

    def _renamed(self) -> Answer:
        session = self._pending.session
        if session is None:
            return UNCHANGED
        now = self._ledger.stored(session.header.game_id)
        self._view = replace(self._view, announced=None)  # it may name them
        self._pending = replace(self._pending, session=now, joined=None, notice=None)
        return Answer()

    def _seat(self, session: GameSession) -> None:
        self._best = self._ledger.best_before(session)
        self._pending = self._pending.for_game(session)

    # -- what is shown

    def _shown(self) -> tuple[TableView, Mapping[requests.Action, button_actions.ButtonAction]]:
        """The view, without its version, and each button's action while it is shown."""
        actions = self._pending.button_actions()
        view = shown(self._pending, actions)
        return replace(view, best=self._best, paused=self._ledger.fault), actions

    def _show(self, pressed: requests.Action | None = None) -> None:
        """Freeze the new view, and announce it when anything changed."""
        view, actions = self._shown()
        view = replace(view, version=self._view.version)
        if view == self._view:
            return
        version = view.version + 1
        for what, part in DEPENDED_ON.items():
            if part(view) != part(self._view):
                self._changed_on[what] = version
        if actions != self._history.now:
            self._history.changed(actions, self._clock(), pressed)
        view = replace(view, version=version)
        self._view = replace(view, announced=announced(self._view, view) or self._view.announced)
        for announcer in self._announcers:
            announcer.announce(self._view)
