"""What the table has in hand between two recorded events; forgotten when the process ends."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from scoreboard.games.engine.game import OfferKind, OpenOffer, RollDomain
from scoreboard.message import Message
from scoreboard.table.dice_tracking import relabelled
from scoreboard.table.event import EventView
from scoreboard.table.game_session import GameSession
from scoreboard.table.kept_dice import LastRoll, RollReading, judged
from scoreboard.table.pending_reading import PendingRoll, PiecesReading, same_picture
from scoreboard.table.proposal import Health, Proposal, TableDie
from scoreboard.table.requests import TableStatus
from scoreboard.table.turn_clock import TurnClock


@dataclass(frozen=True, slots=True)
class PendingState:
    """Everything about the table that is no event.

    `pending` is the roll that waits, `pieces` the tiles or cards that do; `confirmed` those that
    were confirmed last; `marks` the dice of the last roll that were tapped
    as kept, None while nobody tapped; `pointer` the box that the buttons point at, None
    for the best; `asking` the offer that waits for a second yes; `on_table` where the dice of
    recorded rolls lay, by the sequence of their act, and `left` those of the game before;
    `overlooked` that a roll was seen while none was awaited; `tray` that the camera sees a
    calibrated tray and nothing beyond it; `unplaced` that this changed, so that where dice
    lie cannot be compared until they are seen again; `moved` that something moved since the last
    roll was recorded; `seen` is what the camera read last, `seen_in` the game that was under way
    then; `spent` what it read and has answered its question, or was rejected: the same is not
    offered by itself; `wanted` that a person asked for another reading; `waited` is the reading
    that waited when an act was recorded, with that act's sequence; `clock` is the open turn's,
    where turns are timed; `event` what is known of the event that the table takes part in.
    """

    pending: PendingRoll | None = None
    pieces: PiecesReading | None = None
    confirmed: PiecesReading | None = None
    marks: frozenset[int] | None = None
    pointer: str | None = None
    asking: str | None = None
    notice: Message | None = None
    status: TableStatus = TableStatus.NOTHING
    camera_notice: Message | None = None
    health: Health | None = None
    on_table: dict[int, tuple[TableDie, ...]] = field(default_factory=dict)
    left: tuple[TableDie, ...] = ()
    overlooked: bool = False
    tray: bool = False
    unplaced: bool = False
    moved: bool = False
    seen: Proposal | None = field(default=None, compare=False)
    seen_in: str | None = field(default=None, compare=False)
    spent: Proposal | None = field(default=None, compare=False)
    wanted: bool = field(default=False, compare=False)
    waited: tuple[int, PendingRoll | PiecesReading] | None = field(default=None, compare=False)
    clock: TurnClock | None = None
    event: EventView | None = None

    def cleared(self, left: tuple[TableDie, ...]) -> PendingState:
        """For another game: what is known of camera and event stays, and the dice that lie."""
        return PendingState(
            status=self.status,
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

    def dropped(self) -> PendingState:
        """Without what waits."""
        return replace(self, pending=None, pieces=None, asking=None)

    def after_act(self, *, pending: PendingRoll | None = None) -> PendingState:
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

    def after_undo(self, step: int) -> PendingState:
        """After the act that began with event `step` was undone.

        The reading that waited then waits again, if the camera saw nothing else since: UNDO leads
        to where one press ago was. Anything else on the table is not offered by itself.
        """
        pending_state = replace(self.after_act(), spent=self.seen, waited=None)
        if self.waited is None or self.waited[0] != step:
            return pending_state
        reading = replace(self.waited[1], asked=False, returned=True)
        was, now = reading.read, self.seen
        if was != now and (was is None or now is None or not same_picture(was, now)):
            return pending_state
        if isinstance(reading, PendingRoll):
            return replace(pending_state, pending=reading)
        return replace(pending_state, pieces=reading)


def awaited_dice(session: GameSession) -> int | None:
    """How many dice the awaited roll has, None while no roll is awaited."""
    offer = session.offers.get(roll_key(session))
    awaited = session.turn.phase in ("starting", "rolling")
    if awaited and isinstance(offer, OpenOffer) and isinstance(offer.domain, RollDomain):
        return offer.domain.dice
    return None


def roll_key(session: GameSession) -> str:
    """The key of the offer that records a roll: of the roll-off, or of a turn."""
    return OfferKind.START if session.turn.phase == "starting" else OfferKind.ROLL


def dice_on_table(session: GameSession, pending_state: PendingState) -> tuple[TableDie, ...]:
    """The dice that lie on the table: the open turn's last roll, else an earlier turn's."""
    step = _last_roll_step(session, pending_state)
    dice = () if step is None else pending_state.on_table[step]
    if session.turn.roll is None:
        return pending_state.left if step is None else dice
    return relabelled(dice, session.turn.roll)


def _last_roll_step(session: GameSession, pending_state: PendingState) -> int | None:
    """The step of the last roll in force of which it is known where its dice lie."""
    return next(filter(session.is_in_force, reversed(pending_state.on_table)), None)


def with_moved_dice(
    session: GameSession, pending_state: PendingState, dice: tuple[TableDie, ...]
) -> PendingState:
    """After the dice that lie on the table were nudged, or the tray was."""
    step = _last_roll_step(session, pending_state)
    if step is not None:
        return replace(pending_state, on_table={**pending_state.on_table, step: dice})
    return replace(pending_state, left=dice) if session.turn.roll is None else pending_state


def before(session: GameSession, pending_state: PendingState) -> LastRoll:
    """The open turn's last roll with the dice marked as kept."""
    if session.turn.phase != "rolling" or session.turn.roll is None:
        return LastRoll()
    return LastRoll(dice_on_table(session, pending_state), pending_state.marks, session.turn.kept)


def roll_reading(session: GameSession, pending_state: PendingState) -> RollReading | None:
    """What the pending reading amounts to now; None while nothing is pending or awaited."""
    dice = awaited_dice(session)
    if pending_state.pending is None or dice is None:
        return None
    in_tray = pending_state.tray and not pending_state.pending.by_hand
    return judged(pending_state.pending.dice, dice, before(session, pending_state), in_tray=in_tray)
