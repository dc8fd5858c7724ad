"""The dice of a table between two recorded events: where they are, and the roll that waits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Final, Self

from scoreboard.dice import FACES, Roll
from scoreboard.errors import NotOfferedError
from scoreboard.message import Message, message
from scoreboard.table.dice_tracking import (
    UNTOUCHED_SIDES,
    TrackedDice,
    as_seen,
    by_value,
    distance_in_sides,
    none_rolled,
    pushed_together,
    relabelled,
    shows_the_same,
    track_dice,
)
from scoreboard.table.game_session import GameSession
from scoreboard.table.kept_dice import LastRoll, RollReading, judged
from scoreboard.table.proposal import Proposal, TableDie
from scoreboard.table.requests import TableStatus

DOUBTFUL_BELOW: Final = 0.9  # what is read with less confidence is marked when there are doubts
NO_GAME: Final = message("There is no game: start one on the page.")
PUT_AWAY: Final = message("This game is closed: resume it on the page.")
ENTER_DICE: Final = message("Enter what the dice show.")
NO_SUCH_DIE: Final = message("There is no such die.")


@dataclass(frozen=True, slots=True)
class PendingRoll:
    """A roll that waits to be confirmed.

    `read` is the camera's reading, None for a roll entered without one; `touched` when a person
    changed any die of it, `by_hand` when a person entered all; `doubts` are the camera's; `asked`
    when they were shown and a first press answered; `same` when it shows the dice of the last roll
    and it is open whether they were rolled; `returned` when UNDO retracted its confirmation;
    `since` when the reading came, aware UTC.
    """

    dice: tuple[TableDie, ...]
    since: datetime
    read: Proposal | None = None
    touched: bool = False
    by_hand: bool = False
    asked: bool = False
    same: bool = False
    returned: bool = False

    @classmethod
    def of(cls, proposal: Proposal, since: datetime) -> PendingRoll:
        return cls(proposal.sightings, since, proposal)

    @classmethod
    def entered(cls, roll: Roll, since: datetime, read: Proposal | None = None) -> PendingRoll:
        """A roll entered by hand; `read` is the camera's reading that it replaces."""
        dice = tuple(TableDie(face, corrected=True) for face in roll.faces)
        return cls(dice, since, read, touched=True, by_hand=True)

    @property
    def confidence(self) -> float:
        """The probability that all dice are right; 1 for an entered roll."""
        return 1.0 if self.read is None or self.by_hand else self.read.confidence

    def is_doubtful(self, die: TableDie) -> bool:
        if die.corrected or self.read is None:
            return False
        doubts = self.read.doubts
        unsure = bool(doubts) and die.confidence < DOUBTFUL_BELOW
        return die.face is None or die.doubt in doubts or unsure

    @property
    def doubts(self) -> tuple[Message, ...]:
        """The camera's open doubts: a corrected die settles its own, the last doubtful one all."""
        if self.read is None or self.by_hand:
            return ()
        if self.touched and not any(map(self.is_doubtful, self.dice)):
            return ()
        answered = {die.doubt for die in self.read.sightings}
        answered -= {die.doubt for die in self.dice if not die.corrected}
        return tuple(each for each in self.read.doubts if each not in answered) or self.read.doubts

    def with_die(self, die: int | None, face: int | None) -> PendingRoll:
        """With one die corrected, deleted (no face) or added (no die). Raises IndexError."""
        faces = () if face is None else (face,)
        if die is None:
            dice = (*self.dice, *(TableDie(one, corrected=True) for one in faces))
        else:
            new = tuple(replace(self.dice[die], face=one, corrected=True) for one in faces)
            dice = (*self.dice[:die], *new, *self.dice[die + 1 :])
        return replace(self, dice=dice, touched=True, asked=False, same=False)

    def outlasts(self, proposal: Proposal, *, legal: bool) -> bool:
        """Whether a newer reading is of the same roll, so that this one stays.

        A person's correction stays as long as no die moved, whatever the camera now reads; a roll
        entered whole stays until it is confirmed or rejected. A `legal` roll stays when dice are
        only missing: they were picked up to be rolled again.
        """
        if self.by_hand or self.read is None:
            return True
        old, new = as_seen(self.read), as_seen(proposal)
        followed = track_dice(old, new)
        if len(new) < len(old):
            return legal and none_rolled(followed, len(new))
        return len(new) == len(old) == len(followed) and all(
            distance_in_sides(old[die.before], new[die.now]) <= UNTOUCHED_SIDES
            and (self.touched or die.fate == "untouched")
            for die in followed
        )

    def followed_by(self, proposal: Proposal, since: datetime) -> PendingRoll:
        """A newer reading, keeping a person's corrections of unmoved dice."""
        if self.read is None or not self.touched or self.by_hand:
            return PendingRoll.of(proposal, since)
        before = {die.box: die for die in self.dice}
        dice: list[TableDie | None] = list(proposal.sightings)
        followed = track_dice(as_seen(self.read), as_seen(proposal))
        for die in (each for each in followed if each.fate == "untouched"):
            known = before.get(self.read.sightings[die.before].box)
            if known is None:
                dice[die.now] = None
            elif known.corrected:
                seen = proposal.sightings[die.now]
                dice[die.now] = replace(known, box=seen.box, angle=seen.angle)
        left = tuple(die for die in dice if die is not None)
        fresh = PendingRoll.of(proposal, since)
        news = set(proposal.doubts) - set(self.read.doubts)
        return replace(fresh, dice=left, touched=left != fresh.dice and not news)


