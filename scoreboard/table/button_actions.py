"""When a proposal becomes a command: what each button would do now.

A press means what its button would have done 300 ms earlier, so what it would do is a value:
a `ButtonAction` that can be compared with the one shown then.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final

from scoreboard.games.engine.game import RECORDS_ROLL, Offer, OfferKind, RollDomain
from scoreboard.message import Message, listed, message
from scoreboard.table.event_participation import Begin, next_action
from scoreboard.table.game_session import GameSession, PlannedAct
from scoreboard.table.kept_dice import RollReading, judged
from scoreboard.table.pending_reading import PendingRoll
from scoreboard.table.pending_state import PendingState, before, roll_key, roll_reading
from scoreboard.table.pending_updates import (
    ENTER_DICE,
    expected_pieces,
    judgement_of,
    key_of,
)
from scoreboard.table.proposal import TableDie
from scoreboard.table.requests import Action
from scoreboard.table.turn_clock import TurnClock
from scoreboard.typed_numbers import plain_digits

NO_GAME: Final = message("There is no game: start one on the page.")
PUT_AWAY: Final = message("This game is closed: resume it on the page.")
GAME_OVER: Final = message("The game is over.")
ROLL_FIRST: Final = message("No new roll seen yet: roll the dice, or type the roll in.")
ON_THE_PAGE: Final = message("This button does nothing now: continue on the page.")
WRITE_ZERO: Final = message("That scores 0. To do it, press KEEP or choose the box again.")


@dataclass(frozen=True, slots=True)
class Record:
    """Carry out these acts in one step; `on_table` is how the dice of a roll lie then."""

    acts: tuple[PlannedAct, ...]
    label: Message
    on_table: tuple[TableDie, ...] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class ShowDoubt:
    """Ask to look at a doubtful reading; the next press confirms it."""

    doubts: tuple[Message, ...]
    label: Message


@dataclass(frozen=True, slots=True)
class AskAgain:
    """Ask once more before the offer `key` is carried out."""

    key: str
    question: Message = WRITE_ZERO


@dataclass(frozen=True, slots=True)
class Point:
    """Point at the box that the offer `key` fills."""

    key: str
    label: Message


@dataclass(frozen=True, slots=True)
class SwitchClock:
    """Stop the turn's clock, or let it run."""

    label: Message


@dataclass(frozen=True, slots=True)
class Cancel:
    """Withdraw the open question."""


@dataclass(frozen=True, slots=True)
class AnswerRolled:
    """Answer whether dice that show the same as before were rolled."""

    rolled: bool


