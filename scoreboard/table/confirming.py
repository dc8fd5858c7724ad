"""When a proposal becomes a command: what each button would do at this moment.

A press means what its button would have done 300 ms earlier, so what it would do is a value:
a `Deed` that can be compared with the one shown then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import reduce
from typing import Final

from scoreboard.game import Offer, RollDomain
from scoreboard.phrase import Phrase, phrase
from scoreboard.table.attending import Begin, next_deed
from scoreboard.table.keeping import Throw, judged
from scoreboard.table.looking import judgement_of, key_of, sight_of
from scoreboard.table.messages import LEAVING, Action
from scoreboard.table.moment import Moment, before, throw, throw_key
from scoreboard.table.pieces import PiecesReading
from scoreboard.table.places import LyingDie
from scoreboard.table.reading import Reading
from scoreboard.table.sitting import Act, Sitting

NO_GAME: Final = phrase("No game is on the table: open one on the page.")
PUT_AWAY: Final = phrase("This game was put away: take it up again on the page.")
GAME_OVER: Final = phrase("The game is over.")
THROW_FIRST: Final = phrase("No new throw is seen yet: throw the dice, or enter the throw by hand.")
NOTHING_TO_UNDO: Final = phrase("Nothing is left to take back.")
NOT_NOW: Final = phrase("That cannot be done now.")
ENTER_DICE: Final = phrase("Enter what the dice show.")
THROW_WAITS: Final = phrase(
    "A new throw waits to be confirmed. Choose the same again to go on without it."
)
ON_THE_PAGE: Final = phrase("Nothing waits for this button: play goes on on the page.")
STOP_THE_CLOCK: Final = phrase("Stop the clock")
LET_IT_RUN: Final = phrase("Let the clock run")
TAP_UNREAD: Final = phrase("Some pieces cannot be read: tap them on the picture.")
WRITE_ZERO: Final = phrase("That writes a 0. Press KEEP or choose the box again to do it.")

THROWS: Final = frozenset({"start", "roll"})


@dataclass(frozen=True, slots=True)
class Record:
    """Carry out these acts in one step; `lying` is how the dice of a throw lie then."""

    acts: tuple[Act, ...]
    label: Phrase
    lying: tuple[LyingDie, ...] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class ShowDoubt:
    """Ask to look at a doubtful reading; the next press confirms it."""

    doubts: tuple[Phrase, ...]


@dataclass(frozen=True, slots=True)
class AskAgain:
    """Ask once more before the offer `key` is carried out."""

    key: str
    question: Phrase = WRITE_ZERO


@dataclass(frozen=True, slots=True)
class Point:
    """Point at the box that the offer `key` fills."""

    key: str
    label: Phrase


@dataclass(frozen=True, slots=True)
class SwitchClock:
    """Stop the turn's clock, or let it run."""

    label: Phrase


@dataclass(frozen=True, slots=True)
class Cancel:
    """Take back the answer to a question that is open."""


@dataclass(frozen=True, slots=True)
class SayRolled:
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
    label: Phrase


@dataclass(frozen=True, slots=True)
class Refuse:
    """Do nothing, and say why."""

    why: Phrase


Deed = (
    Record
    | ShowDoubt
    | AskAgain
    | Point
    | SwitchClock
    | Cancel
    | SayRolled
    | Reject
    | TakeBack
    | Refuse
    | Begin
)


@dataclass(frozen=True, slots=True)
class ConfirmPolicy:
    """A stated policy: who records a throw without a press, and when.

    A reading without a doubt that stayed the same for `seconds`, all of its dice right with
    a probability of at least `confidence`, is recorded as if REROLL had been pressed.
    """

    seconds: float
    confidence: float

    def allows(self, reading: Reading, thrown: Throw, at: datetime) -> bool:
        """Whether this reading may be recorded now."""
        return (
            thrown.obstacle is None
            and not (thrown.doubts or reading.doubts or reading.touched)
            and not (reading.same or reading.returned)
            and reading.confidence >= self.confidence
            and (at - reading.since).total_seconds() >= self.seconds
        )


def deeds(sitting: Sitting | None, moment: Moment) -> Mapping[Action, Deed]:
    """What each button would do now."""
    meant = {action: _deed(plan, sitting, moment) for action, plan in PLANS.items()}
    return {**meant, **_about_same_dice(moment), **_at_an_event(sitting, moment)}


def _about_same_dice(moment: Moment) -> Mapping[Action, Deed]:
    """What each button answers while the table asks whether dice were rolled."""
    if moment.asking is not None or moment.pending is None or not moment.pending.same:
        return {}
    return {action: SayRolled(rolled=action is Action.KEEP) for action in Action}


def _at_an_event(sitting: Sitting | None, moment: Moment) -> Mapping[Action, Deed]:
    """What KEEP does between two games of an event: begin the next one, once all agree."""
    following = next_deed(sitting, moment.event)
    if following is None:
        return {}
    return {Action.KEEP: Refuse(following) if isinstance(following, Phrase) else following}


