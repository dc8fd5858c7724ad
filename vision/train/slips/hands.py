"""Handwritten digits as ink on nothing: own strokes, fonts made from hands, and UCI's writers."""

from __future__ import annotations

import gzip
import tomllib
import zipfile
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from vision.train.augmentation import Chance

Ink = NDArray[np.float32]  # from 0 to 1, cut close around what is written

_POINTS: Final = 96  # pixels of a font's height
_UCI_SIDE: Final = 8
_UCI_FILE: Final = "sklearn/datasets/data/digits.csv.gz"
_UCI_CHECKED: Final = (1000, 1260)  # writer by writer; those from here on are not trained on
_SIDE: Final = 96
_MARGIN: Final = 24


@cache
def _listed() -> dict[str, Any]:
    """The fonts kept from training, and the strokes of each digit."""
    text = (files("vision.train.slips") / "hands.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


class Hands:
    """Ink from own strokes, and from a folder of fonts and scikit-learn's wheel, which has UCI's.

    `checked` takes the hands that the confidence is calibrated on, which are not trained on.
    """

    def __init__(self, data: Path, *, checked: bool = False) -> None:
        self.checked = checked
        found = data.glob("*-latin-400-normal.woff2")
        self.fonts = {file.name.removesuffix("-latin-400-normal.woff2"): file for file in found}
        kept = _listed()
        trained = set(self.fonts).difference(kept["held_out"], kept["checked"])
        self.chosen = sorted(kept["checked"] if checked else trained)
        wheel = next(data.glob("scikit_learn-*.whl"))
        with zipfile.ZipFile(wheel) as packed, gzip.open(packed.open(_UCI_FILE)) as file:
            table = np.loadtxt(file, delimiter=",").astype(np.uint8)
        self.uci = table[slice(*_UCI_CHECKED) if checked else slice(_UCI_CHECKED[0])]
        self._drawn: dict[tuple[str, str], Ink] = {}

    def font_ink(self, font: str, text: str) -> Ink:
        key = (font, text)
        if key not in self._drawn:
            shape = ImageFont.truetype(self.fonts[font], _POINTS)
            page = Image.new("L", (_POINTS * (1 + len(text)), 3 * _POINTS))
            ImageDraw.Draw(page).text((_POINTS // 2, _POINTS), text, font=shape, fill=255)
            self._drawn[key] = cut(np.asarray(np.asarray(page) / 255, np.float32))
        return self._drawn[key]

    def ink(self, label: str, chance: Chance) -> Ink:
        """A digit or a minus from some source."""
        if not self.checked and chance.happens(0.3):
            return stroke_ink(label, chance)
        if label == "-" or chance.happens(0.7):
            return _other_pen(self.font_ink(chance.pick(self.chosen), label), chance)
        rows = self.uci[self.uci[:, -1] == int(label)]
        return uci_ink(rows[chance.below(len(rows)), :-1], chance)


def cut(ink: Ink) -> Ink:
    """The ink without what is empty around it."""
    rows, columns = np.nonzero(ink.max(1) > 0.3)[0], np.nonzero(ink.max(0) > 0.3)[0]  # noqa: PLR2004
    if not len(rows) or not len(columns):
        return np.zeros((4, 4), np.float32)
    return ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def stroke_ink(label: str, chance: Chance) -> Ink:
    """A digit by its strokes, each written a little otherwise every time."""
    strokes = chance.pick(_listed()["strokes"][label])
    side = _SIDE + 2 * _MARGIN
    page = np.zeros((side, side), np.uint8)
    pen, wobble = chance.scale(2.5, 13), chance.between(0.01, 0.055)
    for stroke in strokes:
        points = np.array(stroke, np.float64)
        points = points + chance.numbers.normal(0, wobble, points.shape)
        if chance.happens(0.3):  # a stroke begins too early or ends too late
            points[-1] += (points[-1] - points[-2]) * chance.between(-0.15, 0.3)
        line = np.round((smooth(points) * _SIDE + _MARGIN) * 16).astype(np.int32)
        width = max(1, round(pen * chance.between(0.85, 1.15)))
        cv2.polylines(page, [line], False, 255, width, cv2.LINE_AA, 4)  # noqa: FBT003
    return cut(np.asarray(np.asarray(page) / 255, np.float32))


def smooth(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """A curve through points (Catmull and Rom, 1974), eight steps between two of them."""
    if len(points) < 3:  # noqa: PLR2004 -- a straight stroke
        return points
    ends = np.vstack([2 * points[0] - points[1], points, 2 * points[-1] - points[-2]])
    steps = np.linspace(0, 1, 9)[:-1, None]
    parts = []
    for before, start, end, after in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        parts.append(
            0.5
            * (
                2 * start
                + (end - before) * steps
                + (2 * before - 5 * start + 4 * end - after) * steps**2
                + (3 * start - before - 3 * end + after) * steps**3
            )
        )
    return np.vstack([*parts, points[-1:]])


def uci_ink(cells: NDArray[np.uint8], chance: Chance) -> Ink:
    """One of UCI's digits: 8 x 8 counts of ink, smoothed to the strokes that they came from.

    Every digit was stretched to a square there; it gets back some narrower shape.
    """
    square = cells.reshape(_UCI_SIDE, _UCI_SIDE).astype(np.float32)
    fine = cv2.resize(np.pad(square, 1), (120, 120), interpolation=cv2.INTER_CUBIC)
    level = chance.between(6.5, 10.5)
    ink = np.clip((cv2.GaussianBlur(fine, (0, 0), 2.0) - level) / 1.5 + 0.5, 0, 1)
    width = round(120 * chance.between(0.5, 0.9))
    return cut(np.asarray(cv2.resize(ink, (width, 120), interpolation=cv2.INTER_AREA), np.float32))


def _other_pen(ink: Ink, chance: Chance) -> Ink:
    change = chance.below(5) - 1
    if change <= 0:
        return ink
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * change + 1, 2 * change + 1))
    wide = np.pad(ink, change)
    return np.asarray(cv2.dilate(wide, kernel), np.float32)
