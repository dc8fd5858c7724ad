"""Who may give which order: by role, and for tables and players only what is their own."""

from __future__ import annotations

from typing import Final, assert_never

from scoreboard.message import message
from scoreboard.tournament.hub.refusals import NotAllowedError
from scoreboard.tournament.model.authority import Role
from scoreboard.tournament.model.disputes import Dispute, Sign
from scoreboard.tournament.model.results import ReportResult, SubmitScore, TakeResultBack
from scoreboard.tournament.model.tournament import Command, Tournament, may_command
from scoreboard.tournament.protocol.audit_log import Actor, ActorRole

OF_A_TABLE: Final = ReportResult | TakeResultBack | Sign | Dispute


def table_actor(number: int) -> Actor:
    """The table with this number, as the logbook calls it."""
    return Actor("table", str(number))


def player_actor(entrant: int) -> Actor:
    """The player with this entry number, as the logbook calls them."""
    return Actor("player", str(entrant))


def require_may(state: Tournament, actor: Actor, command: Command) -> None:
    """Check that the actor may give the order at all.

    A table orders for itself alone. A player reports for the table where they sit, signs and
    disputes in their own name, and has no other order.

    Raises:
        NotAllowedError: the role may not, or it is another's table or name.
    """
    role = _role(actor.role)
    if role is None or not may_command(role, command):
        raise NotAllowedError(
            message("This is for others to do: ask the director or the referee of the event.")
        )
    if role == "table" and not _is_own(state, actor, command):
        raise NotAllowedError(message("Tables and players give results of their own alone."))


def require_director(actor: Actor) -> None:
    """Check that the actor directs. Raises NotAllowedError."""
    if actor.role != "director":
        raise NotAllowedError(message("This is for the director to do."))


def _role(role: ActorRole) -> Role | None:
    match role:
        case "director" | "referee" | "table":
            return role
        case "player":
            return "table"
        case "hub":
            return None
        case _:
            assert_never(role)


def _is_own(state: Tournament, actor: Actor, command: Command) -> bool:
    if actor.role == "table":
        return isinstance(command, SubmitScore) or _table_of(command) == actor.name
    match command:
        case Sign(entrant=entrant) | Dispute(entrant=entrant) | SubmitScore(entrant=entrant):
            return str(entrant) == actor.name
        case ReportResult(round=number, table=at) if 1 <= number <= len(state.rounds):
            table = state.rounds[number - 1].table(at)
            return table is not None and actor.name in map(str, table.seats)
    return False


def _table_of(command: Command) -> str | None:
    return str(command.table) if isinstance(command, OF_A_TABLE) else None
