"""An edition of the game as somebody might own it: plastic, moulding, numerals, inks and joker.

Lengths are in widths of a tile; places on the top are shares of its width and its length. The
ranges are those measured on photographs of several editions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.train.rendering.chance import Random, between, happens, pick
from vision.train.rendering.slab import Slab
from vision.train.rendering.tiles.jokers import any_design, joker_ink
from vision.train.rendering.tiles.numerals import faces

Tint = tuple[float, float, float]
# Ink divided by face, red green blue; in the order black, red, blue, orange, of several editions.
_INKS: Final[tuple[tuple[Tint, ...], ...]] = (
    ((0.22, 0.21, 0.19), (0.10, 0.10, 0.10), (0.30, 0.29, 0.30)),
    ((0.89, 0.30, 0.32), (0.80, 0.12, 0.14), (0.86, 0.20, 0.36), (0.72, 0.12, 0.12)),
    ((0.11, 0.44, 0.84), (0.33, 0.72, 0.83), (0.17, 0.61, 0.77), (0.14, 0.26, 0.66)),
    ((0.99, 0.66, 0.37), (1.0, 0.50, 0.20), (0.98, 0.74, 0.26), (0.95, 0.58, 0.12)),
)
_PLASTICS: Final[tuple[Tint, ...]] = (
    (0.93, 0.89, 0.79),
    (0.96, 0.94, 0.89),
    (0.90, 0.84, 0.68),
    (0.97, 0.96, 0.94),
    (0.88, 0.79, 0.60),
    (0.95, 0.90, 0.84),
)
_LETTERS: Final = "abdeghkmnoprstuvwy"


@dataclass(frozen=True, slots=True, eq=False)
class Edition:
    """What all tiles of one set share.

    `plastic` and `inks` are shares of light from 0 to 1 as a display shows them, the inks in
    the order black, red, blue, orange and relative to the plastic; `digit` and `digit_top`,
    `digit_bottom` are a single digit's width and where the numerals begin and end; `dish` is the
    radius of the dished disc (0: none), `dish_depth`, `word_height` and `engraved` how deep or
    high it, the moulded word and the ink lie.
    """

    shape: Slab
    plastic: Tint
    roughness: float
    inks: tuple[Tint, ...]
    face: str
    bold: int
    digit: float
    digit_top: float
    digit_bottom: float
    dish: float
    dish_depth: float
    word: str
    word_face: str
    word_height: float
    engraved: float
    joker: NDArray[np.float32]
    joker_width: float
    joker_middle: float
    backs: Tint


def any_edition(random: Random) -> Edition:
    """Some edition: classic numerals more often than extra-large ones."""
    large = happens(random, 0.33)
    plastic = _near(random, pick(random, [(1.0, each) for each in _PLASTICS]), 0.02)
    top, bottom = _numerals(random, large=large)
    dished = not large and happens(random, 0.75)
    return Edition(
        shape=any_shape(random),
        plastic=plastic,
        roughness=between(random, 0.16, 0.5),
        inks=tuple(_near(random, pick(random, [(1.0, ink) for ink in row]), 0.06) for row in _INKS),
        face=pick(random, faces()),
        bold=int(random.integers(0, 9)),
        digit=between(random, 0.36, 0.46) if large else between(random, 0.26, 0.33),
        digit_top=top,
        digit_bottom=bottom,
        dish=between(random, 0.35, 0.39) if dished else 0.0,
        dish_depth=between(random, 0.012, 0.045),
        word=_word(random) if happens(random, 0.75) else "",
        word_face=pick(random, faces()),
        word_height=between(random, 0.004, 0.016) * float(random.choice([1, 1, -1])),
        engraved=between(random, 0.0, 0.012),
        joker=joker_ink(any_design(random), random),
        joker_width=between(random, 0.62, 0.82) * (1.1 if large else 1.0),
        joker_middle=between(random, 0.34, 0.42),
        backs=_near(random, plastic, 0.01),
    )


def any_shape(random: Random) -> Slab:
    """How the tiles of a set are cut."""
    return Slab(
        width=1.0,
        length=between(random, 1.41, 1.46),
        thickness=float(random.triangular(0.25, 0.28, 0.45)),
        chamfer=between(random, 0.035, 0.07),
        corner_radius=between(random, 0.04, 0.08),
    )


def _numerals(random: Random, *, large: bool) -> tuple[float, float]:
    """Where numerals begin and end, in shares of the top's length."""
    if large:
        return between(random, 0.08, 0.13), between(random, 0.58, 0.66)
    top = between(random, 0.17, 0.215)
    return top, top + between(random, 0.27, 0.33)


def _word(random: Random) -> str:
    letters = "".join(
        str(random.choice(list(_LETTERS))) for _ in range(int(random.integers(6, 10)))
    )
    return letters.capitalize()


def _near(random: Random, tint: Tint, spread: float) -> Tint:
    """The tint a little lighter or darker, and less so a little redder, greener or bluer."""
    shift = float(random.normal(0, spread))
    red, green, blue = (
        float(np.clip(part * (1 + shift) + random.normal(0, spread / 3), 0.03, 1.05))
        for part in tint
    )
    return red, green, blue
