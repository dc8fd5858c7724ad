"""What was read or entered and waits for a person: a roll, or tiles and cards."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from math import hypot
from typing import Final

from scoreboard.dice import Roll
from scoreboard.message import Message
from scoreboard.table.dice_tracking import (
    UNTOUCHED_SIDES,
    as_seen,
    distance_in_sides,
    none_rolled,
    pushed_together,
    track_dice,
)
from scoreboard.table.proposal import UNREAD, Point, Proposal, SeenPiece, TableDie

_SAME_PLACE: Final = 0.35  # of a piece's shorter side: so near lies no other one
DOUBTFUL_BELOW: Final = 0.9  # what is read with less confidence is marked when there are doubts


@dataclass(frozen=True, slots=True)
class PendingPiece:
    """One piece that waits; `corrected` when a person named it."""

    seen: SeenPiece
    label: str
    corrected: bool = False

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

    def is_doubtful(self, piece: PendingPiece) -> bool:
        """Whether a person should look at this piece."""
        if piece.corrected:
            return False
        unsure = bool(self.read.doubts) and piece.seen.confidence < DOUBTFUL_BELOW
        return unsure or piece.seen.inferred or piece.label == UNREAD

    @property
    def doubts(self) -> tuple[Message, ...]:
        """The camera's doubts that stand: they fall once a person looked at all doubtful pieces."""
        deleted = len(self.pieces) < len(self.read.pieces)
        touched = deleted or any(each.corrected for each in self.pieces)
        settled = touched and not any(map(self.is_doubtful, self.pieces))
        return () if settled else self.read.doubts

    def with_piece(self, piece: int, label: str | None) -> PiecesReading:
        """With one piece corrected, or deleted (no label).

        Raises:
            IndexError: there is no such piece.
        """
        if label is not None:
            corrected = replace(self.pieces[piece], label=label, corrected=True)
            pieces = (*self.pieces[:piece], corrected, *self.pieces[piece + 1 :])
            return replace(self, pieces=pieces, asked=False)
        pieces = (*self.pieces[:piece], *self.pieces[piece + 1 :])
        rows = (tuple(at - (at > piece) for at in row if at != piece) for row in self.sets)
        return replace(self, pieces=pieces, sets=tuple(filter(None, rows)), asked=False)

    def followed_by(self, proposal: Proposal, since: datetime) -> PiecesReading:
        """A newer reading, with a person's corrections of pieces that have not moved.

        The camera's second thoughts about such a piece change nothing.
        """
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


@dataclass(frozen=True, slots=True)
class PendingRoll:
    """A roll that waits to be confirmed.

    `read` is what the camera read, None for a roll entered without one; `touched` when a
    person changed any die of it, `by_hand` when a person entered all; `doubts` are the
    camera's; `asked` when they were shown and a first press answered; `same` when it shows
    the dice of the last roll and nobody answered yet whether they were rolled; `returned` when UNDO
    took back the roll that it was confirmed as; `since` when the
    reading came, aware UTC.
    """

    dice: tuple[TableDie, ...]
    since: datetime
    read: Proposal | None = None
    touched: bool = False
    by_hand: bool = False
    asked: bool = False
    same: bool = False
    returned: bool = False

    @classmethod
    def of(cls, proposal: Proposal, since: datetime) -> PendingRoll:
        """A fresh reading of the camera."""
        return cls(proposal.sightings, since, proposal)

    @classmethod
    def entered(cls, roll: Roll, since: datetime, read: Proposal | None = None) -> PendingRoll:
        """A roll entered by hand; `read` is the camera's reading that it replaces."""
        dice = tuple(TableDie(face, corrected=True) for face in roll.faces)
        return cls(dice, since, read, touched=True, by_hand=True)

    @property
    def confidence(self) -> float:
        """The probability that all dice are right; 1 for what a person entered."""
        return 1.0 if self.read is None or self.by_hand else self.read.confidence

    def is_doubtful(self, die: TableDie) -> bool:
        """Whether a person should look at this die."""
        if die.corrected or self.read is None:
            return False
        return die.face is None or (bool(self.read.doubts) and die.confidence < DOUBTFUL_BELOW)

    @property
    def doubts(self) -> tuple[Message, ...]:
        """The camera's doubts that stand: they fall once a person corrected all doubtful dice."""
        if self.read is None or self.by_hand:
            return ()
        settled = self.touched and not any(map(self.is_doubtful, self.dice))
        return () if settled else self.read.doubts

    def with_die(self, die: int | None, face: int | None) -> PendingRoll:
        """With one die corrected, deleted (no face) or added (no die).

        Raises:
            IndexError: the reading has no such die.
        """
        faces = () if face is None else (face,)
        if die is None:
            dice = (*self.dice, *(TableDie(one, corrected=True) for one in faces))
        else:
            seen = self.dice[die]
            new = tuple(replace(seen, face=one, corrected=True) for one in faces)
            dice = (*self.dice[:die], *new, *self.dice[die + 1 :])
        return replace(self, dice=dice, touched=True, asked=False, same=False)

    def outlasts(self, proposal: Proposal, *, legal: bool) -> bool:
        """Whether a newer reading is of the same roll, so that this one stands.

        What a person corrected stands as long as no die moved, whatever the camera now
        reads; what a person entered whole stands until it is confirmed or rejected. A
        `legal` roll stands when dice are only missing: they were picked up to be rolled again.
        """
        if self.by_hand or self.read is None:
            return True
        old, new = as_seen(self.read), as_seen(proposal)
        followed = track_dice(old, new)
        if len(new) < len(old):
            return legal and none_rolled(followed, len(new))
        return len(new) == len(old) == len(followed) and all(
            distance_in_sides(old[die.before], new[die.now]) <= UNTOUCHED_SIDES
            and (self.touched or die.fate == "untouched")
            for die in followed
        )

    def followed_by(self, proposal: Proposal, since: datetime) -> PendingRoll:
        """A newer reading, with a person's corrections of dice that have not moved."""
        if self.read is None or not self.touched or self.by_hand:
            return PendingRoll.of(proposal, since)
        before = {die.box: die for die in self.dice}
        dice: list[TableDie | None] = list(proposal.sightings)
        followed = track_dice(as_seen(self.read), as_seen(proposal))
        for die in (each for each in followed if each.fate == "untouched"):
            known = before.get(self.read.sightings[die.before].box)
            if known is None:
                dice[die.now] = None
            elif known.corrected:
                seen = proposal.sightings[die.now]
                dice[die.now] = replace(known, box=seen.box, angle=seen.angle)
        left = tuple(die for die in dice if die is not None)
        fresh = PendingRoll.of(proposal, since)
        news = set(proposal.doubts) - set(self.read.doubts)
        return replace(fresh, dice=left, touched=left != fresh.dice and not news)


@dataclass(frozen=True, slots=True)
class ConfirmedReading:
    """A reading as it was confirmed by the events of this step, in the turn of that seat."""

    game_id: str
    step: int
    seat: int | None
    reading: PendingRoll | PiecesReading


def same_picture(one: Proposal, other: Proposal) -> bool:
    """Whether two readings are of the same picture of the table.

    Photos are compared by number; two of a camera's pictures are the same as long as everything
    lies in its place and shows the same.
    """
    if one.photo or other.photo:
        return one.photo and other.photo and one.frame == other.frame
    was, seen = as_seen(one), as_seen(other)
    followed = track_dice(was, seen)
    return (
        len(was) == len(seen) == len(followed)
        and all(die.fate == "untouched" for die in followed)
        and not pushed_together(was, seen, followed)
        and same_places(one, other)
    )
