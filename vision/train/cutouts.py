"""Real dice cut out of the photographs, to be laid on other tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.train.chance import Chance
from vision.train.distortion import recoloured
from vision.train.photographs import RENDERED, Picture
from vision.train.pipped import SIDE, Sprite
from vision.train.placed import UNKNOWN, Affine, PlacedDie, turned_and_stretched, warp_of

_Outline = NDArray[np.int32]

_DIE: Final = 76.0  # of the sprite's side: the longer side of a die that is cut out
_SMALLEST: Final = 26.0  # pixels of the photograph: smaller dice would be blurred when laid near
_MOST: Final = 400  # of each source: more of the same camera's dice teach little
_ROUNDS: Final = 3
_COVERED: Final = 100
_ENLARGED: Final = 1.4  # times its own size, at most, a die is laid
# What is cut must fill its box and the hull about it so far, or the cut went through the die.
_FILLED: Final = (0.55, 0.98)
_WHOLE: Final = 0.88
_OFF: Final = 0.14  # of its side: how far the hull's sides may lie from the labelled ones
_ALONE: Final = 1.15  # times both sides' mean: dice nearer than that hide each other


def cut_out(pictures: Iterable[Picture], chance: Chance) -> list[Sprite]:
    """Cut dice out of photographs, as many of each source as of the others if there are so many.

    Only those that lie apart from others in a box known to be theirs, and that come out whole.
    """
    by_source: dict[str, list[Picture]] = {}
    for picture in pictures:
        if picture.source != RENDERED:
            by_source.setdefault(picture.source, []).append(picture)
    return [sprite for each in by_source.values() for sprite in _some(each, chance)]


def _some(pictures: list[Picture], chance: Chance) -> list[Sprite]:
    places = [(picture, die) for picture in pictures for die in _apart(picture)]
    order = chance.numbers.permutation(len(places))
    sprites: list[Sprite] = []
    for each in order:
        picture, die = places[each]
        sprite = _cut(picture, die, chance)
        if sprite is not None:
            sprites.append(sprite)
        if len(sprites) == _MOST:
            break
    return sprites


def _apart(picture: Picture) -> Iterator[PlacedDie]:
    """The dice that can be read, large enough, with nothing beside them."""
    for die in picture.dice:
        told = die.sized and die.value != UNKNOWN and die.size >= _SMALLEST
        if told and not any(_touches(die, other) for other in picture.dice if other is not die):
            yield die


def _touches(die: PlacedDie, other: PlacedDie) -> bool:
    away = float(np.hypot(die.x - other.x, die.y - other.y))
    return away < _ALONE * (die.size + other.size) / 2


def _cut(picture: Picture, die: PlacedDie, chance: Chance) -> Sprite | None:
    factor = _DIE / die.size
    warp = warp_of((die.x, die.y), (SIDE / 2, SIDE / 2), np.diag([factor, factor]))
    if not _is_inside(picture, die):
        return None
    level = 1 if factor < 0.6 else 0  # noqa: PLR2004 - bilinear copes to there
    window = _warped(picture.levels[level], warp, 2.0**level)
    hull = _hull(window, die.width * factor, die.height * factor)
    if hull is None:
        return None
    sprite = _turned(recoloured(window, chance), hull, die, picture.upright, chance)
    return replace(sprite, finest=_ENLARGED * die.size)


def _is_inside(picture: Picture, die: PlacedDie) -> bool:
    height, width = picture.image.shape[:2]
    across, down = die.width * 0.6, die.height * 0.6
    return bool(across < die.x < width - across and down < die.y < height - down)


def _warped(image: Image, warp: Affine, shrunk: float) -> Image:
    warp = warp.copy()
    warp[:, :2] *= shrunk
    taken = cv2.warpAffine(image, warp, (SIDE, SIDE), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(taken, np.uint8)


def _hull(window: Image, width: float, height: float) -> _Outline | None:
    """The outline of the die in the window's middle, if it can be told from its table."""
    mask = np.full((SIDE, SIDE), cv2.GC_BGD, np.uint8)
    middle = (SIDE // 2, SIDE // 2)
    for scale, kind in ((1.12, cv2.GC_PR_BGD), (0.9, cv2.GC_PR_FGD), (0.55, cv2.GC_FGD)):
        half = (round(width * scale / 2), round(height * scale / 2))
        corner, other = ((middle[0] + s * half[0], middle[1] + s * half[1]) for s in (-1, 1))
        cv2.rectangle(mask, corner, other, int(kind), -1)
    models = np.zeros((2, 1, 65), np.float64)
    cv2.grabCut(
        window, mask, (0, 0, SIDE, SIDE), models[0], models[1], _ROUNDS, cv2.GC_INIT_WITH_MASK
    )
    inner = ((mask == cv2.GC_FGD) | (mask == cv2.GC_PR_FGD)).astype(np.uint8)
    outlines, _ = cv2.findContours(inner, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    largest = np.asarray(max(outlines, key=cv2.contourArea), np.int32)
    hull = np.asarray(cv2.convexHull(largest), np.int32)
    return hull if _is_whole(largest, hull, width, height) else None


def _is_whole(largest: _Outline, hull: _Outline, width: float, height: float) -> bool:
    area = cv2.contourArea(hull)
    left, top, across, down = cv2.boundingRect(hull)
    sides = (left, top, left + across, top + down)
    wanted = (SIDE - width, SIDE - height, SIDE + width, SIDE + height)
    off = max(abs(side - each / 2) for side, each in zip(sides, wanted, strict=True))
    filled = _FILLED[0] < area / max(1.0, across * down) < _FILLED[1]
    return filled and cv2.contourArea(largest) > _WHOLE * area and off < _OFF * _DIE


def _turned(
    window: Image, hull: _Outline, die: PlacedDie, upright: float, chance: Chance
) -> Sprite:
    """The die on a clear ground, turned as its photograph may be."""
    mask = np.zeros((SIDE, SIDE), np.uint8)
    cv2.fillConvexPoly(mask, hull, 255, cv2.LINE_AA)
    cover = cv2.GaussianBlur(mask, (0, 0), 0.8)
    middle = (SIDE / 2, SIDE / 2)
    warp = warp_of(middle, middle, turned_and_stretched(upright, chance))
    picture = cv2.warpAffine(np.dstack([window, cover]), warp, (SIDE, SIDE))
    left, top, width, height = cv2.boundingRect((picture[:, :, 3] > _COVERED).astype(np.uint8))
    x, y = left + width / 2, top + height / 2
    placed = replace(die, x=x, y=y, width=width, height=height, corners=None)
    return Sprite(np.asarray(picture, np.uint8), placed)
