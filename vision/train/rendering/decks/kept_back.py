"""Decks that the reader of taught sets was never tuned on: their errors were not looked at."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Final

from vision.train.rendering.decks.design import Design, Sheet
from vision.train.rendering.decks.inks import BEADS
from vision.train.rendering.material import Colour, Picture

_CREAM: Final[Colour] = (238, 226, 200)
_KRAFT: Final[Colour] = (198, 164, 122)
_INK: Final[Colour] = (40, 34, 30)
_GROUT: Final[Colour] = (226, 224, 218)
_WHITE: Final[Colour] = (250, 248, 242)
_SASHES: Final[dict[str, tuple[Colour, Colour]]] = {
    "R": ((206, 58, 48), (150, 30, 34)),
    "B": ((60, 130, 206), (30, 84, 156)),
    "G": ((80, 166, 88), (40, 118, 60)),
    "P": ((128, 84, 160), (88, 50, 120)),
    "Y": ((240, 204, 80), (222, 170, 40)),
}
_LAMPS: Final[dict[str, Colour]] = {
    "R": (196, 30, 48), "B": (24, 74, 160), "G": (0, 112, 74), "P": (104, 36, 116),
    "Y": (252, 226, 110),
}  # fmt: skip
_GLAZES: Final[dict[str, Colour]] = {
    "R": (214, 96, 70), "B": (70, 140, 190), "G": (110, 170, 90), "P": (150, 110, 170),
    "Y": (232, 196, 90),
}  # fmt: skip


def _abacus(face: str) -> Picture:
    """Cream paper, a rod of beads to count, and one small numeral at one end."""
    ink, sheet = BEADS[face[0]], Sheet(4.2, _CREAM)
    sheet.line([(0.5, 0.8), (0.5, 4.0)], (120, 96, 70), 0.03)
    for place in range(int(face[1])):
        sheet.ellipse(0.5, 3.84 - 0.36 * place, 0.26, ink, 0.6)
    sheet.box((0.12, 0.1, 0.88, 0.68), ink, 0.08)
    sheet.text(face[1], (0.5, 0.39, 0.46), _CREAM, "LiberationSans-Bold.ttf")
    return sheet.picture()


def _sash(face: str) -> Picture:
    """Two tones that part on the slant, the numeral large in a white disc off the middle."""
    light, dark = _SASHES[face[0]]
    sheet = Sheet(3.5, light)
    sheet.shape([(0, 1.9), (1, 1.2), (1, 3.5), (0, 3.5)], dark)
    sheet.ellipse(0.5, 0.75, 0.38, _WHITE)
    sheet.text(face[1], (0.5, 0.75, 0.58), dark, "DejaVuSans-Bold.ttf")
    for place in range(int(face[1])):
        sheet.box((0.3, 3.2 - 0.2 * place, 0.7, 3.28 - 0.2 * place), _WHITE)
    return sheet.picture()


def _lanterns(face: str) -> Picture:
    """Brown wrapping paper, as many lanterns on a cord as it says, the numeral on a white tag."""
    lamp, sheet = _LAMPS[face[0]], Sheet(3.6, _KRAFT)
    cord = [(0.5 + 0.3 * sin(at * pi / 12), 0.75 + at * 0.088) for at in range(25)]
    sheet.line(cord, _INK, 0.02)
    for place in range(int(face[1])):
        x, y = cord[3 * place + 2]
        sheet.ellipse(x, y + 0.08, 0.15, lamp, 0.8)
        sheet.box((x - 0.06, y - 0.07, x + 0.06, y - 0.03), _INK)
    for y in (0.36, 3.22):
        sheet.box((0.14, y - 0.24, 0.86, y + 0.24), _WHITE, 0.1)
        sheet.ellipse(0.3, y, 0.12, lamp)
        sheet.text(face[1], (0.62, y, 0.4), _INK, "LiberationSerif-Bold.ttf")
    return sheet.picture()


def _mosaic(face: str) -> Picture:
    """Glazed tiles all over, lighter and darker, around a dark plate with one large numeral."""
    glaze, sheet = _GLAZES[face[0]], Sheet(3.4, _GROUT)
    for row in range(17):
        for column in range(5):
            tone = 0.72 + 0.28 * ((7 * row + 3 * column + row * column) % 5) / 4
            x, y = 0.02 + 0.192 * column, 0.02 + 0.198 * row
            sheet.box((x, y, x + 0.18, y + 0.18), _toned(glaze, tone), 0.02)
    sheet.box((0.2, 1.0, 0.8, 2.0), _INK, 0.06)
    sheet.text(face[1], (0.5, 1.5, 0.8), _toned(glaze, 1.15), "DejaVuSans-Bold.ttf")
    for star in range(int(face[1])):
        angle = 2 * pi * star / 8
        sheet.ellipse(0.5 + 0.3 * cos(angle), 2.62 + 0.3 * sin(angle), 0.075, _WHITE)
    return sheet.picture()


def _toned(colour: Colour, tone: float) -> Colour:
    red, green, blue = (min(255, round(part * tone)) for part in colour)
    return red, green, blue


KEPT_BACK: Final = (
    Design("abacus", 4.2, 0.08, _abacus, (_CREAM,)),
    Design("sash", 3.5, 0.04, _sash, tuple(tone for pair in _SASHES.values() for tone in pair)),
    Design("lanterns", 3.6, 0.06, _lanterns, (_KRAFT,)),
    Design("mosaic", 3.4, 0.05, _mosaic, (*_GLAZES.values(), _GROUT)),
)
