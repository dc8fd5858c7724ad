"""The tiles' training, two steps long: what is taught, what is left out, a model that reads."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
from click.testing import CliRunner

from tests.vision.read.fake_networks import tile_maps
from tests.vision.train.tiles.test_labels import write_photograph
from vision.read.detection import TILES, Candidate, candidates
from vision.read.networks import load_model
from vision.read.tiles import TilesRecogniser
from vision.train.__main__ import main
from vision.train.descent import RATE, Plan
from vision.train.piece import TrainingPaths
from vision.train.publication import Trained, judge, publish, see_left_out
from vision.train.tiles.lessons import TileLessons
from vision.train.tiles.photographs import PlacedTile, TilePictures, read_tiled
from vision.train.tiles.piece import TileKind
from vision.train.training import finder_targets, train_finder, train_reader


def test_two_steps_of_both(tmp_path: Path) -> None:
    """Photographs and drawn tiles in, networks and checkpoints out; again goes on from there."""
    write_photograph(tmp_path / "a", 30)
    album = TilePictures(read_tiled(tmp_path, "train"), [])
    for train, file in ((train_finder, "finder.pt"), (train_reader, "reader.pt")):
        train(TileLessons(album), Plan(1, RATE, tmp_path / file, "test"), 3)
        train(TileLessons(album), Plan(2, RATE, tmp_path / file, "test"), 3)
        assert torch.load(tmp_path / file, weights_only=True)["step"] == 2


def test_others_make_the_batches(tmp_path: Path) -> None:
    """As for a graphics card: several processes draw, each batch is learned from again."""
    write_photograph(tmp_path / "a", 30)
    album = TilePictures(read_tiled(tmp_path, "train"), [])
    file = tmp_path / "reader.pt"
    train_reader(TileLessons(album), Plan(4, RATE, file, "test", makers=2), 3)
    assert torch.load(file, weights_only=True)["step"] == 4


def test_what_is_taught_is_what_is_read() -> None:
    """The finder's targets, read like its maps, give the tile back."""
    lying = Candidate(1.0, 101.0, 83.0, 24.0, 34.0, 40.0, 0.3)
    tile = PlacedTile(lying.quad, 7, 1)
    maps = finder_targets([tile], TileLessons.maps, TileLessons.spread)[: TileLessons.maps]
    (found,) = candidates(maps, 0.99, TILES)
    assert (found.x, found.y, found.angle) == pytest.approx((101, 83, 40), abs=0.05)
    assert (found.width, found.height, found.shear) == pytest.approx((24, 34, 0.3), rel=0.01)
    assert tile_maps(lying).shape[0] == TileLessons.maps


def test_what_is_not_clear_teaches_nothing() -> None:
    """Neither that it is a tile, nor that it is none."""
    tile = PlacedTile(Candidate(1.0, 101.0, 83.0, 24.0, 34.0, 40.0).quad, 7, 1, clear=False)
    maps = finder_targets([tile], TileLessons.maps, TileLessons.spread)
    assert maps[0].max() == 0
    assert maps[-1][83 // 4, 101 // 4] == 1
    assert np.count_nonzero(maps[-1]) > 10


def test_a_tile_seen_obliquely_is_cut_out_as_the_finder_tells_it() -> None:
    """By the place that has corners nearest to its own: opposite edges alike."""
    seen = PlacedTile(np.array([(10, 0), (50, 4), (68, 62), (12, 56)], np.float32), 7, 1)
    told = Candidate.of_corners(seen.corners, 1.0)
    assert (seen.width, seen.height) == pytest.approx((told.width, told.height), rel=1e-5)
    assert (seen.angle, seen.shear) == pytest.approx((told.angle, told.shear), rel=1e-4)
    assert seen.outline == pytest.approx(told.quad, abs=1e-3)
    assert np.abs(seen.outline - seen.corners).max() < 5


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
