"""Partitions of loose tiles into legal sets (RK-3, RK-4).

Every run is made of runs of three to five, so 185 shapes of sets, with jokers in place of some of
their tiles, are enough; how often each is used is a whole number, which a search over linear
programs finds or excludes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from itertools import combinations, product, starmap
from math import floor, inf
from typing import Any, Final

import highspy
import numpy as np

from scoreboard.games.rummikub.sets import LEAST, Laid
from scoreboard.games.rummikub.tiles import COLOURS, JOKER, NUMBERS, Piece, Tile, Tiles

_LONGEST: Final = 5  # longer runs are made of shorter ones
ROWS: Final[tuple[Piece, ...]] = (*starmap(Tile, product(COLOURS, NUMBERS)), JOKER)
PLACES: Final = {each: place for place, each in enumerate(ROWS)}
_ROUNDING: Final = 1e-5
Shape = tuple[Piece, ...]
Column = Sequence[tuple[int, int]]  # its rows, each with the factor there


def partition(heap: Tiles) -> Laid | None:
    """Sets that use up all tiles, or None.

    Two jokers are cheapest as tiles that may be wished for; three or more could form a set of their
    own, so each of their places in a shape makes a shape of its own.
    """
    counts = heap.counts
    if not counts:
        return Laid()
    wished = counts[JOKER] if counts[JOKER] < LEAST else 0
    found = shapes(counts[JOKER] - wished)
    wanted = [counts[each] for each in ROWS]
    program = SetModel(wanted, wanted)
    for each in (*map(column, found), *(WISHES if wished else ())):
        program.add(each, max(wanted) + wished)
    used = program.solved()
    if used is None:
        return None
    chosen = (shape for shape, times in zip(found, used, strict=False) for _ in range(times))
    return laid_out(chosen, counts)


@cache
def shapes(jokers: int) -> tuple[Shape, ...]:
    """All groups, and all runs of three to five, with up to `jokers` jokers in them (RK-16)."""
    groups = [
        tuple(Tile(colour, number) for colour in chosen)
        for number in NUMBERS
        for size in (LEAST, len(COLOURS))
        for chosen in combinations(COLOURS, size)
    ]
    runs = [
        tuple(Tile(colour, number) for number in range(first, first + length))
        for colour in COLOURS
        for length in range(LEAST, _LONGEST + 1)
        for first in range(1, len(NUMBERS) - length + 2)
    ]
    return tuple(
        tuple(JOKER if at in replaced else each for at, each in enumerate(shape))
        for shape in (*groups, *runs)
        for count in range(min(jokers, len(shape) - 1) + 1)
        for replaced in combinations(range(len(shape)), count)
    )


@cache
def column(shape: Shape) -> Column:
    """The tiles of a set: a row a tile, in the order of `ROWS`."""
    return sorted(Counter(PLACES[each] for each in shape).items())


# A tile that a joker represents: one less of it is needed, and one joker more.
WISHES: Final[tuple[Column, ...]] = tuple(
    ((place, -1), (len(ROWS) - 1, 1)) for place in range(len(ROWS) - 1)
)


class SetModel:
    """An integer program: how often to use each column, so that their worth is highest.

    Columns are sets, rows mostly tiles; each row's sum must be between `lower` and `upper`.
    """

    def __init__(self, lower: Iterable[float], upper: Iterable[float]) -> None:
        self._lower, self._upper = [*lower], [*upper]
        self._columns = list[list[tuple[int, int]]]()
        self._most, self._worth = list[int](), list[int]()

    def add(self, rows: Column, most: int, worth: int = 0) -> int:
        """Add a column, used at most that often and worth that much each time; gives its place."""
        self._columns.append([*rows])
        self._most.append(most)
        self._worth.append(worth)
        return len(self._columns) - 1

    def require(self, columns: Column, lower: float, upper: float) -> None:
        """Add a row: columns by place, each with its factor, sum to a value in these bounds."""
        for at, times in columns:
            self._columns[at].append((len(self._lower), times))
        self._lower.append(lower)
        self._upper.append(upper)

    def solved(self, first: Collection[int] = (), nodes: float = inf) -> list[int] | None:
        """How often each column is used; None if no solution meets all bounds.

        The columns `first` decide most: they are settled before the others, the larger numbers
        first.

        Raises:
            TimeoutError: it takes more than that many linear programs, each about 0.3 ms.
        """
        model = highspy.HighsLp()
        model.num_col_, model.num_row_ = len(self._columns), len(self._lower)
        model.sense_ = highspy.ObjSense.kMaximize
        model.col_cost_ = np.array(self._worth, np.float64)
        model.col_lower_ = np.zeros(len(self._columns))
        model.col_upper_ = np.array(self._most, np.float64)
        model.row_lower_ = np.array(self._lower, np.float64)
        model.row_upper_ = np.array(self._upper, np.float64)
        matrix = model.a_matrix_
        matrix.format_ = highspy.MatrixFormat.kColwise
        matrix.start_ = np.cumsum([0, *map(len, self._columns)])
        matrix.index_ = np.array([row for column in self._columns for row, _ in column])
        matrix.value_ = np.array([float(times) for column in self._columns for _, times in column])
        search = _Search(model, first, nodes)
        search.branch()
        return search.found


class _Search:
    """Branch and bound, smaller numbers first: each program starts where the last one ended.

    The solver's own search takes five times as long, nearly all of it for cuts: the programs are
    small, and their bounds nearly tight.
    """

    def __init__(self, model: highspy.HighsLp, first: Collection[int], nodes: float) -> None:
        self._solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]
        options: dict[str, Any] = {"output_flag": False, "threads": 1, "presolve": "off"}
        for name, value in options.items():
            self._solver.setOptionValue(name, value)
        self._solver.passModel(model)
        self._bounds = [(0.0, most) for most in model.col_upper_]
        self._first = np.zeros(model.num_col_, bool)
        self._first[list(first)] = True
        self._nodes = nodes
        self._worth = -1
        self.found: list[int] | None = None

    def branch(self) -> None:
        """Find a better solution than the best so far, within the current bounds."""
        self._nodes -= 1
        if self._nodes < 0:
            raise TimeoutError("The search takes too long.")
        self._solver.run()
        if self._solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return
        bound = floor(self._solver.getInfo().objective_function_value + _ROUNDING)
        if bound <= self._worth:
            return
        used = np.array(self._solver.getSolution().col_value)
        fractions = np.abs(used - np.round(used))
        if fractions.max() < _ROUNDING:
            self._worth, self.found = bound, [round(times) for times in used]
            return
        at = int(np.argmax(fractions + (self._first & (fractions >= _ROUNDING))))
        least, most = self._bounds[at]
        below = float(floor(used[at]))
        halves = ((least, below), (below + 1, most))
        for tried in reversed(halves) if self._first[at] else halves:
            self._bounds[at] = tried
            self._solver.changeColBounds(at, *tried)
            self.branch()
            if self._worth >= bound:  # as good as it gets
                break
        self._bounds[at] = least, most
        self._solver.changeColBounds(at, least, most)


def laid_out(found: Iterable[Shape], counts: Counter[Piece]) -> Laid:
    """Lay the tiles into the shapes, with jokers once a tile has run out."""
    left, sets = Counter(counts), list[Tiles]()
    for shape in found:
        laid = list[Piece]()
        for each in shape:
            laid.append(each if left[each] > 0 else JOKER)
            left[each] -= 1
        sets.append(Tiles(tuple(laid)))
    return Laid(tuple(sets))
