"""Labels of rendered tiles, worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.train.rendering.tiles.staging import (
    FROM_ABOVE,
    SHAPE,
    picture_of,
    seen_from_above,
    stage,
)
from vision.train.rendering.tiles.edition import JOKER, Printed
from vision.train.rendering.tiles.stage import label_picture, label_tiles
from vision.train.rendering.tiles.tile_poses import flat, overturned

SEVEN = flat(Printed(7, 1), np.array([0.0, 0.0]), 0.0)
PIXELS = FROM_ABOVE.focal_pixels / (12.0 - (SHAPE.thickness - SHAPE.drop) + 0.3)


def test_a_tile_seen_from_above_has_its_corners_from_the_number_side() -> None:
    """Left to right along the upper side, clockwise, a width and a length apart."""
    staged = stage([SEVEN])
    (label,) = label_tiles(staged, seen_from_above(staged), picture_of(staged))
    half = np.array([0.5, 0.715]) * PIXELS
    assert label.quad[0] == pytest.approx(np.array([160, 120]) - half, abs=0.01)
    assert label.quad[2] == pytest.approx(np.array([160, 120]) + half, abs=0.01)
    assert label.visible > 0.97
    assert label.ink_visible > 0.97
    assert not label.difficult


@pytest.mark.parametrize("degrees", [30, 90, 180, 250])
def test_a_turned_tile_turns_its_corners(degrees: float) -> None:
    """Anticlockwise on the table is anticlockwise in the picture."""
    staged = stage([flat(Printed(6, 2), np.array([0.3, -0.2]), np.radians(degrees))])
    (label,) = label_tiles(staged, seen_from_above(staged), picture_of(staged))
    across = label.quad[1] - label.quad[0]
    assert np.degrees(np.arctan2(-across[1], across[0])) % 360 == pytest.approx(degrees, abs=0.01)


def test_a_tile_under_another_is_difficult() -> None:
    """One that lies over half of it leaves too little; the upper one is clear."""
    upper = flat(Printed(3, 0), np.array([0.0, 0.5]), 0.0)
    upper = replace(upper, place=upper.place + np.array([0, 0, SHAPE.thickness]))
    staged = stage([SEVEN, upper])
    lower, over = label_tiles(staged, seen_from_above(staged), picture_of(staged))
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
    staged = stage([flat(Printed(5, 3), edge, 0.0)])
    (label,) = label_tiles(staged, seen_from_above(staged), picture_of(staged))
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
    staged = stage([overturned(SEVEN, SHAPE), away])
    assert label_tiles(staged, seen_from_above(staged), picture_of(staged)) == []


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
