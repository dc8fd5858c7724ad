"""The rows of a card that fill themselves, as makers of sums."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from scoreboard.games.dice.form import Points

FURTHER = "further-bonus"  # under this key a card tells what was earned beside its boxes
Sum = Callable[[Points], int | None]


def added(*keys: str) -> Sum:
    """The sum of these rows; what is empty counts as none."""
    return lambda points: sum(points[key] or 0 for key in keys)


@dataclass(frozen=True, slots=True)
class Bonus:
    """Points for reaching a goal, and some for each point above it (YZ-9, YM-2)."""

    of: str
    goal: int
    points: int
    each_above: int = 0

    def __call__(self, points: Points) -> int:
        """What is earned now."""
        above = (points[self.of] or 0) - self.goal
        return 0 if above < 0 else self.points + self.each_above * above

    def missing(self, points: Points) -> int:
        """How many points are missing to the goal, 0 once it is reached (YB-3)."""
        return max(0, self.goal - (points[self.of] or 0))


def difference(more: str, less: str) -> Sum:
    """The one minus the other, never below 0; None until both are filled (YM-4)."""

    def sum_of(points: Points) -> int | None:
        one, other = points[more], points[less]
        return None if one is None or other is None else max(0, one - other)

    return sum_of
