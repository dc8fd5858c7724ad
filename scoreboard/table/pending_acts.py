"""What is pending between two recorded events, what each button would do, and what acts change.

A picture of the table belongs to one question: it answers that one and no other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Final, Self

from scoreboard.games.engine.game import ABOUT_LAST_ROLL, RECORDS_ROLL, Offer, OfferKind, RollDomain
from scoreboard.games.engine.transcript import RecordedEvent
from scoreboard.message import Message, message
from scoreboard.table.button_actions import (
    WRITE_ZERO,
    AnswerRolled,
    AskAgain,
    ButtonAction,
    Cancel,
    ConfirmPolicy,
    Point,
    Record,
    Refuse,
    Reject,
    ShowDoubt,
    SwitchClock,
    TakeBack,
    Turning,
)
from scoreboard.table.dice_tracking import as_seen, pushed_together, track_dice
from scoreboard.table.game_session import (
    GameSession,
    PlannedAct,
    TurnClock,
    clock_after,
    standing_clock,
)
from scoreboard.table.kept_dice import RollReading, judged
from scoreboard.table.pending_dice import ENTER_DICE, NO_GAME, PUT_AWAY, PendingRoll
from scoreboard.table.pending_pieces import PiecesReading, same_places
from scoreboard.table.proposal import Health, Proposal
from scoreboard.table.requests import Action, TableStatus
from scoreboard.table.tournament_participation import PendingTournament
from scoreboard.typed_numbers import plain_digits

GAME_OVER: Final = message("The game is over.")
ROLL_FIRST: Final = message("No new roll seen yet: roll the dice, or type the roll in.")
ON_THE_PAGE: Final = message("This button does nothing now: continue on the page.")


@dataclass(frozen=True, slots=True)
class ConfirmedReading:
    """A reading as it was confirmed by the events of this step, in the turn of that seat."""

    game_id: str
    step: int
    seat: int | None
    reading: PendingRoll | PiecesReading


@dataclass(frozen=True)
class Pending(PendingTournament):
    """Everything about the table that is no event, with its game; forgotten with the process.

    `pointer` is the box that the buttons point at, None for the best; `seen` is what the camera
    read last, `seen_in` the game that was under way then; `spent` what it read and has answered
    its question, or was rejected: it is offered on demand only; `waited` is the reading
    that waited when an act was recorded, with that act's sequence; `clock` is the open turn's,
    where turns are timed; `joined` is who joined last, with the last step before that.
    """

    pointer: str | None = None
    camera_notice: Message | None = None
    health: Health | None = None
    seen: Proposal | None = field(default=None, compare=False)
    seen_in: str | None = field(default=None, compare=False)
    spent: Proposal | None = field(default=None, compare=False)
    waited: tuple[int, PendingRoll | PiecesReading] | None = field(default=None, compare=False)
    clock: TurnClock | None = None
    joined: tuple[str, tuple[RecordedEvent, ...]] | None = None

    @property
    def waits(self) -> PendingRoll | PiecesReading | None:
        """What waits to be confirmed."""
        return self.roll or self.pieces

    # -- games come and go

    def cleared(self) -> Pending:
        """Without a game: what is known of camera and event stays, and the dice that lie."""
        return Pending(
            status=self.status,
            camera_notice=self.camera_notice,
            health=self.health,
            tray=self.tray,
            unplaced=self.unplaced,
            seen=self.seen,
            seen_in=self.seen_in,
            spent=self.spent,
            left=self.dice_on_table,
            event=self.event,
        )

    def for_game(self, session: GameSession) -> Pending:
        """With that game: what was seen while another one was under way is spent, and unsaid."""
        pending = replace(self.cleared(), session=session, clock=standing_clock(session))
        if self.seen_in in {None, session.header.game_id}:
            return pending
        notice = self.camera_notice if self.status is TableStatus.LOST else None
        return replace(pending, spent=self.seen, camera_notice=notice)

    # -- the camera looks

    def read(self, proposal: Proposal, now: datetime, *, known: bool = False) -> Self:
        """After a reading of the camera: it is offered, unless it was spent on another question.

        A picture that was there before the start was `known`: to which game it belongs is not.
        """
        spent = proposal if known else self.spent
        fresh = self.wanted or spent is None or not same_picture(spent, proposal)
        seen = replace(self.looked(), seen=proposal, spent=None if fresh else spent)
        if self.session is not None and not self.session.is_abandoned and fresh:
            dice = self.session.turn.awaited is None
            seen = seen.dice_read(proposal, now) if dice else seen.pieces_read(proposal, now)
        return replace(seen, wanted=False)

    def looked(self) -> Self:
        """After the camera looked at the table, whether or not it read anything."""
        return replace(self, seen_in=self.playing.header.game_id if self.is_under_way else None)

    def stirred(self) -> Self:
        """After something moved: dice may have been rolled, tiles must be seen to have changed."""
        dice = self.session is not None and self.session.turn.awaited is None
        return replace(self, moved=True, spent=None if dice else self.spent)

    # -- what the buttons would do

    def button_actions(self) -> Mapping[Action, ButtonAction]:
        """What each button would do now."""
        meant: dict[Action, ButtonAction]
        if self.session is None or self.session.is_abandoned:
            meant = dict.fromkeys(Action, Refuse(NO_GAME if self.session is None else PUT_AWAY))
        else:
            meant = {
                Action.KEEP: self._keep(),
                Action.REROLL: self._reroll(),
                Action.UNDO: self._undo(),
            }
        if self.asking is None and self.roll is not None and self.roll.same:
            meant = {action: AnswerRolled(rolled=action is Action.KEEP) for action in Action}
        following = self.begins  # between two games of an event
        if following is not None:
            meant[Action.KEEP] = Refuse(following) if isinstance(following, Message) else following
        return meant

    def _keep(self) -> ButtonAction:
        """Yes to a question; else the roll is final; else the pointed box is filled."""
        if self.asking is not None:
            return self.carried_out(self.asking)
        game, rolled = self.playing, self.rolled
        if game.turn.awaited is not None:
            return self._keep_pieces()
        if self.roll is not None and rolled is not None:
            return self.confirming(self.roll, rolled, game.roll_key, final=True)
        if game.turn.phase == "choosing":
            box = self.pointed
            return AskAgain(box.key) if box.points == 0 else self.carried_out(box.key)
        if OfferKind.STAND in game.offers:
            return self.carried_out(OfferKind.STAND)
        return self._nothing_to_confirm

    def _reroll(self) -> ButtonAction:
        """Another box; else the roll is recorded and another announced (YZ-4)."""
        game, turn = self.playing, self.playing.turn
        if turn.awaited is not None:
            key = turn.awaited.second
            return Refuse(ON_THE_PAGE) if key is None else self.carried_out(key)
        if turn.phase == "choosing":
            boxes = game.boxes
            box = boxes[(boxes.index(self.pointed) + 1) % len(boxes)]
            return Point(box.key, box.label)
        if self.asking is not None:
            return Cancel()
        rolled = self.rolled
        if self.roll is None or rolled is None:
            return self._nothing_to_confirm
        if turn.phase == "rolling" and game.is_last_roll:
            return Refuse(message("That was the last roll of the turn: press KEEP."))
        return self.confirming(self.roll, rolled, game.roll_key)

    def _keep_pieces(self) -> ButtonAction:  # noqa: PLR0911 -- one a reason
        """The offer that the rulebook names for KEEP, once the clock runs.

        Where it names none: confirm the pieces that are seen, unless the rulebook has something
        against it; without any the clock of the turn is held, where there is one.
        """
        game, reading, clock = self.playing, self.pieces, self.clock
        first = game.turn.awaited.first if game.turn.awaited else None
        if first is not None and (clock is None or clock.since is not None):
            return self.carried_out(first)
        if reading is None:
            return self.clock_switched()
        judged, expected = self.judgement, game.expected
        if judged is None or expected is None:
            return Refuse(message("Some pieces cannot be read: tap them on the picture."))
        if judged.remarks:
            return Refuse(judged.remarks[0].text)
        key = judged.key or expected.offer
        offer = game.offers[key]
        warning = game.game.warn(game.state, offer.command) if isinstance(offer, Offer) else None
        doubts = reading.doubts if warning is None else (warning, *reading.doubts)
        if doubts and not reading.asked:
            if expected.reader.startswith("tiles"):
                return ShowDoubt(doubts, message("Check the doubtful tiles first"))
            return ShowDoubt(doubts, message("Check the doubtful cards first"))
        if isinstance(offer, Offer):
            return Record((PlannedAct(key),), judged.label)
        filling = judged.filling or reading.text
        return Record((PlannedAct(key, offer.domain.parse(filling)),), judged.label)

    def _undo(self) -> ButtonAction:
        """The open question, else the pending roll, else the last step in force.

        A reading brought back by UNDO is skipped: another press goes a step further back.
        """
        game, waiting = self.playing, self.waits
        if self.asking is not None or (waiting is not None and waiting.asked):
            return Cancel()
        if waiting is not None and not (waiting.returned and game.last_step):
            dice = () if self.roll is None else self.roll.dice
            return Reject(tuple(die.face for die in dice))
        if self.joined is not None and self.joined[1] == game.last_step:
            return TakeBack(0, message("{player} joined", player=self.joined[0]))
        if game.last_step:
            return TakeBack(game.last_step[0].step, game.last_step_text)
        return Refuse(message("There is nothing left to undo."))

    def chosen(self, key: str, filling: str | None, now: datetime) -> ButtonAction:
        """The effect of choosing an offer on the page; an open one comes with its filling.

        A roll entered this way is recorded at once. A 0 is confirmed once more, and so is anything
        the rulebook warns of, and going on with the last roll while a new one waits. Raises
        NotationError: the filling is not in the notation of the offer's domain.
        """
        offer = self.playing.offers.get(key)
        if offer is None:
            return Refuse(message("That cannot be done now."))
        if isinstance(offer, Offer):
            question = None if self.asking == key else self._question(offer)
            if question is not None:
                return AskAgain(key, question)
            return Record((PlannedAct(key),), offer.label)
        if filling is None:
            return Refuse(ENTER_DICE if offer.entry is None else offer.entry.question)
        value = offer.domain.parse(plain_digits(filling))
        if key in RECORDS_ROLL and isinstance(offer.domain, RollDomain):
            reading = PendingRoll.entered(value, now)
            rolled = judged(reading.dice, offer.domain.dice, self.last_roll)
            return self.confirming(reading, rolled, key)
        return Record((PlannedAct(key, value),), offer.label)

    def _question(self, offer: Offer[object]) -> Message | None:
        """What is asked before an offer is carried out, None where nothing is."""
        game = self.playing
        warning = game.game.warn(game.state, offer.command)
        if warning is not None:
            return message(
                "{warning} Agree among yourselves. To play on, press KEEP or choose it again.",
                warning=warning,
            )
        waits = self.roll is not None and not self.roll.same
        if waits and not OfferKind.LEAVE.is_kind_of(offer.key):
            return message(
                "A new roll is waiting to be confirmed. Choose the same again to go on without it."
            )
        return WRITE_ZERO if offer.points == 0 else None

    def confirming(
        self, reading: PendingRoll, rolled: RollReading, key: str, *, final: bool = False
    ) -> ButtonAction:
        """The effect of confirming a roll, by the offer `key`; `final` when rolling is to end."""
        if rolled.roll is None:
            return Refuse(rolled.obstacle or ROLL_FIRST)
        doubts = (*rolled.doubts, *reading.doubts)
        if doubts and not reading.asked:
            return ShowDoubt(doubts, message("Check the dice first"))
        acts = self.recording(rolled, key)
        if key != OfferKind.ROLL or self.playing.is_last_roll:
            return Record(acts, message("Yes, {roll}", roll=rolled.roll.spaced), rolled.on_table)
        if not final:
            return Record(acts, message("Roll again"), rolled.on_table)
        acts = (*acts, PlannedAct(OfferKind.STAND))
        return Record(acts, message("Keep all five"), rolled.on_table)

    def by_policy(self, policy: ConfirmPolicy, at: datetime) -> ButtonAction | None:
        """What a stated policy does without a press, None while it waits."""
        rolled = self.rolled
        if self.roll is None or rolled is None or not policy.allows(self.roll, rolled, at):
            return None
        return self.confirming(self.roll, rolled, self.playing.roll_key)

    def recording(self, rolled: RollReading, key: str) -> tuple[PlannedAct, ...]:
        """The acts that record a roll: the kept dice, if they are news, and the dice."""
        kept, game = rolled.kept, self.playing
        if kept is None or kept == game.turn.kept or OfferKind.KEEP not in game.offers:
            return (PlannedAct(key, rolled.roll),)
        return PlannedAct(OfferKind.KEEP, kept), PlannedAct(key, rolled.roll)

    @property
    def _nothing_to_confirm(self) -> Refuse:
        return Refuse(GAME_OVER if self.playing.is_finished else ROLL_FIRST)

    @cached_property
    def pointed(self) -> Offer[object]:
        """The box that the buttons point at: the best one until REROLL moves on."""
        boxes = self.playing.boxes
        return next((box for box in boxes if box.key == self.pointer), boxes[0])

    def carried_out(self, key: str) -> ButtonAction:
        """The effect of a yes to a closed offer."""
        offer = self.playing.offers.get(key)
        return Refuse(ROLL_FIRST) if offer is None else Record((PlannedAct(key),), offer.label)

    def clock_switched(self) -> ButtonAction:
        """Stop or start the clock."""
        clock = self.clock
        if clock is None:
            return Refuse(ON_THE_PAGE)
        if clock.since is not None:
            return SwitchClock(message("Stop the clock"))
        fresh = clock.left == clock.limit
        return SwitchClock(message("Start the clock") if fresh else message("Resume the clock"))

    # -- what acts change

    def turned(self, action: Turning, now: datetime) -> tuple[Self, Message | None]:
        """The state after a question, its withdrawal, a step of the pointer or of the clock."""
        asked = isinstance(action, ShowDoubt)
        pending = replace(
            self,
            roll=None if self.roll is None else replace(self.roll, asked=asked),
            pieces=None if self.pieces is None else replace(self.pieces, asked=asked),
        )
        match action:
            case ShowDoubt(doubts):
                return pending, message("{doubt} Check, then press again.", doubt=doubts[0])
            case AskAgain(key, question):
                return replace(pending, asking=key), question
            case Point(key):
                return replace(pending, pointer=key, asking=None), None
            case SwitchClock():
                clock = None if self.clock is None else self.clock.toggled(now)
                return replace(pending, clock=clock), None
            case Cancel():
                return replace(pending, asking=None), None

    def dropped(self) -> Self:
        """Without the pending reading."""
        return replace(self, roll=None, pieces=None, asking=None)

    def rejected(self) -> Self:
        """Without what waits, which is not offered again before the table has changed."""
        return replace(self.dropped(), spent=self.seen)

    def after_act(self, *, roll: PendingRoll | None = None) -> Self:
        """After a recorded act: nothing is marked, pointed at or asked any more."""
        return replace(
            self,
            roll=roll,
            pieces=None,
            marks=None,
            pointer=None,
            asking=None,
            notice=None,
            wanted=False,
        )

    def after_undo(self, step: int, now: GameSession) -> Self:
        """After undoing the act that began with event `step`, which led to `now`.

        The reading that waited then waits again, if the camera saw nothing else since: UNDO leads
        to where one press ago was. Anything else on the table is offered on demand only.
        """
        pending = replace(
            self.after_act(), session=now, spent=self.seen, waited=None, clock=standing_clock(now)
        )
        if self.waited is None or self.waited[0] != step:
            return pending
        reading = replace(self.waited[1], asked=False, returned=True)
        was, seen = reading.read, self.seen
        if was != seen and (was is None or seen is None or not same_picture(was, seen)):
            return pending
        if isinstance(reading, PendingRoll):
            return replace(pending, roll=reading)
        return replace(pending, pieces=reading)

    def confirmed_by(self, acts: Sequence[PlannedAct]) -> ConfirmedReading | None:
        """The reading that these acts confirm; None if the camera had no part in them.

        A roll that was typed in instead of the waiting one is confirmed before its picture.
        """
        game, pending = self.playing, self.roll
        rolls = [act.filling for act in acts if act.key in RECORDS_ROLL]
        reading: PendingRoll | PiecesReading | None = None
        if rolls and pending is not None and pending.read is not None:
            rolled = self.rolled
            as_read = rolled is not None and rolled.roll == rolls[0]
            typed = PendingRoll.entered(rolls[0], pending.since, pending.read)
            reading = pending if as_read else typed
        elif self.takes_seen(acts):
            reading = self.pieces
        if reading is None:
            return None
        return ConfirmedReading(
            game.header.game_id, len(game.records) + 1, game.turn.player, reading
        )

    def recorded(self, now: GameSession, record: Record, at: datetime) -> tuple[Self, bool]:
        """After acts that led to `now`; and whether the table is to be read again.

        What was seen has answered its question, unless it lasts: a table that the next player
        adds to, or a roll that was made too early; or is said to be another player's.
        """
        before, awaited = self.playing, now.awaited_dice is not None
        step, keys = len(before.records) + 1, {act.key for act in record.acts}
        both = before.expected, now.expected
        lasts = all(expected is not None and expected.lasting for expected in both)
        stays = keys <= ABOUT_LAST_ROLL and awaited
        after = replace(self, session=now).after_act(roll=self.roll if stays else None)
        if keys & RECORDS_ROLL:
            on_table = {**self.on_table, step: record.on_table or ()}
            after = replace(after, on_table=on_table, moved=self.status is TableStatus.MOVING)
        readdressed = all(OfferKind.FOR.is_kind_of(key) for key in keys)
        early = self.overlooked and awaited
        if early:
            after = replace(after, overlooked=False)
        elif not (self.overlooked or stays or lasts or readdressed):
            after = replace(after, spent=self.seen)
        taken = self.pieces if self.takes_seen(record.acts) else None
        waited = self.pieces or self.roll
        if waited is not None and not stays:
            after = replace(after, confirmed=taken or after.confirmed, waited=(step, waited))
        left = self.pieces is not None and taken is None and now.expected is not None
        after = replace(after, clock=clock_after(before, self.clock, now, at))
        return after, early or left or now.expected not in {None, before.expected}


def same_picture(one: Proposal, other: Proposal) -> bool:
    """Whether two readings are of the same picture of the table.

    Photos are compared by number; two of a camera's pictures are the same as long as everything is
    in its place and shows the same.
    """
    if one.photo or other.photo:
        return one.photo and other.photo and one.frame == other.frame
    was, seen = as_seen(one), as_seen(other)
    followed = track_dice(was, seen)
    return (
        len(was) == len(seen) == len(followed)
        and all(die.fate == "untouched" for die in followed)
        and not pushed_together(was, seen, followed)
        and same_places(one, other)
    )
