"""Numerals as ink: how much of each point of a tile's top is printed, 0 to 1."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

Ink = NDArray[np.float32]
_FOLDER: Final = Path("/usr/share/fonts")
_SIZE: Final = 240
OWN: Final = ""  # Pillow's own face, which is always there
# How often each heavy face is wanted: tiles wear plain grotesques, seldom one with serifs.
_WANTED: Final = {
    "LiberationSans-Bold.ttf": 5,
    "LiberationSansNarrow-Bold.ttf": 4,
    "NotoSans-Bold.ttf": 3,
    "NotoSansDisplay-Bold.ttf": 3,
    "NotoSansCJK-Bold.ttc": 3,
    "DejaVuSans-Bold.ttf": 2,
    "DejaVuSansCondensed-Bold.ttf": 2,
    "LiberationSerif-Bold.ttf": 1,
    "DejaVuSerif-Bold.ttf": 1,
    "NotoSerif-Bold.ttf": 1,
}


@cache
def faces() -> tuple[tuple[float, str], ...]:
    """The heavy faces that this machine has, each with how often it is wanted."""
    found = {path.name: str(path) for path in _FOLDER.rglob("*") if path.name in _WANTED}
    return (*((_WANTED[name], found[name]) for name in _WANTED if name in found), (1.0, OWN))


@cache
def _glyphs(face: str, text: str, bold: int) -> NDArray[np.uint8]:
    """A text as large as it is, cut to its ink; `bold` thickens it, in pixels of 240."""
    own = face == OWN
    font = ImageFont.load_default(_SIZE) if own else ImageFont.truetype(face, _SIZE)
    page = Pillow.new("L", ((len(text) + 2) * _SIZE, 2 * _SIZE))
    stroke = bold + (_SIZE // 20 if own else 0)  # Pillow's is a light one
    ImageDraw.Draw(page).text((_SIZE, _SIZE // 4), text, 255, font, stroke_width=stroke)
    ink = np.asarray(page, np.uint8)
    rows, columns = np.nonzero(ink.max(axis=1))[0], np.nonzero(ink.max(axis=0))[0]
    return ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def text_ink(
    face: str, text: str, box: tuple[float, float, float, float], size: tuple[int, int],
    bold: int = 0,
) -> Ink:  # fmt: skip
    """A text stretched into a box of a top that is so many pixels wide and high.

    The box is left, top, right, bottom in shares of the top's width and height.
    """
    width, height = size
    left, top = round(box[0] * width), round(box[1] * height)
    right, bottom = max(left + 2, round(box[2] * width)), max(top + 3, round(box[3] * height))
    ink = np.zeros((height, width), np.float32)
    shape = (right - left, bottom - top)
    drawn = cv2.resize(_glyphs(face, text, bold), shape, interpolation=cv2.INTER_AREA)
    inside = ink[max(top, 0) : bottom, max(left, 0) : right]
    rows, columns = inside.shape
    inside[:] = drawn[max(-top, 0) :, max(-left, 0) :][:rows, :columns].astype(np.float32) / 255
    return ink


def proportion(face: str, text: str, bold: int = 0) -> float:
    """How wide a text is for its height."""
    height, width = _glyphs(face, text, bold).shape
    return float(width / height)
