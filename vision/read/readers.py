"""The readers by name, and the choice of the one that a table wants."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from scoreboard.games.rummikub.tiles import XP
from vision.capture.frame import Frame
from vision.read.dice import DiceRecogniser
from vision.read.observation import Observation, Recogniser
from vision.read.tiles import TilesRecogniser

RECOGNISERS: Final[Mapping[str, Callable[..., Recogniser]]] = {
    "dice": DiceRecogniser,
    "tiles": TilesRecogniser,
}


def open_reader(name: str) -> Recogniser:
    """Open one of RECOGNISERS, or `tiles-xp` for the XP box. Raises KeyError or WeightsError."""
    if name == "tiles-xp":
        return TilesRecogniser(copies=XP)
    return RECOGNISERS[name]()


@dataclass(eq=False)
class ReaderSelector:
    """Reads each frame with the recogniser then `wanted`, opened when first needed.

    `expected` gives the known number of pieces, or None. Keeps the promise of `Recogniser` as long
    as the same one is wanted and the same number expected.

    Raises WeightsError: a model cannot be loaded; at once for the one wanted first.
    """

    wanted: Callable[[], str]
    open_one: Callable[[str], Recogniser]
    expected: Callable[[], int | None] = lambda: None

    def __post_init__(self) -> None:
        self._opened = cache(self.open_one)
        self._recogniser()

    @property
    def name(self) -> str:
        return self._recogniser().name

    def __call__(self, frame: Frame, expected: int | None = None) -> Observation:
        return self._recogniser()(frame, self.expected() if expected is None else expected)

    def _recogniser(self) -> Recogniser:
        return self._opened(self.wanted())
