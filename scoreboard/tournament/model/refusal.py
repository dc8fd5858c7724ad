"""What a tournament refuses, each with the fault and its cure in words."""

from __future__ import annotations

from scoreboard.errors import NotationError, ScoreboardError
from scoreboard.message import Message


class RefusedOrderError(ScoreboardError, ValueError):
    """An order that cannot be carried out now; `message` names the fault and what cures it."""


class FormatError(NotationError):
    """A format that cannot be played; `faults` are all that is wrong with it, each with its cure.

    `message` is the first of them.
    """

    def __init__(self, faults: tuple[Message, ...]) -> None:
        super().__init__(faults[0])
        self.faults = faults
