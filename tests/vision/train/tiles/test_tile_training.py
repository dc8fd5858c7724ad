"""The trainings of both networks, two steps long, and what they are taught."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the training extra")

import torch

from tests.vision.read.test_candidates import tile_maps
from tests.vision.train.tiles.test_labels import write_photograph
from vision.read.detection import TILES, Candidate, candidates
from vision.train.descent import RATE, Plan
from vision.train.networks import TileFinder, TileReader
from vision.train.tiles.lessons import TileLessons
from vision.train.tiles.photographs import PlacedTile, TilePictures, read_tiled
from vision.train.training import finder_targets, train_finder, train_reader


def test_two_steps_of_both(tmp_path: Path) -> None:
    """Photographs and drawn tiles in, networks and checkpoints out; again goes on from there."""
    write_photograph(tmp_path / "a", 30)
    album = TilePictures(read_tiled(tmp_path, "train"), [])
    for train, file in ((train_finder, "finder.pt"), (train_reader, "reader.pt")):
        train(TileLessons(album), Plan(1, RATE, tmp_path / file, "test"), 3)
        train(TileLessons(album), Plan(2, RATE, tmp_path / file, "test"), 3)
        assert torch.load(tmp_path / file, weights_only=True)["step"] == 2


def test_the_networks_give_what_they_promise() -> None:
    """Seven maps at a quarter of the size; twenty-one figures a crop."""
    assert TileFinder().eval()(torch.zeros(2, 3, 64, 96)).shape == (2, 7, 16, 24)
    assert TileReader().eval()(torch.zeros(3, 3, 56, 40)).shape == (3, 21)


def test_what_is_taught_is_what_is_read() -> None:
    """The finder's targets, read like its maps, give the tile back."""
    lying = Candidate(1.0, 101.0, 83.0, 24.0, 34.0, 40.0)
    tile = PlacedTile(lying.quad, 7, 1)
    (found,) = candidates(
        finder_targets([tile], TileLessons.maps, TileLessons.spread)[:7], 0.99, TILES
    )
    assert (found.x, found.y, found.angle) == pytest.approx((101, 83, 40), abs=0.05)
    assert (found.width, found.height) == pytest.approx((24, 34), rel=0.01)
    assert tile_maps(lying).shape[0] == 7


def test_what_is_not_clear_teaches_nothing() -> None:
    """Neither that it is a tile, nor that it is none."""
    tile = PlacedTile(Candidate(1.0, 101.0, 83.0, 24.0, 34.0, 40.0).quad, 7, 1, clear=False)
    maps = finder_targets([tile], TileLessons.maps, TileLessons.spread)
    assert maps[0].max() == 0
    assert maps[8][83 // 4, 101 // 4] == 1
    assert np.count_nonzero(maps[8]) > 10


def test_a_tile_seen_obliquely_is_cut_out_as_the_finder_tells_it() -> None:
    """A rectangle of the same middle, turn, width and length."""
    seen = PlacedTile(np.array([(10, 0), (50, 4), (58, 62), (2, 56)], np.float32), 7, 1)
    cut = PlacedTile(seen.rectangle, 7, 1)
    assert cut.middle == pytest.approx(seen.middle, abs=1e-3)
    assert (cut.width, cut.height) == pytest.approx((seen.width, seen.height), rel=1e-4)
    assert cut.angle == pytest.approx(seen.angle, abs=1e-3)
    first, second, third, _ = cut.corners
    assert float((second - first) @ (third - second)) == pytest.approx(0, abs=1e-2)
