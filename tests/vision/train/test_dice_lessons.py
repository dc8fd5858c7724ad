"""What a crop tells the dice reader: a die, a part of one, a smear, or nothing."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.train.augmentation import UNKNOWN, Chance, halved
from vision.train.dice.photographs import DicePicture, DicePictures, read_pictures
from vision.train.dice.scenes import DiceScene, DiceStock, strewn

pytest.importorskip("torch", reason="needs the training extra")

from vision.train.dice.lessons import NOTHING, DiceLessons


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
    folder = tmp_path / "cubes" / "images"
    folder.mkdir(parents=True)
    cv2.imwrite(str(folder / "1.png"), np.full((90, 120, 3), 90, np.uint8))
    die = {"x": 40, "y": 30, "w": 20, "h": 20, "value": 0, "symbol": True}
    entry = {"file": "1.png", "split": "train", "dice": [die]}
    (folder.parent / "labels.jsonl").write_text(json.dumps(entry), encoding="utf-8")
    (picture,) = read_pictures(tmp_path)
    (cube,) = picture.clutter
    assert (picture.dice, cube.x, cube.y, cube.value) == ((), 50, 40, NOTHING)
