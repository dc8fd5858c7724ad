"""What dice lie on, painted: felt, wood, cloth, carpet, print, leather, stone, game boards.

A ground is painted as if seen from above; `scale` is how many pixels a die's side spans, so that
threads, letters and boards have their natural size beside the dice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.train.rendering.chance import Random, between, happens, pick
from vision.train.rendering.dice_set import from_hue, greyish, pastel, vivid
from vision.train.rendering.material import Colour, Material
from vision.train.rendering.prints import print_board, print_hexes, print_mat, print_news

Grid = NDArray[np.float64]
PIXELS: Final = 896
_SPECK: Final = 1.6


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """A painted ground: its kind, its material, and by how many degrees dice lean on its bumps."""

    kind: str
    material: Material
    bumpiness_degrees: float


def any_ground(random: Random, scale: float) -> Ground:
    """A ground at so many pixels a side of a die, common ones more often."""
    kinds = list(_KINDS)
    weights = np.array([_KINDS[kind][0] for kind in kinds])
    return ground_of(str(random.choice(kinds, p=weights / weights.sum())), random, scale)


def ground_of(kind: str, random: Random, scale: float) -> Ground:
    """A ground of a kind, at so many pixels a side of a die.

    Raises:
        KeyError: there is no such kind.
    """
    _, paint, glosses, bumpiness = _KINDS[kind]
    painted = paint(random, scale) * _stains(random)
    picture = np.clip(painted, 0, 255).round().astype(np.uint8)
    return Ground(kind, Material(picture, float(random.uniform(*glosses))), bumpiness)


def noise(random: Random, across: float, down: float) -> Grid:
    """Smooth noise of standard deviation 1 with about so many bumps across and down."""
    shape = (int(np.clip(down, 2, PIXELS)), int(np.clip(across, 2, PIXELS)))
    coarse = random.standard_normal(shape, dtype=np.float32)
    fine = cv2.resize(coarse, (PIXELS, PIXELS), interpolation=cv2.INTER_CUBIC)
    return np.asarray(fine / max(float(fine.std()), 1e-6), dtype=np.float64)


def _bumps(random: Random, sides: float, scale: float) -> Grid:
    """Noise whose bumps are so many sides of a die apart."""
    count = PIXELS / max(sides * scale, 1.0)
    return noise(random, count, count)


def _embossed(relief: Grid, random: Random, strength: float) -> Grid:
    """A relief's light and shadow from one side, about 1."""
    angle = random.uniform(0, 2 * np.pi)
    down, across = np.gradient(relief)
    slope = np.cos(angle) * across + np.sin(angle) * down
    return np.asarray(1 + strength * slope / max(float(slope.std()), 1e-6))


def _coloured(colour: Colour, shade: Grid) -> Grid:
    return np.asarray(np.array(colour) * shade[..., None])


def _stains(random: Random) -> Grid:
    """Wear and unevenness that any ground has a little of."""
    return np.asarray(1 + random.uniform(0, 0.05) * noise(random, 4, 4)[..., None])


def _cloth_colour(random: Random) -> Colour:
    if happens(random, 0.3):
        return from_hue(float(random.normal(0.38, 0.03)), 0.7, between(random, 0.2, 0.5))
    if happens(random, 0.35):
        return greyish(random, 0.06, 0.9)
    saturation, value = between(random, 0.3, 0.9), between(random, 0.15, 0.7)
    return from_hue(float(random.random()), saturation, value)


def _felt(random: Random, scale: float) -> Grid:
    fibres = _bumps(random, 0.04, scale) + 0.6 * _bumps(random, 0.12, scale)
    shade = 1 + random.uniform(0.02, 0.07) * fibres + 0.02 * _bumps(random, 1.2, scale)
    return _coloured(_cloth_colour(random), shade)


def _wood_colour(random: Random) -> Colour:
    hue, value = between(random, 0.045, 0.1), between(random, 0.2, 0.9)
    return from_hue(hue, between(random, 0.25, 0.65), value)


