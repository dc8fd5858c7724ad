"""How camera and persons change the pending throw: proposals, corrections and taps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from scoreboard.dice import FACES, Roll
from scoreboard.errors import NotOfferedError
from scoreboard.phrase import phrase
from scoreboard.table.following import (
    Followed,
    by_value,
    follow,
    nothing_thrown,
    pushed_together,
    shows_the_same,
)
from scoreboard.table.keeping import judged
from scoreboard.table.looking import sight_of
from scoreboard.table.messages import TableSight
from scoreboard.table.moment import Moment, awaited_dice, before, lying_dice, throw, with_lying
from scoreboard.table.places import LyingDie, as_seen
from scoreboard.table.proposal import Proposal
from scoreboard.table.reading import Reading
from scoreboard.table.sitting import Sitting

NO_THROW_AWAITED: Final = phrase("No throw is awaited now.")
FILL_A_BOX: Final = phrase("Rolling is over in this turn: fill a box first.")
ENTER_DICE: Final = phrase("Enter what the dice show.")
NO_SUCH_DIE: Final = phrase("There is no such die.")


def proposed(sitting: Sitting, moment: Moment, proposal: Proposal, now: datetime) -> Moment:
    """After a reading of the camera.

    Dice that all lie where the last throw lay, showing the same, were not thrown: they are
    no new throw, also when some were nudged, or taken up, or the tray was pushed; from now
    on they lie where they are seen. While another roll is awaited and something moved, only a
    person knows that, so they wait with a question. A throw while a box must be filled does
    not count, which is told; it is remembered as overlooked, so that the table can be read
    again when a throw is awaited.
    """
    if not proposal.sightings:
        return moment
    lying, seen = lying_dice(sitting, moment), as_seen(proposal)
    followed = by_value(lying, seen) if moment.unplaced else follow(lying, seen)
    here = with_lying(sitting, replace(moment, unplaced=False), _moved(lying, seen, followed))
    if _is_same_roll(sitting, moment, proposal, followed, now):
        asks = _may_be_rolled(moment, proposal, lying, followed)
        return _asked_whether_rolled(here, proposal, now) if asks else here
    free = _to_be_thrown(sitting, moment)
    if not moment.wanted and nothing_thrown(followed, len(seen), free):
        same = moment.pending is not None and moment.pending.same
        return replace(here, pending=None) if same else here
    return _with_roll(sitting, replace(moment, unplaced=False), proposal, now)


def _with_roll(sitting: Sitting, moment: Moment, proposal: Proposal, now: datetime) -> Moment:
    """After dice were thrown: they wait, where a throw is awaited."""
    if sitting.turn.phase == "choosing":
        return replace(moment, overlooked=True, notice=FILL_A_BOX)
    if awaited_dice(sitting) is None:
        return moment
    newer = _newer(sitting, moment, proposal, now)
    if newer is moment.pending:
        return moment
    return replace(moment, pending=newer, asking=None, notice=None)


def _is_same_roll(
    sitting: Sitting,
    moment: Moment,
    proposal: Proposal,
    followed: Sequence[Followed],
    now: datetime,
) -> bool:
    """Whether the dice seen would be a whole roll that shows what the last one showed."""
    last, dice = before(sitting, moment), awaited_dice(sitting)
    if not last.lying or dice is None or not shows_the_same(followed, len(proposal.sightings)):
        return False
    return judged(Reading.of(proposal, now).dice, dice, last).roll is not None


def _may_be_rolled(
    moment: Moment, proposal: Proposal, lying: Sequence[LyingDie], followed: Sequence[Followed]
) -> bool:
    """Whether dice that show what they showed may have been rolled.

    Something moved, or a person sent a photo or wants them read; not where all of them went the
    same way under a camera.
    """
    if moment.wanted or proposal.photo:
        return True
    if moment.unplaced or pushed_together(lying, as_seen(proposal), followed):
        return False
    return moment.moved or any(die.fate != "untouched" for die in followed)


def _asked_whether_rolled(moment: Moment, proposal: Proposal, now: datetime) -> Moment:
    """With the question, unless another reading waits."""
    if moment.pending is not None and not moment.pending.same:
        return moment
    same = replace(Reading.of(proposal, now), same=True)
    return replace(moment, pending=same, asking=None, notice=None)


def answered(moment: Moment, *, rolled: bool) -> Moment:
    """After a person said whether the dice that show the same as before were rolled."""
    pending = None if moment.pending is None else replace(moment.pending, same=False)
    moves = moment.sight is TableSight.MOVING
    return replace(
        moment, pending=pending if rolled else None, moved=moves, asking=None, notice=None
    )


def _newer(sitting: Sitting, moment: Moment, proposal: Proposal, now: datetime) -> Reading:
    """The reading that waits from now on: the one that waited, as long as it stands."""
    pending, thrown = moment.pending, throw(sitting, moment)
    if pending is None or pending.same:
        return Reading.of(proposal, now)
    legal = thrown is not None and thrown.roll is not None
    stands = pending.outlasts(proposal, legal=legal)
    return pending if stands else pending.followed_by(proposal, now)


def _to_be_thrown(sitting: Sitting, moment: Moment) -> frozenset[int]:
    """The dice of the last throw that a person said are not kept; none when nobody spoke."""
    last = before(sitting, moment)
    return frozenset() if last.chosen is None else frozenset(range(len(last.lying))) - last.chosen


def _moved(
    lying: Sequence[LyingDie], seen: Sequence[LyingDie], followed: Sequence[Followed]
) -> tuple[LyingDie, ...]:
    """The dice as they lie now; those that are not seen, as they lay."""
    places = {die.before: seen[die.now] for die in followed}
    return tuple(places.get(index, die) for index, die in enumerate(lying))


def entered(sitting: Sitting, moment: Moment, roll: Roll, now: datetime) -> Moment:
    """After a person entered the whole throw; it waits to be confirmed like a read one.

    Raises:
        NotOfferedError: no throw is awaited, or not all of its dice were entered.
    """
    require_awaited(sitting)
    if not roll.faces:
        raise NotOfferedError(ENTER_DICE)
    dice = awaited_dice(sitting)
    if dice is not None and len(roll) != dice:
        raise NotOfferedError(
            phrase(
                "You entered {entered} of {dice} dice: one digit a die, the kept ones too.",
                entered=len(roll),
                dice=dice,
            )
        )
    read = None if moment.pending is None else moment.pending.read
    return replace(moment, pending=Reading.entered(roll, now, read), asking=None)


def told(
    sitting: Sitting, moment: Moment, die: int | None, face: int | None, now: datetime
) -> Moment:
    """After a person corrected, deleted or added one die of the pending throw.

    Raises:
        NotOfferedError: no throw is awaited, or there is no such die or face.
    """
    require_awaited(sitting)
    reading = moment.pending or Reading((), now, touched=True, by_hand=True)
    if die is not None and die not in range(len(reading.dice)):
        raise NotOfferedError(NO_SUCH_DIE)
    if face is None and die is None:
        raise NotOfferedError(ENTER_DICE)
    if face is not None and face not in FACES:
        raise NotOfferedError(phrase("A die shows 1 to 6, not {face}.", face=face))
    changed = reading.told(die, face)
    return replace(moment, pending=changed if changed.dice else None, asking=None)


def marked(sitting: Sitting, moment: Moment, die: int, *, kept: bool) -> Moment:
    """After a tap on a die of the last throw: marks begin from what is shown as kept.

    Raises:
        NotOfferedError: nothing may be kept now, or there is no such die.
    """
    last = before(sitting, moment)
    if not last.lying:
        raise NotOfferedError(phrase("No dice can be kept now."))
    if die not in range(len(last.lying)):
        raise NotOfferedError(NO_SUCH_DIE)
    shown = shown_kept(sitting, moment)
    if kept == (die in shown):
        return moment
    return replace(moment, marks=shown | {die} if kept else shown - {die})


def shown_kept(sitting: Sitting, moment: Moment) -> frozenset[int]:
    """The dice of the last throw that are shown as kept: said by a person, else by place."""
    said = before(sitting, moment).chosen
    if said is not None:
        return said
    thrown = throw(sitting, moment)
    return frozenset() if thrown is None else thrown.kept_before


def require_awaited(sitting: Sitting) -> None:
    """Refuse unless a throw is awaited, or pieces are.

    Raises:
        NotOfferedError: none is.
    """
    if awaited_dice(sitting) is None and sight_of(sitting) is None:
        raise NotOfferedError(NO_THROW_AWAITED)
