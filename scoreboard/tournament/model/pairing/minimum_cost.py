"""Minimum-cost matching: who plays whom so that the total cost of all pairs is lowest.

Three steps:

1. `Relaxation` solves the linear programme of a perfect matching with a few of its columns and
   rows: a row a player and one an odd set of score groups, of whom one at least plays outside (J.
   Edmonds, "Maximum matching and a polyhedron with 0,1-vertices", Journal of Research of the
   National Bureau of Standards 69B, 1965). Pairs that the solution misses are added. Its numbers
   are floating, so nothing is decided by them: they only say where to look.
2. `bound` turns them into whole numbers for players and odd sets. These bound the cost of every
   pairing once no pair costs less than its two players and the sets that it leaves (weak
   duality); so the proof is exact, wherever the numbers come from.
3. The blossom algorithm (J. Edmonds, "Paths, trees, and flowers", Canadian Journal of Mathematics
   17, 1965), as rustworkx has it, runs on the few pairs that the bound leaves. What it finds
   costs at most the bound and the excess up to which pairs were taken, so no other pair can be
   in a better matching. Where it costs more, it runs again with all pairs up to that excess.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

import highspy
import numpy as np
import rustworkx as rx
from numpy.typing import NDArray

Costs = NDArray[np.int64]
Mask = NDArray[np.bool_]
Ends = NDArray[np.int64]
_DUAL: Final = 1  # the simplex method to begin with
_PRIMAL: Final = 4  # the one that goes on from it after columns are added
_NOTHING: Final = np.array([], np.int32)
NEVER: Final = np.iinfo(np.int64).max  # the excess of a pair that is not allowed
_NEAREST: Final = 4  # pairs of each player to begin with in the own score group
_NEIGHBOURS: Final = 1  # and in each of the groups group
_DEAREST: Final = 1 << 59  # what staying alone costs at most
_MOST_LEVELS: Final = 64  # score groups taken as odd sets from the start
_LOOKS: Final = 20  # solutions of the relaxation before the search takes over
_MORE_PAIRS: Final = 6  # new pairs of each player who misses one
Pairs = tuple[tuple[int, int], ...]
_PAIRS_A_PLAYER: Final = 2  # pairs looked at first, for each player
_WIDENING: Final = 4


class Relaxation:
    """The linear relaxation of a perfect matching, with some of its pairs and odd sets.

    `unit` is the worth of one unit of the solver's costs; every player may also stay unpaired, for
    more than any pair costs, so that there is always a solution. Of each set one member at least
    plays someone outside.
    """

    def __init__(self, costs: Costs, alone: float, unit: float, sets: list[Mask]) -> None:
        self._costs, self._unit = costs, unit
        self.ends: Ends = np.empty((0, 2), np.int64)
        self._solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]
        self._solver.setOptionValue("output_flag", False)  # noqa: FBT003 - the solver's signature
        self._solver.setOptionValue("threads", 1)
        # for each player the rows of the programme: the own one, and those of the own sets
        self._rows = np.column_stack([np.eye(len(costs), dtype=bool), *sets])
        count = self._rows.shape[1]
        most = np.where(np.arange(count) < len(costs), 1.0, np.inf)
        self._solver.addRows(count, np.ones(count), most, 0, _NOTHING, _NOTHING, np.array([]))
        self._add_columns(np.full(len(costs), alone), self._rows)

    def add_pairs(self, ends: Ends) -> None:
        """Add pairs that are not there yet, given as rows of two places."""
        ones, others = ends.T
        self._add_columns(self._costs[ones, others], self._rows[ones] != self._rows[others])
        self._solver.setOptionValue("simplex_strategy", _PRIMAL if len(self.ends) else _DUAL)
        self.ends = np.vstack([self.ends, ends])

    def solve(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Twice each player's and each set's share of the cost."""
        self._solver.run()
        dual = np.array(self._solver.getSolution().row_dual)
        worth, players = np.rint(dual * self._unit * 2).astype(np.int64), len(self._costs)
        return worth[:players], np.maximum(worth[players:], 0)

    def _add_columns(self, costs: NDArray[Any], entries: Mask) -> None:
        columns, rows = np.nonzero(entries)
        count, starts = len(entries), np.searchsorted(columns, np.arange(len(entries)))
        least, most = np.zeros(count), np.full(count, np.inf)
        parts = (len(rows), starts.astype(np.int32), rows.astype(np.int32), np.ones(len(rows)))
        self._solver.addCols(count, costs / self._unit, least, most, *parts)


@dataclass(frozen=True, slots=True, eq=False)
class Bound:
    """`least` is twice the bound; a pairing with a pair costs its `excess` more, at least."""

    least: int
    excess: NDArray[np.int64]


def bound(costs: Costs, allowed: Mask, levels: NDArray[np.int64]) -> Bound:
    """The best bound from a few solutions of the relaxation; costs below 2^59.

    `levels` is the score group of each place, 0 the highest: odd groups, and odd unions of the
    highest groups, have someone who plays outside.
    """
    first = _first_pairs(costs, allowed, levels)
    dear = 2 * int(costs[first[:, 0], first[:, 1]].max(initial=1)) * (int(levels.max()) + 1)
    unit = float(np.median(np.where(allowed, costs, NEVER).min(axis=1)))  # the cheapest pairs'
    sets = _odd_levels(levels)
    relaxation = Relaxation(costs, float(min(dear, _DEAREST)), max(1.0, unit), sets)
    relaxation.add_pairs(first)
    best = Bound(0, np.where(allowed, 2 * costs, NEVER))
    for _ in range(_LOOKS):
        players, worth = relaxation.solve()
        excess = _excess(costs, players, sets, worth)
        found = _raised(excess, allowed, sum([*players.tolist(), *worth.tolist()]))
        best = found if found.least > best.least else best
        missed = _missed(excess, allowed, relaxation.ends)
        if not len(missed):
            break
        relaxation.add_pairs(missed)
    return best


