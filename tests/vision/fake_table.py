"""A table that stands in for a camera's, and a recogniser that knows what lies there."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.typing import NDArray

from scoreboard.message import Message
from vision.capture.frame import Frame, Image
from vision.read.observation import Detection, Observation

PIPS = {
    "1": ((1, 1),),
    "2": ((0, 0), (2, 2)),
    "3": ((0, 0), (1, 1), (2, 2)),
    "4": ((0, 0), (0, 2), (2, 0), (2, 2)),
    "5": ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    "6": ((0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)),
}


class Table:
    """A table in 640 x 480: dice are white squares, a hand is a bar from the lower edge."""

    def __init__(self, seed: int = 7, noise: float = 4.0) -> None:
        self.rng = np.random.default_rng(seed)
        coarse = self.rng.integers(60, 110, (48, 64))
        self.cloth = np.kron(coarse, np.ones((10, 10))).astype(np.float64)
        self.noise = noise

    def picture(  # noqa: PLR0913 -- what there is to see, each by its name
        self,
        dice: tuple[tuple[int, int], ...] = ((100, 100), (300, 200)),
        faces: str = "",
        *,
        hand: int = 0,
        gain: float = 1.0,
        bands: float = 0.0,
        cloth: float = 0.0,
    ) -> Image:
        """One noisy frame; `hand` is how far it reaches in, `bands` the flicker by rows.

        Dice without `faces` all show a large 1.
        """
        scene = self.cloth + cloth
        for place, (left, top) in enumerate(dice):
            scene[top : top + 40, left : left + 40] = 220
            for x, y in PIPS[faces[place]] if faces else ((1, 1),):
                pip = slice(top + 4 + 11 * y, top + 14 + 11 * y)
                scene[pip, left + 4 + 11 * x : left + 14 + 11 * x] = 30
        if hand:
            scene[480 - hand :, 200:420] = 170
        rows = 1 + bands * np.sin(np.arange(480) / 25 + self.rng.uniform(0, 6))
        scene = scene * gain * rows[:, None] + self.noise * self.rng.choice(grains())
        return np.repeat(np.clip(scene, 0, 255).astype(np.uint8)[..., None], 3, axis=2)


@cache
def grains() -> NDArray[np.float64]:
    """The noise of sixteen frames: made once, for it takes more than most tests."""
    return np.random.default_rng(1).normal(0, 1, (16, 480, 640))


def die(label: str, left: float, top: float, confidence: float = 0.99) -> Detection:
    """A die of 40 pixels."""
    return Detection(label, confidence, (left, top, left + 40, top + 40), 0.0)


@dataclass
class KnowingRecogniser:
    """Tells what the test laid on the table, and counts how often it was asked."""

    dice: tuple[Detection, ...] = ()
    doubts: tuple[Message, ...] = ()
    asked: list[Frame] = field(default_factory=list)
    name: str = "knowing"

    def __call__(self, frame: Frame, expected: int | None = None) -> Observation:  # noqa: ARG002
        self.asked.append(frame)
        return Observation(frame.sequence, self.name, self.dice, self.doubts)
