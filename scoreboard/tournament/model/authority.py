"""Which role may give a command, who made a correction, and how a command is refused."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, TypedDict

from scoreboard.errors import NotationError, ScoreboardError
from scoreboard.message import message

Role = Literal["director", "referee", "table", "hub"]
DIRECTOR: Final[frozenset[Role]] = frozenset({"director"})
DIRECTOR_OR_HUB: Final[frozenset[Role]] = frozenset({"director", "hub"})
OFFICIALS: Final[frozenset[Role]] = frozenset({"director", "referee"})
ANYONE: Final[frozenset[Role]] = frozenset({"director", "referee", "table"})


class CommandRefusedError(ScoreboardError, ValueError):
    """A command cannot be carried out now; `message` names the fault and its cure."""


refused: Final = CommandRefusedError.worded


class Attribution(TypedDict):
    """Who, when and why, as keyword arguments of an attributed value."""

    by: str
    at: datetime
    why: str


@dataclass(frozen=True, kw_only=True)
class Attributed:
    """Who made a correction, when (with the time zone), and why. Raises NotationError."""

    by: str
    at: datetime
    why: str

    def __post_init__(self) -> None:
        if not self.by.strip() or not self.why.strip():
            raise NotationError(message("Say who corrects, and why: both are kept."))
        if self.at.tzinfo is None:
            raise NotationError(message("A recorded time needs its time zone."))

    @property
    def attribution(self) -> Attribution:
        """The three, for a command's event."""
        return {"by": self.by, "at": self.at, "why": self.why}
