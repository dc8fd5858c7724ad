"""Whole stages of tiles by chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.vision.train.rendering.staging import GreyStudio
from tests.vision.train.rendering.tiles.staging import (
    FROM_ABOVE,
    SHAPE,
    crop,
    dressed,
    picture_of,
    seen_from_above,
    stage,
)
from vision.train.rendering.camera import any_exposure, denoise
from vision.train.rendering.studio import open_studio
from vision.train.rendering.tiles.edition import JOKER, Printed
from vision.train.rendering.tiles.layouts import MANNERS, TableSpace
from vision.train.rendering.tiles.stage import (
    LabelledTile,
    any_stage,
    in_colour,
    label_picture,
    label_tiles,
    scenery,
    take_tiles,
)
from vision.train.rendering.tiles.tile_poses import (
    TakenArea,
    TilePose,
    any_view,
    flat,
    frame,
    in_sight,
    overturned,
    spots,
)
from vision.train.rendering.training_photos import keep
from vision.train.tiles.photographs import read_rendered


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
        lens = any_view(random, 0.05, rack=name == "rack")
        floor = TakenArea(in_sight(lens, 0.0))
        table = TableSpace(SHAPE, lens, spots(random, lens, 20.0), floor, 20)
        tiles, racks = MANNERS[name][1](table, random)
        laid += len(tiles)
        assert len(tiles) <= 20 + 13 + 3
        assert bool(racks) is name.startswith("rack")
    assert laid > 0


SEVEN = flat(Printed(7, 1), np.array([0.0, 0.0]), 0.0)
PIXELS = FROM_ABOVE.focal_pixels / (12.0 - (SHAPE.thickness - SHAPE.drop) + 0.3)


def labels(tiles: Sequence[TilePose]) -> list[LabelledTile]:
    """The labels of tiles on a table that is seen from above."""
    staged = stage(tiles)
    return label_tiles(staged, seen_from_above(staged), picture_of(staged))


def test_a_tile_seen_from_above_has_its_corners_from_the_number_side() -> None:
    """Left to right along the upper side, clockwise, a width and a length apart."""
    (label,) = labels([SEVEN])
    half = np.array([0.5, 0.715]) * PIXELS
    assert label.quad[0] == pytest.approx(np.array([160, 120]) - half, abs=0.01)
    assert label.quad[2] == pytest.approx(np.array([160, 120]) + half, abs=0.01)
    assert label.visible > 0.97
    assert label.ink_visible > 0.97
    assert not label.difficult


@pytest.mark.parametrize("degrees", [30, 90, 180, 250])
def test_a_turned_tile_turns_its_corners(degrees: float) -> None:
    """Anticlockwise on the table is anticlockwise in the picture."""
    (label,) = labels([flat(Printed(6, 2), np.array([0.3, -0.2]), np.radians(degrees))])
    across = label.quad[1] - label.quad[0]
    assert np.degrees(np.arctan2(-across[1], across[0])) % 360 == pytest.approx(degrees, abs=0.01)


def test_a_tile_under_another_is_difficult() -> None:
    """One that lies over half of it leaves too little; the upper one is clear."""
    upper = flat(Printed(3, 0), np.array([0.0, 0.5]), 0.0)
    upper = replace(upper, place=upper.place + np.array([0, 0, SHAPE.thickness]))
    lower, over = labels([SEVEN, upper])
    assert 0.2 < lower.visible < 0.5
    assert lower.difficult
    assert not over.difficult


def test_hidden_ink_is_difficult_though_most_of_the_tile_is_seen() -> None:
    """A thing over the number alone takes away what there is to read."""
    staged = stage([SEVEN])
    seen = seen_from_above(staged)
    seen[98:118, 150:170] = (0, 0, 2.0)
    (label,) = label_tiles(staged, seen, picture_of(staged))
    assert label.visible > 0.75
    assert label.difficult


def test_a_tile_at_the_edge_is_truncated() -> None:
    """Half outside: told as truncated, with corners outside."""
    edge = FROM_ABOVE.ground(np.array([[0.0, 120.0]]), SHAPE.thickness)[0, :2]
    (label,) = labels([flat(Printed(5, 3), edge, 0.0)])
    told = label.as_json()
    assert label.inside == pytest.approx(0.5, abs=0.05)
    assert told["truncated"]
    assert told["x"] < 0
    assert (told["colour"], told["number"]) == ("orange", 5)


def test_washed_out_ink_is_difficult() -> None:
    """Where glare has left no contrast, nobody is asked to read."""
    staged = stage([SEVEN])
    white = np.full((240, 320, 3), 250, dtype=np.uint8)
    (label,) = label_tiles(staged, seen_from_above(staged), white)
    assert label.difficult


def test_backs_and_what_is_out_of_sight_have_no_label() -> None:
    """A tile face down is none to be read, one behind the picture's edge neither."""
    away = flat(Printed(1, 1), np.array([50.0, 0.0]), 0.0)
    assert labels([overturned(SEVEN, SHAPE), away]) == []


