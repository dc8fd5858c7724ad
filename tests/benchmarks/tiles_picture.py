"""Pictures of any number of Rummikub tiles: legal sets in lines on a wooden table.

The tiles are drawn, in one edition with Pillow's own numerals, so that the same seed gives the
same picture on every machine. This needs only the repository.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from scoreboard.games.rummikub.tiles import CLASSIC, COLOURS, JOKER, NUMBERS, Piece, Tile, Tiles
from vision.capture.frame import Image
from vision.train.augmentation import Chance
from vision.train.surfaces import cloud
from vision.train.tiles import photographs
from vision.train.tiles.scenes import HEIGHT, WIDTH, DrawnEdition, draw_tile

PICTURE: Final = (1600, 1200)
NARROWEST: Final = 70.0  # tiles in the farthest line, in pixels
WIDEST: Final = 86.0
_SHAPE: Final = HEIGHT / WIDTH
_MARGIN: Final = 24.0
_GAP: Final = 0.6  # between sets, of a tile's width
_CLOSEST_LINES: Final = 1.4  # from line to line, of a tile's length: those of a whole box
_LOOSEST_LINES: Final = 2.2
_TILT: Final = 2.5  # degrees, the spread of how askew sets lie
_OVER: Final = 0.25  # of the sets face a player on the other side
_WOOD: Final = (62.0, 98.0, 142.0)  # blue, green, red
_SHADOW: Final = 0.45
_EDITION: Final = DrawnEdition(
    font="",  # Pillow's own, which every machine has
    large=False,
    condensed=1.0,
    inks=((0.22, 0.21, 0.19), (0.86, 0.22, 0.26), (0.14, 0.40, 0.80), (0.99, 0.60, 0.30)),
    face=(0.95, 0.93, 0.87),
    disc=4.0,
    word=6.0,
)


@dataclass(frozen=True, slots=True, eq=False)
class TilesPicture:
    """A picture and the rows of tiles on it, line by line from the left."""

    image: Image
    rows: tuple[Tiles, ...]

    @property
    def pieces(self) -> list[str]:
        return sorted(str(piece) for row in self.rows for piece in row.pieces)


@dataclass(frozen=True, slots=True)
class _Laid:
    """A row's place: its centre, a tile's width in pixels, its turn in degrees clockwise."""

    row: Tiles
    x: float
    y: float
    width: float
    turn: float


def tiles_picture(count: int, seed: int) -> TilesPicture:
    """Lay this many tiles of one box in sets; the same seed gives the same picture.

    Raises:
        ValueError: a box has fewer tiles, or they don't fit into the picture.
    """
    chance = Chance((seed, count))
    image = _table(chance)
    pitch = min(_LOOSEST_LINES, _CLOSEST_LINES * len(CLASSIC) / max(count, 1))
    laid = [*_places(_dealt(count, chance), pitch * _SHAPE, chance)]
    for each in laid:
        _lay(image, each, chance)
    noise = chance.numbers.normal(0, 2.5, image.shape)
    seen = np.clip(np.rint(image + noise), 0, 255).astype(np.uint8)
    return TilesPicture(seen, tuple(each.row for each in laid))


def whole_box() -> list[Tiles]:
    """All 106 tiles of the classic box as legal sets: runs of one copy, groups of the other."""
    parts = (range(1, 6), range(6, 10), range(10, 14))
    runs = [[Tile(colour, number) for number in part] for colour in COLOURS for part in parts]
    groups = [[Tile(colour, number) for colour in COLOURS] for number in NUMBERS]
    extended = [Tiles((*run, JOKER)) for run in runs[:2]]
    return [*extended, *(Tiles(tuple(each)) for each in (*runs[2:], *groups))]


def _dealt(count: int, chance: Chance) -> list[Tiles]:
    """Random sets with this many tiles in all; the last may be cut short."""
    box = whole_box()
    if count > len(CLASSIC):
        raise ValueError(f"A box has no {count} tiles; ask for fewer.")
    rows: list[Tiles] = []
    for at in chance.numbers.permutation(len(box)):
        left = count - sum(map(len, rows))
        rows.append(Tiles(box[at].pieces[:left]))
    return [row for row in rows if len(row)]


def _places(rows: Sequence[Tiles], pitch: float, chance: Chance) -> Iterator[_Laid]:
    """Places line by line from the top; lower lines are nearer to the camera."""
    x, y = _MARGIN, _MARGIN
    for row in rows:
        width = _width(y)
        if x + len(row) * width + _MARGIN > PICTURE[0]:
            x, y = _MARGIN, y + pitch * width
            width = _width(y)
        if y + pitch * width > PICTURE[1]:
            raise ValueError("The tiles don't fit on the picture; ask for fewer.")
        turn = chance.near(180.0 if chance.happens(_OVER) else 0.0, _TILT)
        middle = (x + len(row) * width / 2, y + pitch * width / 2)
        yield _Laid(row, *middle, width, turn)
        x += (len(row) + _GAP) * width


def _width(y: float) -> float:
    return NARROWEST + (WIDEST - NARROWEST) * y / PICTURE[1]


def _table(chance: Chance) -> NDArray[np.float32]:
    """Wood with its grain along, lit from one side."""
    width, height = PICTURE
    grain = cloud(height, max(2, width // 16), 5, chance)
    along = cv2.resize(grain, (width, height), interpolation=cv2.INTER_LINEAR)
    light = np.linspace(0.85, 1.1, width, dtype=np.float32)[None, :, None]
    board = np.array(_WOOD, np.float32) + 7 * along[:, :, None]
    return np.asarray(board * light, np.float32)


def _lay(image: NDArray[np.float32], laid: _Laid, chance: Chance) -> None:
    """Draw the row's tiles one after another, in place."""
    turn = np.radians(laid.turn)
    along = np.array([np.cos(turn), np.sin(turn)]) * laid.width
    for at, piece in enumerate(laid.row.pieces):
        slack = np.array([0.0, chance.near(0, 0.02) * laid.width])
        middle = np.array([laid.x, laid.y]) + along * (at - (len(laid.row) - 1) / 2) + slack
        angle = laid.turn + chance.near(0, 1.0)
        _paste(image, _drawn(piece, chance), middle, laid.width * 0.98, angle)


