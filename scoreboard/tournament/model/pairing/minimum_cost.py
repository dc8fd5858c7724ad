"""Who plays whom so that the costs of all pairs add up to the least: minimum-cost matching.

The blossom algorithm (J. Edmonds, "Paths, trees, and flowers", Canadian Journal of Mathematics
17, 1965) as rustworkx has it, on the few pairs that a bound leaves: what it finds costs at most
the bound and the excess up to which pairs were taken, so no other pair can be in a better
matching. Where it costs more, pairs up to that excess are taken and it is done again.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import rustworkx as rx
from numpy.typing import NDArray

from scoreboard.tournament.model.pairing.bound import NEVER, bound
from scoreboard.tournament.model.pairing.relaxation import Costs, Ends, Mask

Pairs = tuple[tuple[int, int], ...]
_PAIRS_A_PLAYER: Final = 2  # pairs looked at first, for each player
_WIDENING: Final = 4


def cheapest_pairs(
    costs: Costs, allowed: Mask, levels: NDArray[np.int64], kinds: NDArray[np.int64]
) -> Pairs | None:
    """The pairs of a perfect matching of least cost, the lower place first; None without one.

    `costs` is symmetric and below 2^59, `allowed` says which pairs may be (None of a place with
    itself). `levels`, the score group of each place, and `kinds`, who are alike in one, only
    save time.
    """
    players = len(costs)
    if not players:
        return ()
    if players % 2 or not allowed.any(axis=1).all():
        return None
    found = bound(costs, allowed, levels, kinds)
    upper = np.triu(found.excess != NEVER, 1)
    excesses = np.sort(found.excess[upper])
    count = min(_PAIRS_A_PLAYER * players, len(excesses))
    while True:
        limit = int(excesses[count - 1])
        pairs = _matched(costs, np.argwhere(upper & (found.excess <= limit)))
        if 2 * len(pairs) == players:
            break
        if count == len(excesses):
            return None
        count = min(_WIDENING * count, len(excesses))
    over = 2 * sum(int(costs[pair]) for pair in pairs) - found.least
    if over > limit:
        pairs = _matched(costs, np.argwhere(upper & (found.excess <= over)))
    return pairs


def cheapest_at_any_price(costs: list[list[int]]) -> Pairs:
    """The same where every pair may be, for costs without a limit; all pairs are looked at."""
    players = len(costs)
    ends = [(one, other) for one in range(players) for other in range(one + 1, players)]
    return _heaviest(players, [(one, other, -costs[one][other]) for one, other in ends])


def _matched(costs: Costs, ends: Ends) -> Pairs:
    weights = (-costs[ends[:, 0], ends[:, 1]]).tolist()
    ones, others = ends[:, 0].tolist(), ends[:, 1].tolist()
    return _heaviest(len(costs), list(zip(ones, others, weights, strict=True)))


def _heaviest(players: int, edges: list[tuple[int, int, int]]) -> Pairs:
    """As many pairs as can be and, among those, of the greatest weight."""
    graph: rx.PyGraph[None, int] = rx.PyGraph(multigraph=False)
    graph.add_nodes_from([None] * players)
    graph.add_edges_from(edges)
    pairs = rx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return tuple(sorted((min(pair), max(pair)) for pair in pairs))
