"""The tiles' training as a whole, two steps long: scenes left out, choosing, a model that reads."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

pytest.importorskip("torch", reason="needs the training extra")
pytest.importorskip("onnx", reason="needs the training extra")

from tests.vision.train.tiles.test_labels import write_photograph
from vision.read.networks import load_model
from vision.read.tiles import TilesRecogniser
from vision.train.__main__ import main
from vision.train.descent import RATE, Plan
from vision.train.paths import TrainingPaths
from vision.train.publication import Trained, judge, publish, see_left_out
from vision.train.tiles.lessons import TileLessons
from vision.train.tiles.photographs import TilePictures, read_tiled
from vision.train.tiles.piece import TileKind
from vision.train.training import train_finder, train_reader


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """One source with a photograph of each of two scenes, and one to try on."""
    folder = tmp_path / "data" / "kitchen"
    write_photograph(folder, 20)
    line = json.loads((folder / "labels.jsonl").read_text())
    scenes = (("felt", "train"), ("wood", "train"), ("glass", "dev"))
    for scene, _ in scenes:
        shutil.copy(folder / "images" / "a.png", folder / "images" / f"{scene}.png")
    lines = [
        json.dumps({**line, "file": f"{scene}.png", "scene": scene, "split": split})
        for scene, split in scenes
    ]
    (folder / "labels.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return folder.parent


def trained(place: Path, album: TilePictures) -> Trained:
    """Two steps of both networks."""
    for train, title in ((train_finder, "finder"), (train_reader, "reader")):
        train(TileLessons(album), Plan(2, RATE, place / f"{title}.pt", title), 3)
    return Trained(place, TileLessons(album))


def test_two_steps_end_in_a_model_that_reads(data: Path, tmp_path: Path) -> None:
    """Card and page name what was left out, and the weights load."""
    pictures, models = read_tiled(data, "train"), tmp_path / "models"
    tiles, paths, seen = TileKind(), TrainingPaths(data, tmp_path / "none"), {}
    for scene in ("felt", "wood"):
        others = TilePictures([each for each in pictures if each.scene != scene], [])
        left_out = trained(tmp_path / scene, others)
        seen[scene] = see_left_out(tiles, paths, left_out, scene)
    everything = trained(tmp_path / "all", TilePictures(pictures, []))
    judgement = judge(tiles, paths, seen)
    table = publish(tiles, paths, everything, models, "a command", judgement)
    assert "| glass | 1 |" in table
    model = load_model("tiles", folder=models)
    assert model.card["command"] == "a command"
    assert {"felt left out", "wood left out"} <= model.card["measured_error"].keys()
    page = (models / "tiles" / "evaluation.md").read_text(encoding="utf-8")
    assert "Scenes left out" in page
    assert "Number right" in page
    assert TilesRecogniser(model).name == "tiles"


@pytest.mark.parametrize(
    ("command", "first"), [("left-out", "rendered-alone"), ("all", "left-out")]
)
def test_a_training_out_of_turn_says_what_to_call(
    data: Path, tmp_path: Path, command: str, first: str
) -> None:
    """What comes first is named, and nothing is written."""
    cache = tmp_path / "cache"
    arguments = ["tiles", command, "--data", str(data), "--cache", str(cache)]
    told = CliRunner().invoke(main, [*arguments, "--rendered", str(tmp_path / "none")])
    assert told.exit_code == 1
    assert f"call {first}" in told.output
