"""Pictures to train on: photographs turned, scaled and stretched, and single dice laid on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.train.augmentation import (
    SCENE_SIDE,
    Affine,
    Chance,
    DrawnStock,
    LearnedScene,
    PlacedDie,
    turned_and_stretched,
    warp_of,
    warped,
)
from vision.train.dice.drawn import SIDE, Sprite, draw_die
from vision.train.dice.photographs import DicePicture, DicePictures
from vision.train.surfaces import Surface, surface

Mask = NDArray[np.float32]

_CUT_OUT: Final = 0.5  # of the dice that are laid, where there are real ones to lay
_SMALLEST, _LARGE, _LARGEST = 6.0, 60.0, 140.0
# Large faces with few pips, on cloth and wood, are easily missed for one of their pips.
_NEARLY_BARE: Final = 0.2  # of the scenes on which dice are laid
_FEW_PIPS: Final = (1, 2, 3)
_TRIES: Final = 6


DiceScene = LearnedScene[PlacedDie]


class DiceStock(DrawnStock):
    """Drawn dice and tables, and dice cut out of photographs."""

    most = 500
    renewal = 0.08

    def __init__(self, chance: Chance, cuts: Sequence[Sprite] = ()) -> None:
        super().__init__(chance)
        self._cuts = cuts
        self._sprites: list[Sprite] = []
        self._tables: list[Surface] = []

    def sprite(self, size: float) -> Sprite:
        """A die to be laid in that size: drawn, or cut out of a photograph where there are some."""
        if self._cuts and self.chance.happens(_CUT_OUT):
            cut = self.chance.pick(self._cuts)
            if size <= cut.finest:
                return cut
        return self.drawn(self._sprites, lambda: draw_die(self.chance))

    def table(self) -> Surface:
        """A drawn table top, 256 x 256; not to be changed."""
        return self.drawn(self._tables, lambda: surface(SCENE_SIDE, self.chance))


def any_scene(pictures: DicePictures, stock: DiceStock) -> DiceScene:
    """A scene of one of the three kinds, not yet distorted."""
    kind = stock.chance.between(0, 1)
    if kind < 0.55:  # noqa: PLR2004 - shares of the three kinds
        return photographed(pictures.pick(stock.chance), stock)
    if kind < 0.7:  # noqa: PLR2004
        return strewn(photographed(pictures.pick(stock.chance), stock), stock)
    return strewn(DiceScene(stock.table().image.copy(), []), stock)


def photographed(picture: DicePicture, stock: DiceStock) -> DiceScene:
    """A part of a photograph at any scale, turn and stretch; beyond its edge a drawn surface."""
    chance = stock.chance
    wanted = chance.scale(_SMALLEST, _LARGEST)
    sizes = [die.size for die in picture.dice] or [60.0]
    factor = min(max(wanted / float(np.median(sizes)), 0.1), 2.5)
    start, end = _focus(picture, chance), tuple(SCENE_SIDE * chance.between(0.1, 0.9) for _ in "xy")
    warp = warp_of(start, (end[0], end[1]), factor * turned_and_stretched(picture.upright, chance))
    image = warped(picture.levels, warp, factor, SCENE_SIDE, stock.table().image.copy())
    return DiceScene(image, [die for die in (d.moved(warp) for d in picture.dice) if _inside(die)])


def _focus(picture: DicePicture, chance: Chance) -> tuple[float, float]:
    places = picture.clutter if chance.happens(0.15) else picture.dice
    if places and chance.happens(0.9):
        place = chance.pick(places)
        return place.x, place.y
    height, width = picture.image.shape[:2]
    return chance.between(0, width), chance.between(0, height)


def _inside(die: PlacedDie) -> bool:
    return 0 <= die.x < SCENE_SIDE and 0 <= die.y < SCENE_SIDE


def strewn(scene: DiceScene, stock: DiceStock) -> DiceScene:
    """Lay single dice on a scene: loose or touching, all of about one size."""
    chance = stock.chance
    bare = chance.happens(_NEARLY_BARE)
    size = chance.scale(_LARGE if bare else _SMALLEST, _LARGEST)
    most = int(min(14, (SCENE_SIDE / size) ** 2 / 2))
    for _ in range(1 + chance.below(max(1, most))):
        wanted = size * chance.between(0.85, 1.15)
        sprite = stock.sprite(wanted)
        for _ in range(_TRIES if bare else 0):
            if sprite.die.value in _FEW_PIPS:
                break
            sprite = stock.sprite(wanted)
        _lay(scene, sprite, wanted, chance)
    return scene


def _lay(scene: DiceScene, sprite: Sprite, size: float, chance: Chance) -> None:
    for _ in range(8):
        x, y = _spot(scene, size, chance)
        if all(np.hypot(die.x - x, die.y - y) > 0.5 * (die.size + size) for die in scene.pieces):
            paste(scene, sprite, (x, y), size, chance)
            return


def _spot(scene: DiceScene, size: float, chance: Chance) -> tuple[float, float]:
    if scene.pieces and chance.happens(0.35):
        neighbour = chance.pick(scene.pieces)
        angle, away = chance.between(0, 2 * np.pi), 0.51 * (neighbour.size + size)
        return neighbour.x + np.cos(angle) * away, neighbour.y + np.sin(angle) * away
    return chance.between(0, SCENE_SIDE), chance.between(0, SCENE_SIDE)


def paste(
    scene: DiceScene, sprite: Sprite, middle: tuple[float, float], size: float, chance: Chance
) -> None:
    """Lay one die with its shadow at that place and size (its longer side), in pixels."""
    die = sprite.die
    factor = size / die.size
    mirror = -1.0 if chance.happens(0.5) else 1.0
    warp = warp_of((die.x, die.y), middle, np.diag([mirror * factor, factor]))
    placed = die.moved(warp)
    if not _inside(placed):
        return
    # The part of the scene that the die and its shadow can touch
    reach = 1.1 * placed.size
    down, across = (
        slice(max(0, int(middle - reach)), min(SCENE_SIDE, int(middle + reach) + 2))
        for middle in (placed.y, placed.x)
    )
    part = scene.image[down, across]
    warp[:, 2] -= (across.start, down.start)
    whole = _reduced(sprite.picture, factor, warp, part.shape)
    cover = np.asarray(whole[:, :, 3:] / np.float32(255), np.float32)
    below = part * _shadow(cover[:, :, 0], size, chance)
    scene.image[down, across] = (whole[:, :, :3] * cover + below * (1 - cover)).astype(np.uint8)
    scene.pieces.append(placed)


def _reduced(picture: Image, factor: float, warp: Affine, shape: tuple[int, ...]) -> Image:
    """Warp a sprite into a part of the scene, shrunk by area first so that nothing aliases."""
    if factor < 0.6:  # noqa: PLR2004 - bilinear copes to there
        side = max(4, round(SIDE * factor))
        small = cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA)
        picture, warp = np.asarray(small, np.uint8), warp.copy()
        warp[:, :2] *= SIDE / side
    placed = cv2.warpAffine(picture, warp, (shape[1], shape[0]), flags=cv2.INTER_LINEAR)
    return np.asarray(placed, np.uint8)


def _shadow(cover: Mask, size: float, chance: Chance) -> Mask:
    """How much light is left, H x W x 1, around a die that covers so much."""
    if chance.happens(0.25):
        return np.ones((1, 1, 1), np.float32)
    away, angle = size * chance.between(0, 0.25), chance.between(0, 2 * np.pi)
    shift = np.array([[1, 0, away * np.cos(angle)], [0, 1, away * np.sin(angle)]])
    moved = cv2.warpAffine(cover, shift, (cover.shape[1], cover.shape[0]))
    soft = cv2.GaussianBlur(moved, (0, 0), max(0.4, size * chance.between(0.02, 0.15)))
    return np.asarray(1 - soft[:, :, None] * np.float32(chance.between(0.15, 0.8)), np.float32)
