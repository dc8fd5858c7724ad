"""Tiles that lie together, and whether they are legal sets."""

from __future__ import annotations

import numpy as np
import pytest

from scoreboard.games.rummikub.tiles import Piece, piece
from vision.read.detection import Candidate
from vision.read.observation import SeenSet
from vision.read.tile_sets import grouped, judged

WIDTH, LENGTH = 40.0, 57.0


def row(x: float, y: float, tiles: int, angle: float = 0.0, gap: float = 1.0) -> list[Candidate]:
    """So many tiles side by side, the first at that place, in a row that is so turned."""
    along = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))]) * WIDTH * gap
    places = [np.array([x, y]) + along * at for at in range(tiles)]
    return [Candidate(1.0, float(px), float(py), WIDTH, LENGTH, angle) for px, py in places]


def test_a_row_is_a_set() -> None:
    """Touching or nearly, however it is turned, from left to right as its tiles see it."""
    for angle in (0.0, 20.0, 90.0, 180.0, 270.0):
        for gap in (0.98, 1.0, 1.25):
            tiles = row(300, 300, 4, angle, gap)
            shuffled = [tiles[2], tiles[0], tiles[3], tiles[1]]
            assert grouped(shuffled) == ((1, 3, 0, 2),)


def test_rows_that_touch_are_two_sets() -> None:
    """The one above lies at the other's head, not beside it."""
    assert grouped([*row(100, 100, 3), *row(100, 100 + LENGTH, 3)]) == ((0, 1, 2), (3, 4, 5))


def test_sets_in_one_line_are_parted_by_their_distance() -> None:
    """And told from the left."""
    assert grouped([*row(400, 100, 3), *row(100, 104, 3)]) == ((3, 4, 5), (0, 1, 2))


def test_a_tile_that_lies_askew_is_alone() -> None:
    """Loose tiles beside a set are none of it."""
    loose = Candidate(1.0, 100 + 3 * WIDTH, 100, WIDTH, LENGTH, 40.0)
    assert grouped([*row(100, 100, 3), loose]) == ((0, 1, 2), (3,))


def test_a_tile_upside_down_is_no_neighbour() -> None:
    """A row reads one way up."""
    over = Candidate(1.0, 100 + WIDTH, 100, WIDTH, LENGTH, 180.0)
    assert grouped([*row(100, 100, 1), over]) == ((0,), (1,))


def test_tiles_of_another_size_lie_elsewhere() -> None:
    """What is much nearer to the camera is on another rack or table."""
    near = Candidate(1.0, 100 + WIDTH, 100, 2 * WIDTH, 2 * LENGTH, 0.0)
    assert len(grouped([*row(100, 100, 1), near])) == 2


JUDGED: list[tuple[str, bool | None, str | None]] = [
    ("K7 B7 O7", True, "RK-3"),
    ("K7 R7 B7 O7", True, "RK-3"),
    ("B3 B4 B5 B6", True, "RK-4"),
    ("R12 R13 J", True, "RK-4"),
    ("K7 R7 J", True, "RK-3"),
    ("R12 R13 R1", False, "RK-4"),
    ("K7 K7 R7", False, "RK-3"),
    ("K1 R2 B3", False, "RK-3"),
    ("K7 R7", False, "RK-8"),
    ("K7", False, "RK-8"),
    ("J J J", False, "RK-16"),
    ("K4 K5 ? K7", None, None),
    ("K4 ?", None, None),
]


def lying(text: str) -> list[Piece | None]:
    """The tiles so written, None for an unknown one."""
    return [None if each == "?" else piece(each) for each in text.split()]


@pytest.mark.parametrize(("text", "legal", "rule"), JUDGED)
def test_a_set_is_judged_by_its_rule(text: str, legal: bool | None, rule: str | None) -> None:  # noqa: FBT001 - a column of the table
    """RK-3, RK-4, RK-8, RK-16: what makes it a set, or what it breaks; unknown tiles make none."""
    pieces = lying(text)
    indices = tuple(range(len(pieces)))
    assert judged([indices], pieces) == (SeenSet(indices, tuple(text.split()), legal, rule),)


def test_sets_keep_their_order_and_their_tiles() -> None:
    """The indices are those of the tiles as they were seen."""
    told = judged([(3, 1, 0), (2,)], lying("O7 B7 K1 K7"))
    assert [(each.indices, each.pieces, each.legal) for each in told] == [
        ((3, 1, 0), ("K7", "B7", "O7"), True),
        ((2,), ("K1",), False),
    ]
