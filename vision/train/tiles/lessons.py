"""What the tile reader learns from."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from torch import Tensor, nn
from torch.nn import functional

from vision.capture.frame import Image
from vision.read.detection import TILE_HEIGHT, TILE_MARGIN, Points, upright
from vision.train.augmentation import UNKNOWN, Chance, coarse, distort
from vision.train.descent import Batch
from vision.train.networks import COLOUR_CLASSES, KINDS, MAPS, TileFinder, TileReader
from vision.train.tiles.photographs import NO_COLOUR, PlacedTile, TilePicture, TilePictures
from vision.train.tiles.scenes import TileScene, TileStock, any_scene, laid
from vision.train.training import Crop, Lessons

_SMOOTHING: Final = 0.02
_LEAST_LENGTH: Final = 26.0  # in pixels: smaller ones in a drawn scene teach nothing


class TileLessons(Lessons[TileStock]):
    """Photographs, renders and drawn tiles.

    A crop tells the reader kind and colour, and whether the tile is upside down: 0, 1, or UNKNOWN
    for what is no tile.
    """

    finder = TileFinder
    reader = TileReader
    maps = MAPS
    spread = 0.13
    crops = 96
    photographed = 40
    empty = 16
    scene_examples = 48
    crop_examples = 160

    def __init__(self, album: TilePictures) -> None:
        self.album = album

    def stock(self, chance: Chance, *, cut: bool = True) -> TileStock:  # noqa: ARG002 -- tiles are never cut out
        return TileStock(chance)

    def scene(self, stock: TileStock) -> TileScene:
        return any_scene(self.album, stock)

    def piece_crop(self, stock: TileStock) -> Crop:
        while True:
            picture = self.album.pick(stock.chance)
            clear = [tile for tile in picture.tiles if tile.clear]
            if clear:
                return _taken(picture.levels, stock.chance.pick(clear), stock.chance)

    def empty_crop(self, stock: TileStock) -> Crop:
        chance = stock.chance
        for _ in range(20):
            picture = self.album.pick(chance)
            place = _other_place(picture, chance)
            if all(
                float(np.hypot(*(place.middle - tile.middle))) > 0.42 * tile.width
                for tile in picture.tiles
            ):
                return _taken(picture.levels, place, chance)
        return _taken((stock.table(),), _rectangle(128, 128, 60, 0, chance), chance)

    def drawn_crops(self, stock: TileStock) -> list[Crop]:
        scene = laid(TileScene(stock.table(), []), stock)
        large = [tile for tile in scene.pieces if tile.height >= _LEAST_LENGTH]
        return [_taken((scene.image,), tile, stock.chance) for tile in large[:8]]

    def reader_loss(self, network: nn.Module, batch: Batch) -> Tensor:
        images, kinds, colours, over = batch
        figures = network(images)
        printed = functional.cross_entropy(figures[:, :KINDS], kinds, label_smoothing=_SMOOTHING)
        inks = functional.cross_entropy(
            figures[:, KINDS : KINDS + COLOUR_CLASSES],
            colours,
            ignore_index=NO_COLOUR,
            label_smoothing=_SMOOTHING,
        )
        known = (over >= 0).float()
        turned = functional.binary_cross_entropy_with_logits(
            figures[:, -2], over.clamp(min=0).float(), weight=known, reduction="sum"
        )
        tile = functional.binary_cross_entropy_with_logits(figures[:, -1], (kinds != 0).float())
        return printed + inks + turned / known.sum().clamp(min=1) + tile


def _other_place(picture: TilePicture, chance: Chance) -> PlacedTile:
    height, width = picture.image.shape[:2]
    if picture.tiles and chance.happens(0.7):
        neighbour = chance.pick(picture.tiles)
        away, turn = neighbour.height * chance.between(0.45, 1.0), chance.between(0, 2 * np.pi)
        x, y = neighbour.middle + away * np.array([np.cos(turn), np.sin(turn)])
        return _rectangle(float(x), float(y), neighbour.height, neighbour.angle, chance)
    length = max(height, width) * chance.scale(0.03, 0.3)
    return _rectangle(
        chance.between(0, width), chance.between(0, height), length, chance.between(0, 360), chance
    )


def _rectangle(x: float, y: float, length: float, angle: float, chance: Chance) -> PlacedTile:
    size = (length / 1.43, length * chance.between(0.85, 1.15))
    corners = cv2.boxPoints(((x, y), size, angle + chance.near(0, 4)))
    return PlacedTile(np.asarray(np.roll(corners, -1, axis=0), np.float32), 0, NO_COLOUR)


def _taken(levels: tuple[Image, ...], tile: PlacedTile, chance: Chance) -> Crop:
    """Crop one tile as the finder might have seen it, either end up, and distort it."""
    over = chance.happens(0.5)
    corners = np.roll(tile.outline, 2, axis=0) if over else tile.outline
    seen = _as_found(np.asarray(corners, np.float32), chance)
    level = 0
    while level < len(levels) - 1 and tile.height * TILE_MARGIN / 2**level > 2 * TILE_HEIGHT:
        level += 1
    image = upright(
        levels[level], (seen + 0.5) / 2**level - 0.5, TILE_MARGIN * chance.scale(0.9, 1.15)
    )
    image = distort(coarse(image, chance, recolour=False), chance, recolour=False)
    turned = float(over) if tile.kind else UNKNOWN
    return Crop(image, (tile.kind, tile.colour, turned))


def _as_found(corners: Points, chance: Chance) -> Points:
    """Off the place, size and angle by as much as the finder is; seldom seen askew."""
    middle, length = corners.mean(axis=0), float(np.hypot(*(corners[3] - corners[0])))
    angle = np.radians(chance.near(0, 3.5))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    stretch = np.diag([chance.scale(0.9, 1.12), chance.scale(0.93, 1.08)])
    stretch[0, 1] = chance.near(0, 0.05)
    moved = (corners - middle) @ (turn @ stretch).T + middle
    moved = moved + np.array([chance.near(0, 0.025), chance.near(0, 0.025)]) * length
    askew = chance.numbers.normal(0, 0.015 if chance.happens(0.5) else 0.0, (4, 2)) * length
    return np.asarray(moved + askew, np.float32)
