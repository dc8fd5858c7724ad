"""Drawn tiles, alone and laid out on tables."""

from __future__ import annotations

import numpy as np
import pytest

from vision.read.detection import upright
from vision.train.augmentation import SCENE_SIDE, Chance
from vision.train.tiles.photographs import JOKER, NO_COLOUR, PlacedTile
from vision.train.tiles.scenes import (
    HEIGHT,
    WIDTH,
    DrawnEdition,
    TileScene,
    TileStock,
    draw_tile,
    laid,
)

UPPER, LOWER = np.s_[10 : HEIGHT // 2, 20:-20], np.s_[int(0.68 * HEIGHT) : -12, 20:-20]


@pytest.mark.parametrize("seed", range(6))
def test_the_ink_is_in_the_upper_half(seed: int) -> None:
    """Whatever the edition: by that a tile's top is known."""
    chance = Chance(seed)
    edition = DrawnEdition.any(chance)
    for kind in range(1, JOKER + 1):
        image = draw_tile(edition, kind, chance.below(4), chance).image.astype(float)
        assert image[UPPER].std() > 1.5 * image[LOWER].std(), kind


@pytest.mark.parametrize("seed", range(6))
def test_the_four_inks_differ(seed: int) -> None:
    """Within one edition, each by its own face."""
    chance = Chance(seed)
    edition = DrawnEdition.any(chance)
    means = [
        draw_tile(edition, 8, colour, chance).image[UPPER].reshape(-1, 3).min(axis=0)
        for colour in range(4)
    ]
    for one in range(4):
        for other in range(one):
            assert np.abs(means[one].astype(int) - means[other].astype(int)).max() > 20


def test_a_joker_tells_no_colour() -> None:
    """Its ink is black or red, which means nothing."""
    chance = Chance(1)
    assert draw_tile(DrawnEdition.any(chance), JOKER, 2, chance).colour == NO_COLOUR


def test_tiles_lie_where_they_are_said_to() -> None:
    """Cut out by its corners, each laid tile shows what was drawn."""
    stock = TileStock(Chance(9))
    checked = 0
    while checked < 20:
        scene = laid(TileScene(stock.table(), []), stock)
        for tile in scene.pieces:
            if tile.height > 40 and _is_inside(tile):
                crop = upright(scene.image, tile.corners, 1.0).astype(float)
                assert crop[5:28, 8:-8].std() > crop[36:50, 8:-8].std()
                checked += 1


def _is_inside(tile: PlacedTile) -> bool:
    return bool((tile.corners > 2).all() and (tile.corners < SCENE_SIDE - 2).all())


def test_no_laid_tile_hides_another() -> None:
    """What the finder has to tell apart is there to be seen."""
    stock = TileStock(Chance(2))
    for _ in range(10):
        tiles = laid(TileScene(stock.table(), []), stock).pieces
        for at, tile in enumerate(tiles):
            for other in tiles[:at]:
                apart = float(np.hypot(*(tile.middle - other.middle)))
                assert apart > 0.6 * min(tile.width, other.width)


def test_a_moved_tile_goes_with_its_picture() -> None:
    """Corners, sides and turn under a scale and a quarter turn."""
    corners = np.array([(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)], np.float32)
    tile = PlacedTile(corners, 5, 1)
    moved = tile.moved(np.array([[0.0, -2.0, 400.0], [2.0, 0.0, 10.0]]))
    assert moved.angle == pytest.approx(90)
    assert (moved.width, moved.height) == pytest.approx((2 * WIDTH, 2 * HEIGHT))
