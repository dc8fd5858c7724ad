"""Networks that need no weights: they see what a test says."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.read.detection import SIZE_UNIT, STRIDE, Candidate, Maps
from vision.read.networks import Network
from vision.read.tile_readings import KINDS

INKS = 4
MAPS = 8
BRIGHT = 140


def tile_maps(*told: Candidate, cells: int = 40) -> Maps:
    """The maps that a finder gives that sees just these."""
    maps = np.zeros((8, cells, cells), np.float32)
    for spot in told:
        x, y = spot.x / STRIDE, spot.y / STRIDE
        row, column = int(y), int(x)
        twice = np.radians(2 * spot.turn)
        sizes = (np.log(each / SIZE_UNIT) for each in (spot.width, spot.height))
        right, down = x - column - 0.5, y - row - 0.5
        turn = (np.cos(twice), np.sin(twice), spot.shear)
        maps[:, row, column] = (spot.score, right, down, *sizes, *turn)
    return maps


def table_with(tile: Candidate) -> Image:
    """A dark table with a bright tile, its upper left quarter red."""
    image = np.full((400, 500, 3), 40, np.uint8)
    corners = tile.quad
    cv2.fillConvexPoly(image, np.round(corners).astype(np.int32), (230, 230, 230))
    middle = corners.mean(axis=0)
    quarter = [corners[0], (corners[0] + corners[1]) / 2, middle, (corners[0] + corners[3]) / 2]
    cv2.fillConvexPoly(image, np.round(quarter).astype(np.int32), (0, 0, 230))
    return image


class FakeNetwork:
    """Answers as a session of onnxruntime's; `answer` takes the pixels of N pictures."""

    def get_inputs(self) -> list[Any]:
        return [SimpleNamespace(name="pixels")]

    def run(self, _names: None, feed: dict[str, Any]) -> tuple[NDArray[np.float32], ...]:
        return (self.answer(feed["pixels"]),)

    def answer(self, pixels: Any) -> NDArray[np.float32]:
        raise NotImplementedError

    @property
    def network(self) -> Network:
        return Network(self)


@dataclass
class FakeFinder(FakeNetwork):
    """Sees these tiles, told in pixels of a picture of that longer side, at any scale.

    In windows, several at once, it sees nothing.
    """

    tiles: tuple[Candidate, ...]
    longer: int
    looks: list[int] = field(default_factory=list)

    def answer(self, pixels: Any) -> Maps:
        side = max(pixels.shape[1:3])
        if len(pixels) > 1:
            return np.zeros((len(pixels), MAPS, side // 4, side // 4), np.float32)
        self.looks.append(side)
        scaled = [tile.scaled(side / self.longer) for tile in self.tiles]
        seen = tile_maps(*scaled, cells=side // 4)
        return seen[None, :, : pixels.shape[1] // 4, : pixels.shape[2] // 4]


@dataclass
class OutlineFinder(FakeNetwork):
    """Sees the one bright tile in each picture by its outline."""

    def answer(self, pixels: Any) -> Maps:
        return np.stack([self._maps(picture) for picture in pixels])

    def _maps(self, picture: Image) -> Maps:
        bright = (picture.max(axis=2) > BRIGHT).astype(np.uint8)
        (x, y), (wide, high), angle = cv2.minAreaRect(cv2.findNonZero(bright))
        if wide > high:
            wide, high, angle = high, wide, angle + 90
        return tile_maps(Candidate(0.9, x, y, wide, high, angle % 180), cells=len(picture) // 4)


@dataclass
class FakeReader(FakeNetwork):
    """Says 7 in red of a crop whose upper left is red, and 5 in black, upside down, of others."""

    crops: list[Image] = field(default_factory=list)
    sure_of_7: float = 0.9

    def answer(self, pixels: Any) -> NDArray[np.float32]:
        self.crops += list(pixels)
        return np.stack([self._figures(crop) for crop in pixels])

    def _figures(self, crop: Image) -> NDArray[np.float32]:
        upright = int(crop[16, 12, 2]) - int(crop[16, 12, 0]) > 80
        figures = np.zeros(KINDS + INKS + 2, np.float32)
        figures[7 if upright else 5] = self.sure_of_7 if upright else 0.9
        figures[KINDS + (1 if upright else 0)] = 0.8
        figures[-2:] = (0.05 if upright else 0.95, 0.99)
        return figures
