"""What the table has in hand between two recorded events; forgotten when the process ends."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from scoreboard.game import OpenOffer, RollDomain
from scoreboard.phrase import Phrase
from scoreboard.table.event import EventSight
from scoreboard.table.health import Health
from scoreboard.table.keeping import Before, Throw, judged
from scoreboard.table.messages import TableSight
from scoreboard.table.pieces import PiecesReading
from scoreboard.table.places import LyingDie, relabelled
from scoreboard.table.proposal import Proposal
from scoreboard.table.reading import Reading, same_picture
from scoreboard.table.sitting import Sitting
from scoreboard.table.timing import TurnClock


@dataclass(frozen=True, slots=True)
class Moment:
    """Everything about the table that is no event.

    `pending` is the throw that waits, `pieces` the tiles or cards that do; `lain` those that
    were confirmed last; `marks` the dice of the last throw that were tapped
    as kept, None while nobody tapped; `pointer` the box that the buttons point at, None
    for the best; `asking` the offer that waits for a second yes; `lying` where the dice of
    recorded throws lay, by the sequence of their act, and `left` those of the game before;
    `overlooked` that a throw was seen while none was awaited; `tray` that the camera sees a
    calibrated tray and nothing beyond it; `unplaced` that this changed, so that where dice
    lie cannot be compared until they are seen again; `disturbed` that pieces were seen that lay
    otherwise than they should, in the open turn; `moved` that something moved since the last
    throw was recorded; `seen` is what the camera read last, `seen_in` the game that was under way
    then; `spent` what it read and has answered its question, or was rejected: the same is not
    offered by itself; `wanted` that a person asked for another reading; `waited` is the reading
    that waited when an act was recorded, with that act's sequence; `clock` is the open turn's,
    where turns are timed; `event` what is known of the event that the table takes part in.
    """

    pending: Reading | None = None
    pieces: PiecesReading | None = None
    lain: PiecesReading | None = None
    marks: frozenset[int] | None = None
    pointer: str | None = None
    asking: str | None = None
    notice: Phrase | None = None
    sight: TableSight = TableSight.NOTHING
    camera_notice: Phrase | None = None
    health: Health | None = None
    lying: dict[int, tuple[LyingDie, ...]] = field(default_factory=dict)
    left: tuple[LyingDie, ...] = ()
    overlooked: bool = False
    tray: bool = False
    unplaced: bool = False
    disturbed: bool = False
    moved: bool = False
    seen: Proposal | None = field(default=None, compare=False)
    seen_in: str | None = field(default=None, compare=False)
    spent: Proposal | None = field(default=None, compare=False)
    wanted: bool = field(default=False, compare=False)
    waited: tuple[int, Reading | PiecesReading] | None = field(default=None, compare=False)
    clock: TurnClock | None = None
    event: EventSight | None = None

    def cleared(self, left: tuple[LyingDie, ...]) -> Moment:
        """For another game: what is known of camera and event stays, and the dice that lie."""
        return Moment(
            sight=self.sight,
            camera_notice=self.camera_notice,
            health=self.health,
            tray=self.tray,
            unplaced=self.unplaced,
            seen=self.seen,
            seen_in=self.seen_in,
            spent=self.spent,
            left=left,
            event=self.event,
        )

    def dropped(self) -> Moment:
        """Without what waits."""
        return replace(self, pending=None, pieces=None, asking=None)

    def after_act(self, *, pending: Reading | None = None) -> Moment:
        """After a recorded act: nothing is marked, pointed at or asked any more."""
        return replace(
            self,
            pending=pending,
            pieces=None,
            marks=None,
            pointer=None,
            asking=None,
            notice=None,
            wanted=False,
        )

    def after_undo(self, step: int) -> Moment:
        """After the act that began with event `step` was taken back.

        The reading that waited then waits again, if the camera saw nothing else since: UNDO leads
        to where one press ago was. What lies there is not offered by itself otherwise.
        """
        moment = replace(self.after_act(), spent=self.seen, waited=None)
        if self.waited is None or self.waited[0] != step:
            return moment
        reading = replace(self.waited[1], asked=False, returned=True)
        was, now = reading.read, self.seen
        if was != now and (was is None or now is None or not same_picture(was, now)):
            return moment
        if isinstance(reading, Reading):
            return replace(moment, pending=reading)
        return replace(moment, pieces=reading)


def awaited_dice(sitting: Sitting) -> int | None:
    """How many dice the awaited throw has, None while no throw is awaited."""
    offer = sitting.offers.get(throw_key(sitting))
    awaited = sitting.turn.phase in ("starting", "rolling")
    if awaited and isinstance(offer, OpenOffer) and isinstance(offer.domain, RollDomain):
        return offer.domain.dice
    return None


def throw_key(sitting: Sitting) -> str:
    """The key of the offer that records a throw: "start" in the roll-off, else "roll"."""
    return "start" if sitting.turn.phase == "starting" else "roll"


def lying_dice(sitting: Sitting, moment: Moment) -> tuple[LyingDie, ...]:
    """The dice that lie on the table: the open turn's last throw, else an earlier turn's."""
    step = _last_thrown(sitting, moment)
    dice = () if step is None else moment.lying[step]
    if sitting.turn.roll is None:
        return moment.left if step is None else dice
    return relabelled(dice, sitting.turn.roll)


def _last_thrown(sitting: Sitting, moment: Moment) -> int | None:
    """The step of the last throw in force of which it is known where its dice lie."""
    return next(filter(sitting.is_in_force, reversed(moment.lying)), None)


def with_lying(sitting: Sitting, moment: Moment, dice: tuple[LyingDie, ...]) -> Moment:
    """After the dice that lie on the table were nudged, or the tray was."""
    step = _last_thrown(sitting, moment)
    if step is not None:
        return replace(moment, lying={**moment.lying, step: dice})
    return replace(moment, left=dice) if sitting.turn.roll is None else moment


def before(sitting: Sitting, moment: Moment) -> Before:
    """The open turn's last throw with what is said to be kept of it."""
    if sitting.turn.phase != "rolling" or sitting.turn.roll is None:
        return Before()
    return Before(lying_dice(sitting, moment), moment.marks, sitting.turn.kept)


def throw(sitting: Sitting, moment: Moment) -> Throw | None:
    """What the pending reading amounts to now; None while nothing is pending or awaited."""
    dice = awaited_dice(sitting)
    if moment.pending is None or dice is None:
        return None
    in_tray = moment.tray and not moment.pending.by_hand
    return judged(moment.pending.dice, dice, before(sitting, moment), in_tray=in_tray)
