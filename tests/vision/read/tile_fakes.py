"""Networks that need no weights: they see what a test says."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.vision.read.test_candidates import tile_maps
from vision.capture.frame import Image
from vision.read.detection import Candidate, Maps
from vision.read.networks import Network
from vision.read.tile_readings import KINDS

INKS = 4
MAPS = 8
BRIGHT = 140


@dataclass
class FakeFinder:
    """Sees these tiles, told in pixels of a picture of that longer side, at any scale.

    In windows, several at once, it sees nothing.
    """

    tiles: tuple[Candidate, ...]
    longer: int
    looks: list[int] = field(default_factory=list)

    def run(self, _names: None, feed: dict[str, Any]) -> tuple[Maps, ...]:
        (pixels,) = feed.values()
        side = max(pixels.shape[1:3])
        if len(pixels) > 1:
            return (np.zeros((len(pixels), MAPS, side // 4, side // 4), np.float32),)
        self.looks.append(side)
        scaled = [tile.scaled(side / self.longer) for tile in self.tiles]
        seen = tile_maps(*scaled, cells=side // 4)
        return (seen[None, :, : pixels.shape[1] // 4, : pixels.shape[2] // 4],)

    def get_inputs(self) -> list[Any]:
        return [type("Input", (), {"name": "pixels"})]

    @property
    def network(self) -> Network:
        return Network(self)


@dataclass
class OutlineFinder:
    """Sees the one bright tile in each picture by its outline."""

    def run(self, _names: None, feed: dict[str, Any]) -> tuple[Maps, ...]:
        (pixels,) = feed.values()
        return (np.stack([self._maps(picture) for picture in pixels]),)

    def get_inputs(self) -> list[Any]:
        return [type("Input", (), {"name": "pixels"})]

    def _maps(self, picture: Image) -> Maps:
        bright = (picture.max(axis=2) > BRIGHT).astype(np.uint8)
        (x, y), (wide, high), angle = cv2.minAreaRect(cv2.findNonZero(bright))
        if wide > high:
            wide, high, angle = high, wide, angle + 90
        return tile_maps(Candidate(0.9, x, y, wide, high, angle % 180), cells=len(picture) // 4)

    @property
    def network(self) -> Network:
        return Network(self)


@dataclass
class FakeReader:
    """Says 7 in red of a crop whose upper left is red, and 5 in black, upside down, of others."""

    crops: list[Image] = field(default_factory=list)
    sure_of_7: float = 0.9

    def run(self, _names: None, feed: dict[str, Any]) -> tuple[NDArray[np.float32], ...]:
        (pixels,) = feed.values()
        self.crops += list(pixels)
        return (np.stack([self._figures(crop) for crop in pixels]),)

    def get_inputs(self) -> list[Any]:
        return [type("Input", (), {"name": "pixels"})]

    def _figures(self, crop: Image) -> NDArray[np.float32]:
        upright = int(crop[16, 12, 2]) - int(crop[16, 12, 0]) > 80
        figures = np.zeros(KINDS + INKS + 2, np.float32)
        figures[7 if upright else 5] = self.sure_of_7 if upright else 0.9
        figures[KINDS + (1 if upright else 0)] = 0.8
        figures[-2:] = (0.05 if upright else 0.95, 0.99)
        return figures

    @property
    def network(self) -> Network:
        return Network(self)
