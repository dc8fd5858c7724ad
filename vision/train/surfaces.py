"""Drawn table tops: felt, wood, cloth, carpet, printed paper, and clutter that resembles dice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.train.blocks import lay_block
from vision.train.chance import Chance
from vision.train.colours import any_colour
from vision.train.placed import PlacedDie
from vision.train.printed import print_board, print_piece

_BOARD: Final = 0.25


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """A square table top, and where on it lies what resembles dice and is none."""

    image: Image
    clutter: tuple[PlacedDie, ...]


def cloud(height: int, width: int, grain: float, chance: Chance) -> NDArray[np.float32]:
    """Soft noise of -1 to 1 or so, H x W, whose blots are about `grain` pixels wide."""
    rows, columns = max(2, int(height / grain)), max(2, int(width / grain))
    seeds = chance.numbers.standard_normal((rows, columns), np.float32)
    return np.asarray(cv2.resize(seeds, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)


def surface(side: int, chance: Chance) -> Surface:
    """Draw a square table top of some material, often with prints and clutter on it."""
    texture = cloud(side, side, chance.scale(20, 200), chance)[:, :, None] * chance.between(0, 12)
    for _ in range(1 + chance.below(2)):
        texture = texture + _material(side, chance) * np.array(any_colour(chance)) / 128
    toned = np.clip(texture + np.array(any_colour(chance)), 0, 255)
    picture = np.ascontiguousarray(toned, np.uint8)
    places = print_board(picture, chance) if chance.happens(_BOARD) else []
    for _ in range(chance.below(5) if chance.happens(0.6) else 0):
        kind = chance.below(5)
        if kind < 2:  # noqa: PLR2004 - two of five kinds
            places.append(print_piece(picture, chance))
        elif kind == 2:  # noqa: PLR2004
            places.append(lay_block(picture, chance))
        else:
            _clutter(picture, chance)
    return Surface(picture, tuple(each for each in places if _inside(each, side)))


def _inside(place: PlacedDie, side: int) -> bool:
    return 0 <= place.x < side and 0 <= place.y < side


def _material(side: int, chance: Chance) -> NDArray[np.float32]:
    kind = chance.below(4)
    if kind == 0:
        stripes = cloud(side, max(2, side // 12), chance.scale(1, 6), chance)
        grain = cv2.resize(stripes, (side, side))
        grain = grain if chance.happens(0.5) else grain.T
    elif kind == 1:
        grain = _weave(side, chance)
    else:
        grain = cloud(side, side, chance.scale(1, 12), chance)
    return np.asarray(grain[:, :, None] * chance.scale(1, 30), np.float32)


def _weave(side: int, chance: Chance) -> NDArray[np.float32]:
    down, across = np.mgrid[0:side, 0:side].astype(np.float32)
    period, turn = chance.scale(3, 40), chance.between(0, np.pi)
    along = np.cos(turn) * across + np.sin(turn) * down
    athwart = np.cos(turn) * down - np.sin(turn) * across
    waves = np.sin(along * 2 * np.pi / period) + np.sin(athwart * 2 * np.pi / period)
    return np.asarray(waves, np.float32)


def _clutter(picture: Image, chance: Chance) -> None:
    """Draw coins, buttons, printed circles, domino-like tiles and lines; none of them a die."""
    side = picture.shape[0]
    x, y = chance.below(side), chance.below(side)
    size = int(chance.scale(4, side / 3))
    colour, other = any_colour(chance), any_colour(chance)
    kind = chance.below(4)
    if kind == 0:
        cv2.circle(picture, (x, y), size // 2, colour, -1, cv2.LINE_AA)
        cv2.circle(picture, (x, y), size // 3, other, 1 + size // 20, cv2.LINE_AA)
    elif kind == 1:
        _box(picture, (x, y), size, chance)
    elif kind == 2:  # noqa: PLR2004 - one of four kinds
        end = (chance.below(side), chance.below(side))
        cv2.line(picture, (x, y), end, colour, 1 + size // 8, cv2.LINE_AA)
    else:
        for step in range(2 + chance.below(8)):
            spot = (x + step * size // 3, y + (step % 2) * size // 4)
            cv2.circle(picture, spot, max(1, size // 12), colour, -1, cv2.LINE_AA)


def _box(picture: Image, middle: tuple[int, int], size: int, chance: Chance) -> None:
    shape = (size, size * chance.between(0.4, 2.5))
    corners = cv2.boxPoints((middle, shape, chance.between(0, 90))).astype(np.int32)
    cv2.fillConvexPoly(picture, corners, any_colour(chance), cv2.LINE_AA)
    if chance.happens(0.5):
        text = chance.pick(("7", "12", "A", "K", "OK", "8", "tea", "2024"))
        cv2.putText(picture, text, middle, 0, max(0.3, size / 60), any_colour(chance), 1)
