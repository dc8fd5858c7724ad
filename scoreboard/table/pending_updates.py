"""How readings, corrections, taps and acts change what is pending: dice, tiles and cards.

A picture of the table belongs to one question: it answers that one and no other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from scoreboard.dice import FACES, Roll
from scoreboard.errors import NotOfferedError
from scoreboard.games.engine.game import (
    ABOUT_LAST_ROLL,
    RECORDS_ROLL,
    ExpectedPieces,
    Judgement,
    OfferKind,
    OpenOffer,
)
from scoreboard.message import message
from scoreboard.table.dice_tracking import (
    TrackedDice,
    as_seen,
    by_value,
    none_rolled,
    pushed_together,
    shows_the_same,
    track_dice,
)
from scoreboard.table.event_participation import is_under_way
from scoreboard.table.game_session import GameSession, PlannedAct
from scoreboard.table.kept_dice import judged
from scoreboard.table.pending_reading import (
    ConfirmedReading,
    PendingRoll,
    PiecesReading,
    same_picture,
)
from scoreboard.table.pending_state import (
    PendingState,
    awaited_dice,
    before,
    dice_on_table,
    roll_reading,
    with_moved_dice,
)
from scoreboard.table.proposal import Proposal, TableDie
from scoreboard.table.requests import Proposed, TableStatus


def expected_pieces(session: GameSession) -> ExpectedPieces | None:
    """What the camera looks for now, None where it sees nothing to the purpose."""
    awaited = session.turn.awaited
    return None if awaited is None else awaited.expected


def pieces_read(
    session: GameSession, pending_state: PendingState, proposal: Proposal, now: datetime
) -> PendingState:
    """After a reading of pieces: it waits to be confirmed, unless it shows what is known.

    A notice says so to whoever asked for the reading.
    """
    expected = expected_pieces(session)
    if expected is None or not proposal.pieces:
        return pending_state
    pending = pending_state.pieces
    fresh = PiecesReading.of(proposal, now)
    reading = fresh if pending is None else pending.followed_by(proposal, now)
    pending_state = replace(pending_state, asking=None, notice=None)
    judged = judgement_of(session, reading)
    if judged is not None and not judged.changed and not session.confirms(expected.offer):
        notice = (
            message("Read again: nothing has changed on the table.")
            if pending_state.wanted
            else None
        )
        return replace(pending_state, pieces=None, confirmed=reading, notice=notice)
    return replace(pending_state, pieces=reading)


def piece_corrected(
    session: GameSession, pending_state: PendingState, piece: int, label: str | None
) -> PendingState:
    """After a person corrected or deleted one piece of those that wait.

    Raises:
        NotOfferedError: none are awaited, or there is no such piece.
        NotationError: the label is none of this game's.
    """
    expected, reading = expected_pieces(session), pending_state.pieces
    if expected is None:
        raise NotOfferedError(message("Nothing from the camera is needed now."))
    if reading is None or piece not in range(len(reading.pieces)):
        raise NotOfferedError(message("There is no such piece."))
    if label is not None:
        session.judged(expected.offer, label)
    return replace(pending_state, pieces=reading.with_piece(piece, label), asking=None)


def expects_other_pieces(before: GameSession, now: GameSession) -> bool:
    """Whether the camera looks for something that it did not look for before."""
    return expected_pieces(now) not in {None, expected_pieces(before)}


def key_of(session: GameSession, reading: PiecesReading) -> str | None:
    """The offer that confirming these pieces chooses, None where the camera looks for none."""
    expected, judged = expected_pieces(session), judgement_of(session, reading)
    if expected is None:
        return None
    return expected.offer if judged is None or judged.key is None else judged.key


def takes_seen(session: GameSession, reading: PiecesReading, acts: Sequence[PlannedAct]) -> bool:
    """Whether one of these acts records the pieces as they were seen, by whichever offer."""
    expected, judged = expected_pieces(session), judgement_of(session, reading)
    if expected is None or judged is None:
        return False
    key = judged.key or expected.offer
    offer = session.offers.get(key)
    if not isinstance(offer, OpenOffer):
        return not judged.remarks and any(act.key == key for act in acts)
    seen = str(offer.domain.parse(judged.filling or reading.text))
    return any(str(act.filling) == seen for act in acts)


def confirmed_reading(
    session: GameSession, pending_state: PendingState, acts: Sequence[PlannedAct]
) -> ConfirmedReading | None:
    """The reading that these acts confirm; None where the camera had no part in them.

    A roll that was typed in instead of the one that waits is confirmed before its picture.
    """
    pieces, pending = pending_state.pieces, pending_state.pending
    step = len(session.records) + 1
    rolls = [act.filling for act in acts if act.key in RECORDS_ROLL]
    reading: PendingRoll | PiecesReading | None = None
    if rolls and pending is not None and pending.read is not None:
        rolled = roll_reading(session, pending_state)
        as_read = rolled is not None and rolled.roll == rolls[0]
        typed = PendingRoll.entered(rolls[0], pending.since, pending.read)
        reading = pending if as_read else typed
    elif pieces is not None and takes_seen(session, pieces, acts):
        reading = pieces
    if reading is None:
        return None
    return ConfirmedReading(session.header.game_id, step, session.turn.player, reading)


def judgement_of(session: GameSession, reading: PiecesReading | None) -> Judgement | None:
    """What the rulebook says of the pieces that wait; None while one of them is unread."""
    expected = expected_pieces(session)
    if expected is None or reading is None or reading.unread:
        return None
    return session.judged(expected.offer, reading.text)


ENTER_DICE: Final = message("Enter what the dice show.")
NO_SUCH_DIE: Final = message("There is no such die.")


def proposed(
    session: GameSession, pending_state: PendingState, proposal: Proposal, now: datetime
) -> PendingState:
    """After a reading of the camera.

    Dice that all lie where the last roll lay, showing the same, were not rolled: they are
    no new roll, also when some were nudged, or taken up, or the tray was pushed; from now
    on they lie where they are seen. While another roll is awaited and something moved, only a
    person knows that, so they wait with a question. A roll while a box must be filled does
    not count, and a notice says so; it is remembered as overlooked, so that the table can be read
    again when a roll is awaited.
    """
    if not proposal.sightings:
        return pending_state
    on_table, seen = dice_on_table(session, pending_state), as_seen(proposal)
    followed = by_value(on_table, seen) if pending_state.unplaced else track_dice(on_table, seen)
    last, dice, pending = (
        before(session, pending_state),
        awaited_dice(session),
        pending_state.pending,
    )
    placed, fresh = replace(pending_state, unplaced=False), PendingRoll.of(proposal, now)
    places = {die.before: seen[die.now] for die in followed}  # those not seen lie as they lay
    moved = tuple(places.get(index, die) for index, die in enumerate(on_table))
    here = with_moved_dice(session, placed, moved)
    same = last.dice and dice is not None and shows_the_same(followed, len(seen))
    if same and dice is not None and judged(fresh.dice, dice, last).roll is not None:
        waits = pending is not None and not pending.same
        if waits or not _may_be_rolled(pending_state, proposal, on_table, followed):
            return here
        return replace(here, pending=replace(fresh, same=True), asking=None, notice=None)
    # the dice of the last roll that are not marked as kept; none without marks
    free = frozenset() if last.chosen is None else frozenset(range(len(last.dice))) - last.chosen
    if not pending_state.wanted and none_rolled(followed, len(seen), free):
        return replace(here, pending=None) if pending is not None and pending.same else here
    return _with_roll(session, placed, proposal, now)


def _with_roll(
    session: GameSession, pending_state: PendingState, proposal: Proposal, now: datetime
) -> PendingState:
    """After dice were rolled: they wait, where a roll is awaited."""
    if session.turn.phase == "choosing":
        return replace(
            pending_state,
            overlooked=True,
            notice=message("Score a box for this turn first, then roll."),
        )
    if awaited_dice(session) is None:
        return pending_state
    pending, rolled = pending_state.pending, roll_reading(session, pending_state)
    if pending is None or pending.same:
        newer = PendingRoll.of(proposal, now)
    elif pending.outlasts(proposal, legal=rolled is not None and rolled.roll is not None):
        return pending_state
    else:
        newer = pending.followed_by(proposal, now)
    return replace(pending_state, pending=newer, asking=None, notice=None)


def _may_be_rolled(
    pending_state: PendingState,
    proposal: Proposal,
    on_table: Sequence[TableDie],
    followed: Sequence[TrackedDice],
) -> bool:
    """Whether dice that show what they showed may have been rolled.

    Something moved, or a person sent a photo or wants them read; not where all of them went the
    same way under a camera.
    """
    if pending_state.wanted or proposal.photo:
        return True
    if pending_state.unplaced or pushed_together(on_table, as_seen(proposal), followed):
        return False
    return pending_state.moved or any(die.fate != "untouched" for die in followed)


def answered(pending_state: PendingState, *, rolled: bool) -> PendingState:
    """After a person answered whether the dice that show the same as before were rolled."""
    pending = None if pending_state.pending is None else replace(pending_state.pending, same=False)
    moves = pending_state.status is TableStatus.MOVING
    return replace(
        pending_state, pending=pending if rolled else None, moved=moves, asking=None, notice=None
    )


def entered(
    session: GameSession, pending_state: PendingState, roll: Roll, now: datetime
) -> PendingState:
    """After a person entered the whole roll; it waits to be confirmed like a read one.

    Raises:
        NotOfferedError: no roll is awaited, or not all of its dice were entered.
    """
    require_awaited(session)
    if not roll.faces:
        raise NotOfferedError(ENTER_DICE)
    dice = awaited_dice(session)
    if dice is not None and len(roll) != dice:
        raise NotOfferedError(
            message(
                "You entered {entered} of {dice} dice: type one digit per die, kept ones included.",
                entered=len(roll),
                dice=dice,
            )
        )
    read = None if pending_state.pending is None else pending_state.pending.read
    return replace(pending_state, pending=PendingRoll.entered(roll, now, read), asking=None)


def die_corrected(
    session: GameSession,
    pending_state: PendingState,
    die: int | None,
    face: int | None,
    now: datetime,
) -> PendingState:
    """After a person corrected, deleted or added one die of the pending roll.

    Raises:
        NotOfferedError: no roll is awaited, or there is no such die or face.
    """
    require_awaited(session)
    reading = pending_state.pending or PendingRoll((), now, touched=True, by_hand=True)
    if die is not None and die not in range(len(reading.dice)):
        raise NotOfferedError(NO_SUCH_DIE)
    if face is None and die is None:
        raise NotOfferedError(ENTER_DICE)
    if face is not None and face not in FACES:
        raise NotOfferedError(message("A die shows 1 to 6, not {face}.", face=face))
    changed = reading.with_die(die, face)
    return replace(pending_state, pending=changed if changed.dice else None, asking=None)


def marked(
    session: GameSession, pending_state: PendingState, die: int, *, kept: bool
) -> PendingState:
    """After a tap on a die of the last roll: marks begin from what is shown as kept.

    Raises:
        NotOfferedError: nothing may be kept now, or there is no such die.
    """
    last = before(session, pending_state)
    if not last.dice:
        raise NotOfferedError(message("No dice can be kept now."))
    if die not in range(len(last.dice)):
        raise NotOfferedError(NO_SUCH_DIE)
    shown = shown_kept(session, pending_state)
    if kept == (die in shown):
        return pending_state
    return replace(pending_state, marks=shown | {die} if kept else shown - {die})


def shown_kept(session: GameSession, pending_state: PendingState) -> frozenset[int]:
    """The dice of the last roll that are shown as kept: by a person's mark, else by place."""
    chosen = before(session, pending_state).chosen
    if chosen is not None:
        return chosen
    rolled = roll_reading(session, pending_state)
    return frozenset() if rolled is None else rolled.kept_before


