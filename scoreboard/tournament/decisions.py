"""What an order leads to: happenings, or a refusal that names the fault and its cure."""

from __future__ import annotations

from functools import reduce

from scoreboard.message import message
from scoreboard.tournament.commands import Command, EntryOrder, Reopen, ResultOrder, RoundOrder
from scoreboard.tournament.entry_decisions import decide_entry
from scoreboard.tournament.events import Event
from scoreboard.tournament.refusal import RefusedOrderError
from scoreboard.tournament.result_decisions import decide_result
from scoreboard.tournament.round_decisions import decide_round
from scoreboard.tournament.standing_decisions import decide_standing
from scoreboard.tournament.state_changes import evolve
from scoreboard.tournament.tournament import Tournament


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
