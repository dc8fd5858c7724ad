"""The pending throw: what the camera read and what a person made of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from scoreboard.dice import Roll
from scoreboard.phrase import Phrase
from scoreboard.table.places import LyingDie, is_same_throw, unmoved
from scoreboard.table.proposal import Box, Proposal

DOUBTFUL_BELOW: Final = 0.9  # a die read with less confidence is marked when there are doubts


@dataclass(frozen=True, slots=True)
class PendingDie:
    """One die of the pending throw; `told` when a person said what it shows."""

    face: int | None
    confidence: float = 1.0
    box: Box | None = None
    told: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """A throw that waits to be confirmed.

    `read` is what the camera read, None for a throw entered without one; `touched` when a
    person changed any die of it, `by_hand` when a person entered all; `doubts` are the
    camera's; `asked` when they were shown and a first press answered; `since` when the
    reading came, aware UTC.
    """

    dice: tuple[PendingDie, ...]
    since: datetime
    read: Proposal | None = None
    touched: bool = False
    by_hand: bool = False
    asked: bool = False

    @classmethod
    def of(cls, proposal: Proposal, since: datetime) -> Reading:
        """A fresh reading of the camera."""
        dice = tuple(
            PendingDie(seen.face, seen.confidence, seen.box) for seen in proposal.sightings
        )
        return cls(dice, since, proposal)

    @classmethod
    def entered(cls, roll: Roll, since: datetime, read: Proposal | None = None) -> Reading:
        """A throw entered by hand; `read` is the camera's reading that it replaces."""
        dice = tuple(PendingDie(face, told=True) for face in roll.faces)
        return cls(dice, since, read, touched=True, by_hand=True)

    @property
    def confidence(self) -> float:
        """The probability that all dice are right; 1 for what a person said."""
        return 1.0 if self.read is None or self.by_hand else self.read.confidence

    def is_doubtful(self, die: PendingDie) -> bool:
        """Whether a person should look at this die."""
        if die.told or self.read is None:
            return False
        return die.face is None or (bool(self.read.doubts) and die.confidence < DOUBTFUL_BELOW)

    @property
    def doubts(self) -> tuple[Phrase, ...]:
        """The camera's doubts that stand: they fall once a person corrected all doubtful dice."""
        if self.read is None or self.by_hand:
            return ()
        settled = self.touched and not any(map(self.is_doubtful, self.dice))
        return () if settled else self.read.doubts

    def told(self, die: int | None, face: int | None) -> Reading:
        """With one die corrected, deleted (no face) or added (no die).

        Raises:
            IndexError: the reading has no such die.
        """
        said = () if face is None else (face,)
        if die is None:
            dice = (*self.dice, *(PendingDie(one, told=True) for one in said))
        else:
            seen = self.dice[die]
            new = tuple(replace(seen, face=one, told=True) for one in said)
            dice = (*self.dice[:die], *new, *self.dice[die + 1 :])
        return replace(self, dice=dice, touched=True, asked=False)

    def outlasts(self, proposal: Proposal) -> bool:
        """Whether a newer reading is of the same throw, so that this one stands.

        What a person corrected stands as long as no die moved, whatever the camera now
        reads; what a person entered whole stands until it is confirmed or taken back.
        """
        if self.by_hand or self.read is None:
            return True
        old = self.read.sightings
        boxes = [seen.box for seen in proposal.sightings]
        if len(old) != len(boxes):
            return False
        if self.touched:
            return len(unmoved([seen.box for seen in old], boxes)) == len(old)
        # An unreadable die is no face: 0 matches only another unreadable one.
        lying = [LyingDie(seen.face or 0, seen.box) for seen in old]
        return is_same_throw(lying, [seen.face or 0 for seen in proposal.sightings], boxes)