def require_awaited(session: GameSession) -> None:
    """Refuse unless a roll is awaited, or pieces are.

    Raises:
        NotOfferedError: none is.
    """
    if awaited_dice(session) is None and expected_pieces(session) is None:
        raise NotOfferedError(message("No roll is expected now."))


def read(
    session: GameSession | None, pending_state: PendingState, made: Proposed, now: datetime
) -> PendingState:
    """After a reading of the camera: it is offered, unless it was spent on another question.

    A picture that was there before the start was: nobody knows any more on which.
    """
    proposal = made.proposal
    spent = proposal if made.known else pending_state.spent
    fresh = pending_state.wanted or spent is None or not same_picture(spent, proposal)
    seen = replace(looked(session, pending_state), seen=proposal, spent=None if fresh else spent)
    if session is not None and not session.is_abandoned and fresh:
        taken = proposed if session.turn.awaited is None else pieces_read
        seen = taken(session, seen, proposal, now)
    return replace(seen, wanted=False)


def looked(session: GameSession | None, pending_state: PendingState) -> PendingState:
    """After the camera looked at the table, whether or not it read anything there."""
    playing = session is not None and is_under_way(session)
    return replace(pending_state, seen_in=session.header.game_id if session and playing else None)


def stirred(session: GameSession | None, pending_state: PendingState) -> PendingState:
    """After something moved: dice may have been rolled, tiles must be seen to have changed."""
    dice = session is not None and session.turn.awaited is None
    return replace(pending_state, moved=True, spent=None if dice else pending_state.spent)


