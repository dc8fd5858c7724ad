"""The top of one tile: its paint, its relief, and where its ink lies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.train.rendering.chance import Random, between, happens
from vision.train.rendering.material import Picture
from vision.train.rendering.tiles.edition import Edition, Tint
from vision.train.rendering.tiles.numerals import Ink, proportion, text_ink

JOKER: Final = 14  # after the numbers 1 to 13
_WORD: Final = (0.73, 0.84)
_TWO: Final = 9
_NARROWEST: Final = 12


@dataclass(frozen=True, slots=True)
class Printed:
    """What is printed on a tile: its number or JOKER, and its ink's place in COLOURS."""

    kind: int
    colour: int


@dataclass(frozen=True, slots=True, eq=False)
class Top:
    """A tile's top, H x W: paint (red, green, blue), heights in widths of a tile, ink's box.

    The box is left, top, right, bottom in shares of the top.
    """

    paint: Picture
    relief: NDArray[np.float32]
    ink_box: tuple[float, float, float, float]


def top_of(edition: Edition, printed: Printed, pixels: int, random: Random) -> Top:
    """Print one tile of an edition, so many pixels wide."""
    size = (pixels, round(pixels * edition.shape.length))
    ink = _joker(edition, size) if printed.kind == JOKER else _number(edition, printed.kind, size)
    paint = _plastic(edition.plastic, size, random)
    worn = ink * between(random, 0.82, 1.0)
    tint = np.array(_near(edition.inks[printed.colour], random))
    paint *= 1 - worn[..., None] * (1 - tint)
    relief = _moulding(edition, size) - edition.engraved * ink
    return Top(_eight_bits(paint), relief.astype(np.float32), _box(ink))


def back_of(edition: Edition, pixels: int, random: Random) -> Picture:
    """A blank back of an edition, so many pixels wide."""
    size = (pixels, round(pixels * edition.shape.length))
    return _eight_bits(_plastic(edition.backs, size, random))


def _number(edition: Edition, number: int, size: tuple[int, int]) -> Ink:
    """The numerals in the upper half, all digits of one width as the edition's eight."""
    text = str(number)
    height = (edition.digit_bottom - edition.digit_top) * edition.shape.length
    stretch = edition.digit / (proportion(edition.face, "8", edition.bold) * height)
    wide = min(0.86, proportion(edition.face, text, edition.bold) * height * stretch)
    if number > _TWO:
        wide *= 0.94  # set a little tighter than type is
    box = (0.5 - wide / 2, edition.digit_top, 0.5 + wide / 2, edition.digit_bottom)
    return text_ink(edition.face, text, box, size, edition.bold)


def _joker(edition: Edition, size: tuple[int, int]) -> Ink:
    width, height = size
    side = max(_NARROWEST, round(edition.joker_width * width))
    ink = np.zeros((height, width), np.float32)
    left, top = (width - side) // 2, max(0, round(edition.joker_middle * height - side / 2))
    drawn = cv2.resize(edition.joker, (side, side), interpolation=cv2.INTER_AREA)
    place = ink[top : top + side, max(left, 0) : max(left, 0) + side]
    place[:] = drawn[: place.shape[0], : place.shape[1]]
    return ink


def _moulding(edition: Edition, size: tuple[int, int]) -> Ink:
    """The dished disc and the word, in widths of a tile."""
    width, height = size
    relief = np.zeros((height, width), np.float32)
    if edition.dish:
        across = (np.arange(width) + 0.5) / width - 0.5
        down = ((np.arange(height) + 0.5) / height - 0.36) * edition.shape.length
        away = np.hypot(across[None, :], down[:, None]) / edition.dish
        relief -= (edition.dish_depth * np.clip(1 - away**2, 0, None)).astype(np.float32)
    if edition.word:
        top, bottom = _WORD
        word = text_ink(edition.word_face, edition.word, (0.17, top, 0.83, bottom), size)
        relief += edition.word_height * cv2.GaussianBlur(word, (0, 0), max(0.4, width / 180))
    return relief


def _plastic(tint: Tint, size: tuple[int, int], random: Random) -> NDArray[np.float64]:
    """The bare plastic: no two tiles quite alike, none quite even; some wear dirt."""
    width, height = size
    colour = np.array(_near(tint, random))
    clouds = cv2.resize(random.normal(0, 1, (6, 4)), (width, height), interpolation=cv2.INTER_CUBIC)
    paint = colour * (1 + between(random, 0, 0.02) * clouds[..., None])
    if happens(random, 0.15):
        specks = cv2.resize(random.normal(0, 1, (height // 3 + 1, width // 3 + 1)), (width, height))
        dirt = np.clip(specks - 1.6, 0, 1)[..., None]
        paint = paint * (1 - between(random, 0.05, 0.3) * dirt)
    return np.asarray(paint)


def _near(tint: Tint, random: Random) -> list[float]:
    shift = 1 + random.normal(0, 0.012)
    return [max(0.02, float(part * shift + random.normal(0, 0.004))) for part in tint]


def _eight_bits(paint: NDArray[np.float64]) -> Picture:
    return np.asarray(np.clip(paint * 255, 0, 255).round(), np.uint8)


def _box(ink: Ink) -> tuple[float, float, float, float]:
    height, width = ink.shape
    rows, columns = np.nonzero(ink.max(axis=1) > 0.3)[0], np.nonzero(ink.max(axis=0) > 0.3)[0]  # noqa: PLR2004
    return (
        float(columns[0] / width),
        float(rows[0] / height),
        float((columns[-1] + 1) / width),
        float((rows[-1] + 1) / height),
    )
