"""The paint on a set of dice: pips, swirls, grain, metal and clear parts, as one atlas."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.train.rendering.dice_set import DiceSet
from vision.train.rendering.die import edges, normal
from vision.train.rendering.material import Colour, Material, Share
from vision.train.rendering.mesh import DieShape, atlas_place

Grid = NDArray[np.float64]
_FINEST_PIXELS: Final = 224
_COARSEST_PIXELS: Final = 64


def face_pixels(die_pixels: float) -> int:
    """How many pixels to paint a face with, for dice that are so large in the picture."""
    return int(np.clip(1.5 * die_pixels, _COARSEST_PIXELS, _FINEST_PIXELS))


def dress(dice: DiceSet, pixels: int, random: np.random.Generator) -> Material:
    """The atlas of a set's six faces, each so many pixels wide; chance draws the swirls."""
    body = _body(dice, pixels, random)
    ink, colour = _inks(dice, pixels)
    paint = body * (1 - ink[..., None]) + colour * ink[..., None]
    metal = _mixed(dice.metal, dice.pip_metal, ink)
    clear = _mixed(dice.clear, 0.0, ink)
    return Material(np.clip(paint, 0, 255).round().astype(np.uint8), dice.roughness, metal, clear)


def _mixed(body: float, pip: float, ink: Grid) -> Share | float:
    if body == pip:
        return body
    return np.asarray(body + (pip - body) * ink, dtype=np.float32)


def _inks(dice: DiceSet, pixels: int) -> tuple[Grid, Grid]:
    """How much of each point is pip, H x W, and the pips' colour there, H x W x 3."""
    ink, colour = np.zeros((2 * pixels, 3 * pixels)), np.zeros((2 * pixels, 3 * pixels, 3))
    for place in range(1, 7):
        part = _part(place, pixels)
        number = dice.shape.layout.number(place)
        ink[part] = _ink(dice.shape, place, dice.ring, pixels)
        colour[part] = {1: dice.lone, 4: dice.four}.get(number, dice.pip)
    return ink, colour


def _part(place: int, pixels: int) -> tuple[slice, slice]:
    column, row = atlas_place(place)
    return (
        slice(row * pixels, (row + 1) * pixels),
        slice(column * pixels, (column + 1) * pixels),
    )


def _ink(shape: DieShape, place: int, ring: float, pixels: int) -> Grid:
    along = (np.arange(pixels) + 0.5) / pixels - 0.5
    u, v = np.meshgrid(along, along)
    radius = shape.pip_radius_of(place)
    away = np.min([np.hypot(u - x, v - y) for x, y in shape.layout.pips(place)], axis=0)
    disc = np.clip((radius - away) * pixels + 0.5, 0, 1)
    hole = np.clip((radius * ring - away) * pixels + 0.5, 0, 1)
    return np.asarray(disc - hole)


def _body(dice: DiceSet, pixels: int, random: np.random.Generator) -> Grid:
    share = _PATTERNS[dice.pattern](_surface(pixels), random)[..., None]
    return _colour(dice.body) * (1 - share) + _colour(dice.second) * share


def _colour(colour: Colour) -> Grid:
    return np.array(colour, dtype=np.float64)


def _surface(pixels: int) -> Grid:
    """The point of the cube under each of the atlas's pixels, H x W x 3."""
    along = (np.arange(pixels) + 0.5) / pixels - 0.5
    u, v = np.meshgrid(along, along)
    points = np.zeros((2 * pixels, 3 * pixels, 3))
    for place in range(1, 7):
        across, up = edges(place)
        points[_part(place, pixels)] = (
            normal(place) * 0.5 + u[..., None] * across + v[..., None] * up
        )
    return points


def _waves(points: Grid, random: np.random.Generator, coarse: float, fine: float) -> Grid:
    """Smooth noise in space, about -1 to 1: a few waves, bent by each other."""
    bent = points + 0.25 * np.sin(points @ random.normal(0, 4, (3, 3)) + random.uniform(0, 6, 3))
    heights = [
        np.sin(bent @ random.normal(0, frequency, 3) + random.uniform(0, 2 * np.pi))
        for frequency in np.linspace(coarse, fine, 5)
    ]
    return np.asarray(np.mean(heights, axis=0) * 1.8)


def _plain(points: Grid, _random: np.random.Generator) -> Grid:
    return np.zeros(points.shape[:2])


def _swirl(points: Grid, random: np.random.Generator) -> Grid:
    return np.asarray(np.clip(0.5 + 1.6 * _waves(points, random, 2, 7), 0, 1))


def _pearl(points: Grid, random: np.random.Generator) -> Grid:
    veins = 1 - np.abs(_waves(points, random, 4, 16))
    return np.asarray(np.clip(veins, 0, 1) ** 2)


def _halves(points: Grid, random: np.random.Generator) -> Grid:
    axis = random.normal(size=3)
    ragged = points @ (axis / np.linalg.norm(axis)) + 0.12 * _waves(points, random, 4, 12)
    return np.asarray(np.clip(0.5 + 7 * ragged, 0, 1))


def _speckle(points: Grid, random: np.random.Generator) -> Grid:
    return np.asarray(_waves(points, random, 40, 70) > random.uniform(0.3, 0.8), dtype=np.float64)


def _medal(points: Grid, random: np.random.Generator) -> Grid:
    """A disc on every face, the corners around it in the body's colour."""
    return _inside(np.linalg.norm(points, axis=2), (0.25 + random.uniform(0.3, 0.42) ** 2) ** 0.5)


def _framed(points: Grid, random: np.random.Generator) -> Grid:
    """A square on every face, the edges around it in the body's colour."""
    return _inside(np.sort(np.abs(points), axis=2)[..., 1], random.uniform(0.34, 0.45))


def _inside(away: Grid, border: float) -> Grid:
    return np.asarray(np.clip((border - away) * 60 + 0.5, 0, 1))


def _wood(points: Grid, random: np.random.Generator) -> Grid:
    across = points[..., :2] + random.uniform(-2, 2, 2)
    rings = np.hypot(across[..., 0], across[..., 1]) * random.uniform(5, 11)
    grain = np.sin(2 * np.pi * rings + _waves(points, random, 3, 9))
    pores = _waves(points * np.array([1, 1, 0.08]), random, 90, 140)
    return np.asarray(np.clip(0.4 + 0.35 * grain + 0.25 * pores, 0, 1))


_PATTERNS: Final[dict[str, Callable[[Grid, np.random.Generator], Grid]]] = {
    "plain": _plain,
    "swirl": _swirl,
    "pearl": _pearl,
    "halves": _halves,
    "medal": _medal,
    "framed": _framed,
    "speckle": _speckle,
    "wood": _wood,
}
