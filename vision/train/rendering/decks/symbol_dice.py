"""Dice that bear pictures in place of some of their pips, or of all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import cos, pi, sin
from typing import Final

from vision.train.rendering.decks.design import Design, Sheet
from vision.train.rendering.material import Colour, Picture

_IVORY: Final[Colour] = (240, 236, 224)
_BLACK: Final[Colour] = (28, 26, 30)
_PINE: Final[Colour] = (22, 74, 58)
_BRASS: Final[Colour] = (226, 190, 110)
_CLAY: Final[Colour] = (150, 62, 44)
_CHALK: Final[Colour] = (246, 240, 226)
_THIRD: Final = 0.24
_PIPS: Final[dict[str, tuple[tuple[int, int], ...]]] = {
    "2": ((-1, -1), (1, 1)),
    "3": ((-1, -1), (0, 0), (1, 1)),
    "4": ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    "5": ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    "6": ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def _pips(sheet: Sheet, face: str, colour: Colour) -> Picture:
    for right, down in _PIPS[face]:
        sheet.ellipse(0.5 + _THIRD * right, 0.5 + _THIRD * down, 0.085, colour)
    return sheet.picture()


def _skulls(face: str) -> Picture:
    """Ivory with black pips, a skull for the 1, a star in a ring for the 6."""
    sheet = Sheet(1.0, _IVORY)
    if face == "skull":
        return _skull(sheet)
    if face == "star":
        sheet.ellipse(0.5, 0.5, 0.34, (170, 30, 40))
        sheet.ellipse(0.5, 0.5, 0.28, _IVORY)
        sheet.text("★", (0.5, 0.5, 0.5), (170, 30, 40), "DejaVuSans.ttf")
        return sheet.picture()
    return _pips(sheet, face, _BLACK)


def _skull(sheet: Sheet) -> Picture:
    sheet.ellipse(0.5, 0.42, 0.28, _BLACK)
    sheet.box((0.34, 0.55, 0.66, 0.8), _BLACK, 0.05)
    for right in (-1, 1):
        sheet.ellipse(0.5 + 0.11 * right, 0.42, 0.075, _IVORY)
        sheet.box((0.49 + 0.08 * right, 0.68, 0.51 + 0.08 * right, 0.8), _IVORY)
    sheet.shape([(0.5, 0.5), (0.45, 0.6), (0.55, 0.6)], _IVORY)
    return sheet.picture()


def _crowns(face: str) -> Picture:
    """Dark green with brass pips, an anchor for the 1, a crown for the 6."""
    sheet = Sheet(1.0, _PINE)
    if face == "anchor":
        return _anchor(sheet)
    if face == "crown":
        points = [(0.2, 0.7), (0.16, 0.32), (0.36, 0.5), (0.5, 0.24), (0.64, 0.5)]
        sheet.shape([*points, (0.84, 0.32), (0.8, 0.7)], _BRASS)
        sheet.box((0.2, 0.74, 0.8, 0.82), _BRASS)
        return sheet.picture()
    return _pips(sheet, face, _BRASS)


def _anchor(sheet: Sheet) -> Picture:
    sheet.ellipse(0.5, 0.22, 0.09, _BRASS)
    sheet.ellipse(0.5, 0.22, 0.045, _PINE)
    sheet.line([(0.5, 0.3), (0.5, 0.82)], _BRASS, 0.07)
    sheet.line([(0.32, 0.4), (0.68, 0.4)], _BRASS, 0.06)
    sheet.line([(0.2, 0.58), (0.28, 0.74), (0.5, 0.82), (0.72, 0.74), (0.8, 0.58)], _BRASS, 0.07)
    return sheet.picture()


def _weather(face: str) -> Picture:
    """Red clay with chalk-white pictures on all six sides."""
    sheet = Sheet(1.0, _CLAY)
    if face == "sun":
        return _sun(sheet)
    if face == "moon":
        sheet.ellipse(0.48, 0.5, 0.32, _CHALK)
        sheet.ellipse(0.62, 0.44, 0.27, _CLAY)
    elif face == "cloud":
        for x, y, radius in ((0.32, 0.55, 0.15), (0.5, 0.44, 0.2), (0.68, 0.55, 0.15)):
            sheet.ellipse(x, y, radius, _CHALK)
        sheet.box((0.3, 0.54, 0.7, 0.7), _CHALK, 0.06)
    elif face == "drop":
        sheet.ellipse(0.5, 0.6, 0.23, _CHALK)
        sheet.shape([(0.5, 0.14), (0.3, 0.5), (0.7, 0.5)], _CHALK)
    elif face == "bolt":
        points = [(0.56, 0.14), (0.26, 0.56), (0.46, 0.56), (0.4, 0.86)]
        sheet.shape([*points, (0.74, 0.42), (0.54, 0.42), (0.64, 0.14)], _CHALK)
    else:
        _flake(sheet)
    return sheet.picture()


def _sun(sheet: Sheet) -> Picture:
    sheet.ellipse(0.5, 0.5, 0.19, _CHALK)
    for ray in range(8):
        x, y = cos(ray * pi / 4), sin(ray * pi / 4)
        sheet.line(
            [(0.5 + 0.25 * x, 0.5 + 0.25 * y), (0.5 + 0.37 * x, 0.5 + 0.37 * y)], _CHALK, 0.06
        )
    return sheet.picture()


def _flake(sheet: Sheet) -> None:
    for arm in range(3):
        x, y = 0.36 * cos(arm * pi / 3), 0.36 * sin(arm * pi / 3)
        sheet.line([(0.5 - x, 0.5 - y), (0.5 + x, 0.5 + y)], _CHALK, 0.06)


def _dice(name: str, paint: Callable[[str], Picture], body: Colour, faces: str) -> Design:
    return Design(name, 1.0, 0.1, paint, (body,), tuple(faces.split()), height=1.0, copies=4)


TUNED_ON: Final = (
    replace(_dice("skulls", _skulls, _IVORY, "skull 2 3 4 5 star"), tuned_on=True),
    replace(_dice("crowns", _crowns, _PINE, "anchor 2 3 4 5 crown"), tuned_on=True),
)
KEPT_BACK: Final = _dice("weather", _weather, _CLAY, "sun moon cloud drop bolt flake")
SYMBOL_DICE: Final = (*TUNED_ON, KEPT_BACK)
