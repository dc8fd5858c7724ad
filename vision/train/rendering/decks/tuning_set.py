"""The decks that the reader of taught sets was tuned on.

The last three were drawn to test it: each showed it a weakness, and counts as tuned on since.
"""

from __future__ import annotations

from math import cos, pi, sin
from typing import Final

from vision.train.rendering.decks.design import Design, Sheet
from vision.train.rendering.decks.inks import BEADS
from vision.train.rendering.material import Colour, Picture

_PAPER: Final[Colour] = (244, 241, 232)
_INKS: Final[dict[str, Colour]] = {
    "R": (200, 42, 44), "B": (32, 84, 168), "G": (36, 132, 70), "P": (112, 58, 138),
    "Y": (236, 184, 36),
}  # fmt: skip
_BODIES: Final[dict[str, Colour]] = {
    "R": (188, 48, 40), "B": (40, 110, 190), "G": (60, 150, 80), "P": (96, 60, 130),
    "Y": (230, 190, 60),
}  # fmt: skip
_BOLD: Final = "DejaVuSans-Bold.ttf"
_SERIF: Final = "DejaVuSerif-Bold.ttf"
_GREY: Final[Colour] = (214, 214, 210)
_STRING: Final[Colour] = (90, 90, 94)
_NIGHT: Final[Colour] = (26, 28, 40)
_WHITE: Final[Colour] = (250, 248, 242)
_GLOWS: Final[dict[str, Colour]] = {
    "R": (240, 86, 70), "B": (80, 160, 250), "G": (96, 214, 120), "P": (190, 120, 240),
    "Y": (250, 216, 90),
}  # fmt: skip
_TINTS: Final[dict[str, Colour]] = {
    "R": (246, 200, 196), "B": (196, 216, 244), "G": (204, 234, 204), "P": (222, 206, 240),
    "Y": (250, 238, 188),
}  # fmt: skip
_DEEP: Final[dict[str, Colour]] = {
    "R": (150, 20, 30), "B": (20, 50, 120), "G": (16, 84, 40), "P": (70, 24, 96),
    "Y": (150, 104, 0),
}  # fmt: skip


def _framed(face: str) -> Picture:
    """White paper, a coloured frame, a large numeral and two small ones."""
    ink, sheet = _INKS[face[0]], Sheet(3.6, _PAPER)
    sheet.box((0.07, 0.07, 0.93, 3.53), ink, 0.1)
    sheet.box((0.12, 0.12, 0.88, 3.48), _PAPER, 0.07)
    sheet.text(face[1], (0.3, 0.4, 0.42), ink, _BOLD)
    sheet.ellipse(0.66, 0.4, 0.12, ink)
    sheet.box((0.2, 0.72, 0.8, 0.75), ink)
    sheet.mirrored()
    sheet.text(face[1], (0.5, 1.8, 0.95), ink, _BOLD)
    return sheet.picture()


def _rivers(face: str) -> Picture:
    """Coloured all over, white waves, a numeral at each end, as many drops as it says."""
    sheet = Sheet(3.9, _BODIES[face[0]])
    for row in range(4):
        height = 0.85 + 0.3 * row
        wave = [(x / 20, height + 0.05 * sin(x * pi / 5 + row)) for x in range(21)]
        sheet.line(wave, (250, 248, 240), 0.022)
    sheet.text(face[1], (0.5, 0.42, 0.6), (252, 250, 244), _SERIF)
    sheet.mirrored()
    for place in range(int(face[1])):
        sheet.ellipse(
            0.25 + 0.5 * (place % 2), 1.05 + 0.6 * (place // 2), 0.11, (252, 250, 244), 1.4
        )
    return sheet.picture()


def _night(face: str) -> Picture:
    """Nearly black, stars, a glowing ring around a numeral in the middle and one at each end."""
    glow, sheet = _GLOWS[face[0]], Sheet(3.3, _NIGHT)
    for star in range(14):
        x, y = 0.5 + 0.42 * sin(star * 2.4), 0.15 + 3.0 * ((star * 0.618) % 1)
        sheet.ellipse(x, y, 0.015 + 0.01 * (star % 2), (150, 154, 170))
    sheet.text(face[1], (0.5, 0.42, 0.5), glow, "DejaVuSansMono-Bold.ttf")
    sheet.line([(0.2, 0.78), (0.8, 0.78)], glow, 0.02)
    sheet.mirrored()
    sheet.ellipse(0.5, 1.65, 0.42, glow)
    sheet.ellipse(0.5, 1.65, 0.36, _NIGHT)
    sheet.text(face[1], (0.5, 1.65, 0.46), glow, "DejaVuSansMono-Bold.ttf")
    return sheet.picture()


def _garden(face: str) -> Picture:
    """Tinted paper, as many flowers as it says, their petals by colour; numerals in two corners."""
    deep, sheet = _DEEP[face[0]], Sheet(3.7, _TINTS[face[0]])
    sheet.box((0.05, 0.05, 0.95, 0.07), deep)
    sheet.box((0.05, 3.63, 0.95, 3.65), deep)
    for place in range(int(face[1])):
        x, y = (0.32, 0.68)[place % 2], 0.8 + 0.32 * place
        _flower(sheet, (x, y), "RBGPY".index(face[0]) + 3, deep)
    sheet.text(face[1], (0.24, 0.36, 0.4), deep, "LiberationSerif-Bold.ttf")
    sheet.text(face[1], (0.76, 3.34, 0.4), deep, "LiberationSerif-Bold.ttf")
    return sheet.picture()


def _flower(sheet: Sheet, place: tuple[float, float], petals: int, colour: Colour) -> None:
    for petal in range(petals):
        angle = 2 * pi * petal / petals
        sheet.ellipse(place[0] + 0.09 * cos(angle), place[1] + 0.09 * sin(angle), 0.06, colour)
    sheet.ellipse(*place, 0.045, _WHITE)


def _kites(face: str) -> Picture:
    """Grey paper, a coloured edge, a kite with a tail of as many bows, the numeral on the kite."""
    ink, sheet = BEADS[face[0]], Sheet(3.8, _GREY)
    sheet.box((0.0, 0.0, 0.13, 3.8), ink)
    sheet.shape([(0.56, 0.2), (0.92, 0.75), (0.56, 1.5), (0.2, 0.75)], ink)
    sheet.text(face[1], (0.56, 0.76, 0.48), _GREY, "DejaVuSerif.ttf")
    sheet.line([(0.56, 1.5), (0.5, 2.2), (0.62, 2.9), (0.54, 3.7)], _STRING, 0.025)
    for place in range(int(face[1])):
        y = 1.72 + 0.25 * place
        sheet.shape([(0.4, y - 0.07), (0.4, y + 0.07), (0.72, y - 0.07), (0.72, y + 0.07)], ink)
    return sheet.picture()


TUNING: Final = (
    Design("framed", 3.6, 0.09, _framed, (_PAPER,), tuned_on=True),
    Design("rivers", 3.9, 0.05, _rivers, tuple(_BODIES.values()), tuned_on=True),
    Design("night", 3.3, 0.12, _night, (_NIGHT,), tuned_on=True),
    Design("garden", 3.7, 0.06, _garden, tuple(_TINTS.values()), tuned_on=True),
    Design("kites", 3.8, 0.07, _kites, (_GREY,), tuned_on=True),
)
