"""One recogniser a file; RECOGNISERS lists them by their declared names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from scoreboard.games.rummikub.tiles import XP
from vision.read.dice.recogniser import DiceRecogniser
from vision.read.recogniser import Recogniser
from vision.read.tiles.recogniser import TilesRecogniser

RECOGNISERS: Final[Mapping[str, Callable[..., Recogniser]]] = {
    "dice": DiceRecogniser,
    "tiles": TilesRecogniser,
}


def open_reader(name: str) -> Recogniser:
    """The reader that a table asks for: one of RECOGNISERS, or `tiles-xp` for the XP box.

    Raises:
        KeyError: there is none of that name.
        WeightsError: its model cannot be loaded.
    """
    if name == "tiles-xp":
        return TilesRecogniser(copies=XP)
    return RECOGNISERS[name]()
