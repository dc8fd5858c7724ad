"""Jokers of many designs as ink: smiling faces, jesters, stars, suns, letters.

Each is drawn on a square of side 1 around (0, 0), y downward, and printed where its edition
wants it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.train.rendering.chance import Random, between, happens, pick
from vision.train.rendering.tiles.numerals import OWN, text_ink

Ink = NDArray[np.float32]
_PIXELS: Final = 320


@dataclass(frozen=True, slots=True, eq=False)
class _Pen:
    """Draws on the square, in shares of its side; `line` is the pen's breadth."""

    page: Ink
    line: float

    def path(self, points: NDArray[np.float64], *, closed: bool = False) -> None:
        """A line through points (N x 2)."""
        corners = _places(points)
        cv2.polylines(self.page, [corners], closed, 1.0, self._broad(), cv2.LINE_AA)

    def area(self, points: NDArray[np.float64], ink: float = 1.0) -> None:
        """A filled area; ink 0 takes away what is there."""
        cv2.fillPoly(self.page, [_places(points)], ink, cv2.LINE_AA)

    def oval(self, x: float, y: float, across: float, down: float, *, filled: bool) -> None:
        """An ellipse by its half axes."""
        points = _arc(x, y, across, down)
        if filled:
            self.area(points)
        else:
            self.path(points, closed=True)

    def _broad(self) -> int:
        return max(1, round(self.line * _PIXELS))


def _places(points: NDArray[np.float64]) -> NDArray[np.int32]:
    return ((np.asarray(points) + 0.5) * _PIXELS).round().astype(np.int32)


def _arc(
    x: float, y: float, across: float, down: float, ends: tuple[float, float] = (0.0, 360.0)
) -> NDArray[np.float64]:
    """A piece of an ellipse between two angles in degrees, clockwise from the right."""
    angle = np.radians(np.linspace(*ends, 48))
    return np.stack([x + across * np.cos(angle), y + down * np.sin(angle)], axis=1)


def joker_ink(design: str, random: Random) -> Ink:
    """A design of `DESIGNS` as ink, 320 x 320; chance draws its features.

    Raises:
        KeyError: there is no such design.
    """
    pen = _Pen(np.zeros((_PIXELS, _PIXELS), np.float32), between(random, 0.018, 0.05))
    DESIGNS[design](pen, random)
    return pen.page


def any_design(random: Random) -> str:
    """A design, faces more often."""
    weights = {"smile": 3.0, "jester": 3.0, "star": 2.0}
    return pick(random, [(weights.get(name, 1.0), name) for name in DESIGNS])


def _features(pen: _Pen, random: Random, size: float, y: float) -> None:
    """Eyes, nose and mouth of a face of some radius."""
    apart, high = size * between(random, 0.28, 0.45), y - size * between(random, 0.15, 0.35)
    tall, filled = size * between(random, 0.08, 0.2), happens(random, 0.6)
    for side in (-1, 1):
        pen.oval(side * apart, high, tall * between(random, 0.6, 1), tall, filled=filled)
        if happens(random, 0.4):
            brow = _arc(side * apart, high - 0.5 * tall, 1.4 * tall, 1.6 * tall, (205, 335))
            pen.path(brow)
    _mouth(pen, random, size, y)
    if happens(random, 0.6):
        nose = size * between(random, 0.06, 0.14)
        pen.oval(0, y + 0.1 * size, nose, nose * 1.2, filled=happens(random, 0.5))


def _mouth(pen: _Pen, random: Random, size: float, y: float) -> None:
    wide, deep = size * between(random, 0.4, 0.65), size * between(random, 0.25, 0.5)
    smile = _arc(
        0, y + 0.15 * size, wide, deep, (between(random, 0, 20), between(random, 160, 180))
    )
    if happens(random, 0.3):
        pen.area(smile)
    else:
        pen.path(smile, closed=happens(random, 0.3))


def _smile(pen: _Pen, random: Random) -> None:
    size = 0.44
    if happens(random, 0.85):
        pen.oval(0, 0, size, size * between(random, 0.95, 1.05), filled=False)
    _features(pen, random, size * between(random, 0.75, 1), 0.0)
    if happens(random, 0.35):
        for at in np.linspace(-0.25, 0.25, int(random.integers(3, 8))):
            top = -(max(0.19 - at**2, 0.0) ** 0.5)
            pen.path(np.array([(at, top), (at * 1.2, top + between(random, 0.06, 0.14))]))


