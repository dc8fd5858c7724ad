"""Builds the frozen view that pages and lamps show, from the game and what is pending."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Final

from scoreboard.games.engine.game import ExpectedPieces, Judgement
from scoreboard.games.engine.scoresheet import Scoresheet
from scoreboard.table.button_actions import CANCEL, AnswerRolled, ButtonAction
from scoreboard.table.game_session import AnyOffer, GameSession
from scoreboard.table.kept_dice import SAME_DICE, UNREADABLE, RollReading
from scoreboard.table.pending_acts import Pending
from scoreboard.table.pending_dice import PendingRoll
from scoreboard.table.pending_pieces import PendingPiece, PiecesReading
from scoreboard.table.requests import Action, Dependence, TableStatus
from scoreboard.table.view import (
    LastDie,
    ShownDie,
    ShownPiece,
    ShownPieces,
    ShownProposal,
    TableView,
)

_MOST_OTHERS: Final = 4
Place = int
Order = Callable[[Place], tuple[bool, ...]]


def shown_pieces(
    reading: PiecesReading,
    confirmed: PiecesReading | None,
    expected: ExpectedPieces,
    judged: Judgement | None,
) -> ShownPieces:
    """The pieces as drawn; `confirmed` are confirmed last, `judged` the rulebook's judgement."""
    fresh = frozenset[Place]() if judged is None else _fresh(reading, confirmed, judged.fresh)
    remarks = () if judged is None else judged.remarks
    faulty = frozenset(at for remark in remarks for at in _concerned(reading, fresh, remark.pieces))
    return ShownPieces(
        pieces=tuple(
            _shown(piece, reading, fresh=at in fresh, faulty=at in faulty)
            for at, piece in enumerate(reading.pieces)
        ),
        sets=reading.sets,
        offer=expected.offer,
        text=reading.text,
        label=None if judged is None else judged.label,
        remarks=remarks,
        doubts=reading.doubts,
        asked=reading.asked,
        frame=reading.read.frame,
        width=reading.read.width,
        height=reading.read.height,
    )


def _shown(piece: PendingPiece, reading: PiecesReading, *, fresh: bool, faulty: bool) -> ShownPiece:
    seen = piece.seen
    return ShownPiece(
        label=piece.label,
        quad=seen.quad,
        others=tuple(label for label, _ in seen.readings if label != piece.label)[:_MOST_OTHERS],
        fresh=fresh,
        faulty=faulty,
        doubtful=reading.is_doubtful(piece),
        inferred=seen.inferred and not piece.corrected,
        corrected=piece.corrected,
    )


def _fresh(
    reading: PiecesReading, confirmed: PiecesReading | None, labels: Sequence[str]
) -> frozenset[Place]:
    """The new pieces: of several equal ones those in new places."""
    before = () if confirmed is None else confirmed.pieces

    def order(at: Place) -> tuple[bool, ...]:
        piece = reading.pieces[at]
        return (any(old.label == piece.label and piece.lies_at(old) for old in before),)

    return frozenset(_picked(reading, labels, order))


def _concerned(
    reading: PiecesReading, fresh: frozenset[Place], labels: Sequence[str]
) -> Iterable[Place]:
    """The pieces of a remark: a whole set if one is meant, else new ones first."""
    meant = Counter(labels)
    for row in reading.sets:
        if Counter(reading.pieces[at].label for at in row) == meant:
            return row
    return _picked(reading, labels, lambda at: (at not in fresh,))


def _picked(reading: PiecesReading, labels: Sequence[str], order: Order) -> list[Place]:
    """A piece for each label, the first in the order."""
    wanted, picked = Counter(labels), list[Place]()
    for at in sorted(range(len(reading.pieces)), key=order):
        label = reading.pieces[at].label
        if wanted[label] > 0:
            wanted[label] -= 1
            picked.append(at)
    return picked


