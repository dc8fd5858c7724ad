"""Training the face reader."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from vision.capture.frame import Image
from vision.read.detection import DIE_MARGIN
from vision.train.chance import Chance
from vision.train.descent import RATE, Batch, Descent, Plan, as_input
from vision.train.distortion import coarse, distort
from vision.train.finder import SURVEY_AT, survey_file
from vision.train.networks import FACE_CLASSES, READER_SIDE, Reader
from vision.train.photographs import Picture, Pictures
from vision.train.placed import (
    ANY_WAY_UP,
    UNKNOWN,
    Affine,
    PlacedDie,
    Points,
    turned_and_stretched,
    warp_of,
)
from vision.train.scenes import Scene, Stock, any_scene
from vision.train.survey import surveyed

BATCH: Final = 128
NOTHING: Final = 0
_PHOTOGRAPHED: Final = 56
_EMPTY: Final = 36
_PRINTED: Final = 0.3  # of these, where the drawn table has prints on it
_SMOOTHING: Final = 0.02
_EXAMPLES: Final = 400
_FAINTEST: Final = 6.0  # levels by which what can be read differs in the crop's middle
# A die leans (YZ-5) from 7 degrees on; below 3 it lies flat, and between them nothing is taught.
_LEVEL_DEGREES, _LEANS_DEGREES, _ON_EDGE_DEGREES = 3.0, 7.0, 26.0


@dataclass(frozen=True, slots=True, eq=False)
class Crop:
    """What the reader sees of one die: 48 x 48 x 3, and what it should say.

    `value` is 0 for no readable face and UNKNOWN where nothing should be learned; the angle is
    the pair (cosine, sine) of four times it, clockwise, (0, 0) if unknown; `leaning` is 0, 1,
    or UNKNOWN.
    """

    image: Image
    value: int
    angle: tuple[float, float]
    leaning: float


def train_reader(pictures: Pictures, plan: Plan, seed: int) -> nn.Module:
    """Train on crops of photographs and of drawn scenes, and of clutter once it is known."""
    torch.manual_seed(seed)
    descent = Descent(Reader(), plan)
    for share in (SURVEY_AT * 1.2, 1.0):
        stock = Stock(Chance((seed, descent.step, 1)), pictures.cuts)
        batch = partial(_batch, pictures, stock)
        descent.run(batch, _loss, int(plan.steps * share))
        pictures = surveyed(pictures, survey_file(plan.checkpoint.parent))
    return descent.average


def _batch(pictures: Pictures, stock: Stock) -> Batch:
    crops = [_photographed(pictures, stock) for _ in range(_PHOTOGRAPHED)]
    crops += [_elsewhere(pictures, stock) for _ in range(_EMPTY)]
    while len(crops) < BATCH:
        crops += _of_scene(any_scene(pictures, stock), stock.chance)
    crops = crops[:BATCH]
    images = np.stack([crop.image for crop in crops])
    values = torch.tensor([crop.value for crop in crops])
    angles = torch.tensor([crop.angle for crop in crops])
    return as_input(images), values, angles, torch.tensor([crop.leaning for crop in crops])


def _photographed(pictures: Pictures, stock: Stock) -> Crop:
    picture = pictures.pick(stock.chance)
    while not picture.dice:
        picture = pictures.pick(stock.chance)
    return _taken(picture.levels, stock.chance.pick(picture.dice), picture.upright, stock.chance)


def _elsewhere(pictures: Pictures, stock: Stock) -> Crop:
    """Take a crop that no die is the middle of: table, clutter, the seam between two dice."""
    chance = stock.chance
    table = stock.table()
    if table.clutter and chance.happens(_PRINTED):
        return _taken((table.image,), chance.pick(table.clutter), ANY_WAY_UP, chance)
    picture = pictures.pick(chance)
    if picture.clutter and chance.happens(0.6):
        return _taken(picture.levels, chance.pick(picture.clutter), ANY_WAY_UP, chance)
    for _ in range(20):
        place = _other_place(picture, chance)
        if all(_apart(place, die) for die in picture.dice):
            return _taken(picture.levels, place, ANY_WAY_UP, chance)
    return _taken((table.image,), PlacedDie(128, 128, 60, 60, NOTHING), 0, chance)


def _other_place(picture: Picture, chance: Chance) -> PlacedDie:
    height, width = picture.image.shape[:2]
    beside = chance.pick(picture.dice) if picture.dice else None
    size = (beside.size if beside else 60.0) * chance.scale(0.5, 1.6)
    if beside is None or chance.happens(0.5):
        size = size if chance.happens(0.4) else max(height, width) * chance.scale(0.01, 0.3)
        return PlacedDie(chance.between(0, width), chance.between(0, height), size, size, NOTHING)
    angle, away = chance.between(0, 2 * np.pi), beside.size * chance.between(0.6, 1.1)
    x, y = beside.x + np.cos(angle) * away, beside.y + np.sin(angle) * away
    return PlacedDie(float(x), float(y), size, size, NOTHING)


def _apart(place: PlacedDie, die: PlacedDie) -> bool:
    away = float(np.hypot(place.x - die.x, place.y - die.y))
    return away > 0.55 * die.size or (place.size < 0.4 * die.size < away)


def _of_scene(scene: Scene, chance: Chance) -> list[Crop]:
    large = [die for die in scene.dice if die.size > 14]  # noqa: PLR2004 - smaller ones can't be read
    return [_taken((scene.image,), die, 1.0, chance) for die in large[:6]]


def _taken(levels: tuple[Image, ...], die: PlacedDie, upright: float, chance: Chance) -> Crop:
    """Crop one die as the finder might have boxed it, turned, mirrored and distorted."""
    linear = turned_and_stretched(upright, chance)
    size = die.moved(warp_of((0, 0), (0, 0), linear)).size
    factor = READER_SIDE / (size * DIE_MARGIN * chance.scale(0.85, 1.25))
    slack = 0.12 if die.sized else 0.18
    x, y = (each + die.size * chance.between(-slack, slack) for each in (die.x, die.y))
    warp = warp_of((x, y), (READER_SIDE / 2, READER_SIDE / 2), factor * linear)
    image = distort(coarse(_warped(levels, warp, factor), chance), chance)
    return Crop(image, _told(die, image), angle_of(die.moved(warp).corners), _leaning(die))


def _told(die: PlacedDie, image: Image) -> int:
    """The value that can be told: a die on its edge shows two faces alike, one in the dark none."""
    on_edge = die.lean_degrees is not None and die.lean_degrees > _ON_EDGE_DEGREES
    middle = slice(READER_SIDE // 4, -READER_SIDE // 4)
    lost = die.value != NOTHING and float(image[middle, middle].std(axis=(0, 1)).max()) < _FAINTEST
    return UNKNOWN if on_edge or lost else die.value


def _leaning(die: PlacedDie) -> float:
    if die.value == NOTHING or die.lean_degrees is None:
        return UNKNOWN
    if die.lean_degrees >= _LEANS_DEGREES:
        return 1.0
    return 0.0 if die.lean_degrees <= _LEVEL_DEGREES else UNKNOWN


def _warped(levels: tuple[Image, ...], warp: Affine, factor: float) -> Image:
    """Warp from the level that is least shrunk by it, so that nothing aliases."""
    level = 0
    while factor < 0.6 and level < len(levels) - 1:  # noqa: PLR2004 - bilinear copes to there
        level, factor = level + 1, factor * 2
    warp = warp.copy()
    warp[:, :2] *= 2**level
    shape = (READER_SIDE, READER_SIDE)
    warped = cv2.warpAffine(levels[level], warp, shape, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(warped, np.uint8)


def angle_of(corners: Points | None) -> tuple[float, float]:
    """Four times the angle of a face's edges as (cosine, sine), or (0, 0) where it is unknown."""
    if corners is None:
        return (0.0, 0.0)
    edges = np.roll(corners, -1, axis=0) - corners
    fourfold: NDArray[np.float64] = np.exp(4j * np.arctan2(edges[:, 1], edges[:, 0]))
    mean = fourfold.mean()
    return (float(mean.real / abs(mean)), float(mean.imag / abs(mean)))


