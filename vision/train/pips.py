"""The pips of drawn dice: where a face has them, how large and in which colour."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.train.chance import Chance
from vision.train.colours import Colour
from vision.train.styles import Style

Face = NDArray[np.float32]

_RED_IN_ASIA: Final = (1, 4)
_LAYOUTS: Final = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
# Some makers put two and three in a row, and some give the fewer pips the more room each.
_IN_A_ROW: Final = {2: ((0, -1), (0, 1)), 3: ((0, -1), (0, 0), (0, 1))}
_GRADED: Final = {1: 1.8, 2: 1.5, 3: 1.25}


def draw_pips(face: Face, value: int, style: Style, chance: Chance) -> None:
    """Draw the pips of that value upon a square face, N x N x 3, in levels of 255."""
    if value == 1 and style.ornate_one:
        _ornament(face, style, chance)
        return
    turned = chance.happens(0.5)
    radius = style.pip_radius * _enlarged(value, style)
    red = style.big_one and value in _RED_IN_ASIA
    colour = (40.0, 40.0, 210.0) if red else style.pips
    layout = _IN_A_ROW.get(value, _LAYOUTS[value]) if style.rows else _LAYOUTS[value]
    for x, y in layout:
        across, down = (y, -x) if turned else (x, y)
        middle = (0.5 + across * style.pip_spread, 0.5 + down * style.pip_spread)
        _disc(face, middle, radius, colour)
        if style.drilled:
            _rim(face, middle, radius, colour)


def _enlarged(value: int, style: Style) -> float:
    """How many times its usual radius a pip of that face has."""
    if style.graded:
        return _GRADED.get(value, 1.0)
    return 1.7 if value == 1 and style.big_one else 1.0


def _ornament(face: Face, style: Style, chance: Chance) -> None:
    """Print what some makers print instead of the lone pip: rings, a star, a swirl."""
    kind, reach, turn = chance.below(3), chance.between(0.12, 0.3), chance.between(0, 2 * np.pi)
    if kind == 0:
        for radius, colour in ((reach, style.pips), (reach * 0.65, style.body), (0.06, style.pips)):
            _disc(face, (0.5, 0.5), radius, colour)
        return
    along = np.linspace(0, 4 * np.pi, 120) if kind == 1 else np.arange(11) * 2 * np.pi / 10
    away = along / (4 * np.pi) if kind == 1 else 1 - 0.6 * (np.arange(11) % 2)
    spots = 0.5 + reach * away[:, None] * np.stack([np.cos(along + turn), np.sin(along + turn)], 1)
    line = np.round(spots * face.shape[0] * 16).astype(np.int32)
    if kind == 1:
        cv2.polylines(face, [line], False, style.pips, 3, cv2.LINE_AA, 4)  # noqa: FBT003
    else:
        cv2.fillPoly(face, [line], style.pips, cv2.LINE_AA, 4)


def _disc(face: Face, at: tuple[float, float], radius: float, colour: Colour) -> None:
    x, y = (round(each * face.shape[0] * 16) for each in at)
    cv2.circle(face, (x, y), round(radius * face.shape[0] * 16), colour, -1, cv2.LINE_AA, 4)


def _rim(face: Face, at: tuple[float, float], radius: float, colour: Colour) -> None:
    """A drilled pip catches light on one side of its hollow."""
    lit: Colour = (colour[0] + 35, colour[1] + 35, colour[2] + 35)
    _disc(face, (at[0] + radius * 0.3, at[1] + radius * 0.3), radius * 0.5, lit)
