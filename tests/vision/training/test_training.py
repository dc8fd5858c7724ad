"""The training as a whole, two steps long: photographs in, a model that loads and reads out."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.training.chance import Chance
from vision.training.scenes import Scene, Stock, strewn
from vision.training.surfaces import surface

pytest.importorskip("torch", reason="needs the training extra")
pytest.importorskip("onnx", reason="needs the training extra")


def write_photographs(folder: Path) -> Path:
    """Write a source of drawn scenes: whole dice, split in two."""
    (folder / "images").mkdir(parents=True)
    stock = Stock(Chance(1))
    lines = []
    for number, split in enumerate(("train", "train", "dev")):
        scene = strewn(Scene(surface(256, stock.chance), []), stock)
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
            for die in scene.dice
        ]
        lines.append(json.dumps({"file": file, "split": split, "dice": dice}))
    (folder / "labels.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return folder.parent


def test_two_steps_end_in_a_model_that_reads(tmp_path: Path) -> None:
    """Training, survey, export, calibration, card and page; then the model is loaded and reads."""
    from vision.recognisers.dice import DiceRecogniser  # noqa: PLC0415 - after the skips
    from vision.training.finding import finder_plan, train_finder  # noqa: PLC0415
    from vision.training.photographs import read_pictures  # noqa: PLC0415
    from vision.training.publishing import publish  # noqa: PLC0415
    from vision.training.reading import reader_plan, train_reader  # noqa: PLC0415
    from vision.weights import load_model  # noqa: PLC0415

    data, cache, models = write_photographs(tmp_path / "data" / "a"), tmp_path, tmp_path / "models"
    pictures = read_pictures(data)
    train_finder(pictures, finder_plan(2, cache), seed=1)
    train_reader(pictures, reader_plan(2, cache), seed=1)
    page = publish(data, cache, models, "a command")
    assert "| a | 1 |" in page
    model = load_model("dice", folder=models)
    assert model.card["command"] == "a command"
    assert DiceRecogniser(model).name == "dice"
    blank = np.zeros((1, 48, 48, 3), np.uint8)
    assert model.networks["reader.onnx"](blank)[0, :7].sum() == pytest.approx(1, abs=1e-4)
