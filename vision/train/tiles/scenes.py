"""Pictures to train the tile finder on: photographs warped, and drawn tiles laid out on tables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.train.augmentation import (
    SCENE_SIDE,
    Chance,
    DrawnStock,
    LearnedScene,
    Points,
    turned,
    warp_of,
    warped,
)
from vision.train.rendering.tiles.edition import OWN, glyphs, installed
from vision.train.surfaces import surface
from vision.train.tiles.photographs import JOKER, NO_COLOUR, PlacedTile, TilePicture, TilePictures

WIDTH: Final = 112
HEIGHT: Final = 160
Canvas = NDArray[np.float32]
_FONT_SIZE: Final = 160
_HEAVY: Final = (
    *("DejaVuSans-Bold.ttf", "DejaVuSansCondensed-Bold.ttf", "LiberationSans-Bold.ttf"),
    *("LiberationSansNarrow-Bold.ttf", "NotoSans-Bold.ttf", "NotoSansDisplay-Bold.ttf"),
    *("NotoSansCJK-Bold.ttc", "NotoSansMono-Bold.ttf"),
)
# Ink divided by face, red green blue, of several editions each.
_INKS: Final[Sequence[Sequence[tuple[float, float, float]]]] = (
    ((0.22, 0.21, 0.19), (0.12, 0.12, 0.12), (0.30, 0.29, 0.30)),
    ((0.89, 0.30, 0.32), (0.80, 0.14, 0.16), (0.86, 0.22, 0.36)),
    ((0.11, 0.44, 0.84), (0.33, 0.72, 0.83), (0.17, 0.61, 0.77), (0.16, 0.28, 0.66)),
    ((0.99, 0.66, 0.37), (1.0, 0.52, 0.22), (0.98, 0.74, 0.30)),
)
_FACES: Final = ((0.93, 0.90, 0.82), (0.97, 0.96, 0.93), (0.90, 0.85, 0.70), (0.98, 0.97, 0.96))


@dataclass(frozen=True, slots=True, eq=False)
class DrawnTile:
    """A drawn tile, 160 x 112 x 3 (blue, green, red), what it shows, and its rim's colour."""

    image: Image
    kind: int
    colour: int
    rim: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class DrawnEdition:
    """What all tiles of one set share: numerals, inks, face, how they are moulded."""

    font: str
    large: bool
    condensed: float
    inks: tuple[tuple[float, float, float], ...]
    face: tuple[float, float, float]
    disc: float
    word: float

    @classmethod
    def any(cls, chance: Chance) -> DrawnEdition:
        inks = tuple(_near(chance.pick(each), 0.05, chance) for each in _INKS)
        large = chance.happens(0.35)
        return cls(
            font=chance.pick(_fonts()),
            large=large,
            condensed=chance.between(0.8, 1.15),
            inks=inks,
            face=_near(chance.pick(_FACES), 0.02, chance),
            disc=0.0 if large or chance.happens(0.3) else chance.between(1, 10),
            word=chance.between(0, 14) if chance.happens(0.8) else 0.0,
        )


def draw_tile(edition: DrawnEdition, kind: int, colour: int, chance: Chance) -> DrawnTile:
    """Draw one tile; a joker of any ink has no colour."""
    face = np.array(_near(edition.face, 0.015, chance)[::-1], np.float32) * 255
    canvas = np.tile(face, (HEIGHT, WIDTH, 1)).astype(np.float32)
    _mould(canvas, edition, chance)
    ink = edition.inks[chance.pick((0, 1)) if kind == JOKER else colour]
    mask = _joker(chance) if kind == JOKER else _number(edition, kind, chance)
    fresh = np.array(_near(ink, 0.02, chance)[::-1], np.float32)
    worn = mask * chance.between(0.75, 1.0)
    canvas *= 1 - worn[:, :, None] * (1 - fresh)
    _chamfer(canvas, chance)
    rim = tuple(float(each) for each in face * chance.between(0.55, 0.9))
    image = np.asarray(np.clip(canvas, 0, 255), np.uint8)
    return DrawnTile(image, kind, NO_COLOUR if kind == JOKER else colour, (rim[0], rim[1], rim[2]))


@cache
def _fonts() -> tuple[str, ...]:
    """Pillow's own face, and the heavy ones that this machine has."""
    return (OWN, *installed(_HEAVY).values())


