"""Made-up decks and dice with symbols: designs to tune the teaching on, and designs kept back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from math import cos, pi, sin
from typing import Final

import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from vision.train.rendering.geometry import PIPS, Colour, Picture

WIDTH: Final = 240  # pixels across a piece's paint
_FINER: Final = 2  # drawn so much larger, so that edges come out smooth
FACES: Final = tuple(f"{colour}{number}" for colour in "RBGPY" for number in range(1, 9))


@dataclass(frozen=True, slots=True)
class Design:
    """A set of flat pieces of one size.

    `length` is how many widths long a piece is; `corner` the radius of its corners, in widths;
    `paint` gives a face's picture, H x WIDTH x 3, red-green-blue; `paper` is the colour along the
    pieces' edges that a table must differ from. `height` is how thick a piece is, in widths: one of
    a whole width is a die, whose other sides show other faces. `copies` is how often each face is
    in an evening's photographs; `tuned_on`: the reader was tuned on it.
    """

    name: str
    length: float
    corner: float
    paint: Callable[[str], Picture]
    papers: tuple[Colour, ...]
    faces: tuple[str, ...] = FACES
    height: float = 0.014
    copies: int = 1
    tuned_on: bool = False

    @property
    def seed(self) -> int:
        """What its photographs are drawn from."""
        return sum(map(ord, self.name))

    @property
    def is_die(self) -> bool:
        return self.height == 1


class FaceSheet:
    """One face being drawn; lengths are in widths of the piece, from its top left."""

    def __init__(self, length: float, paper: Colour) -> None:
        self._unit = WIDTH * _FINER
        size = (self._unit, round(self._unit * length))
        self.page = Pillow.new("RGB", size, paper)
        self.length = length

    def ellipse(self, x: float, y: float, radius: float, colour: Colour, tall: float = 1) -> None:
        """A filled disc, or an ellipse that many times as tall as wide."""
        box = (x - radius, y - radius * tall, x + radius, y + radius * tall)
        ImageDraw.Draw(self.page).ellipse([part * self._unit for part in box], fill=colour)

    def box(
        self, box: tuple[float, float, float, float], colour: Colour, corner: float = 0
    ) -> None:
        """A filled rectangle by left, top, right and bottom."""
        ImageDraw.Draw(self.page).rounded_rectangle(
            [part * self._unit for part in box], corner * self._unit, fill=colour
        )

    def shape(self, points: list[tuple[float, float]], colour: Colour) -> None:
        corners = [(x * self._unit, y * self._unit) for x, y in points]
        ImageDraw.Draw(self.page).polygon(corners, fill=colour)

    def line(self, points: list[tuple[float, float]], colour: Colour, thick: float) -> None:
        places = [(x * self._unit, y * self._unit) for x, y in points]
        width = max(1, round(thick * self._unit))
        ImageDraw.Draw(self.page).line(places, fill=colour, width=width, joint="curve")

    def text(self, text: str, place: tuple[float, float, float], colour: Colour, face: str) -> None:
        """A word around x and y, so high, in a type face that is named by its file."""
        x, y, height = place
        font, middle = _type(face, round(height * self._unit)), (x * self._unit, y * self._unit)
        ImageDraw.Draw(self.page).text(middle, text, colour, font, anchor="mm")

    def mirrored(self) -> None:
        """Give the lower half the upper one's picture, upside down, as playing cards have it."""
        half = self.page.height // 2
        upper = self.page.crop((0, 0, self.page.width, half))
        self.page.paste(upper.rotate(180), (0, self.page.height - half))

    def picture(self) -> Picture:
        size = (WIDTH, round(WIDTH * self.length))
        return np.array(self.page.resize(size, Pillow.Resampling.LANCZOS), np.uint8)


