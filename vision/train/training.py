"""One training for dice and tiles: from lessons to a finder and a reader.

`Lessons` decide what to learn from and how a crop is read; everything else is the same for both
kinds of pieces.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Final, Generic, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from vision.capture.frame import Image
from vision.read.detection import MOST_SHEAR, SIZE_UNIT, STRIDE
from vision.train.augmentation import (
    SCENE_SIDE,
    Chance,
    DrawnStock,
    LearnedScene,
    PlacedDie,
    coarse,
    distort,
)
from vision.train.descent import RATE, Batch, Cores, Descent, Plan, as_input, side_by_side
from vision.train.tiles.photographs import PlacedTile

Targets = NDArray[np.float32]

FINDER_BATCH: Final = 16
_CELLS: Final = SCENE_SIDE // STRIDE
_GEOMETRY_FROM: Final = 0.5
_SURROUNDINGS: Final = 0.05


PlacedPiece = PlacedDie | PlacedTile


@dataclass(frozen=True, slots=True, eq=False)
class Crop:
    """What the reader sees of one place, and what it should say: a target for each of its parts."""

    image: Image
    targets: tuple[Any, ...]


Stock = TypeVar("Stock", bound=DrawnStock)


class Lessons(ABC, Generic[Stock]):
    """What one kind of pieces is learned from.

    `finder` and `reader` make untrained ones. `maps` counts the finder's maps, `spread` is the
    width of a middle's peak as a share of the piece. A batch of the reader has `crops`, of them
    `photographed` ones of pieces and `empty` ones next to pieces; the rest is drawn. Quantisation
    takes `scene_examples` and `crop_examples`.
    """

    finder: ClassVar[type[nn.Module]]
    reader: ClassVar[type[nn.Module]]
    maps: int
    spread: float
    crops: int
    photographed: int
    empty: int
    scene_examples: int
    crop_examples: int

    @abstractmethod
    def stock(self, chance: Chance, *, cut: bool = True) -> Stock:
        """A new stock to draw from; without `cut` none of it is cut out of photographs."""

    @abstractmethod
    def scene(self, stock: Stock) -> LearnedScene[Any]:
        """A scene of photographs, drawn pieces, or both, not yet distorted."""

    @abstractmethod
    def piece_crop(self, stock: Stock) -> Crop:
        """A crop of a piece in a photograph."""

    @abstractmethod
    def empty_crop(self, stock: Stock) -> Crop:
        """A crop that no piece is the middle of."""

    @abstractmethod
    def drawn_crops(self, stock: Stock) -> list[Crop]:
        """Crops of the pieces of one scene."""

    @abstractmethod
    def reader_loss(self, network: nn.Module, batch: Batch) -> Tensor:
        """The reader's loss on a batch: images, then a column for each target of the crops."""

    def finder_phases(self, descent: Descent) -> Iterator[tuple[Lessons[Stock], int]]:
        """The lessons of the finder one after another, each with the step that it ends at."""
        yield self, descent.plan.steps

    def reader_phases(self, descent: Descent) -> Iterator[tuple[Lessons[Stock], int]]:
        """The lessons of the reader one after another, each with the step that it ends at."""
        yield self, descent.plan.steps


def train_finder(lessons: Lessons[Any], plan: Plan, seed: int) -> nn.Module:
    """Train a finder; gives the average of its weights."""
    torch.manual_seed(seed)
    descent = Descent(lessons.finder(), plan)
    for phase, until in lessons.finder_phases(descent):
        descent.run(partial(_finder_batches, phase), seed, _finder_loss, until)
    return descent.average


def train_reader(lessons: Lessons[Any], plan: Plan, seed: int) -> nn.Module:
    """Train a reader; gives the average of its weights."""
    torch.manual_seed(seed)
    descent = Descent(lessons.reader(), plan)
    for phase, until in lessons.reader_phases(descent):
        descent.run(partial(_reader_batches, phase), seed, phase.reader_loss, until)
    return descent.average


def train_both(  # noqa: PLR0913, PLR0917 -- what is learned, for how long, from where and how
    lessons: Lessons[Any],
    place: Path,
    steps: tuple[int, int],
    seed: int,
    base: Path | None = None,
    makers: int = 0,
) -> None:
    """Train finder and reader side by side, on one core each; the checkpoints lie at `place`.

    `base` is the folder of an earlier training whose result they start from, if any;
    `makers` processes make the batches of each, or it does itself.
    """
    finder = replace(plan_of("finder", steps[0], place, base), makers=makers)
    reader = replace(plan_of("reader", steps[1], place, base), makers=makers)

    def read(cores: Cores) -> None:
        train_reader(lessons, replace(reader, cores=cores), seed)

    side_by_side(lambda: train_finder(lessons, finder, seed), read)


def plan_of(network: str, steps: int, place: Path, base: Path | None = None) -> Plan:
    """The schedule of a network; from the result in the folder `base` on, half as bold."""
    file = f"{network}.pt"
    if base is None:
        return Plan(steps, RATE, place / file, network)
    return Plan(steps, RATE / 2, place / file, network, base / file)


def _finder_batches(lessons: Lessons[Any], key: tuple[int, ...]) -> Callable[[], Batch]:
    return partial(_finder_batch, lessons, lessons.stock(Chance(key)))