def test_a_picture_is_told_as_the_photographs_are() -> None:
    """The line names file, size, split and tiles, and says that corners are oriented."""
    staged = stage([flat(Printed(JOKER, 0), np.zeros(2), 0.0)])
    told = label_picture(staged, seen_from_above(staged), picture_of(staged), "00001.jpg")
    assert (told["file"], told["width"], told["height"]) == ("00001.jpg", 320, 240)
    assert (told["split"], told["scene"], told["layout"]) == ("train", "rendered", "rows")
    assert told["oriented"] is True
    (tile,) = told["tiles"]
    assert tile["joker"] is True
    assert "number" not in tile


def test_a_photograph_follows_from_its_seed_and_number() -> None:
    """The same twice, another one for another number or seed."""
    first = take_tiles(3, 8, GreyStudio())
    assert take_tiles(3, 8, GreyStudio()) == first
    assert take_tiles(3, 9, GreyStudio()).picture != first.picture
    assert take_tiles(4, 8, GreyStudio()).picture != first.picture


def test_training_reads_what_was_kept(tmp_path: Path) -> None:
    """Pictures and labels in the folder become tiled pictures, by number, as many as wanted."""
    for number in (4, 2):
        keep(tmp_path / "images" / f"{number:05}", take_tiles(1, number, GreyStudio()))
    pictures = read_rendered(tmp_path)
    assert [picture.name for picture in pictures] == ["00002.jpg", "00004.jpg"]
    assert pictures[0].scene == "rendered"
    assert len(read_rendered(tmp_path, 1)) == 1


def test_a_photograph_is_never_without_colour() -> None:
    """A grey picture would hide what a tile is; the others stay as they are."""
    drawn = [any_exposure(np.random.default_rng(seed)) for seed in range(200)]
    assert min(how.saturation for how in drawn) == 0
    assert min(in_colour(how).saturation for how in drawn) > 0.5


def test_calming_takes_the_grain_and_leaves_the_print() -> None:
    """Even light on a printed edge: the noise falls, the edge stays where it is."""
    random = np.random.default_rng(0)
    paint = np.full((80, 80, 3), 0.8, dtype=np.float32)
    paint[:, 40:] = 0.1
    light = paint * random.gamma(8, 1 / 8, (80, 80, 1)).astype(np.float32)
    calmed = denoise(light, paint)
    assert np.std(calmed[:, :38]) < 0.25 * np.std(light[:, :38])
    assert calmed[:, 39].mean() > 4 * calmed[:, 40].mean()
    assert calmed[:, :38].mean() == pytest.approx(0.8, rel=0.08)


def test_the_tracer_sees_the_tiles_where_the_labels_say() -> None:
    """A traced tile fills its corners, its ink is the darkest there, and its back is elsewhere."""
    staged = dressed([flat(Printed(8, 0), np.array([0.4, 0.2]), 0.5)])
    with open_studio(threads=1) as studio:
        shot = studio.trace(scenery(staged), 1)
    image = np.clip(shot.light * 160, 0, 255).astype(np.uint8)
    (label,) = label_tiles(staged, shot.seen, image)
    assert shot.paint is not None
    assert label.visible > 0.95
    assert not label.difficult
    upright = crop(shot.paint, label.quad)
    upper, lower = np.split(upright.mean(axis=2)[10:-10, 10:-10], 2)
    assert upper.min() < 0.3 < lower.min()