@dataclass(frozen=True, slots=True)
class Reject:
    """Drop what waits; it is not offered again before the table has changed."""

    faces: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take back the act that began with this event."""

    step: int
    label: Message


@dataclass(frozen=True, slots=True)
class Refuse:
    """Do nothing, and say why."""

    why: Message


ButtonAction = (
    Record
    | ShowDoubt
    | AskAgain
    | Point
    | SwitchClock
    | Cancel
    | AnswerRolled
    | Reject
    | TakeBack
    | Refuse
    | Begin
)


@dataclass(frozen=True, slots=True)
class ConfirmPolicy:
    """A stated policy: who records a roll without a press, and when.

    A reading without a doubt that stayed the same for `seconds`, all of its dice right with
    a probability of at least `confidence`, is recorded as if REROLL had been pressed.
    """

    seconds: float
    confidence: float

    def allows(self, reading: PendingRoll, rolled: RollReading, at: datetime) -> bool:
        """Whether this reading may be recorded now."""
        return (
            rolled.obstacle is None
            and not (rolled.doubts or reading.doubts or reading.touched)
            and not (reading.same or reading.returned)
            and reading.confidence >= self.confidence
            and (at - reading.since).total_seconds() >= self.seconds
        )


def button_actions(
    session: GameSession | None, pending_state: PendingState
) -> Mapping[Action, ButtonAction]:
    """What each button would do now."""
    meant: dict[Action, ButtonAction]
    if session is None or session.is_abandoned:
        meant = dict.fromkeys(Action, Refuse(NO_GAME if session is None else PUT_AWAY))
    else:
        meant = {
            Action.KEEP: _keep(session, pending_state),
            Action.REROLL: _reroll(session, pending_state),
            Action.UNDO: _undo(session, pending_state),
        }
    pending = pending_state.pending
    if pending_state.asking is None and pending is not None and pending.same:
        meant = {action: AnswerRolled(rolled=action is Action.KEEP) for action in Action}
    following = next_action(session, pending_state.event)  # between two games of an event
    if following is not None:
        meant[Action.KEEP] = Refuse(following) if isinstance(following, Message) else following
    return meant


def _keep(session: GameSession, pending_state: PendingState) -> ButtonAction:
    """Yes to a question; else the roll is final; else the pointed box is filled."""
    if pending_state.asking is not None:
        return carried_out(session, pending_state.asking)
    if session.turn.awaited is not None:
        return _keep_pieces(session, pending_state)
    rolled = roll_reading(session, pending_state)
    if pending_state.pending is not None and rolled is not None:
        return confirmed(session, pending_state.pending, rolled, roll_key(session), final=True)
    if session.turn.phase == "choosing":
        box = pointed(session, pending_state)
        return AskAgain(box.key) if box.points == 0 else carried_out(session, box.key)
    if OfferKind.STAND in session.offers:
        return carried_out(session, OfferKind.STAND)
    return _nothing_to_confirm(session)


def _reroll(session: GameSession, pending_state: PendingState) -> ButtonAction:
    """Another box; else the roll is recorded and another announced (YZ-4)."""
    if session.turn.awaited is not None:
        key = session.turn.awaited.second
        return Refuse(ON_THE_PAGE) if key is None else carried_out(session, key)
    if session.turn.phase == "choosing":
        boxes = session.boxes
        at = boxes.index(pointed(session, pending_state))
        box = boxes[(at + 1) % len(boxes)]
        return Point(box.key, box.label)
    if pending_state.asking is not None:
        return Cancel()
    rolled = roll_reading(session, pending_state)
    if pending_state.pending is None or rolled is None:
        return _nothing_to_confirm(session)
    if session.turn.phase == "rolling" and is_last_roll(session):
        return Refuse(message("That was the last roll of the turn: press KEEP."))
    return confirmed(session, pending_state.pending, rolled, roll_key(session))


def _keep_pieces(session: GameSession, pending_state: PendingState) -> ButtonAction:  # noqa: PLR0911 -- one a reason
    """The offer that the rulebook names for KEEP, once the clock runs.

    Where it names none: confirm the pieces that are seen, unless the rulebook has something against
    it; without any the clock of the turn is held, where there is one.
    """
    reading, clock = pending_state.pieces, pending_state.clock
    first = session.turn.awaited.first if session.turn.awaited else None
    if first is not None and (clock is None or clock.since is not None):
        return carried_out(session, first)
    if reading is None:
        return switched(clock)
    key = key_of(session, reading)
    judged, expected = judgement_of(session, reading), expected_pieces(session)
    if key is None or judged is None or expected is None:
        return Refuse(message("Some pieces cannot be read: tap them on the picture."))
    if judged.remarks:
        return Refuse(judged.remarks[0].text)
    offer = session.offers[key]
    warning = session.game.warn(session.state, offer.command) if isinstance(offer, Offer) else None
    doubts = reading.doubts if warning is None else (warning, *reading.doubts)
    if doubts and not reading.asked:
        if expected.reader.startswith("tiles"):
            return ShowDoubt(doubts, message("Check the doubtful tiles first"))
        return ShowDoubt(doubts, message("Check the doubtful cards first"))
    if isinstance(offer, Offer):
        return Record((PlannedAct(key),), judged.label)
    filling = judged.filling or reading.text
    return Record((PlannedAct(key, offer.domain.parse(filling)),), judged.label)


def _undo(session: GameSession, pending_state: PendingState) -> ButtonAction:
    """The open question, else the pending roll, else the last step in force.

    What UNDO itself brought back is passed over: another press goes a step further back.
    """
    waiting = pending_state.pending or pending_state.pieces
    if pending_state.asking is not None or (waiting is not None and waiting.asked):
        return Cancel()
    if waiting is not None and not (waiting.returned and session.last_step):
        dice = () if pending_state.pending is None else pending_state.pending.dice
        return Reject(tuple(die.face for die in dice))
    if session.last_step:
        return TakeBack(session.last_step[0].step, described(session))
    return Refuse(message("There is nothing left to undo."))


def chosen(
    session: GameSession, pending_state: PendingState, key: str, filling: str | None, now: datetime
) -> ButtonAction:
    """What choosing an offer on the page does; an open one comes with what was filled in.

    A roll entered so is recorded at once. A 0 asks once more, and so does what the rulebook
    warns of, and going on with the last roll while a new one waits.

    Raises:
        NotationError: what was filled in is not in the notation of the offer's domain.
    """
    offer = session.offers.get(key)
    if offer is None:
        return Refuse(message("That cannot be done now."))
    if isinstance(offer, Offer):
        warning = session.game.warn(session.state, offer.command)
        waits = pending_state.pending is not None and not pending_state.pending.same
        question = None
        if pending_state.asking == key:
            pass
        elif warning is not None:
            question = message(
                "{warning} Agree among yourselves. To play on, press KEEP or choose it again.",
                warning=warning,
            )
        elif waits and not OfferKind.LEAVE.is_kind_of(key):
            question = message(
                "A new roll is waiting to be confirmed. Choose the same again to go on without it."
            )
        elif offer.points == 0:
            question = WRITE_ZERO
        if question is not None:
            return AskAgain(key, question)
        return Record((PlannedAct(key),), offer.label)
    if filling is None:
        return Refuse(ENTER_DICE if offer.entry is None else offer.entry.question)
    value = offer.domain.parse(plain_digits(filling))
    if key in RECORDS_ROLL and isinstance(offer.domain, RollDomain):
        reading = PendingRoll.entered(value, now)
        rolled = judged(reading.dice, offer.domain.dice, before(session, pending_state))
        return confirmed(session, reading, rolled, key)
    return Record((PlannedAct(key, value),), offer.label)


def confirmed(
    session: GameSession,
    reading: PendingRoll,
    rolled: RollReading,
    key: str,
    *,
    final: bool = False,
) -> ButtonAction:
    """What confirming a roll does, by the offer `key`; `final` when rolling is to be over."""
    if rolled.roll is None:
        return Refuse(rolled.obstacle or ROLL_FIRST)
    doubts = (*rolled.doubts, *reading.doubts)
    if doubts and not reading.asked:
        return ShowDoubt(doubts, message("Check the doubtful dice first"))
    acts, roll = recording(session, rolled, key), str(rolled.roll)
    if key != OfferKind.ROLL or is_last_roll(session):
        return Record(acts, message("Confirm {roll}", roll=roll), rolled.on_table)
    if not final:
        label = message("Confirm {roll} and roll again", roll=roll)
        return Record(acts, label, rolled.on_table)
    label = message("Confirm {roll} and stop rolling", roll=roll)
    return Record((*acts, PlannedAct(OfferKind.STAND)), label, rolled.on_table)


def recording(session: GameSession, rolled: RollReading, key: str) -> tuple[PlannedAct, ...]:
    """The acts that record a roll: what was kept, where that is news, and the dice."""
    kept = rolled.kept
    if kept is None or kept == session.turn.kept or OfferKind.KEEP not in session.offers:
        return (PlannedAct(key, rolled.roll),)
    return PlannedAct(OfferKind.KEEP, kept), PlannedAct(key, rolled.roll)


def is_last_roll(session: GameSession) -> bool:
    """Whether the roll that is awaited is the turn's last (YZ-4)."""
    return session.turn.rolls_made + 1 >= session.turn.rolls_allowed


