"""The linear relaxation of a perfect matching: what each player costs at least.

A least-cost perfect matching is a linear programme with a row a player and one an odd set of
players, of whom one at least plays outside (J. Edmonds, "Maximum matching and a polyhedron with
0,1-vertices", Journal of Research of the National Bureau of Standards 69B, 1965). A few columns
and rows of it suffice: those that the solution so far misses are added. Its numbers are
floating, so nothing is decided by them: they only say where to look.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import highspy
import numpy as np
from numpy.typing import NDArray

from scoreboard.tournament.model.pairing.odd_cuts import odd_cuts

Costs = NDArray[np.int64]
Mask = NDArray[np.bool_]
Ends = NDArray[np.int64]
_DUAL: Final = 1  # the simplex method that goes on from a solution after rows are added
_PRIMAL: Final = 4  # the one that goes on from it after columns are added
_NOTHING: Final = np.array([], np.int32)


class Relaxation:
    """Some pairs and some odd sets of the programme, and its solution.

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
        self._add_rows(len(costs), 1.0)
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
        """How much of each pair is used; twice what each player and each set adds to the cost."""
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

    def _add_rows(self, count: int, value: float) -> None:
        ones = np.full(count, value)
        self._solver.addRows(count, ones, ones, 0, _NOTHING, _NOTHING, np.array([]))

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
