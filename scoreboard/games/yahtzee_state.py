"""Where a game of Yahtzee stands: the cards, whose turn it is, and what its dice show."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

from scoreboard.dice import NO_DICE, Roll
from scoreboard.games.yahtzee_boxes import BOXES, DICE, KEYS, UPPER_BONUS, UPPER_GOAL

ROLLS_ALLOWED: Final = 3
Opening = Literal["roll-off", "first", "over"]


@dataclass(frozen=True, slots=True)
class Card:
    """One player's card: each box's points in the sheet's order, None while empty.

    `yahtzee_bonus` is the sum of the bonuses earned (YZ-17).
    """

    points: tuple[int | None, ...] = (None,) * len(BOXES)
    yahtzee_bonus: int = 0

    def __getitem__(self, key: str) -> int | None:
        return self.points[KEYS.index(key)]

    @property
    def filled(self) -> frozenset[str]:
        """The keys of the boxes that hold points."""
        return frozenset(
            key for key, points in zip(KEYS, self.points, strict=True) if points is not None
        )

    @property
    def is_full(self) -> bool:
        """Whether every box is filled (YZ-19)."""
        return None not in self.points

    def with_score(self, key: str, points: int, bonus: int) -> Card:
        """The card after filling one box."""
        at = KEYS.index(key)
        boxes = (*self.points[:at], points, *self.points[at + 1 :])
        return Card(boxes, self.yahtzee_bonus + bonus)

    @property
    def totals(self) -> dict[str, int]:
        """The card's totals under their row keys, in the sheet's order (YZ-9, YZ-19)."""
        upper, lower = self._sum("upper"), self._sum("lower")
        bonus = UPPER_BONUS if upper >= UPPER_GOAL else 0
        return {
            "upper": upper,
            "bonus": bonus,
            "upper-total": upper + bonus,
            "lower": lower,
            "yahtzee-bonus": self.yahtzee_bonus,
            "grand": upper + bonus + lower + self.yahtzee_bonus,
        }

    def _sum(self, section: str) -> int:
        rows = zip(BOXES, self.points, strict=True)
        return sum(points or 0 for box, points in rows if box.section == section)


@dataclass(frozen=True, slots=True)
class StartThrow:
    """One player's throw for the start (YZ-2)."""

    seat: int
    roll: Roll


@dataclass(frozen=True, slots=True)
class Throws:
    """The dice of one turn.

    `made` counts the rolls, `roll` is the last one, `held` what was kept before it and so
    had to be in it, `kept` what was announced as kept since.
    """

    made: int = 0
    roll: Roll | None = None
    held: Roll = NO_DICE
    kept: Roll | None = None

    @property
    def stood(self) -> bool:
        """Whether rolling is over: the third roll is made, or every die was kept (YZ-4)."""
        all_kept = self.kept is not None and len(self.kept) == DICE
        return self.made == ROLLS_ALLOWED or all_kept

    def then(self, roll: Roll) -> Throws:
        """After one more roll."""
        return Throws(self.made + 1, roll, self.kept or NO_DICE)

    def showing(self, roll: Roll) -> Throws:
        """With another last roll; an announcement that no longer fits it is dropped."""
        fits = self.kept is not None and not self.kept.missing_from(roll).faces
        return replace(self, roll=roll, kept=self.kept if fits else None)


@dataclass(frozen=True, slots=True)
class State:
    """A game of Yahtzee between two events.

    `cards` and `gone` (who left) go by seat; `seat` is whose turn it is once `opening` is
    "over", that is, from the first counted roll on; before it `start_throws` decide (YZ-2),
    or the first named starts ("first"). `turns` counts the turns that ended.
    """

    players: tuple[str, ...]
    cards: tuple[Card, ...]
    gone: tuple[bool, ...]
    opening: Opening = "roll-off"
    start_throws: tuple[StartThrow, ...] = ()
    seat: int = 0
    turns: int = 0
    throws: Throws = Throws()

    @property
    def staying(self) -> tuple[int, ...]:
        """The seats of the players still at the table."""
        return tuple(seat for seat, gone in enumerate(self.gone) if not gone)

    @property
    def is_finished(self) -> bool:
        """Whether everyone who stayed has filled their card (YZ-19)."""
        return all(self.cards[seat].is_full for seat in self.staying)
