"""The table's messages when the dice seen are no roll, or may be misunderstood."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from scoreboard.dice import Roll
from scoreboard.message import Message, message

UNREADABLE: Final = message("A die can’t be read: tap it and enter what it shows.")
NONE_ROLLED: Final = message("All dice are marked as kept: tap the ones that were re-rolled.")
SAME_DICE: Final = message("Same dice as before. Rolled? KEEP = yes, REROLL = no.")


@dataclass(frozen=True, slots=True)
class Question:
    """A die in the place of one that showed `was` shows `now`: only a person knows why.

    `die` is its index among those seen; `kept` the index in the last roll of the die that
    a person marked as kept there, None without a mark.
    """

    die: int
    was: int
    now: int
    kept: int | None = None

    @property
    def text(self) -> Message:
        if self.kept is None:
            return message(
                "A die in the same place showed {was} and now shows {now}: was it re-rolled?",
                was=self.was,
                now=self.now,
            )
        return message(
            "A kept {was} now shows {now}: was it turned over, or misread?",
            was=self.was,
            now=self.now,
        )


@dataclass(frozen=True, slots=True)
class CountQuestion:
    """How many dice are seen of how many expected; `in_tray` when all must be in it.

    With a calibrated tray nothing beyond it is seen, so that a missing die is off it.
    """

    seen: int
    due: int
    in_tray: bool = False

    @property
    def off_tray(self) -> int:
        return max(0, self.due - self.seen) if self.in_tray else 0

    @property
    def of_all(self) -> Message:
        """When all dice were rolled, and not all are seen, or too many."""
        if self.seen > self.due:
            return message(
                "{seen} dice instead of {dice}: remove the others, or delete them here.",
                seen=self.seen,
                dice=self.due,
            )
        if self.off_tray:
            return _off_the_tray(self.off_tray)
        return message(
            "Only {seen} of {dice} dice so far: add the missing ones.",
            seen=self.seen,
            dice=self.due,
        )

    @property
    def of_rolled(self) -> Message:
        """When it is known what was kept, and of the others not all are seen."""
        if self.off_tray:
            return _off_the_tray(self.off_tray)
        return message(
            "Only {seen} of the {dice} rolled dice so far: add the missing ones, or "
            "tap the dice you kept.",
            seen=self.seen,
            dice=self.due,
        )

    @property
    def of_unknown(self) -> Message:
        """When not all are seen, and nothing is marked as kept."""
        if self.in_tray:
            return message(
                "{seen} of {dice} dice are in the tray. Tap the dice you kept; re-roll "
                "any other die that is off the tray.",
                seen=self.seen,
                dice=self.due,
            )
        return message(
            "Only {seen} of {dice} dice so far. Tap the dice you kept.",
            seen=self.seen,
            dice=self.due,
        )


def turned(face: int) -> Message:
    """About a die that moved a little and turned, and shows the same."""
    return message(
        "A {face} moved a little and turned: if you kept it, tap it in the last roll.", face=face
    )


def near_kept(face: int) -> Message:
    """About a die that must have been rolled by number, and is next to a kept one's place."""
    return message("A {face} is where the kept one was: was it rolled?", face=face)


def hidden(dice: int) -> Message:
    """About more kept values seen than there should be kept dice."""
    return message(
        "The kept dice may all be here, and {dice} of the rolled ones missing: count them.",
        dice=dice,
    )


def missing(kept: Roll, roll: Roll) -> Message:
    """About kept dice whose values are not among those seen."""
    return message(
        "The kept {missing} is not in {roll}: fix the reading, or tap the dice you kept.",
        missing=str(kept),
        roll=str(roll),
    )


def too_many(seen: int, kept: Roll, thrown: int) -> Message:
    """About dice seen that are neither as many as were rolled nor known as kept ones."""
    return message(
        "Dice seen: {seen}. Kept: {kept}, so {thrown} were rolled. Fix the "
        "reading, or tap the dice you kept.",
        seen=seen,
        kept=str(kept) or "-",
        thrown=thrown,
    )


def _off_the_tray(dice: int) -> Message:
    if dice == 1:
        return message("A die is off the tray: re-roll just that die.")
    return message("{dice} dice are off the tray: re-roll just those.", dice=dice)