def _jester(pen: _Pen, random: Random) -> None:
    """A face under a cap with three points and their bells, a collar below."""
    pen.path(_arc(0, 0.12, 0.2, 0.26, (0, 180)))
    brim = np.array([(-0.24, 0.06), (0.24, 0.06), (0.2, -0.04), (-0.2, -0.04)])
    pen.path(brim, closed=True)
    _features(pen, random, 0.2, 0.17)
    tips = [(-0.4, between(random, -0.12, 0.1)), (between(random, -0.05, 0.05), -0.42)]
    tips.append((0.4, between(random, -0.12, 0.1)))
    roots = np.linspace(-0.22, 0.22, 4)
    for number, tip in enumerate(tips):
        left, right = (roots[number], -0.03), (roots[number + 1], -0.03)
        bow = (0.6 * tip[0], min(tip[1], -0.1) - 0.14)
        point = np.array([left, bow, tip, right])
        if number % 2 and happens(random, 0.5):
            pen.area(point)
        pen.path(point, closed=True)
        pen.oval(*tip, 0.045, 0.045, filled=happens(random, 0.7))
    if happens(random, 0.6):
        collar = [(at, 0.38 + 0.07 * (number % 2)) for number, at in enumerate(_COLLAR)]
        pen.path(np.array(collar))


_COLLAR: Final = tuple(float(at) for at in np.linspace(-0.3, 0.3, 9))


def _star(pen: _Pen, random: Random) -> None:
    points = int(random.choice([5, 5, 5, 6, 8]))
    outer = 0.44
    inner = outer * between(random, 0.36, 0.55)
    angle = np.arange(2 * points) * np.pi / points - np.pi / 2
    radius = np.where(np.arange(2 * points) % 2 == 0, outer, inner)
    outline = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    if happens(random, 0.5):
        pen.area(outline)
    else:
        pen.path(outline, closed=True)
        if happens(random, 0.5):
            _features(pen, random, inner, 0.0)


def _sun(pen: _Pen, random: Random) -> None:
    """A face with rays, or a flower."""
    size, rays = 0.27, int(random.integers(8, 17))
    pen.oval(0, 0, size, size, filled=False)
    _features(pen, random, size, 0.0)
    for angle in np.arange(rays) * 2 * np.pi / rays:
        way = np.array([np.cos(angle), np.sin(angle)])
        pen.path(np.stack([way * (size + 0.04), way * between(random, 0.38, 0.45)]))


def _cards(pen: _Pen, random: Random) -> None:
    """A ring with a diamond, a heart of strokes, or rings in it."""
    pen.oval(0, 0, 0.43, 0.43, filled=False)
    reach = between(random, 0.2, 0.36)
    for share in (1.0, 0.6) if happens(random, 0.5) else (1.0,):
        corners = np.array([(0, -reach), (reach * 0.75, 0), (0, reach), (-reach * 0.75, 0)])
        pen.path(corners * share, closed=True)


def _letters(pen: _Pen, random: Random) -> None:
    """A large J, or the word."""
    text = "J" if happens(random, 0.5) else "JOKER"
    tall = 0.42 if text == "J" else 0.16
    wide = 0.26 if text == "J" else 0.46
    box = (0.5 - wide, 0.5 - tall, 0.5 + wide, 0.5 + tall)
    pen.page[:] = np.maximum(pen.page, text_ink(OWN, text, box, (_PIXELS, _PIXELS), 8))


def _clown(pen: _Pen, random: Random) -> None:
    """A face with curls at both sides and a small hat."""
    _features(pen, random, 0.3, 0.08)
    pen.path(_arc(0, 0.08, 0.28, 0.32, (-40, 220)))
    for side in (-1, 1):
        for _ in range(int(random.integers(3, 6))):
            x, y = side * between(random, 0.26, 0.38), between(random, -0.18, 0.1)
            pen.oval(x, y, 0.06, 0.06, filled=False)
    hat = np.array([(-0.14, -0.24), (0.14, -0.24), (between(random, -0.08, 0.08), -0.47)])
    if happens(random, 0.5):
        pen.area(hat)
    pen.path(hat, closed=True)


DESIGNS: Final[dict[str, Callable[[_Pen, Random], None]]] = {
    "smile": _smile,
    "jester": _jester,
    "star": _star,
    "sun": _sun,
    "cards": _cards,
    "letters": _letters,
    "clown": _clown,
}
