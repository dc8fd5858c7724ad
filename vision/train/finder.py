"""Training the finder."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from vision.capture.frame import Image
from vision.read.detection import SIZE_UNIT, STRIDE
from vision.train.chance import Chance
from vision.train.descent import RATE, Batch, Descent, Plan, as_input
from vision.train.distortion import coarse, distort
from vision.train.networks import Finder
from vision.train.photographs import Pictures
from vision.train.placed import PlacedDie
from vision.train.scenes import SCENE_SIDE, Stock, any_scene
from vision.train.survey import survey, surveyed

Targets = NDArray[np.float32]

BATCH: Final = 16
_CELLS: Final = SCENE_SIDE // STRIDE
SURVEY_AT: Final = 0.25
_GEOMETRY_FROM: Final = 0.5
_EXAMPLES: Final = 120


def train_finder(pictures: Pictures, plan: Plan, seed: int) -> nn.Module:
    """Train on scenes; photographs with the pips' boxes alone join once dice are found on them."""
    torch.manual_seed(seed)
    descent = Descent(Finder(), plan)
    file, surveying = survey_file(plan.checkpoint.parent), int(plan.steps * SURVEY_AT)
    if not file.is_file():
        _run(descent, pictures.whole(), seed, max(surveying, descent.step))
        survey(pictures, descent.average, file)
    _run(descent, surveyed(pictures, file).whole(), seed, plan.steps)
    return descent.average


def survey_file(cache: Path) -> Path:
    """Where the finder leaves what it saw on the train photographs, for the reader too."""
    return cache / "survey.json"


def _run(descent: Descent, pictures: Pictures, seed: int, until: int) -> None:
    stock = Stock(Chance((seed, descent.step)), pictures.cuts)
    descent.run(lambda: _batch(pictures, stock), _loss, until)


def _batch(pictures: Pictures, stock: Stock) -> Batch:
    scenes = [any_scene(pictures, stock) for _ in range(BATCH)]
    images = np.stack(
        [distort(coarse(scene.image, stock.chance), stock.chance) for scene in scenes]
    )
    targets = np.stack([_targets(scene.dice) for scene in scenes])
    return as_input(images), torch.from_numpy(targets)


def _targets(dice: list[PlacedDie]) -> Targets:
    """Give the five maps that the finder should give, and a sixth: how near a middle is."""
    maps = np.zeros((6, _CELLS, _CELLS), np.float32)
    for die in sorted(dice, key=lambda each: -each.size):
        _mark(maps, die)
    return maps


def _mark(maps: Targets, die: PlacedDie) -> None:
    x, y = die.x / STRIDE, die.y / STRIDE
    down, across = np.mgrid[0:_CELLS, 0:_CELLS].astype(np.float32)
    right, below = x - across - 0.5, y - down - 0.5
    wide, high = (max(0.7, 0.1 * each / STRIDE) for each in (die.width, die.height))
    near = np.exp(-((right / wide) ** 2 + (below / high) ** 2) / 2)
    np.maximum(maps[0], near, out=maps[0])
    maps[0, min(int(y), _CELLS - 1), min(int(x), _CELLS - 1)] = 1
    here = (near > _GEOMETRY_FROM) | ((abs(right) <= 0.5) & (abs(below) <= 0.5))  # noqa: PLR2004
    sizes = (np.log(max(each, 2.0) / SIZE_UNIT) for each in (die.width, die.height))
    for channel, value in zip(range(1, 5), (right, below, *sizes), strict=True):
        maps[channel][here] = value[here] if isinstance(value, np.ndarray) else value
    maps[5][here] = near[here].clip(0.3)


def _loss(network: nn.Module, batch: Batch) -> Tensor:
    images, targets = batch
    maps = network(images)
    middles = targets[:, 0]
    count = (middles == 1).sum().clamp(min=1)
    near = targets[:, 5:]
    off = functional.smooth_l1_loss(maps[:, 1:], targets[:, 1:5], reduction="none", beta=0.2)
    return focal(maps[:, 0], middles, torch.ones_like(middles)) / count + (
        off * near
    ).sum() / near.sum().clamp(min=1)


def focal(logits: Tensor, middles: Tensor, told: Tensor) -> Tensor:
    """Sum the focal loss of CenterNet, equation 1, over the cells that are `told` (1, else 0)."""
    here = torch.sigmoid(logits)
    found = -functional.logsigmoid(logits) * (1 - here) ** 2 * (middles == 1)
    others = -functional.logsigmoid(-logits) * here**2 * (1 - middles) ** 4 * (middles < 1)
    return ((found + others) * told).sum()


def example_scenes(pictures: Pictures) -> list[Image]:
    """A few pictures as the finder sees them, each 1 x H x W x 3 bytes."""
    stock = Stock(Chance(_EXAMPLES))
    return [distort(any_scene(pictures, stock).image, stock.chance)[None] for _ in range(_EXAMPLES)]


def finder_plan(steps: int, cache: Path, base: Path | None = None) -> Plan:
    """The finder's schedule; from the result in the folder `base` on, half as bold."""
    file = "finder.pt"
    if base is None:
        return Plan(steps, RATE, cache / file, "finder")
    return Plan(steps, RATE / 2, cache / file, "finder", base / file)
