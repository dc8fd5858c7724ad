"""What surrounds the dice: grounds, things, light."""

from __future__ import annotations

import numpy as np
import pytest

from vision.train.rendering.backgrounds import PIXELS, any_ground
from vision.train.rendering.camera import any_room
from vision.train.rendering.clutter import any_thing, thing

KINDS = (
    *("coin", "button", "chip", "domino", "tile", "card", "cube"),
    *("brick", "tower", "bead", "meeple", "pencil", "gem"),
)


@pytest.mark.parametrize("kind", KINDS)
def test_things_lie_on_the_table(kind: str) -> None:
    """Whatever it is stands on z = 0, where it was put, within the box that physics takes."""
    random = np.random.default_rng(3)
    one = thing(kind, random, np.array([2.0, -1.0]), 0.7)
    points = one.mesh.points
    assert points[:, 2].min() == pytest.approx(0, abs=0.03)
    assert points[:, 2].max() == pytest.approx(2 * one.half[2], abs=0.05)
    assert np.linalg.norm(points[:, :2] - [2.0, -1.0], axis=1).max() < one.reach + 0.25


def test_chance_brings_every_thing() -> None:
    """Of 400 things there is every kind."""
    random = np.random.default_rng(0)
    assert {any_thing(random, np.zeros(2)).kind for _ in range(400)} == set(KINDS)


def test_chance_brings_many_grounds_in_any_scale() -> None:
    """Painted whole, seeded, rough somewhere between a mirror and chalk."""
    kinds = set()
    for seed in range(16):
        ground = any_ground(np.random.default_rng(seed), scale=4.0 * 1.3**seed)
        assert ground.material.paint.shape == (PIXELS, PIXELS, 3)
        assert 0 < ground.material.roughness <= 1
        kinds.add(ground.kind)
    assert len(kinds) >= 6
    one, again = (any_ground(np.random.default_rng(5), 30.0) for _ in range(2))
    assert np.array_equal(one.material.paint, again.material.paint)


@pytest.mark.parametrize("seed", range(12))
def test_every_room_lights_a_white_sheet_alike(seed: int) -> None:
    """What a white sheet on the table sends back is about one, in red, green and blue's mean."""
    room = any_room(np.random.default_rng(seed)).astype(np.float64)
    angle = (np.arange(128) + 0.5) * np.pi / 128
    weight = np.clip(np.cos(angle), 0, None) * np.sin(angle) * (np.pi / 128) * (2 * np.pi / 256)
    sheet = (room * weight[:, None, None]).sum(axis=(0, 1)) / np.pi
    assert sheet.mean() == pytest.approx(1, abs=0.01)
    assert room.min() > 0
