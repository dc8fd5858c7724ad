"""From the finder's maps to boxes of dice: local maxima, each die once."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.read.detection import DICE, Candidate, Maps, candidates, distinct


def maps_of(*places: tuple[int, int, float]) -> Maps:
    """Maps of 12 x 16 cells with dice of 16 pixels at those rows and columns, so strong."""
    maps = np.zeros((5, 12, 16), np.float32)
    for row, column, score in places:
        maps[0, row, column] = score
    return maps


def test_an_empty_table_has_no_peaks() -> None:
    """Nothing above the threshold is nothing."""
    assert candidates(maps_of((3, 4, 0.19)), 0.2, DICE) == []


def test_a_peak_lies_where_the_maps_say() -> None:
    """The middle is the cell's middle and the offset, four pixels a cell; sizes are 16 * exp."""
    maps = maps_of((3, 4, 0.9))
    maps[1:, 3, 4] = (0.25, -0.5, math.log(2), math.log(0.5))
    (peak,) = candidates(maps, 0.5, DICE)
    assert (peak.x, peak.y) == pytest.approx((19.0, 12.0))
    assert (peak.width, peak.height, peak.size) == pytest.approx((32.0, 8.0, 32.0))
    assert peak.box == pytest.approx((3.0, 8.0, 35.0, 16.0))


def test_neighbouring_cells_are_one_die_and_the_best_comes_first() -> None:
    """A slope has one top."""
    found = candidates(maps_of((3, 4, 0.6), (3, 5, 0.7), (8, 12, 0.9)), 0.5, DICE)
    assert [peak.score for peak in found] == pytest.approx([0.9, 0.7])


@pytest.mark.parametrize(
    ("other", "kept"),
    [
        (Candidate(0.5, 53, 50, 20, 20), 1),
        (Candidate(0.5, 70, 50, 20, 20), 2),
        (Candidate(0.5, 60, 60, 20, 20), 2),
        (Candidate(0.7, 55, 52, 5, 5), 1),
        (Candidate(0.7, 80, 52, 5, 5), 2),
    ],
    ids=["the same", "beside it", "touching corners", "one of its pips", "a small die beside it"],
)
def test_each_die_is_kept_once(other: Candidate, kept: int) -> None:
    """What shows the same die, or a part of it, goes."""
    assert len(distinct([Candidate(0.8, 50, 50, 20, 20), other], DICE)) == kept


def test_a_faint_large_box_does_not_swallow_the_dice_in_it() -> None:
    """A tray is no die, though it is square."""
    dice = [Candidate(0.9, 30, 30, 10, 10), Candidate(0.9, 70, 70, 10, 10)]
    assert distinct([*dice, Candidate(0.2, 50, 50, 90, 90)], DICE)[:2] == dice


@given(st.floats(0.1, 10), st.floats(0.1, 10))
def test_scaling_there_and_back_is_nothing(across: float, down: float) -> None:
    """A peak means the same in a picture of another size."""
    peak = Candidate(0.5, 10, 20, 30, 40)
    back = peak.scaled(across, down).scaled(1 / across, 1 / down)
    assert back.box == pytest.approx(peak.box)
