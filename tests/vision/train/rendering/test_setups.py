"""The pictures of set-ups: what they show can be built, and they are small files."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.train.rendering.setups import (
    DIE_MM,
    HEIGHT,
    PLACES,
    SETUPS,
    WIDTH,
    box,
    dice,
    lens,
    picture,
)
from vision.train.rendering.studio import Scenery, Shot, Studio

IMAGES = Path(__file__).parents[4] / "docs" / "images"
PAGE = IMAGES / "table-tablet-light.png"
LARGEST_BYTES = 150_000


@pytest.mark.parametrize("name", SETUPS)
def test_nothing_of_it_is_below_the_table_or_out_of_the_picture(name: str) -> None:
    """Each part stands on the table's top or hangs above it, and most of it is seen."""
    points = np.vstack(
        [mesh.points for mesh, _ in SETUPS[name](np.random.default_rng(7), PAGE)]
    ).astype(np.float64)
    assert points[:, 2].min() > -0.01
    seen = lens().pixels(points)
    inside = ((seen >= 0) & (seen <= [WIDTH, HEIGHT])).all(axis=1)
    assert inside.mean() > 0.99


def test_dice_lie_apart_on_their_ground() -> None:
    """None stands in another, and none floats."""
    apart = np.linalg.norm(PLACES[:, None] - PLACES, axis=2) + 1000 * np.eye(len(PLACES))
    assert apart.min() > DIE_MM * 2**0.5
    mesh, _ = dice(np.random.default_rng(1), PLACES, 3)
    assert mesh.points[:, 2].min() == pytest.approx(3, abs=0.05)
    assert mesh.points[:, 2].max() == pytest.approx(3 + DIE_MM, abs=0.05)


def test_a_box_stands_on_its_point() -> None:
    """Its size is whole, not half."""
    mesh = box((10, 20, 30), (4, 6, 8))
    assert mesh.points.min(axis=0).tolist() == [8, 17, 30]
    assert mesh.points.max(axis=0).tolist() == [12, 23, 38]


@pytest.mark.parametrize("name", SETUPS)
def test_its_picture_is_small_and_whole(name: str) -> None:
    """As it was rendered."""
    file = IMAGES / f"{name}.jpg"
    assert file.stat().st_size < LARGEST_BYTES
    image = cv2.imread(str(file))
    assert image is not None
    assert image.shape == (HEIGHT, WIDTH, 3)


def test_what_is_traced_becomes_a_jpeg() -> None:
    """All parts and the table go to the studio, through the lens of a person who stands there."""

    class Grey(Studio):
        def __init__(self) -> None:
            self.shown: list[Scenery] = []

        def trace(self, shown: Scenery, seed: int) -> Shot:
            del seed
            self.shown.append(shown)
            grey = np.full((HEIGHT, WIDTH, 3), 0.2, dtype=np.float32)
            return Shot(grey, grey, grey)

    studio, setup = Grey(), SETUPS["setup-phone"]
    assert picture(studio, setup, PAGE).startswith(b"\xff\xd8")
    (shown,) = studio.shown
    assert shown.lens == lens()
    assert len(shown.parts) == 2 + len(list(setup(np.random.default_rng(7), PAGE)))