def _number(edition: DrawnEdition, number: int, chance: Chance) -> Canvas:
    two = number > 9  # noqa: PLR2004 - two digits from ten on
    if edition.large:
        top, bottom, wide = chance.near(0.09, 0.015), chance.near(0.64, 0.02), 0.8 if two else 0.44
    else:
        top, bottom, wide = chance.near(0.19, 0.015), chance.near(0.49, 0.02), 0.47 if two else 0.29
    wide = min(0.9, wide * edition.condensed) * (0.62 if number == 1 else 1.0)
    size = (max(4, round(wide * WIDTH)), max(8, round((bottom - top) * HEIGHT)))
    mask = np.zeros((HEIGHT, WIDTH), np.float32)
    left = round((WIDTH - size[0]) / 2 + chance.near(0, 1.5))
    upper = round(top * HEIGHT)
    ink = glyphs(edition.font, str(number), size=_FONT_SIZE)
    drawn = cv2.resize(ink, size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    left = min(max(0, left), WIDTH - size[0])
    mask[upper : upper + size[1], left : left + size[0]] = drawn
    if chance.happens(0.3):
        mask = np.asarray(cv2.dilate(mask, np.ones((3, 3), np.uint8)), np.float32)
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), 0.7), np.float32)


def _joker(chance: Chance) -> Canvas:
    """A line-drawn face in a circle."""
    mask = np.zeros((HEIGHT, WIDTH), np.float32)
    radius = chance.between(0.31, 0.41) * WIDTH
    x, y = WIDTH / 2 + chance.near(0, 1), HEIGHT * chance.near(0.355, 0.01)
    line = max(1, round(chance.between(2, 5)))
    middle = (round(x), round(y))
    if chance.happens(0.85):
        cv2.circle(mask, middle, round(radius), 1.0, line, cv2.LINE_AA)
    eye = chance.between(0.25, 0.4) * radius
    for side in (-1, 1):
        spot = (round(x + side * eye), round(y - eye * chance.between(0.6, 1.1)))
        height = max(2, round(radius * chance.between(0.08, 0.22)))
        half = (max(2, height // 2 + 1), height)
        cv2.ellipse(mask, spot, half, 0, 0, 360, 1.0, chance.pick((-1, line)), cv2.LINE_AA)
    wide = round(radius * chance.between(0.4, 0.65))
    mouth = (wide, round(radius * chance.between(0.25, 0.5)))
    below = (round(x), round(y + radius * 0.12))
    cv2.ellipse(mask, below, mouth, 0, 10, 170, 1.0, line, cv2.LINE_AA)
    if chance.happens(0.5):
        start, end = (round(x), round(y - eye / 2)), (round(x - 4), round(y + eye / 2))
        cv2.line(mask, start, end, 1.0, line, cv2.LINE_AA)
    for _ in range(chance.below(5)):
        across = round(x + chance.near(0, radius / 2))
        start = (across, round(y - radius * chance.between(0.5, 0.95)))
        end = (round(x + chance.near(0, radius / 2)), round(y - radius * chance.between(0.3, 0.8)))
        cv2.line(mask, start, end, 1.0, line, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), 0.6), np.float32)


