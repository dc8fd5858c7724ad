"""What a hub's store refuses, in words."""

from __future__ import annotations

from collections.abc import Sequence

from scoreboard.errors import ConflictError
from scoreboard.message import message
from scoreboard.tournament.protocol.audit_log import TournamentRecord


def tournament_taken(tournament_id: str) -> ConflictError:
    """The refusal of a second tournament with the same id."""
    return ConflictError(
        message("A tournament “{tournament_id}” is stored already.", tournament_id=tournament_id)
    )


def tournament_moved_on(tournament_id: str, stored: int, expected: int) -> ConflictError:
    """The refusal of records that follow on something else than what is stored."""
    return ConflictError(
        message(
            "Tournament “{tournament_id}” has {stored} records, not {expected}: someone else was "
            "faster. Look again, then decide.",
            tournament_id=tournament_id,
            stored=stored,
            expected=expected,
        )
    )


def require_successive_records(
    tournament_id: str, expected: int, records: Sequence[TournamentRecord]
) -> None:
    """Check that the records count on from what is stored. Raises ConflictError."""
    for sequence, record in enumerate(records, start=expected + 1):
        if record.sequence != sequence:
            raise tournament_moved_on(tournament_id, expected, record.sequence - 1)


def of_another_table(game_id: str, holder: str) -> ConflictError:
    """The refusal of a table that delivers of another table's game."""
    return ConflictError(
        message(
            "Game “{game_id}” is delivered by table “{holder}”, and by no other.",
            game_id=game_id,
            holder=holder,
        )
    )


def account_taken(name: str) -> ConflictError:
    """The refusal of a second account with the same name."""
    return ConflictError(message("Somebody is called “{name}” already.", name=name))


def code_taken() -> ConflictError:
    """The refusal of a join code that was offered before."""
    return ConflictError(message("This code was offered before; draw another one."))