def switched(clock: TurnClock | None) -> ButtonAction:
    """Stop the clock, or let it run; without one there is nothing to do."""
    if clock is None:
        return Refuse(ON_THE_PAGE)
    if clock.since is not None:
        return SwitchClock(message("Stop the clock"))
    fresh = clock.left == clock.limit
    return SwitchClock(message("Start the clock") if fresh else message("Resume the clock"))


def carried_out(session: GameSession, key: str) -> ButtonAction:
    """What a yes to a closed offer does."""
    offer = session.offers.get(key)
    return Refuse(ROLL_FIRST) if offer is None else Record((PlannedAct(key),), offer.label)


def pointed(session: GameSession, pending_state: PendingState) -> Offer[object]:
    """The box that the buttons point at: the best one until REROLL steps on."""
    boxes = {box.key: box for box in session.boxes}
    return boxes.get(pending_state.pointer or "", session.boxes[0])


def _nothing_to_confirm(session: GameSession) -> Refuse:
    return Refuse(GAME_OVER if session.is_finished else ROLL_FIRST)


def described(session: GameSession) -> Message:
    """The last step in words, as in “Undo ...”; of the KEEP that ended a turn's rolls just that."""
    turn, stood = session.turn, len(session.last_step) > 1
    if stood and turn.phase == "choosing" and turn.roll is not None:
        return message("KEEP ({roll})", roll=" ".join(map(str, turn.roll.faces)))
    steps = session.last_step
    return listed(session.game.describe(session.state, record.event) for record in steps)