def _drawn(piece: Piece, chance: Chance) -> Image:
    if isinstance(piece, Tile):
        return draw_tile(_EDITION, piece.number, COLOURS.index(piece.colour), chance).image
    return draw_tile(_EDITION, photographs.JOKER, photographs.NO_COLOUR, chance).image


def _paste(
    image: NDArray[np.float32], tile: Image, middle: NDArray[np.float64], width: float, angle: float
) -> None:
    """Blend one tile into the picture with its shadow below, in place."""
    factor = width / WIDTH
    warp = np.asarray(cv2.getRotationMatrix2D((WIDTH / 2, HEIGHT / 2), -angle, factor), np.float64)
    reach = int(HEIGHT * factor)  # a square of this half side holds the tile and its shadow
    left, top = (round(float(each)) - reach for each in middle)
    warp[:, 2] += middle - (left, top) - (WIDTH / 2, HEIGHT / 2)
    side = (2 * reach, 2 * reach)
    seen = cv2.warpAffine(tile, warp, side, flags=cv2.INTER_AREA)
    cover = cv2.warpAffine(np.ones((HEIGHT, WIDTH), np.float32), warp, side)
    shade = cv2.GaussianBlur(np.roll(cover, (4, 2), (0, 1)), (0, 0), 3) * _SHADOW
    rows, columns = _within(top, side[1], image.shape[0]), _within(left, side[0], image.shape[1])
    ground = image[rows[0], columns[0]]
    inside = (rows[1], columns[1])
    ground *= 1 - shade[inside][..., None]
    ground += (seen[inside] - ground) * cover[inside][..., None]


def _within(start: int, length: int, limit: int) -> tuple[slice, slice]:
    """The part of a span inside the picture: in picture coordinates and in its own."""
    first, last = max(0, start), min(limit, start + length)
    return slice(first, last), slice(first - start, last - start)
