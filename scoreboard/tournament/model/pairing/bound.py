"""A bound that no pairing can undercut, in whole numbers, and how far each pair lies above it.

Any whole numbers for players and odd sets give such a bound once no pair costs less than its
two players and the sets that it leaves (weak duality); so the proof is exact, wherever the
numbers come from.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scoreboard.tournament.model.pairing.relaxation import Costs, Ends, Mask, Relaxation

NEVER: Final = np.iinfo(np.int64).max  # the excess of a pair that is not allowed
_NEAREST: Final = 4  # pairs of each player to begin with, of each kind in the own score group
_NEIGHBOURS: Final = 1  # and of each kind in each of the groups beside
_DEAREST: Final = 1 << 59  # what staying alone costs at most
_MOST_LEVELS: Final = 64  # score groups told as odd sets from the start
_LOOKS: Final = 20  # solutions of the relaxation before the search takes over
_MORE_PAIRS: Final = 6  # new pairs of each player who misses one


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
    relaxation = Relaxation(costs, float(min(dear, _DEAREST)), _unit(costs, allowed))
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


def _unit(costs: Costs, allowed: Mask) -> float:
    """A unit in which the cheapest pairs differ by about one."""
    return max(1.0, float(np.median(np.where(allowed, costs, NEVER).min(axis=1))))


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
    large set is told by those outside, who leave it by the same pairs.
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
