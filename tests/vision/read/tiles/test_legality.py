"""Which of the sets seen are legal, and by which rule."""

from __future__ import annotations

import pytest

from scoreboard.games.rummikub.tiles import Piece, piece
from vision.read.observation import SeenSet
from vision.read.tile_sets import judged

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
