"""The pictures that a training of dice gathers, and what a crop of them teaches."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import LabelError
from vision.train.augmentation import UNKNOWN, Chance, PlacedDie, halved
from vision.train.dice.lessons import NOTHING, DiceLessons
from vision.train.dice.photographs import DicePicture, DicePictures, gather, read_pictures
from vision.train.dice.scenes import DiceScene, DiceStock, strewn
from vision.train.piece import TrainingPaths
from vision.train.training import finder_targets

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


@pytest.fixture(scope="module")
def lessons() -> DiceLessons:
    """Dice drawn on one table."""
    stock = DiceStock(Chance(5))
    scene = strewn(DiceScene(stock.table().image.copy(), []), stock)
    picture = DicePicture("drawn", "1", halved(scene.image), tuple(scene.pieces))
    return DiceLessons(DicePictures([picture]))


def test_a_smeared_die_is_a_die_that_cannot_be_read(lessons: DiceLessons) -> None:
    """Some are told as unreadable, and as there; of a part of a die nothing is told."""
    stock = lessons.stock(Chance(1))
    told = [lessons.piece_crop(stock).targets for _ in range(400)]
    values = {die.value for die in next(iter(lessons.pictures)).dice}
    assert any((value, present) == (NOTHING, 1) for value, _, _, present in told)
    assert any((value, present) == (UNKNOWN, UNKNOWN) for value, _, _, present in told)
    assert {value for value, _, _, present in told if present == 1} <= {*values, NOTHING, UNKNOWN}


def test_a_pip_is_no_die(lessons: DiceLessons) -> None:
    """Whatever lies beside dice or is a small part of one is told as nothing."""
    stock = lessons.stock(Chance(2))
    told = [lessons.empty_crop(stock).targets for _ in range(100)]
    assert {(value, present) for value, _, _, present in told} <= {(NOTHING, 0), (UNKNOWN, 0)}


def test_cubes_with_numerals_are_clutter(tmp_path: Path) -> None:
    """A die with symbols in place of pips resembles one and is none."""
    write_source(tmp_path / "cubes", dice=[DIE | {"value": 0, "symbol": True}])
    (picture,) = read_pictures(tmp_path)
    (cube,) = picture.clutter
    assert (picture.dice, cube.x, cube.y, cube.value) == ((), 50, 40, NOTHING)


def test_every_die_teaches_the_finder() -> None:
    """Also one that cannot be read: its middle is marked, and nothing around it is left out."""
    die = PlacedDie(100, 80, 30, 30, UNKNOWN)
    maps = finder_targets([die], DiceLessons.maps, DiceLessons.spread)
    assert (maps[0].max(), maps[-1].max()) == (1, 0)
