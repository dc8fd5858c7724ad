"""What an order leads to: happenings, or a refusal that names the fault and its cure."""

from __future__ import annotations

from functools import reduce

from scoreboard.phrase import phrase
from scoreboard.tournament.deciding_entries import decide_entry
from scoreboard.tournament.deciding_results import decide_result
from scoreboard.tournament.deciding_rounds import decide_round
from scoreboard.tournament.deciding_standings import decide_standing
from scoreboard.tournament.evolving import evolve
from scoreboard.tournament.happenings import Happening
from scoreboard.tournament.orders import EntryOrder, Order, Reopen, ResultOrder, RoundOrder
from scoreboard.tournament.refusal import RefusedOrderError
from scoreboard.tournament.tournament import Tournament


def decide(state: Tournament, order: Order) -> tuple[Happening, ...]:
    """The happenings that an order leads to, in order; the state is not changed.

    Raises:
        RefusedOrderError: the order cannot be carried out now.
        DrawError: so many cannot be seated as the format asks.
    """
    if state.finished and not isinstance(order, Reopen):
        raise RefusedOrderError(phrase("The tournament is finished: reopen it first."))
    if isinstance(order, EntryOrder):
        return decide_entry(state, order)
    if isinstance(order, RoundOrder):
        return decide_round(state, order)
    if isinstance(order, ResultOrder):
        return decide_result(state, order)
    return decide_standing(state, order)


def carried_out(state: Tournament, order: Order) -> Tournament:
    """The state after an order. Raises as `decide` does."""
    return reduce(evolve, decide(state, order), state)
