"""The pieces that are seen and wait to be confirmed: what the camera read, and what was said."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from math import hypot
from typing import Final

from scoreboard.message import Message
from scoreboard.table.proposal import UNREAD, Point, Proposal, SeenPiece

_SAME_PLACE: Final = 0.35  # of a piece's shorter side: so near lies no other one


@dataclass(frozen=True, slots=True)
class PendingPiece:
    """One piece that waits; `told` when a person said what it is."""

    seen: SeenPiece
    label: str
    told: bool = False

    @property
    def middle(self) -> Point:
        """Its middle in the frame."""
        across, down = zip(*self.seen.quad, strict=True)
        return sum(across) / len(across), sum(down) / len(down)

    @property
    def shorter(self) -> float:
        """Its shorter side in pixels."""
        first, second, third, *_ = self.seen.quad
        return min(_apart(first, second), _apart(second, third))

    def lies_at(self, other: PendingPiece) -> bool:
        """Whether both are one piece that nobody moved."""
        return _apart(self.middle, other.middle) <= _SAME_PLACE * self.shorter


def _apart(one: Point, other: Point) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])


@dataclass(frozen=True, slots=True)
class PiecesReading:
    """Pieces that wait to be confirmed, as they lie together in `sets` of indices.

    `read` is what the camera read; `asked` when its doubts were shown and a first press
    answered; `returned` when UNDO took back what they were confirmed as; `since` when the reading
    came, aware UTC.
    """

    pieces: tuple[PendingPiece, ...]
    sets: tuple[tuple[int, ...], ...]
    since: datetime
    read: Proposal
    asked: bool = False
    returned: bool = False

    @classmethod
    def of(cls, proposal: Proposal, since: datetime) -> PiecesReading:
        """A fresh reading of the camera."""
        pieces = tuple(PendingPiece(seen, seen.label) for seen in proposal.pieces)
        return cls(pieces, proposal.sets, since, proposal)

    @property
    def text(self) -> str:
        """All of them in notation, a set a line."""
        rows = (" ".join(self.pieces[at].label for at in row) for row in self.sets)
        return "\n".join(rows)

    @property
    def unread(self) -> tuple[int, ...]:
        """Those of which nobody knows yet what they are."""
        return tuple(at for at, each in enumerate(self.pieces) if each.label == UNREAD)

    @property
    def inferred(self) -> tuple[int, ...]:
        """Those that only the rules tell."""
        told = enumerate(self.pieces)
        return tuple(at for at, each in told if each.seen.inferred and not each.told)

    @property
    def doubts(self) -> tuple[Message, ...]:
        """The camera's doubts, until a person said something."""
        return () if any(each.told for each in self.pieces) else self.read.doubts

    def said(self, piece: int, label: str | None) -> PiecesReading:
        """With one piece corrected, or deleted (no label).

        Raises:
            IndexError: there is no such piece.
        """
        if label is not None:
            told = replace(self.pieces[piece], label=label, told=True)
            pieces = (*self.pieces[:piece], told, *self.pieces[piece + 1 :])
            return replace(self, pieces=pieces, asked=False)
        pieces = (*self.pieces[:piece], *self.pieces[piece + 1 :])
        rows = (tuple(at - (at > piece) for at in row if at != piece) for row in self.sets)
        return replace(self, pieces=pieces, sets=tuple(filter(None, rows)), asked=False)

    def followed_by(self, proposal: Proposal, since: datetime) -> PiecesReading:
        """A newer reading, with what a person said of pieces that lie where they lay.

        The camera's second thoughts about such a piece change nothing.
        """
        fresh = PiecesReading.of(proposal, since)
        said = [each for each in self.pieces if each.told]
        pieces = tuple(_as_said(each, said) for each in fresh.pieces)
        return replace(fresh, pieces=pieces)


def lie_alike(one: Proposal, other: Proposal) -> bool:
    """Whether both show the same pieces in the same places."""
    was, now = ([PendingPiece(seen, seen.label) for seen in each.pieces] for each in (one, other))
    return len(was) == len(now) and all(
        any(old.label == new.label and new.lies_at(old) for old in was) for new in now
    )


def _as_said(piece: PendingPiece, said: list[PendingPiece]) -> PendingPiece:
    known = next((each for each in said if each.lies_at(piece)), None)
    if known is None or known.seen.label != piece.seen.label:
        return piece
    return replace(piece, label=known.label, told=True)
