"""Whole stages of tiles by chance."""

from __future__ import annotations

import numpy as np
import pytest

from vision.train.rendering.camera import Lens
from vision.train.rendering.chance import Random
from vision.train.rendering.slab import Slab
from vision.train.rendering.tiles.layouts import MANNERS, TableSpace, places
from vision.train.rendering.tiles.stage import any_stage, scenery
from vision.train.rendering.tiles.tile_poses import TakenArea, any_view, frame, in_sight, spots


@pytest.mark.parametrize("seed", range(6))
def test_the_same_chance_gives_the_same_stage(seed: int) -> None:
    """Tiles, camera and surfaces are all drawn from it."""
    one, other = (any_stage(np.random.default_rng(seed)) for _ in range(2))
    assert one.lens == other.lens
    assert [tile.printed for tile in one.tiles] == [tile.printed for tile in other.tiles]
    assert len(one.tops) == len(one.tiles)
    assert scenery(one).painted
    for (mesh, _), (again, _) in zip(one.body, other.body, strict=True):
        assert np.array_equal(mesh.points, again.points)
        assert np.isfinite(mesh.points).all()


@pytest.mark.parametrize("rack", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_a_camera_sees_no_horizon_and_tiles_at_the_size_asked(seed: int, rack: bool) -> None:  # noqa: FBT001
    """All four corners of the picture see the table; a tile at the target has its share."""
    lens = any_view(np.random.default_rng(seed), 0.05, rack=rack)
    corners = [(0, 0), (lens.width, 0), (lens.width, lens.height), (0, lens.height)]
    off = (np.array(corners) - np.array([lens.width, lens.height]) / 2) / lens.focal_pixels
    ways = np.column_stack([off, np.ones(4)]) @ lens.axes
    assert (ways[[0, 1, 2, 3], 2] < 0).sum() >= (4 if abs(lens.roll_degrees) < 1 else 2)
    assert lens.die_pixels() == pytest.approx(0.05 * max(lens.width, lens.height))


def test_places_drawn_are_in_sight_and_headings_read_upright() -> None:
    """What reads along the frame's heading runs to the right in the picture."""
    random = np.random.default_rng(3)
    for _ in range(20):
        lens = any_view(random, 0.04, rack=False)
        sees, spot = in_sight(lens, 4.0), spots(random, lens, 5.0)
        assert all(sees(spot()) for _ in range(20))
        heading, _ = frame(lens)
        target = np.array(lens.target) * [1, 1, 0]
        ahead = target + np.array([np.cos(heading), np.sin(heading), 0])
        across = np.subtract(*lens.pixels(np.array([ahead, target])))
        assert across[0] > abs(across[1]) or lens.elevation_degrees < 70


@pytest.mark.parametrize("name", MANNERS)
def test_every_manner_lays_tiles_within_their_number(name: str) -> None:
    """Some tiles come to lie, and no set overshoots the number by more than itself."""
    laid = 0
    for seed in range(4):
        random = np.random.default_rng(seed)
        stage = any_stage(random)
        lens = any_view(random, 0.05, rack=name == "rack")
        table = _table(stage.edition.shape, lens, random)
        tiles, racks = MANNERS[name][1](table, random)
        laid += len(tiles)
        assert len(tiles) <= 20 + 13 + 3
        assert bool(racks) is name.startswith("rack")
    assert laid > 0


def _table(shape: Slab, lens: Lens, random: Random) -> TableSpace:
    """Twenty tiles to be laid in the lens's sight."""
    return TableSpace(shape, lens, spots(random, lens, 20.0), TakenArea(in_sight(lens, 0.0)), 20)


def test_a_rack_has_room_for_its_tiles() -> None:
    """From three places to fifteen."""
    assert [places(count) for count in (1, 10, 14, 100)] == [3, 7, 9, 15]
