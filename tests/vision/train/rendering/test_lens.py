"""Cameras over the table, by geometry alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.train.rendering.camera import Lens, any_lens

OVERHEAD = Lens(
    640,
    480,
    (0.0, 0.0, 0.0),
    elevation_degrees=90,
    azimuth_degrees=0,
    roll_degrees=0,
    distance=10.0,
    field_degrees=2 * float(np.degrees(np.arctan(0.5))),
    aperture=0.01,
    focus=10.0,
)
SHARES = st.floats(0.02, 0.34)
SEEDS = st.integers(0, 2**32 - 1)


@pytest.mark.parametrize(
    ("point", "pixel"),
    [
        ((0, 0, 0), (320, 240)),
        ((1, 0, 0), (384, 240)),
        ((0, 1, 0), (320, 176)),
        ((5, 3.75, 0), (640, 0)),
        ((1, 0, 5), (448, 240)),
    ],
)
def test_points_by_hand(point: tuple[float, ...], pixel: tuple[float, float]) -> None:
    """Straight from above, ten sides away, 64 pixels a side: right is right, far is up."""
    assert OVERHEAD.pixels(np.array([point]))[0] == pytest.approx(pixel)


def test_a_roll_turns_the_picture() -> None:
    """A camera rolled by a quarter sees what was to its right further down or up."""
    rolled = replace(OVERHEAD, roll_degrees=90)
    across, down = rolled.pixels(np.array([[1.0, 0, 0]]))[0]
    assert across == pytest.approx(320)
    assert abs(down - 240) == pytest.approx(64)


@given(SEEDS, SHARES)
def test_the_ground_under_a_pixel_falls_into_that_pixel(seed: int, share: float) -> None:
    """Looking down and projecting back are each other's opposite, at any height."""
    random = np.random.default_rng(seed)
    lens = any_lens(random, share)
    pixels = random.uniform([0, 0], [lens.width, lens.height], (20, 2))
    for height in (0.0, 0.7):
        points = lens.ground(pixels, height)
        assert points[:, 2] == pytest.approx(np.full(20, height), abs=1e-6)
        assert lens.pixels(points) == pytest.approx(pixels, abs=1e-4)


@given(SEEDS, SHARES)
def test_any_lens_keeps_its_promises(seed: int, share: float) -> None:
    """40 to 90 degrees above, the die as large as asked, the horizon out of the picture."""
    lens = any_lens(np.random.default_rng(seed), share)
    assert 40 <= lens.elevation_degrees <= 90
    assert lens.die_pixels() == pytest.approx(share * max(lens.width, lens.height))
    corners = np.array([(x, y) for x in (0, lens.width) for y in (0, lens.height)], dtype=float)
    ways = lens.ground(corners) - lens.eye
    assert (ways[:, 2] < 0).all()
    assert np.linalg.norm(ways, axis=1).max() < 6 * lens.distance + 50


@given(SEEDS)
def test_its_axes_are_a_camera(seed: int) -> None:
    """Right, down and forward are square to each other, and no mirror."""
    axes = any_lens(np.random.default_rng(seed), 0.1).axes
    assert axes @ axes.T == pytest.approx(np.eye(3), abs=1e-9)
    assert np.linalg.det(axes) == pytest.approx(1)
