"""What the camera sees in a game without dice: pieces that fill what is awaited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from scoreboard.errors import NotOfferedError
from scoreboard.games.engine.game import Judgement, OpenOffer, Sight
from scoreboard.message import message
from scoreboard.table.game_session import Act, GameSession
from scoreboard.table.pending_state import PendingState
from scoreboard.table.pieces import PiecesReading
from scoreboard.table.proposal import Proposal

NO_SUCH_PIECE: Final = message("There is no such piece.")
AS_IT_WAS: Final = message("Read again: nothing has changed on the table.")
NOTHING_AWAITED: Final = message("Nothing from the camera is needed now.")


def sight_of(session: GameSession) -> Sight | None:
    """What the camera looks for now, None where it sees nothing to the purpose."""
    awaited = session.turn.awaited
    return None if awaited is None else awaited.sight


def looked(
    session: GameSession, pending_state: PendingState, proposal: Proposal, now: datetime
) -> PendingState:
    """After a reading of pieces: it waits to be confirmed, unless it shows what is known.

    That is told to who asked for the reading.
    """
    sight = sight_of(session)
    if sight is None or not proposal.pieces:
        return pending_state
    pending = pending_state.pieces
    fresh = PiecesReading.of(proposal, now)
    reading = fresh if pending is None else pending.followed_by(proposal, now)
    pending_state = replace(pending_state, asking=None, notice=None)
    judged = judgement_of(session, reading)
    otherwise = judged is None or judged.changed
    pending_state = replace(pending_state, disturbed=pending_state.disturbed or otherwise)
    if not otherwise and not session.confirms(sight.offer):
        notice = AS_IT_WAS if pending_state.wanted else None
        return replace(pending_state, pieces=None, lain=reading, notice=notice)
    return replace(pending_state, pieces=reading)


def said(
    session: GameSession, pending_state: PendingState, piece: int, label: str | None
) -> PendingState:
    """After a person corrected or deleted one piece of those that wait.

    Raises:
        NotOfferedError: none are awaited, or there is no such piece.
        NotationError: the label is none of this game's.
    """
    sight, reading = sight_of(session), pending_state.pieces
    if sight is None:
        raise NotOfferedError(NOTHING_AWAITED)
    if reading is None or piece not in range(len(reading.pieces)):
        raise NotOfferedError(NO_SUCH_PIECE)
    if label is not None:
        session.judged(sight.offer, label)
    return replace(pending_state, pieces=reading.said(piece, label), asking=None)


def looks_anew(before: GameSession, now: GameSession) -> bool:
    """Whether the camera looks for something that it did not look for before."""
    return sight_of(now) not in {None, sight_of(before)}


def key_of(session: GameSession, reading: PiecesReading, *, disturbed: bool) -> str | None:
    """The offer that confirming these pieces chooses, None where the camera looks for none.

    A photo does not tell what lay there before it was taken.
    """
    sight, judged = sight_of(session), judgement_of(session, reading)
    if sight is None:
        return None
    if sight.unmoved is not None and not (disturbed or reading.read.photo):
        return sight.unmoved
    return sight.offer if judged is None or judged.key is None else judged.key


def takes_seen(session: GameSession, reading: PiecesReading, acts: Sequence[Act]) -> bool:
    """Whether one of these acts records the pieces as they were seen, by whichever offer."""
    sight, judged = sight_of(session), judgement_of(session, reading)
    if sight is None or judged is None:
        return False
    key = judged.key or sight.offer
    offer = session.offers.get(key)
    if not isinstance(offer, OpenOffer):
        return any(act.key == key for act in acts)
    seen = str(offer.domain.parse(judged.filling or reading.text))
    return any(str(act.filling) == seen for act in acts)


def judgement_of(session: GameSession, reading: PiecesReading | None) -> Judgement | None:
    """What the rulebook says of the pieces that wait; None while one of them is unread."""
    sight = sight_of(session)
    if sight is None or reading is None or reading.unread:
        return None
    return session.judged(sight.offer, reading.text)
