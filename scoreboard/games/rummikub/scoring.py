"""What a round brings: plus for its winner, minus for the others, zero together."""

from __future__ import annotations

from collections.abc import Sequence

Scores = tuple[int, ...]


def after_rummikub(costs: Sequence[int], winner: int) -> Scores:
    """RK-11: who emptied the rack gets what all other racks cost, in seat order.

    `costs` are the racks' sums, the winner's 0.
    """
    return tuple(sum(costs) if seat == winner else -cost for seat, cost in enumerate(costs))


def after_stalemate(costs: Sequence[int], to_play: int) -> Scores:
    """RK-13: the lowest rack wins what the others hold more than it, in seat order.

    Several with the lowest share, rounded down; the remainder goes to the first of them in turn
    order from `to_play` on, the seat after the player who laid nothing.
    """
    lowest = min(costs)
    losses = [cost - lowest for cost in costs]
    winners = [seat for seat, loss in enumerate(losses) if not loss]
    share, rest = divmod(sum(losses), len(winners))
    first = min(winners, key=lambda seat: (seat - to_play) % len(costs))
    return tuple(
        share + (rest if seat == first else 0) if seat in winners else -loss
        for seat, loss in enumerate(losses)
    )
