"""Which question a picture of the table belongs to: it answers that one and no other."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from scoreboard.games.engine.game import ABOUT_LAST_ROLL, RECORDS_ROLL
from scoreboard.table.button_actions import Record
from scoreboard.table.event_participation import is_under_way
from scoreboard.table.game_session import GameSession
from scoreboard.table.pending_reading import same_picture
from scoreboard.table.pending_state import PendingState, awaited_dice
from scoreboard.table.pending_updates import (
    expected_pieces,
    expects_other_pieces,
    pieces_read,
    proposed,
    takes_seen,
)
from scoreboard.table.proposal import Proposal
from scoreboard.table.requests import Proposed, TableStatus


def read(
    session: GameSession | None, pending_state: PendingState, made: Proposed, now: datetime
) -> PendingState:
    """After a reading of the camera: it is offered, unless it was spent on another question.

    A picture that was there before the start was: nobody knows any more on which.
    """
    proposal = made.proposal
    playing = session is not None and is_under_way(session)
    spent = proposal if made.known else pending_state.spent
    fresh = pending_state.wanted or not is_spent(spent, proposal)
    seen = replace(
        pending_state,
        seen=proposal,
        seen_in=session.header.game_id if session is not None and playing else None,
        spent=None if fresh else spent,
    )
    if session is not None and not session.is_abandoned and fresh:
        taken = proposed if session.turn.awaited is None else pieces_read
        seen = taken(session, seen, proposal, now)
    return replace(seen, wanted=False)


def is_spent(spent: Proposal | None, proposal: Proposal) -> bool:
    """Whether a reading shows what answered its question already, or was rejected."""
    return spent is not None and same_picture(spent, proposal)


def stirred(session: GameSession | None, pending_state: PendingState) -> PendingState:
    """After something moved: dice may have been rolled, tiles must be seen to have changed."""
    dice = session is not None and session.turn.awaited is None
    return replace(pending_state, moved=True, spent=None if dice else pending_state.spent)


def for_game(pending_state: PendingState, game_id: str) -> PendingState:
    """For that game: what was seen while another one was under way is spent."""
    other = pending_state.seen_in not in {None, game_id}
    return replace(pending_state, spent=pending_state.seen) if other else pending_state


def recorded(
    before: GameSession, now: GameSession, pending_state: PendingState, button_action: Record
) -> tuple[PendingState, bool]:
    """After these acts led from `before` to `now`; and whether the table is to be read again.

    What was seen has answered its question, unless it lasts: a table that the next player adds
    to, or a roll that was made too early.
    """
    step, keys = len(before.records) + 1, {act.key for act in button_action.acts}
    stays = keys <= ABOUT_LAST_ROLL and awaited_dice(now) is not None
    after = pending_state.after_act(pending=pending_state.pending if stays else None)
    if keys & RECORDS_ROLL:
        on_table = {**pending_state.on_table, step: button_action.on_table or ()}
        after = replace(after, on_table=on_table, moved=pending_state.status is TableStatus.MOVING)
    early = pending_state.overlooked and awaited_dice(now) is not None
    if early:
        after = replace(after, overlooked=False)
    elif not (pending_state.overlooked or stays or _lasts(before, now)):
        after = replace(after, spent=pending_state.seen)
    expected, pieces = expected_pieces(now), pending_state.pieces
    if expected is None or expected.unmoved is None:
        after = replace(after, disturbed=False)
    taken = (
        pieces if pieces is not None and takes_seen(before, pieces, button_action.acts) else None
    )
    waited = pieces or pending_state.pending
    if waited is not None and not stays:
        after = replace(after, confirmed=taken or after.confirmed, waited=(step, waited))
    left = pieces is not None and taken is None and expected is not None
    return after, early or left or expects_other_pieces(before, now)


def _lasts(before: GameSession, now: GameSession) -> bool:
    """Whether what is looked for now may lie in the picture that was looked at before."""
    both = expected_pieces(before), expected_pieces(now)
    return all(expected is not None and expected.lasting for expected in both)
