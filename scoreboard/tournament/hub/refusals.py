"""What the hub refuses, each with the fault and its cure in words."""

from __future__ import annotations

from scoreboard.errors import ConflictError, ScoreboardError
from scoreboard.message import message


class NotAllowedError(ScoreboardError, PermissionError):
    """Somebody asked for what their role may not do; `message` says who may."""


class UnknownTokenError(NotAllowedError):
    """A token that lets no table in: made up, expired or revoked."""

    def __init__(self) -> None:
        super().__init__(
            message("The hub does not know this table any more; join again with a new code.")
        )


class TooMuchError(ScoreboardError, ValueError):
    """A table tells more than any table has to tell; nothing of it is kept."""


def stale(seen: int, version: int) -> ConflictError:
    """The refusal of an order by someone who has not seen what happened since."""
    return ConflictError(
        message(
            "The event is at version {version}, and you have seen {seen}: look again, then decide.",
            version=version,
            seen=seen,
        )
    )
