"""Labelled photographs of tiles: corners from the number's side, whatever the label says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.errors import LabelError
from vision.train.augmentation import Chance, turned, warp_of
from vision.train.tiles.photographs import JOKER, NO_COLOUR, held_back, read_rendered, read_tiled
from vision.train.tiles.scenes import HEIGHT, WIDTH, DrawnEdition, draw_tile

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
