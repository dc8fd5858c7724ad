"""Readings without a network, in the notation of `tile_eyes`, and limits for them."""

from __future__ import annotations

import numpy as np

from tests.vision.read.tile_eyes import eye
from vision.read.confidence import Thresholds
from vision.read.detection import Candidate
from vision.read.tiles import TileReading

LIMITS = Thresholds(
    bias=0.0,
    finder=0.5,
    reader=0.5,
    face=0.0,
    size=0.0,
    offset=0.0,
    slope=1.0,
    candidate=0.1,
    present=0.5,
    absent=0.3,
    sure=0.8,
    readable=0.4,
    smallest_pixels=12.0,
    smallest_share=0.012,
)
WIDTH, LENGTH = 60.0, 86.0
INKS = ((-1.8, -1.6, -1.5), (-1.2, -1.3, -0.2), (-0.3, -0.8, -1.9), (-1.1, -0.4, -0.1))
MIDDLE = Candidate(0.95, 200.0, 150.0, WIDTH, LENGTH, 0.0)


def reading(text: str, spot: Candidate = MIDDLE, present: float = 0.99) -> TileReading:
    """A tile there that the reader takes for what is written."""
    chances = eye(text)
    ink = INKS[int(np.argmax(chances.inks))]
    return TileReading(spot, chances.kinds, chances.inks, 0.0, present, ink)


def lying(text: str) -> list[TileReading]:
    """Tiles side by side, upright; commas part the rows, which lie one below the other."""
    return [
        reading(
            told, Candidate(0.95, 100 + WIDTH * across, 100 + 2 * LENGTH * down, WIDTH, LENGTH, 0)
        )
        for down, row in enumerate(text.split(","))
        for across, told in enumerate(row.split())
    ]