@dataclass(frozen=True)
class PendingDice:
    """The dice of the game on the table; `Pending` adds pieces, camera and acts.

    `session` is that game, None without one. `roll` is the roll that waits; `marks` the dice of
    the last roll that were tapped as kept, None without a tap; `on_table` where the dice of
    recorded rolls lay, by the sequence of their act, and `left` those of the game before;
    `overlooked` that a roll was seen while none was awaited; `tray` that the camera sees a
    calibrated tray and nothing beyond it; `unplaced` that this changed, so that where dice
    lie cannot be compared until they are seen again; `moved` that something moved since the last
    roll was recorded. `asking` is the offer that waits for a second yes; `status` the
    camera's; `wanted` that a person asked for another reading.
    """

    session: GameSession | None = field(default=None, compare=False)
    roll: PendingRoll | None = None
    marks: frozenset[int] | None = None
    on_table: dict[int, tuple[TableDie, ...]] = field(default_factory=dict)
    left: tuple[TableDie, ...] = ()
    overlooked: bool = False
    tray: bool = False
    unplaced: bool = False
    moved: bool = False
    asking: str | None = None
    notice: Message | None = None
    status: TableStatus = TableStatus.NOTHING
    wanted: bool = field(default=False, compare=False)

    @cached_property
    def playing(self) -> GameSession:
        """The game on the table, unless there is none or it is closed. Raises NotOfferedError."""
        if self.session is None:
            raise NotOfferedError(NO_GAME)
        if self.session.is_abandoned:
            raise NotOfferedError(PUT_AWAY)
        return self.session

    def require_awaited(self) -> None:
        """Refuse unless a roll or pieces are awaited. Raises NotOfferedError."""
        if not self.playing.awaits_camera:
            raise NotOfferedError(message("No roll is expected now."))

    @cached_property
    def dice_on_table(self) -> tuple[TableDie, ...]:
        """The dice on the table: of the open turn's last roll, else of an earlier turn's."""
        if self.session is None:
            return self.left
        step = self._last_roll_step(self.session)
        dice = () if step is None else self.on_table[step]
        if self.session.turn.roll is None:
            return self.left if step is None else dice
        return relabelled(dice, self.session.turn.roll)

    def _last_roll_step(self, game: GameSession) -> int | None:
        """The step of the last roll in force whose dice have a known place."""
        return next(filter(game.is_in_force, reversed(self.on_table)), None)

    @cached_property
    def last_roll(self) -> LastRoll:
        """The open turn's last roll with the dice marked as kept."""
        turn = None if self.session is None else self.session.turn
        if turn is None or turn.phase != "rolling" or turn.roll is None:
            return LastRoll()
        return LastRoll(self.dice_on_table, self.marks, turn.kept)

    @cached_property
    def rolled(self) -> RollReading | None:
        """The interpretation of the pending reading; None while nothing is pending or awaited."""
        dice = None if self.session is None else self.session.awaited_dice
        if self.roll is None or dice is None:
            return None
        in_tray = self.tray and not self.roll.by_hand
        return judged(self.roll.dice, dice, self.last_roll, in_tray=in_tray)

    @cached_property
    def shown_kept(self) -> frozenset[int]:
        """The dice of the last roll shown as kept: by a person's mark, else by place."""
        chosen, rolled = self.last_roll.chosen, self.rolled
        if chosen is not None:
            return chosen
        return frozenset() if rolled is None else rolled.kept_before

    def dice_read(self, proposal: Proposal, now: datetime) -> Self:
        """After a reading of the camera.

        Dice that all lie where the last roll lay, showing the same, were not rolled: they are
        no new roll, also when some were nudged, or taken up, or the tray was pushed; from now
        on they lie where they are seen. While another roll is awaited and something moved, only a
        person knows that, so they wait with a question. A roll while a box must be filled does
        not count, which a notice tells; it is remembered as overlooked, so that the table can be
        read again when a roll is awaited.
        """
        if not proposal.sightings:
            return self
        on_table, seen = self.dice_on_table, as_seen(proposal)
        followed = by_value(on_table, seen) if self.unplaced else track_dice(on_table, seen)
        last, dice, pending = self.last_roll, self.playing.awaited_dice, self.roll
        fresh = PendingRoll.of(proposal, now)
        places = {die.before: seen[die.now] for die in followed}  # those not seen lie as they lay
        dice_now = tuple(places.get(index, die) for index, die in enumerate(on_table))
        here = replace(self._with_moved_dice(dice_now), unplaced=False)
        same = last.dice and dice is not None and shows_the_same(followed, len(seen))
        if same and dice is not None and judged(fresh.dice, dice, last).roll is not None:
            waits = pending is not None and not pending.same
            if waits or not self._may_be_rolled(proposal, on_table, followed):
                return here
            return replace(here, roll=replace(fresh, same=True), asking=None, notice=None)
        # the dice of the last roll that are not marked as kept; none without marks
        free = set() if last.chosen is None else set(range(len(last.dice))) - last.chosen
        if not self.wanted and none_rolled(followed, len(seen), free):
            return replace(here, roll=None) if pending is not None and pending.same else here
        return replace(self._with_roll(proposal, now), unplaced=False)

    def _with_moved_dice(self, dice: tuple[TableDie, ...]) -> Self:
        """After the dice on the table were nudged, or the tray was."""
        game = self.playing
        step = self._last_roll_step(game)
        if step is not None:
            return replace(self, on_table={**self.on_table, step: dice})
        return replace(self, left=dice) if game.turn.roll is None else self

    def _with_roll(self, proposal: Proposal, now: datetime) -> Self:
        """After dice were rolled: they wait, if a roll is awaited."""
        game = self.playing
        if game.turn.phase == "choosing":
            notice = message("Score a box for this turn first, then roll.")
            return replace(self, overlooked=True, notice=notice)
        if game.awaited_dice is None:
            return self
        pending, rolled = self.roll, self.rolled
        if pending is None or pending.same:
            newer = PendingRoll.of(proposal, now)
        elif pending.outlasts(proposal, legal=rolled is not None and rolled.roll is not None):
            return self
        else:
            newer = pending.followed_by(proposal, now)
        return replace(self, roll=newer, asking=None, notice=None)

    def _may_be_rolled(
        self, proposal: Proposal, on_table: Sequence[TableDie], followed: Sequence[TrackedDice]
    ) -> bool:
        """Whether dice that show what they showed may have been rolled.

        Something moved, or a person sent a photo or wants them read; not where all of them went
        the same way under a camera.
        """
        if self.wanted or proposal.photo:
            return True
        if self.unplaced or pushed_together(on_table, as_seen(proposal), followed):
            return False
        return self.moved or any(die.fate != "untouched" for die in followed)

    def answered(self, *, rolled: bool) -> Self:
        """After a person answered whether the dice that show the same as before were rolled."""
        roll = None if self.roll is None or not rolled else replace(self.roll, same=False)
        moves = self.status is TableStatus.MOVING
        return replace(self, roll=roll, moved=moves, asking=None, notice=None)

    def entered(self, roll: Roll, now: datetime) -> Self:
        """After a person entered the roll; it waits like a read one. Raises NotOfferedError."""
        self.require_awaited()
        dice = self.playing.awaited_dice
        if not roll.faces:
            raise NotOfferedError(ENTER_DICE)
        if dice is not None and len(roll) != dice:
            raise NotOfferedError.worded(
                "You entered {entered} of {dice} dice: type one digit per die, kept ones included.",
                entered=len(roll),
                dice=dice,
            )
        read = None if self.roll is None else self.roll.read
        return replace(self, roll=PendingRoll.entered(roll, now, read), asking=None)

    def die_corrected(self, die: int | None, face: int | None, now: datetime) -> Self:
        """After a person corrected, deleted or added a die of the roll. Raises NotOfferedError."""
        self.require_awaited()
        reading = self.roll or PendingRoll((), now, touched=True, by_hand=True)
        if die is not None and die not in range(len(reading.dice)):
            raise NotOfferedError(NO_SUCH_DIE)
        if face is None and die is None:
            raise NotOfferedError(ENTER_DICE)
        if face is not None and face not in FACES:
            raise NotOfferedError(message("A die shows 1 to 6, not {face}.", face=face))
        changed = reading.with_die(die, face)
        return replace(self, roll=changed if changed.dice else None, asking=None)

    def marked(self, die: int, *, kept: bool) -> Self:
        """After a tap on a die of the last roll; marks begin as shown. Raises NotOfferedError."""
        last, shown = self.last_roll, self.shown_kept
        if not last.dice:
            raise NotOfferedError(message("No dice can be kept now."))
        if die not in range(len(last.dice)):
            raise NotOfferedError(NO_SUCH_DIE)
        if kept == (die in shown):
            return self
        return replace(self, marks=shown | {die} if kept else shown - {die})