def _deed(plan: Callable[[Sitting, Moment], Deed], sitting: Sitting | None, moment: Moment) -> Deed:
    if sitting is None:
        return Refuse(NO_GAME)
    return Refuse(PUT_AWAY) if sitting.is_abandoned else plan(sitting, moment)


def _keep(sitting: Sitting, moment: Moment) -> Deed:
    """Yes to a question; else the throw is final; else the pointed box is filled."""
    if moment.asking is not None:
        return carried_out(sitting, moment.asking)
    if sitting.turn.awaited is not None:
        return (
            _switched(moment)
            if moment.pieces is None
            else _seen(sitting, moment.pieces, disturbed=moment.disturbed)
        )
    thrown = throw(sitting, moment)
    if moment.pending is not None and thrown is not None:
        return confirmed(sitting, moment.pending, thrown, throw_key(sitting), final=True)
    if sitting.turn.phase == "choosing":
        box = pointed(sitting, moment)
        return AskAgain(box.key) if box.points == 0 else carried_out(sitting, box.key)
    if "stand" in sitting.offers:
        return carried_out(sitting, "stand")
    return _nothing_to_confirm(sitting)


def _reroll(sitting: Sitting, moment: Moment) -> Deed:
    """Another box; else the throw is recorded and another announced (YZ-4)."""
    if sitting.turn.awaited is not None:
        key = sitting.turn.awaited.second
        return Refuse(ON_THE_PAGE) if key is None else carried_out(sitting, key)
    if sitting.turn.phase == "choosing":
        return _next_box(sitting, moment)
    if moment.asking is not None:
        return Cancel()
    thrown = throw(sitting, moment)
    if moment.pending is None or thrown is None:
        return _nothing_to_confirm(sitting)
    if sitting.turn.phase == "rolling" and is_last_roll(sitting):
        return Refuse(_last_roll(sitting.offers["roll"].rule))
    return confirmed(sitting, moment.pending, thrown, throw_key(sitting))


def _seen(sitting: Sitting, reading: PiecesReading, *, disturbed: bool) -> Deed:
    """Confirm the pieces that are seen, unless the rulebook has something against it."""
    key, judged = key_of(sitting, reading, disturbed=disturbed), judgement_of(sitting, reading)
    if key is None or judged is None:
        return Refuse(TAP_UNREAD)
    if judged.remarks:
        return Refuse(judged.remarks[0].text)
    offer = sitting.offers[key]
    warning = sitting.game.warn(sitting.state, offer.command) if isinstance(offer, Offer) else None
    doubts = reading.doubts if warning is None else (warning, *reading.doubts)
    if doubts and not reading.asked:
        return ShowDoubt(doubts)
    if isinstance(offer, Offer):
        sight = sight_of(sitting)
        unmoved = sight is not None and key == sight.unmoved
        return Record((Act(key),), offer.label if unmoved else judged.label)
    filling = judged.filling or reading.text
    return Record((Act(key, offer.domain.parse(filling)),), judged.label)


def _switched(moment: Moment) -> Deed:
    """Without dice, KEEP holds the clock of the turn, where there is one."""
    if moment.clock is None:
        return Refuse(ON_THE_PAGE)
    return SwitchClock(LET_IT_RUN if moment.clock.since is None else STOP_THE_CLOCK)


def _undo(sitting: Sitting, moment: Moment) -> Deed:
    """The open question, else the pending throw, else the last step in force.

    What UNDO itself brought back is passed over: another press goes a step further back.
    """
    waiting = moment.pending or moment.pieces
    if moment.asking is not None or (waiting is not None and waiting.asked):
        return Cancel()
    if waiting is not None and not (waiting.returned and sitting.last_step):
        dice = () if moment.pending is None else moment.pending.dice
        return Reject(tuple(die.face for die in dice))
    if sitting.last_step:
        return TakeBack(sitting.last_step[0].step, _described(sitting))
    return Refuse(NOTHING_TO_UNDO)


PLANS: Final[Mapping[Action, Callable[[Sitting, Moment], Deed]]] = {
    Action.KEEP: _keep,
    Action.REROLL: _reroll,
    Action.UNDO: _undo,
}


def chosen(sitting: Sitting, moment: Moment, key: str, filling: str | None, now: datetime) -> Deed:
    """What choosing an offer on the page does; an open one comes with what was filled in.

    A throw entered so is recorded at once. A 0 asks once more, and so does what the rulebook
    warns of, and going on with the last throw while a new one waits.

    Raises:
        NotationError: what was filled in is not in the notation of the offer's domain.
    """
    offer = sitting.offers.get(key)
    if offer is None:
        return Refuse(NOT_NOW)
    if isinstance(offer, Offer):
        question = None if moment.asking == key else _question(sitting, offer, moment)
        return Record((Act(key),), offer.label) if question is None else AskAgain(key, question)
    if filling is None:
        return Refuse(ENTER_DICE if offer.entry is None else offer.entry.question)
    value = offer.domain.parse(filling)
    if key in THROWS and isinstance(offer.domain, RollDomain):
        reading = Reading.entered(value, now)
        thrown = judged(reading.dice, offer.domain.dice, before(sitting, moment))
        return confirmed(sitting, reading, thrown, key)
    return Record((Act(key, value),), offer.label)


