"""Everything in one picture of tiles, drawn by chance from its seed and number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.train.rendering.backgrounds import PIXELS, Ground, ground_of
from vision.train.rendering.chance import Random, between, by_scale, happens, pick
from vision.train.rendering.dice_set import from_hue, greyish, vivid
from vision.train.rendering.lens import Lens
from vision.train.rendering.material import Material, Picture, plain
from vision.train.rendering.room import Light, any_room
from vision.train.rendering.slab import Sheet, slab_mesh, slab_paint
from vision.train.rendering.solids import joined, moved
from vision.train.rendering.studio import Scenery, table_mesh
from vision.train.rendering.tiles.beside import DIE, Part, any_clutter, any_hand, phone
from vision.train.rendering.tiles.edition import Edition, any_edition
from vision.train.rendering.tiles.layouts import MANNERS, Table, places
from vision.train.rendering.tiles.rack import Rack
from vision.train.rendering.tiles.tile_poses import Floor, Lying
from vision.train.rendering.tiles.top import Top, back_of, top_of
from vision.train.rendering.tiles.viewpoint import any_view, in_sight, spots

Vector = NDArray[np.float64]
_SAMPLES: Final = 6
_LEAST_SHARE: Final = 0.018
_LARGEST_SHARE: Final = 0.27
_FAR: Final = 12.0  # nearer, a hand would hide everything
_ROOM: Final = 0.3  # of the picture that its tiles may fill
_GROUNDS: Final = (
    (0.3, "wood"),
    (0.13, "lid"),
    (0.1, "marble"),
    (0.06, "felt"),
    (0.07, "linen"),
    (0.07, "woven"),
    (0.05, "checked"),
    (0.05, "carpet"),
    (0.06, "leather"),
    (0.04, "granite"),
    (0.03, "paper"),
    (0.02, "news"),
    (0.02, "mat"),
)
_COUNTS: Final = ((0.12, (1, 4)), (0.3, (4, 15)), (0.33, (15, 45)), (0.25, (45, 111)))


@dataclass(frozen=True, slots=True, eq=False)
class TileStage:
    """A table with tiles, its light and the camera over it; `tops` are the tiles' own tops.

    `repeats_over` says after how many widths of a tile the ground's paint repeats.
    """

    lens: Lens
    room: Light
    edition: Edition
    tiles: tuple[Lying, ...]
    tops: tuple[Top, ...]
    body: tuple[Part, ...]
    ground: Ground
    manner: str


def any_stage(random: Random) -> TileStage:
    """A stage; the same state of chance gives the same one."""
    edition = any_edition(random)
    manner = pick(random, [(weight, name) for name, (weight, _) in MANNERS.items()])
    racked = manner.startswith("rack")
    count, share = _size(random, manner)
    lens = any_view(random, share, rack=racked)
    pixels = share * max(lens.width, lens.height)
    floor = Floor(in_sight(lens, 0.2 * pixels if happens(random, 0.7) else -0.3 * pixels))
    spot = spots(random, lens, 0.5 * pixels)
    table = Table(edition.shape, lens, spot, floor, count)
    laid = MANNERS[manner][1](table, random)
    tops, mesh = _dressed(random, edition, laid[0], lens.die_pixels())
    ground, sheet = _ground(random, lens)
    body = [sheet, *mesh, *_racks(random, laid[1], edition), *_beside(random, table)]
    room = any_room(random)
    return TileStage(lens, room, edition, tuple(laid[0]), tops, tuple(body), ground, manner)


def _size(random: Random, manner: str) -> tuple[int, float]:
    """How many tiles, and a tile's width as a share of the picture's longer side."""
    low, high = pick(random, _COUNTS)
    count = int(random.integers(low, high))
    if manner == "rack":
        count = int(random.integers(3, 40))
        return count, between(random, 0.55, 1.1) / (places(count) + 0.5)
    largest = min(_LARGEST_SHARE, (_ROOM / (1.43 * count)) ** 0.5)
    wanted = by_scale(random, _LEAST_SHARE, _LARGEST_SHARE)
    close = largest * between(random, 0.55, 1.0)
    return count, max(_LEAST_SHARE, close if happens(random, 0.55) else min(wanted, close))


def _ground(random: Random, lens: Lens) -> tuple[Ground, Part]:
    """What the table is made of, and as far as the camera sees of it."""
    repeats_over = between(random, 0.9, 1.3) * max(lens.width, lens.height) / lens.die_pixels()
    ground = ground_of(pick(random, _GROUNDS), random, PIXELS / repeats_over * DIE)
    return ground, (table_mesh(lens, repeats_over), ground.material)


def _dressed(
    random: Random, edition: Edition, tiles: list[Lying], tile_pixels: float
) -> tuple[tuple[Top, ...], list[Part]]:
    """The tiles' tops, and all tiles as one surface."""
    pixels = int(np.clip(1.3 * tile_pixels, 40, 300))
    cells = int(np.clip(0.5 * tile_pixels, 10, 130))
    tops = tuple(top_of(edition, tile.printed, pixels, random) for tile in tiles)
    if not tiles:
        return tops, []
    backs = [back_of(edition, pixels, random) for _ in tops]
    return tops, [tiles_part(edition, tiles, tops, backs, cells)]