def _wood(random: Random, scale: float) -> Grid:
    down = np.linspace(0, PIXELS / scale, PIXELS)[:, None]
    plank = float(random.choice([random.uniform(3, 10), 1000.0], p=[0.6, 0.4]))
    board = np.floor(down / plank + random.random())
    tone = 0.09 * random.normal(size=2000)[board.astype(int) % 2000]
    bent = noise(random, 4, 7) * random.uniform(0.1, 0.7)
    rings = np.sin(2 * np.pi * (down * random.uniform(0.4, 2.2) + bent) + 5 * tone * 30)
    pores = noise(random, 24, PIXELS * 0.7)
    seam = np.where(np.abs(down / plank + 0.5 - np.round(down / plank + 0.5)) < 0.02 / plank, 1, 0)
    depth = random.uniform(0.03, 0.1)
    shade = 1 + depth * rings + random.uniform(0.02, 0.09) * pores + tone - 0.4 * seam
    return _coloured(_wood_colour(random), shade)


def _weave(scale: float, thread: float) -> Grid:
    place = np.arange(PIXELS) * (np.pi / max(thread * scale, 1.1))
    across, down = np.sin(place)[None, :], np.sin(place)[:, None]
    over = np.sign(np.sin(place / 2)[:, None] * np.sin(place / 2)[None, :])
    return np.asarray(np.where(over > 0, np.abs(across), np.abs(down)))


def _threads(random: Random, scale: float) -> Grid:
    fine = PIXELS / max(0.08 * scale, 1.5)
    return noise(random, 12, fine) + noise(random, fine, 12)


def _linen(random: Random, scale: float) -> Grid:
    weave = _weave(scale, between(random, 0.03, 0.12)) - 0.6
    shade = 1 + random.uniform(0.04, 0.14) * weave + 0.035 * _threads(random, scale)
    colour = pastel(random) if happens(random, 0.5) else _cloth_colour(random)
    return _coloured(colour, shade)


def _woven(random: Random, scale: float) -> Grid:
    weave = _weave(scale, between(random, 0.15, 0.5)) - 0.6
    shade = 1 + random.uniform(0.15, 0.5) * weave + 0.05 * _threads(random, scale)
    one, other = _cloth_colour(random), _wood_colour(random)
    mixed = np.clip(0.5 + 0.5 * _bumps(random, 0.6, scale), 0, 1)[..., None]
    return np.asarray((np.array(one) * mixed + np.array(other) * (1 - mixed)) * shade[..., None])


def _checked(random: Random, scale: float) -> Grid:
    side = between(random, 0.3, 3) * scale
    place = np.arange(PIXELS)
    stripe = (place % (2 * side) < side).astype(np.float64)
    amount = (stripe[None, :] + stripe[:, None]) / 2
    if happens(random, 0.3):
        amount = np.abs(stripe[None, :] - stripe[:, None])
    one, other = np.array(_cloth_colour(random)), np.array(greyish(random, 0.7, 0.98))
    cloth = one * amount[..., None] + other * (1 - amount[..., None])
    return np.asarray(cloth * (1 + 0.04 * _threads(random, scale)[..., None]))


def _carpet(random: Random, scale: float) -> Grid:
    knots = _bumps(random, between(random, 0.05, 0.3), scale)
    shade = _embossed(knots, random, between(random, 0.08, 0.3)) * (1 + 0.12 * knots)
    base = np.array(_cloth_colour(random), dtype=np.float64)
    speckle = _bumps(random, between(random, 0.06, 0.4), scale)[..., None]
    other = np.array(_cloth_colour(random)) * 0.5 + base * 0.5
    amount = np.clip(2 * (speckle - random.uniform(0, 1.5)), 0, 1)
    return np.asarray((base * (1 - amount) + other * amount) * shade[..., None])


