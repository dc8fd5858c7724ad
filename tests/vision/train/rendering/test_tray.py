"""Trays: what is inside, what the rim is made of, how the floor looks."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.train.rendering.arrangement import Block, Rim, any_rim

FRAME = Rim(4.0, 3.0, 0.6, 0.3, heading=0.5)
RIMS = [FRAME, *(Rim(4.0, 4.0, 0.6, 0.3, heading=0.5, sides=sides) for sides in (6, 8, 28))]


@pytest.mark.parametrize("rim", RIMS, ids=lambda rim: f"{rim.sides} sides")
def test_the_rim_stands_where_the_inside_ends(rim: Rim) -> None:
    """From the middle outward in any direction: first inside, then under the rim's bars."""
    bars = rim.bars()
    for angle in np.linspace(0, 2 * np.pi, 17):
        way = np.array([np.cos(angle), np.sin(angle)])
        reach = next(
            r for r in np.arange(2.0, 8, 0.02) if any(_under(bar, way * r) for bar in bars)
        )
        assert not rim.inside(way * (reach + 0.03), 0.0)
        assert rim.inside(way * (reach - 0.03) * np.cos(np.pi / rim.sides), 0.0)


def _under(bar: Block, point: NDArray[np.float64]) -> bool:
    off = point - np.array(bar.middle[:2])
    sine, cosine = np.sin(bar.heading), np.cos(bar.heading)
    along = abs(cosine * off[0] + sine * off[1])
    across = abs(cosine * off[1] - sine * off[0])
    return bool(along <= bar.half[0] + 1e-9 and across <= bar.half[1] + 1e-9)


@pytest.mark.parametrize("rim", RIMS, ids=lambda rim: f"{rim.sides} sides")
def test_the_floor_reaches_under_the_rim(rim: Rim) -> None:
    """Its upper side is level with the table's dice and a little wider than the inside."""
    floor = rim.floor(10.0)
    top = floor.points[np.isclose(floor.points[:, 2], 0, atol=1e-6)]
    assert floor.points[:, 2].max() == pytest.approx(0, abs=1e-6)
    widest = np.linalg.norm(top[:, :2], axis=1).max()
    assert widest > rim.half_width
    assert widest < rim.half_width * 1.5


def test_a_drawn_rim_is_about_as_large_as_asked() -> None:
    """Frames keep width and depth, rings take their mean."""
    random = np.random.default_rng(0)
    drawn = [any_rim(random, 8.0, 6.0, 0.0) for _ in range(60)]
    assert {rim.sides for rim in drawn} == {4, 6, 8, 28}
    for rim in drawn:
        assert rim.half_width == (4.0 if rim.sides == 4 else 3.5)