def tiles_part(
    edition: Edition, tiles: Sequence[Lying], tops: Sequence[Top], backs: Sequence[Picture],
    cells: int,
) -> Part:  # fmt: skip
    """Tiles with these tops and backs as one surface; at least one tile.

    `cells` is how finely a top's relief is cut.
    """
    sheet = Sheet.of([slab_paint(top.paint, back) for top, back in zip(tops, backs, strict=True)])
    pixels = tops[0].paint.shape[1]
    meshes = [
        moved(
            sheet.cut(slab_mesh(edition.shape, pixels, top.relief, cells), number),
            tile.turn,
            tile.place,
        )
        for number, (tile, top) in enumerate(zip(tiles, tops, strict=True))
    ]
    return joined(meshes), Material(sheet.paint, edition.roughness)


def _racks(random: Random, racks: list[Rack], edition: Edition) -> Iterator[Part]:
    """Racks of one box: plastic of one colour, mostly dark, or wood."""
    if not racks:
        return
    mesh = joined([rack.mesh(edition.shape) for rack in racks])
    if happens(random, 0.35):
        wood = ground_of("wood", random, between(random, 60, 160)).material
        yield mesh, wood
        return
    hue, value = between(random, 0.05, 0.12), between(random, 0.3, 0.9)
    earthy, light = from_hue(hue, between(random, 0.2, 0.6), value), greyish(random, 0.5, 0.95)
    dark = greyish(random, 0.02, 0.2)
    colour = pick(random, ((0.4, dark), (0.25, vivid(random)), (0.2, earthy), (0.15, light)))
    yield mesh, plain(colour, between(random, 0.2, 0.6))


def _beside(random: Random, table: Table) -> Iterator[Part]:
    """Clutter in half of the pictures, now and then a hand, often the phone's own shadow."""
    if happens(random, 0.5):
        yield from any_clutter(int(random.integers(1, 7)), table.spot, table.floor, random)
    lens = table.lens
    if happens(random, 0.09) and lens.distance > _FAR:
        yield from any_hand(_edge(random, lens), lens, random)
    if happens(random, 0.5):
        yield phone(lens, random)


def _edge(random: Random, lens: Lens) -> Vector:
    """A place of the table near the picture's edge."""
    side = random.uniform(0, 1, 2)
    side[int(random.integers(2))] = float(random.choice([0.06, 0.94]))
    pixel = side * np.array([lens.width, lens.height])
    return np.asarray(lens.ground(pixel[None])[0, :2])


def scenery(stage: TileStage) -> Scenery:
    """A stage as painted surfaces."""
    return Scenery(stage.lens, stage.room, stage.body, samples=_SAMPLES, painted=True)