def shown(pending: Pending, actions: Mapping[Action, ButtonAction]) -> TableView:
    """The view, without its version, the solo player's best, and the fault of the disk."""
    view = TableView(
        version=0,
        stage="no game",
        status=pending.status,
        notice=pending.notice,
        camera_notice=pending.camera_notice,
        health=pending.health,
        keep=actions[Action.KEEP].label,
        event=pending.event,
    )
    session = pending.session
    if session is None:
        return view
    turn, rolled, away = session.turn, pending.rolled, session.is_abandoned
    sheet, kept = session.game.scoresheet(session.state), pending.shown_kept
    last, undo = () if turn.roll is None else turn.roll.faces, actions[Action.UNDO]
    expected, reading, confirmed = session.expected, pending.pieces, pending.confirmed
    pieces = before = None
    if expected is not None and reading is not None and not away:
        pieces = shown_pieces(reading, confirmed, expected, pending.judgement)
    # what is to be put back is shown where seeing it confirms what is known
    if expected is not None and confirmed and session.confirms(expected.offer):
        before = confirmed.read.frame
    return replace(
        view,
        stage="abandoned" if away else turn.phase,
        game_id=session.header.game_id,
        game=session.header.game,
        options=session.header.options,
        sequence=len(session.records),
        scoresheet=sheet,
        preview=_preview(pending, session, rolled),
        turn=turn,
        start_rolls=tuple((sheet.players[seat], roll) for seat, roll in turn.start_rolls),
        last_roll=tuple(LastDie(face, index in kept) for index, face in enumerate(last)),
        proposal=_proposal(pending.roll, rolled),
        offers=() if away else tuple(_begun(each, reading) for each in session.offers.values()),
        pointer=None if away or turn.phase != "choosing" else pending.pointed.key,
        asking=pending.asking,
        undo=CANCEL if isinstance(undo, AnswerRolled) else undo.label,
        outcome=session.outcome,
        reroll=actions[Action.REROLL].label,
        piece_groups=session.game.pieces_on_table(session.state),
        clock=pending.clock,
        pieces=pieces,
        before=before,
        last_score=session.last_score,
        read_elsewhere=pending.seen_in not in {None, session.header.game_id},
        rolled_dice=None if away or turn.roll else session.awaited_dice,
        last_step=(session.last_step[0].step, session.last_step_text)
        if session.last_step
        else None,
    )


def actionable(view: TableView) -> TableView:
    """The view without what no tap depends on, to judge whether a tap came too late.

    A tap aimed while only the camera's state or a notice changed still means the same, so version,
    status, health, notices, the turn's clock and the event do not count.
    """
    return replace(
        view,
        version=0,
        status=TableStatus.NOTHING,
        notice=None,
        camera_notice=None,
        health=None,
        paused=None,
        clock=None,
        event=None,
        read_elsewhere=False,
    )


DEPENDED_ON: Final[Mapping[Dependence, Callable[[TableView], object]]] = {
    "view": actionable,
    # a tap on a die of the last roll: that roll, and nothing after it
    "last roll": lambda view: (view.game_id, view.turn, tuple(die.face for die in view.last_roll)),
    # what a person enters, whatever the camera reads
    "record": lambda view: (
        *(view.game_id, view.sequence),
        None if view.scoresheet is None else view.scoresheet.players,
    ),
}


def _preview(pending: Pending, session: GameSession, read: RollReading | None) -> Scoresheet | None:
    """The sheet with the boxes' points for the waiting roll.

    A player weighs KEEP against REROLL by these figures, but an unconfirmed roll fills no box.
    """
    if read is None or read.roll is None or session.turn.phase == "starting":
        return None
    events = session.outcome_of(pending.recording(read, session.roll_key))
    state = reduce(session.game.evolve, events, session.state)
    return session.game.scoresheet(state).without_offers


def _begun(offer: AnyOffer, seen: PiecesReading | None) -> AnyOffer:
    """The offer; what is filled in by hand begins with what is seen."""
    if seen is None or offer.entry is None or not offer.entry.lines:
        return offer
    return replace(offer, entry=replace(offer.entry, written=seen.text))


def _proposal(reading: PendingRoll | None, rolled: RollReading | None) -> ShownProposal | None:
    if reading is None or rolled is None:
        return None
    same = (SAME_DICE,) if reading.same else ()
    seen = None if reading.by_hand else reading.read
    asked = {question.die for question in rolled.questions}
    doubts, maybe = reading.doubts, () if seen is None else seen.maybe
    obstacles = () if rolled.obstacle is None else (rolled.obstacle,)
    if rolled.obstacle not in {None, UNREADABLE}:  # it says what to do about the whole roll
        of_dice = {die.doubt for die in (*reading.dice, *maybe)}
        doubts = tuple(each for each in doubts if each in of_dice)
    if any(die.face is None and die.doubt in doubts for die in reading.dice):
        obstacles = ()  # its own doubt asks what it shows
    return ShownProposal(
        dice=tuple(
            ShownDie(
                face=die.face,
                box=die.box,
                kept=index in rolled.kept_seen,
                doubtful=reading.is_doubtful(die) or index in asked,
                doubt=None
                if die.corrected
                else die.doubt or (UNREADABLE if not die.face else None),
            )
            for index, die in enumerate(reading.dice)
        ),
        roll=rolled.roll,
        doubts=(*same, *obstacles, *rolled.doubts, *doubts),
        asked=reading.asked,
        frame=None if seen is None else seen.frame,
        width=0 if seen is None else seen.width,
        height=0 if seen is None else seen.height,
        by_hand=reading.by_hand,
        questions=rolled.questions,
        off_tray=rolled.off_tray,
        same=reading.same,
        maybe=tuple(
            ShownDie(None, die.box, doubtful=True, doubt=die.doubt)
            for die in maybe
            if die.doubt in doubts
        ),
    )
