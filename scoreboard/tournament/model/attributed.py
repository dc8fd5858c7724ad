"""Who did something beside the ordinary course, when, and why."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from scoreboard.errors import NotationError
from scoreboard.message import message


@dataclass(frozen=True, slots=True, kw_only=True)
class Attributed:
    """What every correction keeps: who made it, when (with the time zone), and why.

    Raises:
        NotationError: one of the three is missing.
    """

    by: str
    at: datetime
    why: str

    def __post_init__(self) -> None:
        if not self.by.strip() or not self.why.strip():
            raise NotationError(message("Say who corrects, and why: both are kept."))
        if self.at.tzinfo is None:
            raise NotationError(message("A recorded time needs its time zone."))
