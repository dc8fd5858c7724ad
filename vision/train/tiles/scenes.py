"""Pictures to train the tile finder on: photographs warped, and drawn tiles laid out on tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.train.chance import Chance
from vision.train.placed import turned, warp_of
from vision.train.surfaces import surface
from vision.train.tiles.album import Album
from vision.train.tiles.drawn import HEIGHT, WIDTH, DrawnTile, Edition, draw_tile
from vision.train.tiles.labels import JOKER, PlacedTile, TiledPicture

Drawn = TypeVar("Drawn")
Warp = NDArray[np.float64]

SCENE_SIDE: Final = 256
_POOL: Final = 400
_RENEWAL: Final = 0.1
_EDITION: Final = 12  # tiles of an edition that are drawn together
_SMALLEST, _LARGEST = 14.0, 150.0  # the longer side of a tile, in pixels of the scene
_CORNERS: Final = np.array([(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)], np.float32)


@dataclass(slots=True)
class Scene:
    """A square picture and the tiles on it; changed in place while it is being laid."""

    image: Image
    tiles: list[PlacedTile]


class Stock:
    """Pools of drawn things, renewed little by little, as drawing each anew costs too much."""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        self._editions: list[list[DrawnTile]] = []
        self._tables: list[Image] = []

    def edition(self) -> list[DrawnTile]:
        """Some tiles of one edition."""
        return self._drawn(self._editions, self._draw_edition)

    def table(self) -> Image:
        """A drawn table top, to lay tiles on."""
        return self._drawn(self._tables, lambda: surface(SCENE_SIDE, self.chance).image).copy()

    def _draw_edition(self) -> list[DrawnTile]:
        edition, chance = Edition.any(self.chance), self.chance
        return [
            draw_tile(edition, 1 + chance.below(JOKER), chance.below(4), chance)
            for _ in range(_EDITION)
        ]

    def _drawn(self, pool: list[Drawn], draw: Callable[[], Drawn]) -> Drawn:
        if len(pool) < _POOL // 8:
            pool.append(draw())
        elif self.chance.happens(_RENEWAL):
            pool[self.chance.below(len(pool))] = draw()
        return self.chance.pick(pool)


def any_scene(album: Album, stock: Stock) -> Scene:
    """A scene of a photograph, of drawn tiles, or of both, not yet distorted."""
    kind = stock.chance.between(0, 1)
    if kind < 0.45:  # noqa: PLR2004 - shares of the three kinds
        return photographed(album.pick(stock.chance), stock)
    if kind < 0.55:  # noqa: PLR2004
        return laid(photographed(album.pick(stock.chance), stock), stock)
    return laid(Scene(stock.table(), []), stock)


def photographed(picture: TiledPicture, stock: Stock) -> Scene:
    """A part of a photograph at any scale and turn; beyond its edge a drawn table."""
    chance = stock.chance
    lengths = [tile.length for tile in picture.tiles] or [120.0]
    wanted = chance.scale(_SMALLEST, _LARGEST)
    factor = min(max(wanted / float(np.median(lengths)), 0.08), 2.0)
    end = (SCENE_SIDE * chance.between(0.1, 0.9), SCENE_SIDE * chance.between(0.1, 0.9))
    linear = turned(chance.turn(0.3)) @ np.diag([chance.scale(0.88, 1.14), 1.0])
    warp = warp_of(_focus(picture, chance), end, factor * linear)
    image = _warped(picture, warp, factor, stock.table())
    return Scene(image, [moved for tile in picture.tiles if _inside(moved := tile.moved(warp))])


def _focus(picture: TiledPicture, chance: Chance) -> tuple[float, float]:
    if picture.tiles and chance.happens(0.9):
        x, y = chance.pick(picture.tiles).middle
        return float(x), float(y)
    height, width = picture.image.shape[:2]
    return chance.between(0, width), chance.between(0, height)


def _warped(picture: TiledPicture, warp: Warp, factor: float, behind: Image) -> Image:
    level = 0
    while factor < 0.6 and level < len(picture.levels) - 1:  # noqa: PLR2004 - bilinear copes to there
        level, factor = level + 1, factor * 2
    warp = warp.copy()
    warp[:, :2] *= 2**level
    side = (SCENE_SIDE, SCENE_SIDE)
    image = cv2.warpAffine(
        picture.levels[level], warp, side, dst=behind, borderMode=cv2.BORDER_TRANSPARENT
    )
    return np.asarray(image, np.uint8)


def _inside(tile: PlacedTile) -> bool:
    x, y = tile.middle
    return bool(0 <= x < SCENE_SIDE and 0 <= y < SCENE_SIDE)


def laid(scene: Scene, stock: Stock) -> Scene:
    """Lay sets in rows, racks and loose tiles of one edition, all seen from one place."""
    chance, tiles = stock.chance, stock.edition()
    length = chance.scale(_SMALLEST, _LARGEST)
    view = _view(chance)
    for _ in range(1 + chance.below(max(1, round((SCENE_SIDE / length) ** 2 / 6)))):
        row = 1 if chance.happens(0.4) else 2 + chance.below(6)
        _lay_row(scene, [chance.pick(tiles) for _ in range(row)], length, view, chance)
    return scene


def _view(chance: Chance) -> Warp:
    """A camera's perspective of the table, 3 x 3: mostly from above, at times obliquely."""
    steep = np.eye(3)
    if chance.happens(0.6):
        steep[2, 1] = chance.between(-0.0016, 0.0016)
        steep[2, 0] = chance.between(-0.0008, 0.0008)
        steep[1, 1] = chance.between(0.65, 1.0)
    return steep