def _mould(canvas: Canvas, edition: DrawnEdition, chance: Chance) -> None:
    """The dished disc's ring, the moulded word, and the grain of the plastic."""
    if edition.disc:
        ring = np.zeros((HEIGHT, WIDTH), np.float32)
        middle = (WIDTH // 2, round(0.36 * HEIGHT))
        radius = round(chance.between(0.34, 0.39) * WIDTH)
        cv2.circle(ring, middle, radius, 1.0, max(1, chance.below(4)), cv2.LINE_AA)
        shifted = np.roll(ring, (1, 1), (0, 1))
        canvas += ((ring - shifted) * edition.disc * 2)[:, :, None]
    if edition.word:
        # A moulded word in the lower half, -1 to 1: its lit and its shaded edges
        page = np.zeros((HEIGHT, WIDTH), np.uint8)
        text = "".join(chance.pick("abdeghkmnorstuw") for _ in range(8))
        start = (round(WIDTH * 0.14), round(HEIGHT * 0.83))
        cv2.putText(page, text, start, cv2.FONT_HERSHEY_SIMPLEX, 0.62, 255, 2, cv2.LINE_AA)
        word = page.astype(np.float32) / 255
        edges = np.asarray(word - np.roll(word, (2, 1), (0, 1)), np.float32)
        canvas += edges[:, :, None] * edition.word
    noise = chance.numbers.standard_normal((HEIGHT // 4, WIDTH // 4), np.float32)
    grain = cv2.resize(noise, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)
    canvas += grain[:, :, None] * np.float32(chance.between(0, 3))


def _chamfer(canvas: Canvas, chance: Chance) -> None:
    edge = round(chance.between(0.03, 0.075) * WIDTH)
    for part in (np.s_[:edge], np.s_[-edge:], np.s_[:, :edge], np.s_[:, -edge:]):
        canvas[part] *= np.float32(chance.between(0.78, 1.14))
    if chance.happens(0.5):
        line = canvas[HEIGHT // 2, edge + 4] * chance.between(0.85, 1.08)
        corner = (WIDTH - edge, HEIGHT - edge)
        cv2.rectangle(canvas, (edge, edge), corner, [float(each) for each in line], 1, cv2.LINE_AA)


def _near(colour: Sequence[float], spread: float, chance: Chance) -> tuple[float, float, float]:
    red, green, blue = (min(1.05, max(0.03, chance.near(each, spread))) for each in colour)
    return red, green, blue


Warp = NDArray[np.float64]

_EDITION: Final = 12  # tiles of an edition that are drawn together
_SMALLEST, _LARGEST = 14.0, 150.0  # the longer side of a tile, in pixels of the scene
_CORNERS: Final = np.array([(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)], np.float32)


TileScene = LearnedScene[PlacedTile]


class TileStock(DrawnStock):
    """Drawn tiles and tables."""

    most = 50
    renewal = 0.1

    def __init__(self, chance: Chance) -> None:
        super().__init__(chance)
        self._editions: list[list[DrawnTile]] = []
        self._tables: list[Image] = []

    def edition(self) -> list[DrawnTile]:
        return self.drawn(self._editions, self._draw_edition)

    def table(self) -> Image:
        return self.drawn(self._tables, lambda: surface(SCENE_SIDE, self.chance).image).copy()

    def _draw_edition(self) -> list[DrawnTile]:
        edition, chance = DrawnEdition.any(self.chance), self.chance
        return [
            draw_tile(edition, 1 + chance.below(JOKER), chance.below(4), chance)
            for _ in range(_EDITION)
        ]


def any_scene(album: TilePictures, stock: TileStock) -> TileScene:
    """A scene of a photograph, of drawn tiles, or of both, not yet distorted."""
    kind = stock.chance.between(0, 1)
    if kind < 0.55:  # noqa: PLR2004 - shares of the three kinds
        return photographed(album.pick(stock.chance), stock)
    if kind < 0.65:  # noqa: PLR2004
        return laid(photographed(album.pick(stock.chance), stock), stock)
    return laid(TileScene(stock.table(), []), stock)


def photographed(picture: TilePicture, stock: TileStock) -> TileScene:
    """A part of a photograph at any scale and turn; beyond its edge a drawn table."""
    chance = stock.chance
    lengths = [tile.height for tile in picture.tiles] or [120.0]
    wanted = chance.scale(_SMALLEST, _LARGEST)
    factor = min(max(wanted / float(np.median(lengths)), 0.08), 2.0)
    end = (SCENE_SIDE * chance.between(0.1, 0.9), SCENE_SIDE * chance.between(0.1, 0.9))
    linear = turned(chance.turn(0.3)) @ np.diag([chance.scale(0.88, 1.14), 1.0])
    warp = warp_of(_focus(picture, chance), end, factor * linear)
    image = warped(picture.levels, warp, factor, SCENE_SIDE, stock.table())
    return TileScene(image, [moved for tile in picture.tiles if _inside(moved := tile.moved(warp))])


def _focus(picture: TilePicture, chance: Chance) -> tuple[float, float]:
    if picture.tiles and chance.happens(0.9):
        x, y = chance.pick(picture.tiles).middle
        return float(x), float(y)
    height, width = picture.image.shape[:2]
    return chance.between(0, width), chance.between(0, height)


def _inside(tile: PlacedTile) -> bool:
    x, y = tile.middle
    return bool(0 <= x < SCENE_SIDE and 0 <= y < SCENE_SIDE)


def laid(scene: TileScene, stock: TileStock) -> TileScene:
    """Lay sets in rows, racks and loose tiles of one edition, all seen from one place."""
    chance, tiles = stock.chance, stock.edition()
    length = chance.scale(_SMALLEST, _LARGEST)
    # A camera's perspective of the table, 3 x 3: mostly from above, at times obliquely
    view = np.eye(3)
    if chance.happens(0.6):
        view[2, 1] = chance.between(-0.0016, 0.0016)
        view[2, 0] = chance.between(-0.0008, 0.0008)
        view[1, 1] = chance.between(0.65, 1.0)
    for _ in range(1 + chance.below(max(1, round((SCENE_SIDE / length) ** 2 / 6)))):
        row = 1 if chance.happens(0.4) else 2 + chance.below(6)
        _lay_row(scene, [chance.pick(tiles) for _ in range(row)], length, view, chance)
    return scene


def _lay_row(
    scene: TileScene, row: list[DrawnTile], length: float, view: Warp, chance: Chance
) -> None:
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


def _paste(scene: TileScene, tile: DrawnTile, warp: Warp, chance: Chance) -> None:
    """Lay one tile with its rim and shadow, unless it would hide another."""
    placed = PlacedTile(_CORNERS.copy(), tile.kind, tile.colour).moved(warp)
    if not _inside(placed) or any(_covers(placed, other) for other in scene.pieces):
        return
    thick = placed.height * chance.between(0.0, 0.12)
    down = np.array([chance.near(0, 0.3), 1.0]) * thick
    _shade(scene.image, placed.corners + down, chance)
    for step in (1.0, 0.5):
        outline = (placed.corners + down * step).astype(np.int32)
        cv2.fillConvexPoly(scene.image, outline, tile.rim, cv2.LINE_AA)
    shrink = placed.height / HEIGHT
    image = tile.image
    if shrink < 0.5:  # noqa: PLR2004 - bilinear copes to there
        small = cv2.resize(image, None, fx=2 * shrink, fy=2 * shrink, interpolation=cv2.INTER_AREA)
        warp = warp @ np.diag([WIDTH / small.shape[1], HEIGHT / small.shape[0], 1.0])
        image = np.asarray(small, np.uint8)
    left, top, part = _around(scene.image, placed.corners, 2)
    warp = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1]], np.float64) @ warp
    mask = np.full(image.shape[:2], 255, np.uint8)
    side = (part.shape[1], part.shape[0])
    seen = cv2.warpPerspective(image, warp, side)
    alpha = cv2.warpPerspective(mask, warp, side).astype(np.float32)[:, :, None] / 255
    part[:] = (part * (1 - alpha) + seen * alpha).astype(np.uint8)
    scene.pieces.append(placed)


def _around(image: Image, corners: Points, margin: int) -> tuple[int, int, Image]:
    """The part of a picture around corners, to be drawn on, and where its left top is."""
    low = np.maximum(corners.min(axis=0).astype(int) - margin, 0)
    high = np.maximum(corners.max(axis=0).astype(int) + margin + 1, low + 1)
    left, top = (min(int(at), SCENE_SIDE - 1) for at in low)
    return left, top, image[top : int(high[1]), left : int(high[0])]


def _covers(one: PlacedTile, other: PlacedTile) -> bool:
    apart = math.dist(one.middle.tolist(), other.middle.tolist())
    return apart < 0.8 * min(one.width, other.width) or (
        apart < one.height
        and cv2.intersectConvexConvex(one.corners, other.corners)[0] > 0.12 * one.width * one.height
    )


def _shade(image: Image, corners: NDArray[np.float64], chance: Chance) -> None:
    if not chance.happens(0.6):
        return
    shift = np.array([chance.near(0, 4), chance.near(2, 4)])
    moved, spread = corners + shift, chance.between(0.6, 5)
    left, top, part = _around(image, moved, math.ceil(4 * spread))
    mask = np.zeros(part.shape[:2], np.float32)
    cv2.fillConvexPoly(mask, (moved - (left, top)).astype(np.int32), 1.0)
    soft = cv2.GaussianBlur(mask, (0, 0), spread)
    part[:] = (part * (1 - chance.between(0.1, 0.6) * soft[:, :, None])).astype(np.uint8)
