"""Where a further five of a kind may go: the joker rule of Yahtzee's sheet (YZ-18, YB-4)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final

from scoreboard.dice import Roll
from scoreboard.games.dice.form import Box, Placement, Points
from scoreboard.games.dice.hands import alike

FIVE_ALIKE: Final = alike(5)


@dataclass(frozen=True, slots=True)
class Jokers:
    """Five alike, once the box `of` is filled, go first to the upper box of their number.

    Then to any lower box at its `joker` worth; else to an upper box at 0. `rule` decides
    that; an ordinary five alike is worth nothing in `unlike` boxes by the rule `ordinary`.
    A further one earns `bonus` points where the box `of` holds any.
    """

    of: str
    rule: str
    ordinary: str
    bonus: int
    unlike: frozenset[str] = field(
        default=frozenset({"full-house", "small-straight", "large-straight"})
    )

    def placements(
        self, boxes: tuple[Box, ...], roll: Roll, filled: Collection[str]
    ) -> tuple[Placement, ...]:
        """Every box that the roll may fill, in the card's order, when `filled` are taken."""
        empty = tuple(box for box in boxes if box.key not in filled)
        if FIVE_ALIKE(roll) and self.of in filled:
            return self._joker(empty, roll)
        return tuple(Placement(box, box.worth(roll), self._deciding(box, roll)) for box in empty)

    def further(self, points: Points, roll: Roll) -> int:
        """What a further five alike earns beside its box (YZ-17, YB-4)."""
        return self.bonus if FIVE_ALIKE(roll) and points[self.of] else 0

    def _joker(self, empty: tuple[Box, ...], roll: Roll) -> tuple[Placement, ...]:
        own = tuple(box for box in empty if box.face == roll.faces[0])
        lower = tuple(box for box in empty if box.section == "lower")
        return tuple(
            Placement(box, (box.joker or box.worth)(roll), self.rule)
            for box in own or lower or empty
        )

    def _deciding(self, box: Box, roll: Roll) -> str:
        return self.ordinary if FIVE_ALIKE(roll) and box.key in self.unlike else box.rule
