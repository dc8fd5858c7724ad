"""What a surface does with light: its paint, its gloss, and how much of it is metal or clear."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Colour = tuple[int, int, int]
Picture = NDArray[np.uint8]
Share = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """A painted surface.

    `paint` is H x W x 3, red-green-blue, 8 bits, as a display shows it. `roughness` is 0
    (mirror) to 1 (chalk); `metal` and `clear` are shares from 0 to 1, one for the whole surface
    or H x W. `repeats` is how often the paint is laid side by side along each direction.
    """

    paint: Picture
    roughness: float
    metal: Share | float = 0.0
    clear: Share | float = 0.0
    repeats: tuple[float, float] = (1.0, 1.0)


def plain(colour: Colour, roughness: float, metal: float = 0.0) -> Material:
    """One colour all over."""
    return Material(np.full((2, 2, 3), colour, dtype=np.uint8), roughness, metal)
