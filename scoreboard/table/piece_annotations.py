"""Which of the pieces seen are new, and which a remark concerns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from scoreboard.games.engine.game import Judgement, Sight
from scoreboard.table.pieces import PendingPiece, PiecesReading
from scoreboard.table.proposal import UNREAD
from scoreboard.table.view import ShownPiece, ShownPieces

_MOST_OTHERS: Final = 4
_SURE: Final = 0.9
Place = int
Order = Callable[[Place], tuple[bool, ...]]


def shown_pieces(
    reading: PiecesReading, lain: PiecesReading | None, sight: Sight, judged: Judgement | None
) -> ShownPieces:
    """The pieces as drawn; `lain` are those confirmed last, `judged` what is said of these."""
    fresh = frozenset[Place]() if judged is None else _fresh(reading, lain, judged.fresh)
    remarks = () if judged is None else judged.remarks
    faulty = frozenset(at for remark in remarks for at in _concerned(reading, fresh, remark.pieces))
    return ShownPieces(
        pieces=tuple(
            _shown(piece, reading, fresh=at in fresh, faulty=at in faulty)
            for at, piece in enumerate(reading.pieces)
        ),
        sets=reading.sets,
        offer=sight.offer,
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
    unsure = bool(reading.doubts) and seen.confidence < _SURE
    return ShownPiece(
        label=piece.label,
        quad=seen.quad,
        others=tuple(label for label, _ in seen.readings if label != piece.label)[:_MOST_OTHERS],
        fresh=fresh,
        faulty=faulty,
        doubtful=not piece.told and (unsure or piece.label == UNREAD),
        inferred=seen.inferred and not piece.told,
        told=piece.told,
    )


def _fresh(
    reading: PiecesReading, lain: PiecesReading | None, labels: Sequence[str]
) -> frozenset[Place]:
    """Those that were not there: of several alike the ones that lie where none of them lay."""
    before = () if lain is None else lain.pieces

    def order(at: Place) -> tuple[bool, ...]:
        piece = reading.pieces[at]
        return (any(old.label == piece.label and piece.lies_at(old) for old in before),)

    return frozenset(_picked(reading, labels, order))


def _concerned(
    reading: PiecesReading, fresh: frozenset[Place], labels: Sequence[str]
) -> Iterable[Place]:
    """The pieces of a remark: a whole set where one is meant, else new ones first."""
    meant = Counter(labels)
    for row in reading.sets:
        if Counter(reading.pieces[at].label for at in row) == meant:
            return row
    return _picked(reading, labels, lambda at: (at not in fresh,))


def _picked(reading: PiecesReading, labels: Sequence[str], order: Order) -> list[Place]:
    """A piece for each label, those that come first in the order."""
    wanted, picked = Counter(labels), list[Place]()
    for at in sorted(range(len(reading.pieces)), key=order):
        label = reading.pieces[at].label
        if wanted[label] > 0:
            wanted[label] -= 1
            picked.append(at)
    return picked
