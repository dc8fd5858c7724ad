"""What is painted on things: the pips on a die's faces, felt, wood, leather and linen.

Pictures are H x W x 3 in red-green-blue, 8 bits, as a display shows them (sRGB).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.train.rendering.die import pips
from vision.train.rendering.material import Colour, Picture
from vision.train.rendering.mesh import DieShape, atlas_place

_FACE_PIXELS: Final = 192
_SURFACE_PIXELS: Final = 1024


def paint_die(shape: DieShape, body: Colour, pip: Colour, lone_pip: Colour) -> Picture:
    """The atlas of a die's six faces; `lone_pip` colours the one."""
    along = (np.arange(_FACE_PIXELS) + 0.5) / _FACE_PIXELS - 0.5
    u, v = np.meshgrid(along, along)
    atlas = np.empty((2 * _FACE_PIXELS, 3 * _FACE_PIXELS, 3))
    for face in range(1, 7):
        column, row = atlas_place(face)
        ink = _ink(shape, face, u, v)[..., None]
        colour = np.array(lone_pip if face == 1 else pip)
        painted = np.array(body) * (1 - ink) + colour * ink
        top, left = row * _FACE_PIXELS, column * _FACE_PIXELS
        atlas[top : top + _FACE_PIXELS, left : left + _FACE_PIXELS] = painted
    return atlas.round().astype(np.uint8)


def _ink(
    shape: DieShape, face: int, u: NDArray[np.float64], v: NDArray[np.float64]
) -> NDArray[np.float64]:
    radius = shape.pip_radius * (1.35 if face == 1 else 1.0)
    inside = [
        np.clip((radius - np.hypot(u - pip_u, v - pip_v)) * _FACE_PIXELS + 0.5, 0, 1)
        for pip_u, pip_v in pips(face)
    ]
    return np.asarray(np.max(inside, axis=0))


def paint_surface(kind: str, colour: Colour, seed: int) -> Picture:
    """A square piece of a table's top: `felt`, `wood`, `leather` or `linen`.

    Raises:
        KeyError: there is no such kind.
    """
    relief = _RELIEFS[kind](np.random.default_rng(seed))
    shaded = np.array(colour) * (1 + relief[..., None])
    return np.clip(shaded, 0, 255).round().astype(np.uint8)


def _noise(random: np.random.Generator, across: int, down: int) -> NDArray[np.float64]:
    """Smooth noise of standard deviation 1 with so many bumps across and down."""
    coarse = random.normal(size=(down, across))
    size = (_SURFACE_PIXELS, _SURFACE_PIXELS)
    fine = np.asarray(cv2.resize(coarse, size, interpolation=cv2.INTER_CUBIC), dtype=np.float64)
    return np.asarray(fine / fine.std())


def _felt(random: np.random.Generator) -> NDArray[np.float64]:
    return 0.035 * _noise(random, 512, 512) + 0.02 * _noise(random, 24, 24)


def _leather(random: np.random.Generator) -> NDArray[np.float64]:
    creases = np.abs(_noise(random, 140, 140))
    return 0.06 * np.clip(creases - 0.8, -0.6, 1) + 0.05 * _noise(random, 9, 9)


def _linen(random: np.random.Generator) -> NDArray[np.float64]:
    place = np.arange(_SURFACE_PIXELS) * (2 * np.pi / 8)
    weave = np.sin(place)[:, None] * np.sin(place)[None, :]
    threads = _noise(random, 12, 256) + _noise(random, 256, 12)
    return np.asarray(0.035 * weave + 0.02 * threads + 0.015 * _noise(random, 6, 6))


def _wood(random: np.random.Generator) -> NDArray[np.float64]:
    down = np.linspace(0, 1, _SURFACE_PIXELS)[:, None]
    rings = np.sin(2 * np.pi * (9 * down + 0.55 * _noise(random, 5, 7)))
    pores = _noise(random, 24, 640)
    boards = np.repeat(random.normal(size=5), -(-_SURFACE_PIXELS // 5))[:_SURFACE_PIXELS, None]
    seams = np.where((np.arange(_SURFACE_PIXELS) % 205) < 3, -0.35, 0.0)[:, None]  # noqa: PLR2004
    return 0.07 * rings + 0.05 * pores + 0.06 * boards + seams


_RELIEFS: Final[dict[str, Callable[[np.random.Generator], NDArray[np.float64]]]] = {
    "felt": _felt,
    "leather": _leather,
    "linen": _linen,
    "wood": _wood,
}