def _paper(random: Random, scale: float) -> Grid:
    creased = _embossed(_bumps(random, 5, scale), random, between(random, 0, 0.02))
    colour = greyish(random, 0.8, 0.98) if happens(random, 0.7) else pastel(random)
    sheet = _coloured(colour, creased * (1 + 0.008 * _bumps(random, 0.05, scale)))
    if happens(random, 0.5):
        return sheet
    step = max(between(random, 0.25, 0.6) * scale, 4)
    line = (np.arange(PIXELS) % step < max(0.03 * scale, 1)).astype(np.float64) * 0.35
    lines = np.maximum(line[:, None], line[None, :] * float(happens(random, 0.6)))
    return np.asarray(sheet * (1 - lines[..., None] * np.array([0.9, 0.5, 0.25])))


def _leather(random: Random, scale: float) -> Grid:
    creases = np.abs(_bumps(random, between(random, 0.08, 0.25), scale))
    shade = _embossed(creases, random, between(random, 0.04, 0.12))
    colour = _cloth_colour(random) if happens(random, 0.6) else _wood_colour(random)
    return _coloured(colour, shade * (1 + 0.05 * _bumps(random, 2, scale)))


def _lid(random: Random, _scale: float) -> Grid:
    pale, any_grey = greyish(random, 0.75, 0.97), greyish(random, 0.1, 0.75)
    colour = pick(random, ((0.5, pale), (0.25, any_grey), (0.25, vivid(random))))
    return _coloured(colour, 1 + 0.01 * noise(random, 3, 3))


def _marble(random: Random, scale: float) -> Grid:
    bent = (
        _bumps(random, 6, scale) + 0.5 * _bumps(random, 2, scale) + 0.2 * _bumps(random, 0.5, scale)
    )
    veins = np.exp(-np.abs(bent) * random.uniform(3, 9))
    colour = greyish(random, 0.65, 0.97) if happens(random, 0.7) else greyish(random, 0.1, 0.3)
    return _coloured(colour, 1 - random.uniform(0.15, 0.5) * veins + 0.02 * bent)


def _granite(random: Random, scale: float) -> Grid:
    grains = _bumps(random, 0.1, scale) + 0.7 * _bumps(random, 0.3, scale)
    specks = np.where(np.abs(_bumps(random, 0.08, scale)) > _SPECK, -0.4, 0.0)
    return _coloured(greyish(random, 0.25, 0.8), 1 + 0.13 * grains + specks)


def _printed(
    draw: Callable[[Random, float, int], NDArray[np.uint8]],
) -> Callable[[Random, float], Grid]:
    def paint(random: Random, scale: float) -> Grid:
        return np.asarray(draw(random, scale, PIXELS), dtype=np.float64)

    return paint


_Paint = Callable[[Random, float], Grid]
_KINDS: Final[dict[str, tuple[float, _Paint, tuple[float, float], float]]] = {
    "felt": (0.17, _felt, (0.85, 1.0), 0.4),
    "wood": (0.2, _wood, (0.2, 0.8), 0.0),
    "linen": (0.08, _linen, (0.8, 1.0), 0.8),
    "woven": (0.06, _woven, (0.6, 1.0), 1.2),
    "checked": (0.04, _checked, (0.6, 1.0), 0.4),
    "carpet": (0.11, _carpet, (0.9, 1.0), 2.0),
    "paper": (0.07, _paper, (0.6, 1.0), 0.0),
    "news": (0.05, _printed(print_news), (0.6, 1.0), 0.3),
    "leather": (0.07, _leather, (0.25, 0.6), 0.3),
    "lid": (0.09, _lid, (0.15, 0.6), 0.0),
    "marble": (0.03, _marble, (0.08, 0.4), 0.0),
    "granite": (0.03, _granite, (0.1, 0.6), 0.0),
    "board": (0.04, _printed(print_board), (0.3, 0.8), 0.0),
    "hexes": (0.03, _printed(print_hexes), (0.3, 0.8), 0.0),
    "mat": (0.05, _printed(print_mat), (0.6, 0.95), 0.2),
}
