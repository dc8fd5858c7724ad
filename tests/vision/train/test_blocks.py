"""Drawn blocks: dark things with a shine that are no dice."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.train.augmentation import Chance
from vision.train.surfaces import lay_block

SIDE = 96


@given(st.integers(0, 10_000))
def test_a_block_is_seeded_and_covers_its_middle(seed: int) -> None:
    """The same seed draws the same block, where it is told to lie, and it is no die."""
    one, other = (np.full((SIDE, SIDE, 3), 90, np.uint8) for _ in range(2))
    place, again = lay_block(one, Chance(seed)), lay_block(other, Chance(seed))
    assert np.array_equal(one, other)
    assert (place.x, place.y, place.size, place.value) == (again.x, again.y, again.size, 0)
    rows, columns = np.nonzero((one != 90).any(axis=2))
    assert (np.abs(columns - place.x) < 2 * place.size + 3).all()
    assert (np.abs(rows - place.y) < 2 * place.size + 3).all()
