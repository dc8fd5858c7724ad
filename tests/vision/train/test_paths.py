"""The pictures that a training gathers: dice by source, tables without dice, rendered ones."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import LabelError
from vision.train.augmentation import Chance
from vision.train.dice.photographs import gather
from vision.train.paths import TrainingPaths

TILE = {"x": 10, "y": 20, "w": 30, "h": 40, "colour": "red", "number": 7}
DIE = {"x": 40, "y": 30, "w": 20, "h": 20, "value": 5}


def write_source(folder: Path, **pieces: Sequence[Mapping[str, object]]) -> None:
    """Write a source of one photograph of each split."""
    (folder / "images").mkdir(parents=True)
    lines = []
    for split in ("train", "dev"):
        cv2.imwrite(str(folder / "images" / f"{split}.png"), np.full((90, 120, 3), 90, np.uint8))
        lines.append(json.dumps({"file": f"{split}.png", "split": split, **pieces}))
    (folder / "labels.jsonl").write_text("\n".join(lines), encoding="utf-8")


@pytest.fixture
def shelf(tmp_path: Path) -> TrainingPaths:
    """Two sources of dice, and one of tiles."""
    for name in "ab":
        write_source(tmp_path / "dice" / name, dice=[DIE])
    write_source(tmp_path / "tiles" / "t", tiles=[TILE])
    return TrainingPaths(tmp_path / "dice", tmp_path / "rendered", tmp_path / "tiles", 5)


def test_tables_without_dice_are_clutter(shelf: TrainingPaths) -> None:
    """Every piece on them resembles a die and is none, and only their train photographs count."""
    (bare,) = (each for each in gather(shelf, 1) if each.source == "t")
    (tile,) = bare.clutter
    assert (bare.dice, bare.name, tile.value, tile.height) == ((), "train.png", 0, 40)


def test_a_source_is_left_out_and_the_tables_stay(shelf: TrainingPaths) -> None:
    """Leaving out is of dice: tables without any tell nothing of them."""
    assert {each.source for each in gather(shelf, 1, without="a")} == {"b", "t"}


def test_tables_without_dice_are_taken_seldom(shelf: TrainingPaths) -> None:
    """Each source of dice as often as the other; the others about one time in eight."""
    pictures, chance = gather(shelf, 1), Chance(4)
    taken = Counter(pictures.pick(chance).source for _ in range(2000))
    assert taken["t"] == pytest.approx(240, rel=0.25)
    assert taken["a"] == pytest.approx(880, rel=0.15)


def test_a_shelf_without_them_is_no_fault(shelf: TrainingPaths) -> None:
    """Who has no such photographs trains on dice alone."""
    without = TrainingPaths(shelf.data, shelf.rendered, None, shelf.most)
    assert {each.source for each in gather(without, 1)} == {"a", "b"}


def test_a_folder_without_labels_is_named(tmp_path: Path, shelf: TrainingPaths) -> None:
    """A wrong folder is no empty one."""
    with pytest.raises(LabelError, match="rendered"):
        gather(TrainingPaths(shelf.data, shelf.rendered, tmp_path / "rendered", 5), 1)
