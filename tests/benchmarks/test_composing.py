"""Composed photographs: as many dice as asked for, and the same ones for the same seed."""

from __future__ import annotations

import numpy as np
import pytest

from tests.benchmarks.composing import HEIGHT, WIDTH, compose, cutouts


def test_every_value_can_be_laid() -> None:
    """The evening's pictures give dice of all six values."""
    assert {die.value for die in cutouts()} == {1, 2, 3, 4, 5, 6}


def test_a_cutout_is_a_whole_die_with_some_shadow() -> None:
    """In the middle the die covers fully, at the corners the tray shows."""
    for die in cutouts():
        height, width = die.cover.shape
        assert die.cover[height // 2, width // 2] == 1
        assert die.cover[[0, 0, -1, -1], [0, -1, 0, -1]].max() < 0.5


def test_the_same_seed_gives_the_same_photograph() -> None:
    """Figures of today and of next year belong to the same picture."""
    one, same, other = (compose([90.0, 120.0], seed) for seed in (1, 1, 2))
    assert np.array_equal(one.image, same.image)
    assert not np.array_equal(one.image, other.image)


@pytest.mark.parametrize("count", [1, 5, 40])
def test_as_many_dice_lie_there_as_asked_for(count: int) -> None:
    """A value for each die, and dice of the asked size are bright where the tray is not."""
    photo = compose([70.0] * count, count)
    assert len(photo.values) == count
    assert photo.image.shape == (HEIGHT, WIDTH, 3)
    bright = (photo.image.min(axis=2) > 105).sum()
    assert 0.4 < bright / (count * 70**2) < 1.0


def test_dice_that_cannot_lie_apart_are_refused() -> None:
    """No reader is measured on dice on top of each other."""
    with pytest.raises(ValueError, match="smaller"):
        compose([400.0] * 12, 1)