def _lay_row(scene: Scene, row: list[DrawnTile], length: float, view: Warp, chance: Chance) -> None:
    """A set, its tiles touching or nearly, each a little off its place; or one tile anyhow."""
    scale = length / HEIGHT
    angle = chance.between(0, 360) if chance.happens(0.5) else chance.near(0, 8)
    start = np.array([chance.between(-20, SCENE_SIDE + 20) for _ in "xy"])
    gap = chance.pick((0.0, 0.0, 0.03, 0.1)) * WIDTH * scale
    for at, tile in enumerate(row):
        along = at * (WIDTH * scale + gap)
        slack = chance.near(0, 0.04) * length
        turn = turned(angle + chance.near(0, 1.5)) * scale
        middle = start + turned(angle) @ np.array([along, slack])
        warp = np.eye(3)
        warp[:2] = warp_of((WIDTH / 2, HEIGHT / 2), (float(middle[0]), float(middle[1])), turn)
        _paste(scene, tile, view @ warp, chance)


def _paste(scene: Scene, tile: DrawnTile, warp: Warp, chance: Chance) -> None:
    """Lay one tile with its rim and shadow, unless it would hide another."""
    placed = PlacedTile(_CORNERS.copy(), tile.kind, tile.colour).moved(warp)
    if not _inside(placed) or any(_covers(placed, other) for other in scene.tiles):
        return
    thick = placed.length * chance.between(0.0, 0.12)
    down = np.array([chance.near(0, 0.3), 1.0]) * thick
    _shade(scene.image, placed.corners + down, chance)
    for step in (1.0, 0.5):
        outline = (placed.corners + down * step).astype(np.int32)
        cv2.fillConvexPoly(scene.image, outline, tile.rim, cv2.LINE_AA)
    side = (SCENE_SIDE, SCENE_SIDE)
    shrink = placed.length / HEIGHT
    image = tile.image
    if shrink < 0.5:  # noqa: PLR2004 - bilinear copes to there
        small = cv2.resize(image, None, fx=2 * shrink, fy=2 * shrink, interpolation=cv2.INTER_AREA)
        warp = warp @ np.diag([WIDTH / small.shape[1], HEIGHT / small.shape[0], 1.0])
        image = np.asarray(small, np.uint8)
    mask = np.full(image.shape[:2], 255, np.uint8)
    seen = cv2.warpPerspective(image, warp, side)
    alpha = cv2.warpPerspective(mask, warp, side).astype(np.float32)[:, :, None] / 255
    scene.image[:] = (scene.image * (1 - alpha) + seen * alpha).astype(np.uint8)
    scene.tiles.append(placed)


def _covers(one: PlacedTile, other: PlacedTile) -> bool:
    apart = float(np.hypot(*(one.middle - other.middle)))
    return apart < 0.8 * min(one.width, other.width) or (
        apart < one.length
        and cv2.intersectConvexConvex(one.corners, other.corners)[0] > 0.12 * one.width * one.length
    )


def _shade(image: Image, corners: NDArray[np.float64], chance: Chance) -> None:
    if not chance.happens(0.6):
        return
    mask = np.zeros(image.shape[:2], np.float32)
    shift = np.array([chance.near(0, 4), chance.near(2, 4)])
    cv2.fillConvexPoly(mask, (corners + shift).astype(np.int32), 1.0)
    soft = cv2.GaussianBlur(mask, (0, 0), chance.between(0.6, 5))
    image[:] = (image * (1 - chance.between(0.1, 0.6) * soft[:, :, None])).astype(np.uint8)
