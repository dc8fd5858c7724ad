"""Minimum-cost matching: who plays whom so that the costs of all pairs add up to the least.

Three steps:

1. `Relaxation` solves the linear programme of a perfect matching with a few of its columns and
   rows: a row a player and one an odd set of players, of whom one at least plays outside (J.
   Edmonds, "Maximum matching and a polyhedron with 0,1-vertices", Journal of Research of the
   National Bureau of Standards 69B, 1965). Pairs and sets that the solution misses are added.
   Its numbers are floating, so nothing is decided by them: they only say where to look.
2. `bound` turns them into whole numbers for players and odd sets. These bound the cost of every
   pairing once no pair costs less than its two players and the sets that it leaves (weak
   duality); so the proof is exact, wherever the numbers come from.
3. The blossom algorithm (J. Edmonds, "Paths, trees, and flowers", Canadian Journal of Mathematics
   17, 1965), as rustworkx has it, runs on the few pairs that the bound leaves. What it finds
   costs at most the bound and the excess up to which pairs were taken, so no other pair can be
   in a better matching. Where it costs more, it runs again with all pairs up to that excess.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import highspy
import numpy as np
import rustworkx as rx
from numpy.typing import NDArray

Flows = dict[int, dict[int, float]]
_SMALL: Final = 1e-6
_HALF_WAY: Final = 0.5


Costs = NDArray[np.int64]
Mask = NDArray[np.bool_]
Ends = NDArray[np.int64]
_DUAL: Final = 1  # the simplex method that goes on from a solution after rows are added
_PRIMAL: Final = 4  # the one that goes on from it after columns are added
_NOTHING: Final = np.array([], np.int32)
NEVER: Final = np.iinfo(np.int64).max  # the excess of a pair that is not allowed
_NEAREST: Final = 4  # pairs of each player to begin with, of each kind in the own score group
_NEIGHBOURS: Final = 1  # and of each kind in each of the groups beside
_DEAREST: Final = 1 << 59  # what staying alone costs at most
_MOST_LEVELS: Final = 64  # score groups taken as odd sets from the start
_LOOKS: Final = 20  # solutions of the relaxation before the search takes over
_MORE_PAIRS: Final = 6  # new pairs of each player who misses one
Pairs = tuple[tuple[int, int], ...]
_PAIRS_A_PLAYER: Final = 2  # pairs looked at first, for each player
_WIDENING: Final = 4


def odd_cuts(used: Mapping[tuple[int, int], float]) -> list[frozenset[int]]:
    """Odd sets of players that a fractional matching leaves by less than one pair.

    `used` is how much of each pair is used; each player's pairs add up to one. What is used falls
    apart into components. One of odd size is such a set. In one of even size the lightest odd cut
    is among those of a cut tree (M. W. Padberg and M. R. Rao, "Odd minimum cut-sets and
    b-matchings", Mathematics of Operations Research 7, 1982), built by one flow less than there
    are players (D. Gusfield, "Very simple methods for all pairs network flow analysis", SIAM
    Journal on Computing 19, 1990).
    """
    graph: Flows = {}
    for (one, other), part in used.items():
        if _SMALL < part < 1 - _SMALL:
            graph.setdefault(one, {})[other] = part
            graph.setdefault(other, {})[one] = part
    found: set[frozenset[int]] = set()
    for component in _components(graph, 0.0):
        if len(component) % 2:
            found.add(component)
        else:
            inside = {one: dict(graph[one]) for one in sorted(component)}
            guesses = {each for each in _components(inside, _HALF_WAY) if _is_cut(inside, each)}
            found |= guesses or set(_tree_cuts(inside))
    return sorted(found, key=sorted)


def _is_cut(graph: Flows, members: frozenset[int]) -> bool:
    leaving = sum(
        part for one in members for other, part in graph[one].items() if other not in members
    )
    return len(members) % 2 == 1 and leaving < 1 - _SMALL


def _tree_cuts(graph: Flows) -> Iterator[frozenset[int]]:
    """The odd cuts below one among those that separate each player from its parent."""
    players = list(graph)
    parent = dict.fromkeys(players, players[0])
    for one in players[1:]:
        other = parent[one]
        side = _lightest_cut(graph, one, other)
        if _is_cut(graph, side):
            yield side
        for each in players:
            if each != one and each in side and parent[each] == other:
                parent[each] = one
        if parent[other] in side:
            parent[one], parent[other] = parent[other], one


def _lightest_cut(graph: Flows, source: int, sink: int) -> frozenset[int]:
    """The source's side of a least cut, by shortest augmenting paths."""
    left = {one: dict(parts) for one, parts in graph.items()}
    while True:
        before = _reached(left, source)
        if sink not in before:
            return frozenset(before)
        path = [sink]
        while path[-1] != source:
            path.append(before[path[-1]])
        steps = list(zip(path[1:], path, strict=False))
        flow = min(left[one][other] for one, other in steps)
        for one, other in steps:
            left[one][other] -= flow
            left[other][one] += flow


def _reached(left: Flows, source: int) -> dict[int, int]:
    """Everybody whom the source reaches, each with whom it was reached from."""
    before, queue = {source: source}, deque([source])
    while queue:
        one = queue.popleft()
        for other, part in left[one].items():
            if part > _SMALL and other not in before:
                before[other] = one
                queue.append(other)
    return before


def _components(graph: Flows, above: float) -> list[frozenset[int]]:
    """The sets that hang together by pairs of which more than `above` is used."""
    strong = {
        one: {other: part for other, part in parts.items() if part > above}
        for one, parts in graph.items()
    }
    found: list[frozenset[int]] = []
    seen: set[int] = set()
    for one in strong:
        if one not in seen:
            found.append(frozenset(_reached(strong, one)))
            seen |= found[-1]
    return found


class Relaxation:
    """The linear relaxation of a perfect matching, with some of its pairs and odd sets.

    `unit` is what one unit of the solver's costs is worth; every player may also stay alone,
    for more than any pair costs, so that there is always a solution.
    """

    def __init__(self, costs: Costs, alone: float, unit: float) -> None:
        self._costs, self._unit = costs, unit
        self.sets: list[Mask] = []
        self.ends: Ends = np.empty((0, 2), np.int64)
        self.alone = np.arange(len(costs))
        self._solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]
        self._solver.setOptionValue("output_flag", False)  # noqa: FBT003 - the solver's signature
        self._solver.setOptionValue("threads", 1)
        once = np.ones(len(costs))
        self._solver.addRows(len(costs), once, once, 0, _NOTHING, _NOTHING, np.array([]))
        self._add_columns(np.full(len(costs), alone / unit), self.alone[:, None].tolist())

    def add_pairs(self, ends: Ends) -> None:
        """Add pairs that are not there yet, given as rows of two places."""
        rows = [ends, *(self._crossing(each, ends) for each in self.sets)]
        entries: list[list[int]] = [list(pair) for pair in rows[0].tolist()]
        for number, crossing in enumerate(rows[1:], start=len(self._costs)):
            for pair in np.flatnonzero(crossing).tolist():
                entries[pair].append(number)
        self._add_columns(self._costs[ends[:, 0], ends[:, 1]] / self._unit, entries)
        self._solver.setOptionValue("simplex_strategy", _PRIMAL if len(self.ends) else _DUAL)
        self.ends = np.vstack([self.ends, ends])

    def add_sets(self, sets: Iterable[Mask]) -> None:
        """Add odd sets; of each, one member at least plays with somebody outside."""
        self._solver.setOptionValue("simplex_strategy", _DUAL)
        for each in sets:
            columns = len(self._costs) + np.flatnonzero(self._crossing(each, self.ends))
            alone = self.alone[each]
            self.sets.append(each)
            inside = np.concatenate([alone, columns]).astype(np.int32)
            self._solver.addRow(1.0, np.inf, len(inside), inside, np.ones(len(inside)))

    def solve(self) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
        """The used part of each pair; twice what each player and each set adds to the cost."""
        self._solver.run()
        solution = self._solver.getSolution()
        used = np.array(solution.col_value)[len(self._costs) :]
        worth = np.rint(np.array(solution.row_dual) * self._unit * 2).astype(np.int64)
        players = len(self._costs)
        return used, worth[:players], np.maximum(worth[players:], 0)

    def odd_sets(self, used: NDArray[np.float64]) -> list[Mask]:
        """Odd sets that this solution leaves by less than one pair."""
        parts = np.flatnonzero(used > 0)
        pairs = map(tuple, self.ends[parts].tolist())
        found = odd_cuts(dict(zip(pairs, used[parts].tolist(), strict=True)))
        return [np.isin(self.alone, sorted(each)) for each in found]

    def _crossing(self, members: Mask, ends: Ends) -> Mask:
        return np.asarray(members[ends[:, 0]] != members[ends[:, 1]])

    def _add_columns(self, costs: NDArray[np.float64], entries: list[list[int]]) -> None:
        count, lengths = len(entries), [len(each) for each in entries]
        starts = np.cumsum([0, *lengths[:-1]]).astype(np.int32)
        rows = np.array([row for each in entries for row in each], np.int32)
        self._solver.addCols(
            count,
            costs.astype(np.float64),
            np.zeros(count),
            np.full(count, np.inf),
            len(rows),
            starts,
            rows,
            np.ones(len(rows)),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Bound:
    """`least` is twice the bound; a pairing with a pair costs its `excess` more, at least."""

    least: int
    excess: NDArray[np.int64]


def bound(
    costs: Costs, allowed: Mask, levels: NDArray[np.int64], kinds: NDArray[np.int64]
) -> Bound:
    """The best bound that a few looks at the relaxation give; costs below 2^59.

    `levels` tells the score group of each place, 0 the highest: odd groups, and odd unions of
    the highest groups, have somebody who plays outside. `kinds` tells who are alike in a group.
    """
    first = _first_pairs(costs, allowed, levels, kinds)
    dear = 2 * int(costs[first[:, 0], first[:, 1]].max(initial=1)) * (int(levels.max()) + 1)
    unit = float(np.median(np.where(allowed, costs, NEVER).min(axis=1)))  # the cheapest pairs'
    relaxation = Relaxation(costs, float(min(dear, _DEAREST)), max(1.0, unit))
    relaxation.add_pairs(first)
    relaxation.add_sets(_odd_levels(levels))
    best = Bound(0, np.where(allowed, 2 * costs, NEVER))
    for _ in range(_LOOKS):
        used, players, sets = relaxation.solve()
        excess = _excess(costs, players, relaxation.sets, sets)
        found = _raised(excess, allowed, sum([*players.tolist(), *sets.tolist()]))
        best = found if found.least > best.least else best
        missed = _missed(excess, allowed, relaxation.ends)
        if len(missed):
            relaxation.add_pairs(missed)
        elif odd := relaxation.odd_sets(used):
            relaxation.add_sets(odd)
        else:
            break
    return best


def _first_pairs(
    costs: Costs, allowed: Mask, levels: NDArray[np.int64], kinds: NDArray[np.int64]
) -> Ends:
    """Every player's cheapest pairs with each kind of the own score group and of those beside."""
    found = [np.empty((0, 2), np.int64)]
    for level in range(int(levels.max()) + 1):
        ones = np.flatnonzero(levels == level)
        for beside, most in ((level, _NEAREST), (level + 1, _NEIGHBOURS), (level - 1, _NEIGHBOURS)):
            for kind in (-1, 0, 1):
                others = np.flatnonzero((levels == beside) & (kinds == kind))
                found.append(_cheapest(costs, allowed, (ones, others), most))
    return np.unique(np.sort(np.vstack(found), axis=1), axis=0)


def _cheapest(
    costs: Costs, allowed: Mask, sides: tuple[NDArray[np.int64], NDArray[np.int64]], most: int
) -> Ends:
    """For each of the one side the cheapest pairs with some of the other."""
    ones, others = sides
    count = min(most, len(others))
    if not count:
        return np.empty((0, 2), np.int64)
    among = np.ix_(ones, others)
    nearest = np.argpartition(np.where(allowed[among], costs[among], NEVER), count - 1, axis=1)
    ends = np.column_stack([np.repeat(ones, count), others[nearest[:, :count]].ravel()])
    return ends[allowed[ends[:, 0], ends[:, 1]]]


def _odd_levels(levels: NDArray[np.int64]) -> list[Mask]:
    """Odd score groups and odd unions of the highest, where there are few; a set is no single."""
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
    """New pairs of those who have one that would cost less than they are worth: their cheapest."""
    known = np.where(allowed, excess, NEVER)
    known[ends[:, 0], ends[:, 1]] = known[ends[:, 1], ends[:, 0]] = NEVER
    players = np.flatnonzero(known.min(axis=1) < 0)
    count = min(_MORE_PAIRS, len(excess) - 1)
    cheapest = np.argpartition(known[players], count - 1, axis=1)[:, :count]
    missed = np.column_stack([np.repeat(players, count), cheapest.ravel()])
    missed = missed[known[missed[:, 0], missed[:, 1]] < NEVER]
    return np.unique(np.sort(missed, axis=1), axis=0)


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


def heaviest_pairs(edges: Iterable[tuple[int, int, int]]) -> list[tuple[int, int]]:
    """The matching of the greatest weight, the lower place first; weights below 2^126."""
    kept = {(one, other): weight for one, other, weight in edges}
    most = max((other for _, other in kept), default=-1) + 1
    graph: rx.PyGraph[None, int] = rx.PyGraph(multigraph=False)
    graph.add_nodes_from([None] * most)
    graph.add_edges_from([(one, other, weight) for (one, other), weight in kept.items()])
    return sorted((min(pair), max(pair)) for pair in rx.max_weight_matching(graph, weight_fn=int))
