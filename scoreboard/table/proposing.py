"""How camera and persons change the pending throw: proposals, corrections and taps."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Final

from scoreboard.dice import FACES, Roll
from scoreboard.errors import NotOfferedError
from scoreboard.phrase import phrase
from scoreboard.table.moment import Moment, awaited_dice, before, lying_dice, throw
from scoreboard.table.places import is_same_throw
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
    no new throw. A throw while a box must be filled does not count, which is told; it is
    remembered as overlooked, so that the table can be read again when a throw is awaited.
    """
    faces = [seen.face for seen in proposal.sightings]
    boxes = [seen.box for seen in proposal.sightings]
    if not faces or is_same_throw(lying_dice(sitting, moment), faces, boxes):
        return moment
    if sitting.turn.phase == "choosing":
        return replace(moment, overlooked=True, notice=FILL_A_BOX)
    if awaited_dice(sitting) is None:
        return moment
    if moment.pending is not None and moment.pending.outlasts(proposal):
        return moment
    return replace(moment, pending=Reading.of(proposal, now), asking=None, notice=None)


def entered(sitting: Sitting, moment: Moment, roll: Roll, now: datetime) -> Moment:
    """After a person entered the whole throw; it waits to be confirmed like a read one.

    Raises:
        NotOfferedError: no throw is awaited, or no die was entered.
    """
    _require_awaited(sitting)
    if not roll.faces:
        raise NotOfferedError(ENTER_DICE)
    read = None if moment.pending is None else moment.pending.read
    return replace(moment, pending=Reading.entered(roll, now, read), asking=None)


def told(
    sitting: Sitting, moment: Moment, die: int | None, face: int | None, now: datetime
) -> Moment:
    """After a person corrected, deleted or added one die of the pending throw.

    Raises:
        NotOfferedError: no throw is awaited, or there is no such die or face.
    """
    _require_awaited(sitting)
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


def _require_awaited(sitting: Sitting) -> None:
    if awaited_dice(sitting) is None:
        raise NotOfferedError(NO_THROW_AWAITED)
