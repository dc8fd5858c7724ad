"""Tiles and cards that were seen and wait for a person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from math import dist
from typing import Final, Self

from scoreboard.errors import NotOfferedError
from scoreboard.games.engine.game import Judgement, OpenOffer
from scoreboard.message import Message, message
from scoreboard.table.game_session import PlannedAct
from scoreboard.table.pending_dice import DOUBTFUL_BELOW, PendingDice
from scoreboard.table.proposal import UNREAD, Point, Proposal, SeenPiece

_SAME_PLACE: Final = 0.35  # of a piece's shorter side: no other one is as near


@dataclass(frozen=True, slots=True)
class PendingPiece:
    """One waiting piece; `corrected` when a person named it."""

    seen: SeenPiece
    label: str
    corrected: bool = False

    @property
    def middle(self) -> Point:
        """In pixels of the frame."""
        across, down = zip(*self.seen.quad, strict=True)
        return sum(across) / len(across), sum(down) / len(down)

    @property
    def shorter(self) -> float:
        """In pixels."""
        first, second, third, *_ = self.seen.quad
        return min(dist(first, second), dist(second, third))

    def lies_at(self, other: PendingPiece) -> bool:
        """Whether both are one unmoved piece."""
        return dist(self.middle, other.middle) <= _SAME_PLACE * self.shorter


@dataclass(frozen=True, slots=True)
class PiecesReading:
    """Pieces that wait to be confirmed, grouped in `sets` of indices.

    `read` is the camera's reading; `asked` when its doubts were shown and a first press answered;
    `returned` when UNDO retracted their confirmation; `since` when the reading came, aware UTC.
    """

    pieces: tuple[PendingPiece, ...]
    sets: tuple[tuple[int, ...], ...]
    since: datetime
    read: Proposal
    asked: bool = False
    returned: bool = False

    @classmethod
    def of(cls, proposal: Proposal, since: datetime) -> PiecesReading:
        pieces = tuple(PendingPiece(seen, seen.label) for seen in proposal.pieces)
        return cls(pieces, proposal.sets, since, proposal)

    @property
    def text(self) -> str:
        """All of them in notation, a set a line."""
        rows = (" ".join(self.pieces[at].label for at in row) for row in self.sets)
        return "\n".join(rows)

    def is_doubtful(self, piece: PendingPiece) -> bool:
        if piece.corrected:
            return False
        unsure = bool(self.read.doubts) and piece.seen.confidence < DOUBTFUL_BELOW
        return unsure or piece.seen.inferred or piece.label == UNREAD

    @property
    def doubts(self) -> tuple[Message, ...]:
        """The camera's open doubts: they are settled once a person checked all doubtful pieces."""
        deleted = len(self.pieces) < len(self.read.pieces)
        touched = deleted or any(each.corrected for each in self.pieces)
        return () if touched and not any(map(self.is_doubtful, self.pieces)) else self.read.doubts

    def with_piece(self, piece: int, label: str | None) -> PiecesReading:
        """With one piece corrected, or deleted (no label). Raises IndexError."""
        if label is not None:
            corrected = replace(self.pieces[piece], label=label, corrected=True)
            pieces = (*self.pieces[:piece], corrected, *self.pieces[piece + 1 :])
            return replace(self, pieces=pieces, asked=False)
        pieces = (*self.pieces[:piece], *self.pieces[piece + 1 :])
        rows = (tuple(at - (at > piece) for at in row if at != piece) for row in self.sets)
        return replace(self, pieces=pieces, sets=tuple(filter(None, rows)), asked=False)

    def followed_by(self, proposal: Proposal, since: datetime) -> PiecesReading:
        """A newer reading, with a person's corrections of unmoved pieces that look the same."""
        fresh = PiecesReading.of(proposal, since)
        corrected = [each for each in self.pieces if each.corrected]

        def again(piece: PendingPiece) -> PendingPiece:
            known = next((each for each in corrected if each.lies_at(piece)), None)
            if known is None or known.seen.label != piece.seen.label:
                return piece
            return replace(piece, label=known.label, corrected=True)

        return replace(fresh, pieces=tuple(map(again, fresh.pieces)))


def same_places(one: Proposal, other: Proposal) -> bool:
    """Whether both show the same pieces in the same places."""
    was, now = ([PendingPiece(seen, seen.label) for seen in each.pieces] for each in (one, other))
    return len(was) == len(now) and all(
        any(old.label == new.label and new.lies_at(old) for old in was) for new in now
    )


@dataclass(frozen=True)
class PendingPieces(PendingDice):
    """With the pieces of a game: `pieces` are those that wait, `confirmed` the last confirmed."""

    pieces: PiecesReading | None = None
    confirmed: PiecesReading | None = None

    @cached_property
    def judgement(self) -> Judgement | None:
        """The rulebook's judgement of the waiting pieces; None while one of them is unread."""
        return self._judgement_of(self.pieces)

    def _judgement_of(self, reading: PiecesReading | None) -> Judgement | None:
        game = self.playing
        if game.expected is None or reading is None:
            return None
        if any(each.label == UNREAD for each in reading.pieces):
            return None
        return game.judged(game.expected.offer, reading.text)

    def takes_seen(self, acts: Sequence[PlannedAct]) -> bool:
        """Whether one of these acts records the pieces as they were seen, by whichever offer."""
        game, reading, judged = self.playing, self.pieces, self.judgement
        if game.expected is None or reading is None or judged is None:
            return False
        key = judged.key or game.expected.offer
        offer = game.offers.get(key)
        if not isinstance(offer, OpenOffer):
            return not judged.remarks and any(act.key == key for act in acts)
        seen = str(offer.domain.parse(judged.filling or reading.text))
        return any(str(act.filling) == seen for act in acts)

    def pieces_read(self, proposal: Proposal, now: datetime) -> Self:
        """After a reading of pieces: it waits to be confirmed, unless it is known already.

        A notice then answers a person who asked for the reading.
        """
        game, pending = self.playing, self.pieces
        if game.expected is None or not proposal.pieces:
            return self
        fresh = PiecesReading.of(proposal, now)
        reading = fresh if pending is None else pending.followed_by(proposal, now)
        judged = self._judgement_of(reading)
        if judged is None or judged.changed or game.confirms(game.expected.offer):
            return replace(self, pieces=reading, asking=None, notice=None)
        notice = message("Read again: nothing has changed on the table.") if self.wanted else None
        return replace(self, pieces=None, confirmed=reading, asking=None, notice=notice)

    def piece_corrected(self, piece: int, label: str | None) -> Self:
        """After a person corrected or deleted one of the waiting pieces.

        Raises NotOfferedError (none is awaited, or no such one waits), NotationError (the label).
        """
        game = self.playing
        if game.expected is None:
            raise NotOfferedError(message("Nothing from the camera is needed now."))
        if self.pieces is None or piece not in range(len(self.pieces.pieces)):
            raise NotOfferedError(message("There is no such piece."))
        if label is not None:
            game.judged(game.expected.offer, label)
        return replace(self, pieces=self.pieces.with_piece(piece, label), asking=None)
