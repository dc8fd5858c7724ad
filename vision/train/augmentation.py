"""Seeded chance, warps of pictures with their dice, and what cameras and lamps do to a picture."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Generic, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image

Item = TypeVar("Item")


class Chance:
    """A seeded source of chance; the same seed gives the same training set."""

    def __init__(self, seed: int | Sequence[int]) -> None:
        self.numbers = np.random.default_rng(seed)

    def happens(self, probability: float) -> bool:
        return bool(self.numbers.random() < probability)

    def between(self, low: float, high: float) -> float:
        return float(self.numbers.uniform(low, high))

    def scale(self, low: float, high: float) -> float:
        """A factor from a range, evenly in its logarithm."""
        return math.exp(self.between(math.log(low), math.log(high)))

    def near(self, middle: float, spread: float) -> float:
        """A number around a middle, normally distributed."""
        return float(self.numbers.normal(middle, spread))

    def below(self, count: int) -> int:
        return int(self.numbers.integers(count))

    def pick(self, items: Sequence[Item]) -> Item:
        return items[self.below(len(items))]

    def turn(self, upright: float) -> float:
        """An angle in degrees: near upright with that probability, else any at all."""
        return self.near(0.0, 12.0) if self.happens(upright) else self.between(0.0, 360.0)


class DrawnStock:
    """Pools of drawn things, renewed little by little, as drawing each anew costs too much.

    A pool holds `most` of them; `renewal` is how often one is drawn anew when one is taken.
    """

    most: int
    renewal: float

    def __init__(self, chance: Chance) -> None:
        self.chance = chance

    def drawn(self, pool: list[Item], draw: Callable[[], Item]) -> Item:
        if len(pool) < self.most:
            pool.append(draw())
        elif self.chance.happens(self.renewal):
            pool[self.chance.below(len(pool))] = draw()
        return self.chance.pick(pool)


@dataclass(slots=True)
class LearnedScene(Generic[Item]):
    """A square picture and the pieces on it; changed in place while it is being laid."""

    image: Image
    pieces: list[Item]


Points = NDArray[np.float32]
Affine = NDArray[np.float64]

UNKNOWN: Final = -1
SCENE_SIDE: Final = 256  # pixels of the square pictures that finders are trained on
# Seen from less than this many degrees above the table, a picture upside down would show a side
# face where the top face should be: such pictures are turned little, and seldom more.
STEEP_DEGREES: Final = 60.0
UPRIGHT: Final = 0.9  # how often a picture taken from the side is turned little
ANY_WAY_UP: Final = 0.4  # and one taken from above
_MUCH_STRETCHED: Final = 0.1
_STRETCHES: Final = (0.75, 1.34)  # of each side; the ratio of both changes by the square


@dataclass(frozen=True, slots=True, eq=False)
class PlacedDie:
    """A die in a picture: middle and size of its box, its value, its top face's corners if known.

    The value is 0 for what is no die, and UNKNOWN if it is unreadable.

    `sized` tells whether the box is known to be that of the whole die; `lean_degrees` how far its
    top face is from level, None if unknown.
    """

    x: float
    y: float
    width: float
    height: float
    value: int
    sized: bool = True
    corners: Points | None = None
    lean_degrees: float | None = None
    angle: ClassVar[float | None] = None  # a box is not turned
    clear: ClassVar[bool] = True  # the finder learns from every die

    @property
    def size(self) -> float:
        return max(self.width, self.height)

    def moved(self, warp: Affine) -> PlacedDie:
        """The die after the 2 x 3 affine warp of its picture.

        The box of a turned die cannot be derived from the box before; that of a disc filling the
        box can, and is never far off.
        """
        x, y = warp @ (self.x, self.y, 1.0)
        width, height = np.sqrt((warp[:, :2] ** 2) @ (self.width**2, self.height**2))
        corners = (
            None
            if self.corners is None
            else np.asarray(self.corners @ warp[:, :2].T + warp[:, 2], np.float32)
        )
        return replace(
            self, x=float(x), y=float(y), width=float(width), height=float(height), corners=corners
        )


def warp_of(start: tuple[float, float], end: tuple[float, float], linear: Affine) -> Affine:
    """The 2 x 3 warp that does what the 2 x 2 `linear` does, and brings `start` to `end`."""
    shift = np.array(end) - linear @ np.array(start)
    return np.hstack([linear, shift[:, None]])


def turned_and_stretched(upright: float, chance: Chance) -> Affine:
    """A 2 x 2 warp that keeps the area: mirrored or not, stretched, turned.

    Mostly stretched little, as lenses and a lower camera do; at times, along any line, by as
    much as pictures are that people bring into another shape.
    """
    little, much = chance.scale(0.85, 1.18), chance.happens(_MUCH_STRETCHED)
    linear = np.diag([-little if chance.happens(0.5) else little, 1 / little])
    if much:
        factor, along = chance.scale(*_STRETCHES), turned(chance.between(0, 180))
        linear = along @ np.diag([factor, 1 / factor]) @ along.T @ linear
    return np.asarray(turned(chance.turn(upright)) @ linear, np.float64)


def turned(degrees: float) -> Affine:
    """The clockwise turn by that angle, 2 x 2."""
    angle = np.radians(degrees)
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def halved(image: Image) -> tuple[Image, ...]:
    """A picture at its own, half and quarter size."""
    levels = [image]
    for _ in range(2):
        half = cv2.resize(levels[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        levels.append(np.asarray(half, np.uint8))
    return tuple(levels)


def warped(
    levels: Sequence[Image], warp: Affine, factor: float, side: int, behind: Image | None = None
) -> Image:
    """A square part of a picture, warped from the level that is least shrunk: nothing aliases.

    Beyond its edge `behind` shows, which is drawn upon, or else what is at the edge.
    """
    level = 0
    while factor < 0.6 and level < len(levels) - 1:  # noqa: PLR2004 - bilinear copes to there
        level, factor = level + 1, factor * 2
    warp = warp.copy()
    warp[:, :2] *= 2**level
    border = cv2.BORDER_REPLICATE if behind is None else cv2.BORDER_TRANSPARENT
    image = cv2.warpAffine(levels[level], warp, (side, side), behind, borderMode=border)
    return np.asarray(image, np.uint8)


Picture = NDArray[np.float32]

WHITE: Final = 255.0
_AS_IT_IS: Final = 0.3
_COARSE: Final = 0.3
_BLUE_LIT: Final = 0.06
_SPECKLED: Final = 0.12


def distort(image: Image, chance: Chance, *, recolour: bool = True) -> Image:
    """Give the picture as another camera under other lamps might have taken it, or as it is.

    Without `recolour` every colour still differs from the others.
    """
    if chance.happens(_AS_IT_IS):
        return image
    picture = (recoloured(image, chance) if recolour else image).astype(np.float32)
    picture = _relit(picture, chance)
    picture = _blurred(picture, chance)
    return _compressed(_noisy(picture, chance), chance)


def coarse(image: Image, chance: Chance, *, recolour: bool = True) -> Image:
    """Lose detail as something small or distant does when it is enlarged, grain and all."""
    if not chance.happens(_COARSE):
        return image
    shape = (image.shape[1], image.shape[0])
    factor = chance.between(0.3, 0.9)
    small = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    taken = np.asarray(small, np.uint8)
    taken = distort(taken, chance, recolour=recolour) if chance.happens(0.5) else taken
    return np.asarray(cv2.resize(taken, shape, interpolation=cv2.INTER_LINEAR), np.uint8)


def recoloured(image: Image, chance: Chance) -> Image:
    """Give the picture other colours, or inverted ones, or none, or leave them."""
    if chance.happens(0.35):
        hsv = cv2.cvtColor(image, cv2.COLOR_BGR2HSV).astype(np.int16)
        hsv[:, :, 0] = (hsv[:, :, 0] + chance.below(180)) % 180
        hsv[:, :, 1] = np.clip(hsv[:, :, 1] * chance.between(0.3, 1.6), 0, 255)
        image = np.asarray(cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2BGR), np.uint8)
    if chance.happens(0.15):
        image = np.ascontiguousarray(image[:, :, chance.numbers.permutation(3)])
    if chance.happens(0.08):
        image = np.asarray(255 - image, np.uint8)
    if chance.happens(_BLUE_LIT):  # a blue lamp or screen: what is red goes nearly dark
        light = np.array([chance.between(1.0, 1.4), chance.between(0.5, 0.95), 1.0])
        light[2] = chance.between(0.25, 0.7)
        image = np.asarray(np.clip(image * light, 0, 255), np.uint8)
    if chance.happens(0.08):
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        image = np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)
    return np.asarray(image, np.uint8)


def _relit(picture: Picture, chance: Chance) -> Picture:
    contrast, light = chance.between(0.6, 1.3), chance.between(-35.0, 35.0)
    gains = contrast * np.exp(chance.numbers.normal(0, 0.08, 3)).astype(np.float32)
    middle = float(picture.mean())
    picture = np.asarray((picture - middle) * gains + (middle + light), np.float32)
    if chance.happens(0.35):
        picture = picture * _slope(picture.shape, chance)
    if chance.happens(0.15):
        shape = picture.shape
        height, width = shape[:2]
        down, across = np.mgrid[0:height, 0:width].astype(np.float32)
        radius = max(height, width) * chance.between(0.05, 0.35)
        across -= chance.between(0, width)
        down -= chance.between(0, height)
        spot = np.exp(-(across**2 + down**2) / (2 * radius**2))
        picture = picture + np.asarray(spot[:, :, None] * chance.between(40, 200), np.float32)
    if chance.happens(0.3):
        picture = np.asarray(
            WHITE * (np.clip(picture, 0, WHITE) / WHITE) ** chance.scale(0.5, 2.0), np.float32
        )
    if chance.happens(0.08):
        picture = picture * np.float32(chance.between(0.25, 0.7))
    return np.asarray(picture, np.float32)


def _slope(shape: tuple[int, ...], chance: Chance) -> Picture:
    height, width = shape[:2]
    angle = chance.between(0, 2 * np.pi)
    down, across = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    along = np.cos(angle) * across + np.sin(angle) * down + chance.between(-0.7, 0.7)
    if chance.happens(0.4):
        along = np.tanh(along * chance.between(2, 20))  # the edge of a hard shadow
    return np.asarray((1 + along * chance.between(0.1, 0.4))[:, :, None], np.float32)


def _blurred(picture: Picture, chance: Chance) -> Picture:
    if chance.happens(0.25):
        picture = np.asarray(
            cv2.GaussianBlur(picture, (0, 0), chance.between(0.4, 1.5)), np.float32
        )
    if chance.happens(0.08):
        length = 3 + 2 * chance.below(3)
        kernel = np.zeros((length, length), np.float32)
        kernel[length // 2] = 1 / length
        turn = cv2.getRotationMatrix2D((length // 2, length // 2), chance.between(0, 180), 1)
        turned = cv2.warpAffine(kernel, turn, (length, length))
        picture = np.asarray(
            cv2.filter2D(
                picture, -1, np.asarray(turned / max(float(turned.sum()), 1e-3), np.float32)
            ),
            np.float32,
        )
    if chance.happens(0.1):
        soft = cv2.GaussianBlur(picture, (0, 0), 1.0)
        picture = np.asarray(picture + (picture - soft) * chance.between(0.5, 2.0), np.float32)
    return picture


def _noisy(picture: Picture, chance: Chance) -> Picture:
    if chance.happens(0.4):
        noise = chance.numbers.standard_normal(picture.shape, np.float32)
        picture = picture + noise * np.float32(chance.scale(1.5, 16))
    if chance.happens(_SPECKLED):
        speckled, share = (
            chance.numbers.random(picture.shape[:2], np.float32),
            chance.scale(0.003, 0.04),
        )
        dark = share * chance.pick((0.0, 0.5, 0.5, 1.0))
        picture[speckled < share] = WHITE
        picture[speckled < dark] = 0
    return np.asarray(np.clip(picture, 0, WHITE), np.float32)


def _compressed(picture: Picture, chance: Chance) -> Image:
    image = picture.astype(np.uint8)
    if not chance.happens(0.25):
        return image
    quality = [cv2.IMWRITE_JPEG_QUALITY, 25 + chance.below(65)]
    _, packed = cv2.imencode(".jpg", image, quality)
    unpacked = cv2.imdecode(packed, cv2.IMREAD_COLOR)
    return np.asarray(unpacked, np.uint8)
