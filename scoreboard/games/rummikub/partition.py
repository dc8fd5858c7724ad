"""Sets in a loose heap of tiles: is there a partition into legal sets, and which (RK-3, RK-4).

Every run is made of runs of three to five, so that 185 shapes of sets, with jokers in the place
of some of their tiles, are all that is needed; how often each is used is a whole number, which
a solver of integer programs finds or excludes.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations
from typing import Any, Final

import highspy
import numpy as np

from scoreboard.games.rummikub.sets import LEAST, Laid
from scoreboard.games.rummikub.tiles import COLOURS, JOKER, NUMBERS, Piece, Tile, Tiles

_LONGEST: Final = 5  # longer runs are made of shorter ones
_ROWS: Final[tuple[Piece, ...]] = (
    *(Tile(colour, number) for colour in COLOURS for number in NUMBERS),
    JOKER,
)
_PLACES: Final = {each: place for place, each in enumerate(_ROWS)}
Shape = tuple[Piece, ...]


def partition(heap: Tiles) -> Laid | None:
    """Sets that use up all tiles of the heap, or None where there are none.

    Two jokers are cheapest as tiles that may be wished for; three or more could then lie in a
    set of their own, so that each place of theirs in a shape is a shape of its own.
    """
    counts = heap.counts
    wished = counts[JOKER] if counts[JOKER] < LEAST else 0
    shapes = list(_shapes(counts[JOKER] - wished))
    used = _solved(shapes, counts, wished)
    return None if used is None else _laid(used, counts)


@cache
def _shapes(jokers: int) -> tuple[Shape, ...]:
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


def _solved(shapes: list[Shape], counts: Counter[Piece], wished: int) -> list[Shape] | None:
    """The shapes that use up the tiles, each as often as it is used; None where none do."""
    if not counts:
        return []
    solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    solver.setOptionValue("output_flag", False)  # noqa: FBT003 - the solver's own signature
    solver.setOptionValue("threads", 1)
    solver.passModel(_model(shapes, counts, wished))
    solver.run()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    used = solver.getSolution().col_value[: len(shapes)]
    return [shape for shape, times in zip(shapes, used, strict=True) for _ in range(round(times))]


def _model(shapes: list[Shape], counts: Counter[Piece], wished: int) -> highspy.HighsLp:
    """One column a shape and one a tile that may be wished for; one row a tile, one for jokers.

    A tile's row says: as many as its shapes use, less those wished for, lie in the heap.
    """
    columns = [sorted(Counter(_PLACES[each] for each in shape).items()) for shape in shapes]
    wishes = [[(place, -1), (len(_ROWS) - 1, 1)] for place in range(len(_ROWS) - 1)]
    columns += wishes if wished else []
    wanted = np.array([counts[each] for each in _ROWS], np.float64)
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(columns), len(wanted)
    model.col_cost_, model.col_lower_ = np.zeros(len(columns)), np.zeros(len(columns))
    model.col_upper_ = np.full(len(columns), float(max(counts.values()) + wished))
    model.row_lower_ = model.row_upper_ = wanted
    model.integrality_ = [highspy.HighsVarType.kInteger] * len(columns)
    matrix = model.a_matrix_
    matrix.format_ = highspy.MatrixFormat.kColwise
    matrix.start_ = np.cumsum([0, *map(len, columns)])
    matrix.index_ = np.array([row for column in columns for row, _ in column])
    matrix.value_ = np.array([float(times) for column in columns for _, times in column])
    return model


def _laid(shapes: list[Shape], counts: Counter[Piece]) -> Laid:
    """Lay the heap's tiles into the shapes, and its jokers where a tile has run out."""
    left, sets = Counter(counts), list[Tiles]()
    for shape in shapes:
        laid = list[Piece]()
        for each in shape:
            laid.append(each if left[each] > 0 else JOKER)
            left[each] -= 1
        sets.append(Tiles(tuple(laid)))
    return Laid(tuple(sets))