def _first_pairs(costs: Costs, allowed: Mask, levels: NDArray[np.int64]) -> Ends:
    """Every player's cheapest pairs in the own score group and in adjacent ones."""
    found = [np.empty((0, 2), np.int64)]
    for level in range(int(levels.max()) + 1):
        ones = np.flatnonzero(levels == level)
        for group, most in ((level, _NEAREST), (level + 1, _NEIGHBOURS), (level - 1, _NEIGHBOURS)):
            others = np.flatnonzero(levels == group)
            if count := min(most, len(others)):
                among = np.ix_(ones, others)
                known = np.where(allowed[among], costs[among], NEVER)
                nearest = others[np.argpartition(known, count - 1, axis=1)[:, :count]]
                found.append(np.column_stack([np.repeat(ones, count), nearest.ravel()]))
    ends = np.unique(np.sort(np.vstack(found), axis=1), axis=0)
    return ends[allowed[ends[:, 0], ends[:, 1]]]


def _odd_levels(levels: NDArray[np.int64]) -> list[Mask]:
    """Odd score groups and odd unions of the highest, if they are few; a set is no single."""
    steps = np.unique(levels)
    if len(steps) > _MOST_LEVELS:
        return []
    sets = [levels == level for level in steps]
    sets += [levels <= level for level in steps[1:-1]]
    return [each for each in sets if each.sum() % 2 and 1 < each.sum() < len(levels) - 1]


def _excess(
    costs: Costs, players: NDArray[np.int64], sets: list[Mask], worth: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Twice the cost of each pair less twice what its players and the sets it leaves are worth.

    A set's worth is taken from all its members' pairs and given back to the pairs inside; a
    large set is taken by those outside, who leave it by the same pairs.
    """
    smaller = [each if 2 * each.sum() <= len(each) else ~each for each in sets]
    taken = players.copy()
    for members, value in zip(smaller, worth, strict=True):
        taken[members] += value
    excess = 2 * costs - taken[:, None] - taken[None, :]
    for members, value in zip(smaller, worth, strict=True):
        if value:
            inside = np.flatnonzero(members)
            excess[np.ix_(inside, inside)] += 2 * value
    return np.asarray(excess)


def _raised(excess: NDArray[np.int64], allowed: Mask, least: int) -> Bound:
    """The bound, lowered until no allowed pair undercuts it."""
    known = np.where(allowed, excess, NEVER)
    lower = np.minimum(known.min(axis=1), 0)
    known = np.where(allowed, excess - lower[:, None] - lower[None, :], NEVER)
    return Bound(least + sum(lower.tolist()), known)


def _missed(excess: NDArray[np.int64], allowed: Mask, ends: Ends) -> Ends:
    """New pairs of players who have one that costs less than they are worth: their cheapest."""
    known = np.where(allowed, excess, NEVER)
    known[ends[:, 0], ends[:, 1]] = known[ends[:, 1], ends[:, 0]] = NEVER
    players = np.flatnonzero(known.min(axis=1) < 0)
    count = min(_MORE_PAIRS, len(excess) - 1)
    cheapest = np.argpartition(known[players], count - 1, axis=1)[:, :count]
    missed = np.column_stack([np.repeat(players, count), cheapest.ravel()])
    missed = missed[known[missed[:, 0], missed[:, 1]] < NEVER]
    return np.unique(np.sort(missed, axis=1), axis=0)


def cheapest_pairs(costs: Costs, allowed: Mask, levels: NDArray[np.int64]) -> Pairs | None:
    """The pairs of a perfect matching of least cost, the lower place first; None without one.

    `costs` is symmetric and below 2^59, `allowed` marks the possible pairs (None of a place with
    itself). `levels`, the score group of each place, only saves time.
    """
    players = len(costs)
    if not players:
        return ()
    if players % 2 or not allowed.any(axis=1).all():
        return None
    found = bound(costs, allowed, levels)
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
    """The same if every pair is allowed, for costs without a limit; all pairs are considered."""
    ends = combinations(range(len(costs)), 2)
    return heaviest_pairs(((one, other, -costs[one][other]) for one, other in ends), most=True)


def _matched(costs: Costs, ends: Ends) -> Pairs:
    ones, others = ends.T
    edges = zip(ones.tolist(), others.tolist(), (-costs[ones, others]).tolist(), strict=True)
    return heaviest_pairs(edges, most=True)


def heaviest_pairs(edges: Iterable[tuple[int, int, int]], *, most: bool = False) -> Pairs:
    """The matching of the greatest weight, below 2^126; with `most`, of as many pairs as can be."""
    graph: rx.PyGraph[None, int] = rx.PyGraph(multigraph=False)
    graph.extend_from_weighted_edge_list(list(edges))
    pairs = rx.max_weight_matching(graph, max_cardinality=most, weight_fn=int)
    return tuple(sorted((min(pair), max(pair)) for pair in pairs))