@cache
def _type(face: str, pixels: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """The type face if this machine has it, else Pillow's own."""
    try:
        return ImageFont.truetype(face, pixels)
    except OSError:
        return ImageFont.load_default(pixels)


BEADS: Final[dict[str, Colour]] = {
    "R": (176, 36, 52), "B": (28, 70, 140), "G": (24, 110, 82), "P": (84, 40, 110),
    "Y": (214, 150, 20),
}  # fmt: skip


_IVORY: Final[Colour] = (240, 236, 224)
_BLACK: Final[Colour] = (28, 26, 30)
_PINE: Final[Colour] = (22, 74, 58)
_BRASS: Final[Colour] = (226, 190, 110)
_CLAY: Final[Colour] = (150, 62, 44)
_CHALK: Final[Colour] = (246, 240, 226)
_THIRD: Final = 0.24


def _pips(sheet: FaceSheet, face: str, colour: Colour) -> Picture:
    for right, down in PIPS[int(face)]:
        sheet.ellipse(0.5 + _THIRD * right, 0.5 + _THIRD * down, 0.085, colour)
    return sheet.picture()


def _skulls(face: str) -> Picture:
    """Ivory with black pips, a skull for the 1, a star in a ring for the 6."""
    sheet = FaceSheet(1.0, _IVORY)
    if face == "skull":
        sheet.ellipse(0.5, 0.42, 0.28, _BLACK)
        sheet.box((0.34, 0.55, 0.66, 0.8), _BLACK, 0.05)
        for right in (-1, 1):
            sheet.ellipse(0.5 + 0.11 * right, 0.42, 0.075, _IVORY)
            sheet.box((0.49 + 0.08 * right, 0.68, 0.51 + 0.08 * right, 0.8), _IVORY)
        sheet.shape([(0.5, 0.5), (0.45, 0.6), (0.55, 0.6)], _IVORY)
        return sheet.picture()
    if face == "star":
        sheet.ellipse(0.5, 0.5, 0.34, (170, 30, 40))
        sheet.ellipse(0.5, 0.5, 0.28, _IVORY)
        sheet.text("★", (0.5, 0.5, 0.5), (170, 30, 40), "DejaVuSans.ttf")
        return sheet.picture()
    return _pips(sheet, face, _BLACK)


def _crowns(face: str) -> Picture:
    """Dark green with brass pips, an anchor for the 1, a crown for the 6."""
    sheet = FaceSheet(1.0, _PINE)
    if face == "anchor":
        sheet.ellipse(0.5, 0.22, 0.09, _BRASS)
        sheet.ellipse(0.5, 0.22, 0.045, _PINE)
        sheet.line([(0.5, 0.3), (0.5, 0.82)], _BRASS, 0.07)
        sheet.line([(0.32, 0.4), (0.68, 0.4)], _BRASS, 0.06)
        flukes = [(0.2, 0.58), (0.28, 0.74), (0.5, 0.82), (0.72, 0.74), (0.8, 0.58)]
        sheet.line(flukes, _BRASS, 0.07)
        return sheet.picture()
    if face == "crown":
        points = [(0.2, 0.7), (0.16, 0.32), (0.36, 0.5), (0.5, 0.24), (0.64, 0.5)]
        sheet.shape([*points, (0.84, 0.32), (0.8, 0.7)], _BRASS)
        sheet.box((0.2, 0.74, 0.8, 0.82), _BRASS)
        return sheet.picture()
    return _pips(sheet, face, _BRASS)


def _weather(face: str) -> Picture:
    """Red clay with chalk-white pictures on all six sides."""
    sheet = FaceSheet(1.0, _CLAY)
    if face == "sun":
        sheet.ellipse(0.5, 0.5, 0.19, _CHALK)
        for ray in range(8):
            x, y = cos(ray * pi / 4), sin(ray * pi / 4)
            ends = [(0.5 + reach * x, 0.5 + reach * y) for reach in (0.25, 0.37)]
            sheet.line(ends, _CHALK, 0.06)
    elif face == "moon":
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
    else:  # a flake
        for arm in range(3):
            x, y = 0.36 * cos(arm * pi / 3), 0.36 * sin(arm * pi / 3)
            sheet.line([(0.5 - x, 0.5 - y), (0.5 + x, 0.5 + y)], _CHALK, 0.06)
    return sheet.picture()


def _dice(name: str, paint: Callable[[str], Picture], body: Colour, faces: str) -> Design:
    return Design(name, 1.0, 0.1, paint, (body,), tuple(faces.split()), height=1.0, copies=4)


TUNED_ON: Final = (
    replace(_dice("skulls", _skulls, _IVORY, "skull 2 3 4 5 star"), tuned_on=True),
    replace(_dice("crowns", _crowns, _PINE, "anchor 2 3 4 5 crown"), tuned_on=True),
)
KEPT_BACK_DICE: Final = _dice("weather", _weather, _CLAY, "sun moon cloud drop bolt flake")
SYMBOL_DICE: Final = (*TUNED_ON, KEPT_BACK_DICE)


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
    ink, sheet = BEADS[face[0]], FaceSheet(4.2, _CREAM)
    sheet.line([(0.5, 0.8), (0.5, 4.0)], (120, 96, 70), 0.03)
    for place in range(int(face[1])):
        sheet.ellipse(0.5, 3.84 - 0.36 * place, 0.26, ink, 0.6)
    sheet.box((0.12, 0.1, 0.88, 0.68), ink, 0.08)
    sheet.text(face[1], (0.5, 0.39, 0.46), _CREAM, "LiberationSans-Bold.ttf")
    return sheet.picture()


def _sash(face: str) -> Picture:
    """Two tones that part on the slant, the numeral large in a white disc off the middle."""
    light, dark = _SASHES[face[0]]
    sheet = FaceSheet(3.5, light)
    sheet.shape([(0, 1.9), (1, 1.2), (1, 3.5), (0, 3.5)], dark)
    sheet.ellipse(0.5, 0.75, 0.38, _WHITE)
    sheet.text(face[1], (0.5, 0.75, 0.58), dark, "DejaVuSans-Bold.ttf")
    for place in range(int(face[1])):
        sheet.box((0.3, 3.2 - 0.2 * place, 0.7, 3.28 - 0.2 * place), _WHITE)
    return sheet.picture()


def _lanterns(face: str) -> Picture:
    """Brown wrapping paper, the number's lanterns on a cord, the numeral on a white tag."""
    lamp, sheet = _LAMPS[face[0]], FaceSheet(3.6, _KRAFT)
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
    glaze, sheet = _GLAZES[face[0]], FaceSheet(3.4, _GROUT)
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
    ink, sheet = _INKS[face[0]], FaceSheet(3.6, _PAPER)
    sheet.box((0.07, 0.07, 0.93, 3.53), ink, 0.1)
    sheet.box((0.12, 0.12, 0.88, 3.48), _PAPER, 0.07)
    sheet.text(face[1], (0.3, 0.4, 0.42), ink, _BOLD)
    sheet.ellipse(0.66, 0.4, 0.12, ink)
    sheet.box((0.2, 0.72, 0.8, 0.75), ink)
    sheet.mirrored()
    sheet.text(face[1], (0.5, 1.8, 0.95), ink, _BOLD)
    return sheet.picture()


def _rivers(face: str) -> Picture:
    """Coloured all over, white waves, a numeral at each end, the number's drops."""
    sheet = FaceSheet(3.9, _BODIES[face[0]])
    for row in range(4):
        height = 0.85 + 0.3 * row
        wave = [(x / 20, height + 0.05 * sin(x * pi / 5 + row)) for x in range(21)]
        sheet.line(wave, (250, 248, 240), 0.022)
    sheet.text(face[1], (0.5, 0.42, 0.6), (252, 250, 244), _SERIF)
    sheet.mirrored()
    for place in range(int(face[1])):
        x, y = 0.25 + 0.5 * (place % 2), 1.05 + 0.6 * (place // 2)
        sheet.ellipse(x, y, 0.11, (252, 250, 244), 1.4)
    return sheet.picture()


def _night(face: str) -> Picture:
    """Nearly black, stars, a glowing ring around a numeral in the middle and one at each end."""
    glow, sheet = _GLOWS[face[0]], FaceSheet(3.3, _NIGHT)
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
    """Tinted paper, the number's flowers, their petals by colour; numerals in two corners."""
    deep, sheet = _DEEP[face[0]], FaceSheet(3.7, _TINTS[face[0]])
    sheet.box((0.05, 0.05, 0.95, 0.07), deep)
    sheet.box((0.05, 3.63, 0.95, 3.65), deep)
    for place in range(int(face[1])):
        x, y = (0.32, 0.68)[place % 2], 0.8 + 0.32 * place
        _flower(sheet, (x, y), "RBGPY".index(face[0]) + 3, deep)
    sheet.text(face[1], (0.24, 0.36, 0.4), deep, "LiberationSerif-Bold.ttf")
    sheet.text(face[1], (0.76, 3.34, 0.4), deep, "LiberationSerif-Bold.ttf")
    return sheet.picture()


def _flower(sheet: FaceSheet, place: tuple[float, float], petals: int, colour: Colour) -> None:
    for petal in range(petals):
        angle = 2 * pi * petal / petals
        sheet.ellipse(place[0] + 0.09 * cos(angle), place[1] + 0.09 * sin(angle), 0.06, colour)
    sheet.ellipse(*place, 0.045, _WHITE)


def _kites(face: str) -> Picture:
    """Grey paper, a coloured edge, a kite with a tail of as many bows, the numeral on the kite."""
    ink, sheet = BEADS[face[0]], FaceSheet(3.8, _GREY)
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

ALL_DESIGNS: Final = (*TUNING, *KEPT_BACK, *SYMBOL_DICE)
