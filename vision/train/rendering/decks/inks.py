"""Inks that more than one made-up deck is printed with, by the letter of the colour."""

from __future__ import annotations

from typing import Final

from vision.train.rendering.material import Colour

BEADS: Final[dict[str, Colour]] = {
    "R": (176, 36, 52), "B": (28, 70, 140), "G": (24, 110, 82), "P": (84, 40, 110),
    "Y": (214, 150, 20),
}  # fmt: skip
