"""Which question a picture of the table belongs to: it answers that one and no other."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from scoreboard.table.attending import is_under_way
from scoreboard.table.confirming import THROWS, Record
from scoreboard.table.looking import looked, looks_anew, sight_of, takes_seen
from scoreboard.table.messages import TableSight
from scoreboard.table.moment import Moment, awaited_dice
from scoreboard.table.proposal import Proposal
from scoreboard.table.proposing import proposed
from scoreboard.table.reading import same_picture
from scoreboard.table.sitting import Sitting

STAYING_PENDING = frozenset({"keep", "correct"})  # these speak of the throw before


def read(sitting: Sitting | None, moment: Moment, proposal: Proposal, now: datetime) -> Moment:
    """After a reading of the camera: it is offered, unless it was spent on another question."""
    playing = sitting is not None and is_under_way(sitting)
    fresh = moment.wanted or not is_spent(moment.spent, proposal)
    seen = replace(
        moment,
        seen=proposal,
        seen_in=sitting.header.game_id if sitting is not None and playing else None,
        spent=None if fresh else moment.spent,
    )
    if sitting is not None and not sitting.is_abandoned and fresh:
        taken = proposed if sitting.turn.awaited is None else looked
        seen = taken(sitting, seen, proposal, now)
    return replace(seen, wanted=False)


def is_spent(spent: Proposal | None, proposal: Proposal) -> bool:
    """Whether a reading shows what answered its question already, or was rejected."""
    return spent is not None and same_picture(spent, proposal)


def stirred(sitting: Sitting | None, moment: Moment) -> Moment:
    """After something moved: dice may have been thrown, tiles must be seen to have changed."""
    dice = sitting is not None and sitting.turn.awaited is None
    return replace(moment, moved=True, spent=None if dice else moment.spent)


def for_game(moment: Moment, game_id: str) -> Moment:
    """For that game: what was seen while another one was under way is spent."""
    other = moment.seen_in not in {None, game_id}
    return replace(moment, spent=moment.seen) if other else moment


def recorded(before: Sitting, now: Sitting, moment: Moment, deed: Record) -> tuple[Moment, bool]:
    """After these acts led from `before` to `now`; and whether the table is to be read again.

    What was seen has answered its question, unless it lasts: a table that the next player adds
    to, or a throw that was made too early.
    """
    step, keys = len(before.records) + 1, {act.key for act in deed.acts}
    stays = keys <= STAYING_PENDING and awaited_dice(now) is not None
    after = moment.after_act(pending=moment.pending if stays else None)
    if keys & THROWS:
        lying = {**moment.lying, step: deed.lying or ()}
        after = replace(after, lying=lying, moved=moment.sight is TableSight.MOVING)
    early = moment.overlooked and awaited_dice(now) is not None
    if early:
        after = replace(after, overlooked=False)
    elif not (moment.overlooked or stays or _lasts(before, now)):
        after = replace(after, spent=moment.seen)
    sight, pieces = sight_of(now), moment.pieces
    if sight is None or sight.unmoved is None:
        after = replace(after, disturbed=False)
    taken = pieces if pieces is not None and takes_seen(before, pieces, deed.acts) else None
    waited = pieces or moment.pending
    if waited is not None and not stays:
        after = replace(after, lain=taken or after.lain, waited=(step, waited))
    left = pieces is not None and taken is None and sight is not None
    return after, early or left or looks_anew(before, now)


def _lasts(before: Sitting, now: Sitting) -> bool:
    """Whether what is looked for now may lie in the picture that was looked at before."""
    sights = sight_of(before), sight_of(now)
    return all(sight is not None and sight.lasting for sight in sights)
