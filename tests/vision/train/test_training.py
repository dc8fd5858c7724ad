"""The training as a whole, two steps long: photographs in, a model that loads and reads out."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from vision.capture.frame import Frame
from vision.capture.photo import open_photo
from vision.read.dice import DiceRecogniser
from vision.read.networks import load_model
from vision.train.__main__ import main
from vision.train.augmentation import UNKNOWN, Chance
from vision.train.dice.lessons import DiceLessons
from vision.train.dice.photographs import DicePictures, read_pictures, read_rendered
from vision.train.dice.piece import DiceKind
from vision.train.dice.scenes import DiceScene, DiceStock, strewn
from vision.train.piece import TrainingPaths
from vision.train.publication import Trained, judge, publish, see_left_out
from vision.train.rendering.__main__ import main as render
from vision.train.surfaces import surface
from vision.train.training import plan_of, train_finder, train_reader


def write_photographs(folder: Path, seed: int) -> None:
    """Write a source of drawn scenes: whole dice, split in two."""
    (folder / "images").mkdir(parents=True)
    stock = DiceStock(Chance(seed))
    lines = []
    for number, split in enumerate(("train", "train", "dev")):
        scene = strewn(DiceScene(surface(256, stock.chance).image, []), stock)
        file = f"{number}.png"
        cv2.imwrite(str(folder / "images" / file), scene.image)
        dice = [
            {
                "x": die.x - die.width / 2,
                "y": die.y - die.height / 2,
                "w": die.width,
                "h": die.height,
                "value": die.value,
            }
            for die in scene.pieces
        ]
        lines.append(json.dumps({"file": file, "split": split, "dice": dice}))
    (folder / "labels.jsonl").write_text("\n".join(lines), encoding="utf-8")


def write_rendered(folder: Path) -> None:
    """Write one picture with its label as the renderer does."""
    folder.mkdir(parents=True)
    cv2.imwrite(str(folder / "00000.jpg"), np.full((120, 160, 3), 90, np.uint8))
    die = {
        "box": [40, 30, 80, 70],
        "quad": [[42, 32], [78, 32], [78, 66], [42, 66]],
        "value": 4,
        "lean_degrees": 12.0,
        "leaning": True,
        "visible": 1.0,
        "top_contrast": 80.0,
    }
    hidden, dark = die | {"visible": 0.1}, die | {"top_contrast": 2.0}
    entry = {
        "dice": [die, hidden, dark],
        "clutter": [{"box": [1, 2, 30, 31], "kind": "coin"}],
        "camera": {"elevation_degrees": 71.0},
    }
    (folder / "00000.json").write_text(json.dumps(entry), encoding="utf-8")


def test_a_rendered_picture_is_read_with_its_label(tmp_path: Path) -> None:
    """Hidden dice are left out, dark ones not read, clutter is kept, and what leans is known to."""
    write_rendered(tmp_path / "rendered")
    (picture,) = DicePictures(read_rendered(tmp_path / "rendered", most=5))
    (die, dark), (coin,) = picture.dice, picture.clutter
    assert dark.value == UNKNOWN
    assert (die.x, die.width, die.value, die.lean_degrees) == (60, 40, 4, 12)
    assert die.corners is not None
    assert (coin.value, coin.height) == (0, 29)
    assert picture.steep


def test_two_steps_end_in_a_model_that_reads(tmp_path: Path) -> None:
    """Renders, sources left out, choosing, training, export, card and page; then it reads."""
    data, models = tmp_path / "data", tmp_path / "models"
    for seed, name in enumerate("ab"):
        write_photographs(data / name, seed)
    write_rendered(tmp_path / "rendered")
    seen, base = {}, tmp_path / "base"
    rendered = read_rendered(tmp_path / "rendered", most=5)
    train_finder(DiceLessons(DicePictures(rendered)), plan_of("finder", 2, base), seed=1)
    train_reader(DiceLessons(DicePictures(rendered)), plan_of("reader", 2, base), seed=1)
    dice, paths = DiceKind(), TrainingPaths(data, tmp_path / "rendered", most=5)
    for without in ("a", "b", ""):
        place = tmp_path / f"without-{without}"
        lessons = DiceLessons(DicePictures([*read_pictures(data, without=without), *rendered]))
        train_finder(lessons, plan_of("finder", 2, place, base), seed=1)
        train_reader(lessons, plan_of("reader", 2, place, base), seed=1)
        if without:
            seen[without] = see_left_out(dice, paths, Trained(place, lessons), without)
    judgement = judge(dice, paths, seen)
    page = publish(dice, paths, Trained(place, lessons), models, "a command", judgement)
    assert "| a | 1 |" in page
    model = load_model("dice", folder=models)
    assert model.card["command"] == "a command"
    assert "a left out" in model.card["measured_error"]
    photo = open_photo(tmp_path / "rendered" / "00000.jpg")
    assert DiceRecogniser(model)(Frame(3, datetime.now(UTC), photo)).frame == 3
    blank = np.zeros((1, 48, 48, 3), np.uint8)
    assert model.networks["reader.onnx"](blank)[0, :7].sum() == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("command", ["left-out", "dice"])
def test_a_training_without_its_base_says_what_to_call(tmp_path: Path, command: str) -> None:
    """What comes first is named, and nothing is written."""
    data, cache = tmp_path / "data", tmp_path / "cache"
    write_photographs(data / "a", 1)
    for name in ("finder.pt", "reader.pt", "seen.jsonl"):
        (cache / "without-a").mkdir(parents=True, exist_ok=True)
        if command == "dice":
            (cache / "without-a" / name).touch()
    told = CliRunner().invoke(main, [command, "--data", str(data), "--cache", str(cache)])
    assert told.exit_code == 1
    assert "call rendered-alone" in told.output


def test_training_reads_what_the_renderer_writes(tmp_path: Path) -> None:
    """Pictures with labels, in the folder that the trainings look into."""
    arguments = ["dice", "--cache", str(tmp_path), "--count", "3", "--workers", "1"]
    rendered = CliRunner().invoke(render, arguments, catch_exceptions=False)
    assert rendered.exit_code == 0
    assert len(read_rendered(tmp_path / "dice", most=5)) == 3
