"""What every store refuses, in the same words."""

from __future__ import annotations

from collections.abc import Sequence

from scoreboard.errors import ConflictError
from scoreboard.games.engine.transcript import RecordedEvent
from scoreboard.message import message


def taken(game_id: str) -> ConflictError:
    """The refusal of a second game with the same id."""
    return ConflictError(message("A game “{game_id}” is stored already.", game_id=game_id))


def moved_on(game_id: str, stored: int, expected: int) -> ConflictError:
    """The refusal of events that follow on something else than what is stored."""
    return ConflictError(
        message(
            "Game “{game_id}” has {stored} events, not {expected}: something else wrote to it.",
            game_id=game_id,
            stored=stored,
            expected=expected,
        )
    )


def require_successive(game_id: str, expected: int, events: Sequence[RecordedEvent]) -> None:
    """Check that the events are this game's and count on from what is stored.

    Raises:
        ConflictError: an event belongs to another game or leaves a gap.
    """
    for sequence, record in enumerate(events, start=expected + 1):
        if (record.game_id, record.sequence) != (game_id, sequence):
            raise moved_on(game_id, expected, record.sequence - 1)
