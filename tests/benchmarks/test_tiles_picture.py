"""Drawn tables of tiles: legal sets of one box, and the same ones for the same seed."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from scoreboard.games.rummikub.sets import is_set
from scoreboard.games.rummikub.tiles import CLASSIC, Tiles
from tests.benchmarks.tiles_picture import PICTURE, tiles_picture, whole_box


def test_a_whole_box_lies_in_legal_sets() -> None:
    """Every tile of it once, and nothing else (RK-1)."""
    rows = whole_box()
    assert all(is_set(row) for row in rows)
    lying = Tiles(tuple(piece for row in rows for piece in row.pieces))
    assert lying.counts == CLASSIC.tiles.counts


@pytest.mark.parametrize("count", [1, 60, 106])
def test_as_many_tiles_lie_there_as_asked_for(count: int) -> None:
    """They belong to one box, are in sets except the last, and are lighter than the wood."""
    picture = tiles_picture(count, 1)
    assert len(picture.pieces) == count
    assert Counter(picture.pieces) <= Counter(map(str, CLASSIC.tiles.pieces))
    assert all(is_set(row) for row in picture.rows[:-1])
    assert picture.image.shape == (PICTURE[1], PICTURE[0], 3)
    light = float((picture.image.min(axis=2) > 120).sum())
    assert 0.6 < light / (count * 78 * 111) < 1.2


def test_the_same_seed_gives_the_same_picture() -> None:
    """Figures of today and of next year belong to the same picture."""
    one, same, other = (tiles_picture(10, seed) for seed in (1, 1, 2))
    assert np.array_equal(one.image, same.image)
    assert one.rows == same.rows
    assert not np.array_equal(one.image, other.image)


@pytest.mark.parametrize(
    ("count", "size", "why"),
    [(107, PICTURE, "A box has no 107"), (60, (640, 480), "don't fit")],
)
def test_more_than_there_is_room_for_is_refused(
    count: int, size: tuple[int, int], why: str
) -> None:
    """No reader is measured on tiles that a box does not hold, or on top of each other."""
    with pytest.raises(ValueError, match=why):
        tiles_picture(count, 1, size)