def for_game(pending_state: PendingState, game_id: str) -> PendingState:
    """For that game: what was seen while another one was under way is spent, and said no more."""
    if pending_state.seen_in in {None, game_id}:
        return pending_state
    lost = pending_state.status is TableStatus.LOST
    notice = pending_state.camera_notice if lost else None
    return replace(pending_state, spent=pending_state.seen, camera_notice=notice)


def recorded(
    before: GameSession,
    now: GameSession,
    pending_state: PendingState,
    acts: Sequence[PlannedAct],
    dice: tuple[TableDie, ...],
) -> tuple[PendingState, bool]:
    """After acts that led from `before` to `now`; and whether the table is to be read again.

    `dice` are those of a recorded roll. What was seen has answered its question, unless it lasts: a
    table that the next player adds to, or a roll that was made too early; or is said to be another
    player's.
    """
    both = expected_pieces(before), expected_pieces(now)
    lasts = all(expected is not None and expected.lasting for expected in both)
    step, keys = len(before.records) + 1, {act.key for act in acts}
    stays = keys <= ABOUT_LAST_ROLL and awaited_dice(now) is not None
    after = pending_state.after_act(pending=pending_state.pending if stays else None)
    if keys & RECORDS_ROLL:
        on_table = {**pending_state.on_table, step: dice}
        after = replace(after, on_table=on_table, moved=pending_state.status is TableStatus.MOVING)
    readdressed = all(OfferKind.FOR.is_kind_of(key) for key in keys)
    early = pending_state.overlooked and awaited_dice(now) is not None
    if early:
        after = replace(after, overlooked=False)
    elif not (pending_state.overlooked or stays or lasts or readdressed):
        after = replace(after, spent=pending_state.seen)
    expected, pieces = expected_pieces(now), pending_state.pieces
    taken = pieces if pieces is not None and takes_seen(before, pieces, acts) else None
    waited = pieces or pending_state.pending
    if waited is not None and not stays:
        after = replace(after, confirmed=taken or after.confirmed, waited=(step, waited))
    left = pieces is not None and taken is None and expected is not None
    return after, early or left or expects_other_pieces(before, now)
