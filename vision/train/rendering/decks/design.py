"""What a made-up deck looks like: its faces, its size, and the paint of each face."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from vision.train.rendering.material import Colour, Picture

WIDTH: Final = 240  # pixels across a piece's paint
_FINER: Final = 2  # drawn so much larger, so that edges come out smooth
FACES: Final = tuple(f"{colour}{number}" for colour in "RBGPY" for number in range(1, 9))


@dataclass(frozen=True, slots=True)
class Design:
    """A set of flat pieces of one size.

    `length` is how many widths long a piece is; `corner` the radius of its corners, in widths;
    `paint` gives a face's picture, H x WIDTH x 3, red-green-blue; `paper` is the colour along
    the pieces' edges that a table must differ from. `height` is how thick a piece is, in widths:
    one of a whole width is a die, whose other sides show other faces. `copies` is how often each
    face lies in an evening's photographs; `tuned_on` says that the reader was tuned on it.
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
        """Whether a piece is a die."""
        return self.height == 1


class Sheet:
    """One face being drawn; lengths are in widths of the piece, from its top left."""

    def __init__(self, length: float, paper: Colour) -> None:
        self._unit = WIDTH * _FINER
        size = (self._unit, round(self._unit * length))
        self.page = Pillow.new("RGB", size, paper)
        self.length = length

    def ellipse(self, x: float, y: float, radius: float, colour: Colour, tall: float = 1) -> None:
        """A filled disc, or an ellipse so many times as tall as wide."""
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
        """A filled polygon."""
        ImageDraw.Draw(self.page).polygon(
            [(x * self._unit, y * self._unit) for x, y in points], fill=colour
        )

    def line(self, points: list[tuple[float, float]], colour: Colour, thick: float) -> None:
        """A line through points."""
        ImageDraw.Draw(self.page).line(
            [(x * self._unit, y * self._unit) for x, y in points],
            fill=colour,
            width=max(1, round(thick * self._unit)),
            joint="curve",
        )

    def text(self, text: str, place: tuple[float, float, float], colour: Colour, face: str) -> None:
        """A word around x and y, so high, in a type face that is named by its file."""
        x, y, height = place
        ImageDraw.Draw(self.page).text(
            (x * self._unit, y * self._unit),
            text,
            colour,
            _type(face, round(height * self._unit)),
            anchor="mm",
        )

    def mirrored(self) -> None:
        """Give the lower half the upper one's picture, upside down, as playing cards have it."""
        half = self.page.height // 2
        upper = self.page.crop((0, 0, self.page.width, half))
        self.page.paste(upper.rotate(180), (0, self.page.height - half))

    def picture(self) -> Picture:
        """The finished face."""
        size = (WIDTH, round(WIDTH * self.length))
        return np.array(self.page.resize(size, Pillow.Resampling.LANCZOS), np.uint8)


@cache
def _type(face: str, pixels: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """The type face if this machine has it, else Pillow's own."""
    try:
        return ImageFont.truetype(face, pixels)
    except OSError:
        return ImageFont.load_default(pixels)
