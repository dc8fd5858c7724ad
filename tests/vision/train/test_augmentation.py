"""Warps of pictures with their dice."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.train.augmentation import Chance, PlacedDie, turned, turned_and_stretched, warp_of

SQUARE = np.array([[0, 0], [10, 0], [10, 10], [0, 10]], np.float32)
DIE = PlacedDie(5, 5, 10, 10, 3, corners=SQUARE)


@given(st.floats(0, 360), st.floats(0.2, 5))
def test_a_round_box_keeps_its_shape_when_turned(turn: float, scale: float) -> None:
    """Turning alone neither grows nor shrinks the box; scaling does, and the middle goes along."""
    moved = DIE.moved(warp_of((5, 5), (100, 50), scale * turned(turn)))
    assert (moved.x, moved.y) == pytest.approx((100, 50))
    assert (moved.width, moved.height) == pytest.approx((10 * scale, 10 * scale))
    assert moved.value == 3


def test_the_corners_turn_clockwise() -> None:
    """By a quarter, what was on the right is below."""
    moved = DIE.moved(warp_of((5, 5), (5, 5), turned(90)))
    assert moved.corners is not None
    assert moved.corners == pytest.approx(np.array([[10, 0], [10, 10], [0, 10], [0, 0]]), abs=1e-4)


def test_a_negative_scale_mirrors() -> None:
    """Left becomes right."""
    moved = DIE.moved(warp_of((0, 0), (0, 0), np.diag([-1.0, 1.0])))
    assert (moved.x, moved.y) == pytest.approx((-5, 5))
    assert math.isclose(moved.width, 10)


@given(st.integers(0, 10_000), st.floats(0, 1))
def test_a_stretched_die_keeps_its_area(seed: int, upright: float) -> None:
    """Turned, mirrored and stretched as it may be, the warp keeps the area, and never collapses."""
    linear = turned_and_stretched(upright, Chance(seed))
    assert abs(np.linalg.det(linear)) == pytest.approx(1)
    longer, shorter = np.linalg.svd(linear, compute_uv=False)
    assert longer / shorter < 2.6