def turned(
    pending_state: PendingState,
    button_action: ShowDoubt | AskAgain | Point | SwitchClock | Cancel,
    now: datetime,
) -> tuple[PendingState, Message | None]:
    """What a question, its taking back, a step of the pointer or of the clock changes."""
    asked = isinstance(button_action, ShowDoubt)
    pending, pieces = pending_state.pending, pending_state.pieces
    pending_state = replace(
        pending_state,
        pending=None if pending is None else replace(pending, asked=asked),
        pieces=None if pieces is None else replace(pieces, asked=asked),
    )
    match button_action:
        case ShowDoubt(doubts):
            notice = message("{doubt} Check, then press again.", doubt=doubts[0])
            return pending_state, notice
        case AskAgain(key, question):
            return replace(pending_state, asking=key), question
        case Point(key):
            return replace(pending_state, pointer=key, asking=None), None
        case SwitchClock():
            clock = None if pending_state.clock is None else pending_state.clock.toggled(now)
            return replace(pending_state, clock=clock), None
        case Cancel():
            return replace(pending_state, asking=None), None


REACTION: Final = timedelta(milliseconds=300)
LONGEST: Final = 64  # changes within 300 ms; each takes a commit to disk or a new reading

Meanings = Mapping[Action, ButtonAction]


class History:
    """Remembers since when each button means what it means now.

    What the table showed at its start counts as shown since ever.
    """

    def __init__(self, meanings: Meanings) -> None:
        self._first = meanings
        self._later: deque[tuple[datetime, Meanings, Action | None]] = deque(maxlen=LONGEST)

    @property
    def now(self) -> Meanings:
        """What the buttons mean now."""
        return self._later[-1][1] if self._later else self._first

    def changed(self, meanings: Meanings, at: datetime, by: Action | None = None) -> None:
        """Remember that the buttons mean something else from `at` (aware UTC) on.

        `by` is the button whose press changed it.
        """
        if len(self._later) == LONGEST:
            self._first = self._later[0][1]
        self._later.append((at, meanings, by))

    def is_steady(self, action: Action, pressed_at: datetime) -> bool:
        """Whether the button already meant 300 ms before the press what it means now.

        Who presses UNDO several times wants to go back as many steps: what UNDO itself changed
        was expected.
        """
        seen_at, shown, steady = pressed_at - REACTION, self._first, True
        for at, meanings, by in self._later:
            expected = action is by is Action.UNDO
            if not steady and not expected:
                continue
            if expected or at <= seen_at:
                shown, steady = meanings, True
            else:
                steady = meanings[action] == shown[action]
        return steady
