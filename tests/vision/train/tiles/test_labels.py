"""Tiles to learn from: in labelled photographs, and drawn, alone and laid out on tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.errors import LabelError
from vision.read.detection import upright
from vision.train.augmentation import SCENE_SIDE, Chance, turned, warp_of
from vision.train.tiles.photographs import (
    JOKER,
    NO_COLOUR,
    PlacedTile,
    held_back,
    read_rendered,
    read_tiled,
)
from vision.train.tiles.scenes import (
    HEIGHT,
    WIDTH,
    DrawnEdition,
    TileScene,
    TileStock,
    draw_tile,
    laid,
)

NAMED = {"black": 0, "red": 1, "blue": 2, "orange": 3}
CORNERS = np.array([(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)], np.float32)


def write_photograph(folder: Path, degrees: float, **told: Any) -> np.ndarray[Any, Any]:
    """A source with one photograph of a drawn red 7, turned; gives its true corners."""
    (folder / "images").mkdir(parents=True)
    chance = Chance(5)
    tile = draw_tile(DrawnEdition.any(chance), 7, NAMED["red"], chance)
    warp = warp_of((WIDTH / 2, HEIGHT / 2), (200, 180), turned(degrees))
    image = np.full((360, 400, 3), (60, 90, 70), np.uint8)
    cv2.warpAffine(tile.image, warp, (400, 360), dst=image, borderMode=cv2.BORDER_TRANSPARENT)
    cv2.imwrite(str(folder / "images" / "a.png"), image)
    corners = np.asarray(CORNERS @ warp[:, :2].T + warp[:, 2])
    quad = np.roll(corners, 1, axis=0).tolist()
    left, top = corners.min(axis=0)
    right, bottom = corners.max(axis=0)
    box = {"x": float(left), "y": float(top), "w": float(right - left), "h": float(bottom - top)}
    entry = {"colour": "red", "number": 7, "quad": quad, **box, **told}
    line = {"file": "a.png", "split": "train", "scene": "felt", "tiles": [entry]}
    (folder / "labels.jsonl").write_text(json.dumps(line), encoding="utf-8")
    return corners


@pytest.mark.parametrize("degrees", [0.0, 25.0, 100.0, 180.0, 300.0])
def test_the_number_tells_the_top(tmp_path: Path, degrees: float) -> None:
    """The label names no top: the ink in the upper half does."""
    corners = write_photograph(tmp_path / "a", degrees)
    (picture,) = read_tiled(tmp_path, "train")
    (tile,) = picture.tiles
    assert np.allclose(tile.corners, corners, atol=1.5)
    assert tile.angle == pytest.approx(degrees, abs=1) or degrees == 0
    assert (tile.kind, tile.colour, tile.clear) == (7, NAMED["red"], True)
    assert (tile.width, tile.height) == pytest.approx((WIDTH, HEIGHT), abs=1.5)
    assert picture.scene == "felt"


def test_a_joker_has_no_colour_and_what_is_cut_off_is_not_clear(tmp_path: Path) -> None:
    """Nothing is learned of the ink of a joker, nor of what cannot be seen whole."""
    write_photograph(tmp_path / "a", 10, joker=True, truncated=True)
    (picture,) = read_tiled(tmp_path, "train")
    (tile,) = picture.tiles
    assert (tile.kind, tile.colour, tile.clear) == (JOKER, NO_COLOUR, False)


def test_only_the_split_that_is_asked_for_is_read(tmp_path: Path) -> None:
    """Nobody trains on what is kept to measure."""
    write_photograph(tmp_path / "a", 10)
    assert read_tiled(tmp_path, "dev") == []


@pytest.mark.parametrize("line", ["{", '{"split": "train"}', '{"split": "train", "file": "a.png"}'])
def test_a_line_that_is_no_label_is_named(tmp_path: Path, line: str) -> None:
    """By its number and file."""
    write_photograph(tmp_path / "a", 10)
    (tmp_path / "a" / "labels.jsonl").write_text(line, encoding="utf-8")
    with pytest.raises(LabelError, match="Line 1 of"):
        read_tiled(tmp_path, "train")


def test_a_folder_without_labels_is_told(tmp_path: Path) -> None:
    """And a photograph that is missing."""
    with pytest.raises(LabelError, match=r"labels\.jsonl"):
        read_tiled(tmp_path, "train")
    write_photograph(tmp_path / "a", 10)
    (tmp_path / "a" / "images" / "a.png").unlink()
    with pytest.raises(LabelError, match="missing"):
        read_tiled(tmp_path, "train")


def test_corners_that_are_told_are_kept(tmp_path: Path) -> None:
    """Rendered pictures know a tile's top: their corners stay as they are, whatever the ink."""
    write_photograph(tmp_path / "a", 25)
    labels = tmp_path / "a" / "labels.jsonl"
    line = json.loads(labels.read_text(encoding="utf-8"))
    quad = [[10.0, 5.0], [40.0, 12.0], [36.0, 60.0], [4.0, 50.0]]
    line["tiles"][0]["quad"] = quad
    labels.write_text(json.dumps(line | {"oriented": True}), encoding="utf-8")
    (picture,) = read_tiled(tmp_path, "train")
    assert picture.tiles[0].corners.tolist() == quad


def test_rendered_pictures_without_labels_are_left_out(tmp_path: Path) -> None:
    """Labels come last, so that a picture still being made is not read; bad ones are named."""
    write_photograph(tmp_path, 25)
    assert read_rendered(tmp_path) == []
    (tmp_path / "images" / "00000.json").write_text("[]", encoding="utf-8")
    with pytest.raises(LabelError, match="holds no labels"):
        read_rendered(tmp_path)


def test_every_twelfth_rendered_picture_is_for_judging(tmp_path: Path) -> None:
    """No training sees it; it comes with its labels, not yet opened."""
    write_photograph(tmp_path, 25)
    label = (tmp_path / "labels.jsonl").read_text(encoding="utf-8")
    for number in (10, 11):
        (tmp_path / "images" / f"{number:05}.json").write_text(label, encoding="utf-8")
    assert len(read_rendered(tmp_path)) == 1
    (kept,) = held_back(tmp_path)
    assert (kept.path.name, [each.label for each in kept.pieces]) == ("a.png", ["R7"])


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