def _loss(network: nn.Module, batch: Batch) -> Tensor:
    images, values, angles, leaning = batch
    figures = network(images)
    faces = functional.cross_entropy(
        figures[:, :FACE_CLASSES], values, ignore_index=UNKNOWN, label_smoothing=_SMOOTHING
    )
    known = angles.square().sum(1)
    off = (figures[:, FACE_CLASSES:-2] - angles).square().sum(1) * known
    angle = off.sum() / known.sum().clamp(min=1)
    present = (values != NOTHING).float()
    die = functional.binary_cross_entropy_with_logits(figures[:, -1], present)
    return faces + 0.15 * angle + 0.3 * _leaning_loss(figures[:, -2], leaning) + die


def _leaning_loss(logits: Tensor, leaning: Tensor) -> Tensor:
    """Say nothing of dice of which nobody knows whether they lean."""
    told = (leaning >= 0).float()
    lean = functional.binary_cross_entropy_with_logits(
        logits, leaning.clamp(min=0), weight=told, reduction="sum"
    )
    return lean / told.sum().clamp(min=1)


def example_crops(pictures: Pictures) -> list[Image]:
    """A few crops as the reader sees them, each 1 x 48 x 48 x 3 bytes."""
    stock = Stock(Chance(_EXAMPLES))
    return [_photographed(pictures, stock).image[None] for _ in range(_EXAMPLES)]


def reader_plan(
    steps: int, cache: Path, base: Path | None = None, cores: Callable[[], int] = lambda: 1
) -> Plan:
    """The reader's schedule; from the result in the folder `base` on, half as bold."""
    file = "reader.pt"
    if base is None:
        return Plan(steps, RATE, cache / file, "reader", cores=cores)
    return Plan(steps, RATE / 2, cache / file, "reader", base / file, cores)