def _question(sitting: Sitting, offer: Offer[object], moment: Moment) -> Phrase | None:
    warning = sitting.game.warn(sitting.state, offer.command)
    if warning is not None:
        return phrase(
            "{warning} Settle it among yourselves. Play on? Press KEEP or choose it again.",
            warning=warning,
        )
    waits = moment.pending is not None and not moment.pending.same
    if waits and not offer.key.startswith(LEAVING):
        return THROW_WAITS
    return WRITE_ZERO if offer.points == 0 else None


def confirmed(
    sitting: Sitting, reading: Reading, thrown: Throw, key: str, *, final: bool = False
) -> Deed:
    """What confirming a throw does, by the offer `key`; `final` when rolling is to be over."""
    if thrown.roll is None:
        return Refuse(thrown.obstacle or THROW_FIRST)
    doubts = (*thrown.doubts, *reading.doubts)
    if doubts and not reading.asked:
        return ShowDoubt(doubts)
    acts = list(recording(sitting, thrown, key))
    over = final and key == "roll" and not is_last_roll(sitting)
    if over:
        acts.append(Act("stand"))
    again = not final and key == "roll" and not is_last_roll(sitting)
    label = _confirming(str(thrown.roll), over=over, again=again)
    return Record(tuple(acts), label, thrown.lying)


def recording(sitting: Sitting, thrown: Throw, key: str) -> tuple[Act, ...]:
    """The acts that record a throw: what was kept, where that is news, and the dice."""
    return (*_announced(sitting, thrown), Act(key, thrown.roll))


def _announced(sitting: Sitting, thrown: Throw) -> tuple[Act, ...]:
    """The announcement of what was kept, when it is known and not recorded yet."""
    if thrown.kept is None or thrown.kept == sitting.turn.kept or "keep" not in sitting.offers:
        return ()
    return (Act("keep", thrown.kept),)


def _confirming(roll: str, *, over: bool, again: bool) -> Phrase:
    if over:
        return phrase("Confirm {roll} and stop rolling", roll=roll)
    if again:
        return phrase("Confirm {roll} and roll again", roll=roll)
    return phrase("Confirm {roll}", roll=roll)


def is_last_roll(sitting: Sitting) -> bool:
    """Whether the throw that is awaited is the turn's last (YZ-4)."""
    return sitting.turn.rolls_made + 1 >= sitting.turn.rolls_allowed


def carried_out(sitting: Sitting, key: str) -> Deed:
    """What a yes to a closed offer does."""
    offer = sitting.offers.get(key)
    return Refuse(THROW_FIRST) if offer is None else Record((Act(key),), offer.label)


def pointed(sitting: Sitting, moment: Moment) -> Offer[object]:
    """The box that the buttons point at: the best one until REROLL steps on."""
    boxes = {box.key: box for box in sitting.boxes}
    return boxes.get(moment.pointer or "", sitting.boxes[0])


def _next_box(sitting: Sitting, moment: Moment) -> Point:
    boxes = sitting.boxes
    at = boxes.index(pointed(sitting, moment))
    box = boxes[(at + 1) % len(boxes)]
    return Point(box.key, box.label)


def _last_roll(rule: str) -> Phrase:
    return phrase("{rule}: this was the last roll of the turn. KEEP confirms it.", rule=rule)


def _nothing_to_confirm(sitting: Sitting) -> Refuse:
    return Refuse(GAME_OVER if sitting.is_finished else THROW_FIRST)


def _described(sitting: Sitting) -> Phrase:
    """The last step in words, as in “undo takes back ...”."""
    events = [sitting.game.describe(sitting.state, record.event) for record in sitting.last_step]
    return reduce(lambda one, two: phrase("{one}, {two}", one=one, two=two), events)


def turned(
    moment: Moment,
    deed: ShowDoubt | AskAgain | Point | SwitchClock | Cancel,
    now: datetime,
) -> tuple[Moment, Phrase | None]:
    """What a question, its taking back, a step of the pointer or of the clock changes."""
    asked = isinstance(deed, ShowDoubt)
    moment = _questioned(moment, asked=asked)
    match deed:
        case ShowDoubt(doubts):
            notice = phrase("{doubt} Look, then press again.", doubt=doubts[0])
            return moment, notice
        case AskAgain(key, question):
            return replace(moment, asking=key), question
        case Point(key):
            return replace(moment, pointer=key, asking=None), None
        case SwitchClock():
            clock = None if moment.clock is None else moment.clock.toggled(now)
            return replace(moment, clock=clock), None
        case Cancel():
            return replace(moment, asking=None), None


def _questioned(moment: Moment, *, asked: bool) -> Moment:
    """With a question to what waits, or with it taken back."""
    pending, pieces = moment.pending, moment.pieces
    return replace(
        moment,
        pending=None if pending is None else replace(pending, asked=asked),
        pieces=None if pieces is None else replace(pieces, asked=asked),
    )
