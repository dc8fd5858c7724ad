"""What became of a message, before it is known which version shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from scoreboard.message import Message, message
from scoreboard.table.requests import Verdict

CHANGED_MEANWHILE: Final = message(
    "The table changed just before that press; nothing was done. Check and press again."
)
MOVED_ON: Final = message("That tap came too late; nothing changed. Check and tap again.")


@dataclass(frozen=True, slots=True)
class Reply:
    """The verdict on a message, and what is told of it."""

    verdict: Verdict = "done"
    notice: Message | None = None


UNCHANGED: Final = Reply("unchanged")
TOO_LATE: Final = Reply("stale", MOVED_ON)
TOO_EARLY: Final = Reply("stale", CHANGED_MEANWHILE)
