"""Training the tile finder."""

from __future__ import annotations

from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from vision.capture.frame import Image
from vision.read.detection import SIZE_UNIT, STRIDE
from vision.train.chance import Chance
from vision.train.descent import Batch, Descent, Plan, as_input
from vision.train.distortion import coarse, distort
from vision.train.finder import focal
from vision.train.tiles.album import Album
from vision.train.tiles.labels import PlacedTile
from vision.train.tiles.networks import MAPS, TileFinder
from vision.train.tiles.scenes import SCENE_SIDE, Stock, any_scene

Targets = NDArray[np.float32]

BATCH: Final = 16
_EXAMPLES: Final = 48
_CELLS: Final = SCENE_SIDE // STRIDE
_GEOMETRY_FROM: Final = 0.5


def train_finder(album: Album, plan: Plan, seed: int) -> nn.Module:
    """Train on scenes of photographs and of drawn tiles."""
    torch.manual_seed(seed)
    descent = Descent(TileFinder(), plan)
    stock = Stock(Chance((seed, descent.step)))
    descent.run(lambda: _batch(album, stock), _loss, plan.steps)
    return descent.average


def _batch(album: Album, stock: Stock) -> Batch:
    scenes = [any_scene(album, stock) for _ in range(BATCH)]
    images = [distort(coarse(scene.image, stock.chance), stock.chance) for scene in scenes]
    targets = np.stack([targets_of(scene.tiles) for scene in scenes])
    return as_input(np.stack(images)), torch.from_numpy(targets)


def targets_of(tiles: list[PlacedTile]) -> Targets:
    """The seven maps that the finder should give, where they count, and where nothing does."""
    maps = np.zeros((MAPS + 2, _CELLS, _CELLS), np.float32)
    for tile in sorted(tiles, key=lambda each: -each.length):
        _mark(maps, tile)
    return maps


def _mark(maps: Targets, tile: PlacedTile) -> None:
    (x, y), angle = tile.middle / STRIDE, np.radians(tile.angle)
    down, across = np.mgrid[0:_CELLS, 0:_CELLS].astype(np.float32)
    right, below = x - across - 0.5, y - down - 0.5
    along = right * np.cos(angle) + below * np.sin(angle)
    athwart = below * np.cos(angle) - right * np.sin(angle)
    wide, high = (max(0.7, 0.13 * each / STRIDE) for each in (tile.width, tile.length))
    near = np.exp(-((along / wide) ** 2 + (athwart / high) ** 2) / 2)
    if not tile.clear:
        maps[MAPS + 1][near > 0.05] = 1  # noqa: PLR2004 - its surroundings too
        return
    np.maximum(maps[0], near, out=maps[0])
    maps[0, min(int(y), _CELLS - 1), min(int(x), _CELLS - 1)] = 1
    here = (near > _GEOMETRY_FROM) | ((abs(right) <= 0.5) & (abs(below) <= 0.5))  # noqa: PLR2004
    sizes = (np.log(max(each, 2.0) / SIZE_UNIT) for each in (tile.width, tile.length))
    values = (right, below, *sizes, np.cos(2 * angle), np.sin(2 * angle))
    for channel, value in zip(range(1, MAPS), values, strict=True):
        maps[channel][here] = value[here] if isinstance(value, np.ndarray) else value
    maps[MAPS][here] = near[here].clip(0.3)


def _loss(network: nn.Module, batch: Batch) -> Tensor:
    images, targets = batch
    maps = network(images)
    told = 1 - targets[:, MAPS + 1]
    middles = targets[:, 0]
    count = (middles == 1).sum().clamp(min=1)
    near = targets[:, MAPS : MAPS + 1]
    off = functional.smooth_l1_loss(maps[:, 1:], targets[:, 1:MAPS], reduction="none", beta=0.2)
    places = (off * near).sum() / near.sum().clamp(min=1)
    return focal(maps[:, 0], middles, told) / count + places


def example_scenes(album: Album) -> list[Image]:
    """A few pictures as the finder sees them, each 1 x H x W x 3 bytes."""
    stock = Stock(Chance(_EXAMPLES))
    return [distort(any_scene(album, stock).image, stock.chance)[None] for _ in range(_EXAMPLES)]
