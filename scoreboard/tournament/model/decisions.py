"""What an order leads to: happenings, or a refusal that names the fault and its cure."""

from __future__ import annotations

from functools import reduce

from scoreboard.message import message
from scoreboard.tournament.model.commands import (
    Command,
    EntryOrder,
    Reopen,
    ResultOrder,
    RoundOrder,
)
from scoreboard.tournament.model.entry_decisions import decide_entry
from scoreboard.tournament.model.events import Event
from scoreboard.tournament.model.refusal import RefusedOrderError
from scoreboard.tournament.model.result_decisions import decide_result
from scoreboard.tournament.model.round_decisions import decide_round
from scoreboard.tournament.model.standing_decisions import decide_standing
from scoreboard.tournament.model.state_changes import evolve
from scoreboard.tournament.model.tournament import Tournament


def decide(state: Tournament, command: Command) -> tuple[Event, ...]:
    """The happenings that an order leads to, in order; the state is not changed.

    Raises:
        RefusedOrderError: the order cannot be carried out now.
        DrawError: so many cannot be seated as the format asks.
    """
    if state.finished and not isinstance(command, Reopen):
        raise RefusedOrderError(message("The tournament is finished: reopen it first."))
    if isinstance(command, EntryOrder):
        return decide_entry(state, command)
    if isinstance(command, RoundOrder):
        return decide_round(state, command)
    if isinstance(command, ResultOrder):
        return decide_result(state, command)
    return decide_standing(state, command)


def carried_out(state: Tournament, command: Command) -> Tournament:
    """The state after an order. Raises as `decide` does."""
    return reduce(evolve, decide(state, command), state)