def _reader_batches(lessons: Lessons[Any], key: tuple[int, ...]) -> Callable[[], Batch]:
    return partial(_reader_batch, lessons, lessons.stock(Chance((*key, 1))))


def _finder_batch(lessons: Lessons[Stock], stock: Stock) -> Batch:
    scenes = [lessons.scene(stock) for _ in range(FINDER_BATCH)]
    images = [distort(coarse(scene.image, stock.chance), stock.chance) for scene in scenes]
    targets = [finder_targets(scene.pieces, lessons.maps, lessons.spread) for scene in scenes]
    return as_input(np.stack(images)), torch.from_numpy(np.stack(targets))


def finder_targets(pieces: Sequence[PlacedPiece], maps: int, spread: float) -> Targets:
    """The maps that the finder should give, where they count, and where nothing does.

    (maps + 2) x 64 x 64.
    """
    targets = np.zeros((maps + 2, _CELLS, _CELLS), np.float32)
    for piece in sorted(
        pieces,
        key=lambda each: -(max(each.width, each.height) if each.angle is None else each.height),
    ):
        _mark(targets, piece, spread)
    return targets


def _mark(targets: Targets, piece: PlacedPiece, spread: float) -> None:
    """Mark one piece: a peak at its middle, and its geometry around it."""
    maps = len(targets) - 2
    x, y = piece.x / STRIDE, piece.y / STRIDE
    down, across = np.mgrid[0:_CELLS, 0:_CELLS].astype(np.float32)
    right, below = x - across - 0.5, y - down - 0.5
    along, athwart = right, below
    turn: tuple[float, ...] = ()
    if isinstance(piece, PlacedTile):
        angle = np.radians(piece.angle)
        along = right * np.cos(angle) + below * np.sin(angle)
        athwart = below * np.cos(angle) - right * np.sin(angle)
        turn = (np.cos(2 * angle), np.sin(2 * angle), np.clip(piece.shear, -MOST_SHEAR, MOST_SHEAR))
    wide, high = (max(0.7, spread * each / STRIDE) for each in (piece.width, piece.height))
    near = np.exp(-((along / wide) ** 2 + (athwart / high) ** 2) / 2)
    if not piece.clear:
        targets[maps + 1][near > _SURROUNDINGS] = 1
        return
    np.maximum(targets[0], near, out=targets[0])
    targets[0, min(int(y), _CELLS - 1), min(int(x), _CELLS - 1)] = 1
    here = (near > _GEOMETRY_FROM) | ((abs(right) <= 0.5) & (abs(below) <= 0.5))  # noqa: PLR2004
    sizes = (np.log(max(each, 2.0) / SIZE_UNIT) for each in (piece.width, piece.height))
    for channel, value in zip(range(1, maps), (right, below, *sizes, *turn), strict=True):
        targets[channel][here] = value[here] if isinstance(value, np.ndarray) else value
    targets[maps][here] = near[here].clip(0.3)


def _finder_loss(network: nn.Module, batch: Batch) -> Tensor:
    """The focal loss of CenterNet, equation 1, and the geometry's where pieces are near."""
    images, targets = batch
    maps = network(images)
    count = maps.shape[1]
    middles, near, known = targets[:, 0], targets[:, count : count + 1], 1 - targets[:, count + 1]
    logits = maps[:, 0]
    here = torch.sigmoid(logits)
    found = -functional.logsigmoid(logits) * (1 - here) ** 2 * (middles == 1)
    others = -functional.logsigmoid(-logits) * here**2 * (1 - middles) ** 4 * (middles < 1)
    focal = ((found + others) * known).sum() / (middles == 1).sum().clamp(min=1)
    off = functional.smooth_l1_loss(maps[:, 1:], targets[:, 1:count], reduction="none", beta=0.2)
    return focal + (off * near).sum() / near.sum().clamp(min=1)


def _reader_batch(lessons: Lessons[Stock], stock: Stock) -> Batch:
    crops = [lessons.piece_crop(stock) for _ in range(lessons.photographed)]
    crops += [lessons.empty_crop(stock) for _ in range(lessons.empty)]
    while len(crops) < lessons.crops:
        crops += lessons.drawn_crops(stock)
    crops = crops[: lessons.crops]
    columns = zip(*(crop.targets for crop in crops), strict=True)
    images = as_input(np.stack([crop.image for crop in crops]))
    return images, *(torch.tensor(column) for column in columns)


def example_scenes(lessons: Lessons[Any]) -> list[Image]:
    """A few pictures as the finder sees them, each 1 x H x W x 3 bytes."""
    stock = lessons.stock(Chance(lessons.scene_examples), cut=False)
    return [
        distort(lessons.scene(stock).image, stock.chance)[None]
        for _ in range(lessons.scene_examples)
    ]


def example_crops(lessons: Lessons[Any]) -> list[Image]:
    """A few crops as the reader sees them, each 1 x H x W x 3 bytes."""
    stock = lessons.stock(Chance(lessons.crop_examples), cut=False)
    return [lessons.piece_crop(stock).image[None] for _ in range(lessons.crop_examples)]
