"""The manners in which tiles come to lie before a camera: rows, strewn, racks, pools, close-ups."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.train.rendering.camera import Lens
from vision.train.rendering.chance import Random, between, happens
from vision.train.rendering.slab import Slab
from vision.train.rendering.tiles.edition import Printed
from vision.train.rendering.tiles.tile_poses import (
    LayingStyle,
    Rack,
    TakenArea,
    TilePose,
    TileRow,
    any_rack,
    any_set,
    axes,
    fill_rack,
    frame,
    overturned,
    rectangle,
    row_of,
    strew,
)

Vector = NDArray[np.float64]
Laid = tuple[list[TilePose], list[Rack]]
_TRIES: Final = 60


@dataclass(frozen=True, slots=True, eq=False)
class TableSpace:
    """The tiles' shape, the camera, places in its sight, what is taken, and how many tiles."""

    shape: Slab
    lens: Lens
    spot: Callable[[], Vector]
    floor: TakenArea
    count: int


def _rows(table: TableSpace, random: Random) -> Laid:
    """Sets in lines from left to right, as at the end of a long game."""
    heading, span = frame(table.lens)
    heading += float(np.radians(random.normal(0, 3)))
    hand, tiles = LayingStyle.of(random), list[TilePose]()
    across, along = axes(heading)
    middle = np.asarray(table.lens.target)[:2]
    for printed, (aside, down) in _lines(table, hand, span, random):
        place = middle + aside * across + down * along
        askew = heading + float(random.normal(0, 0.012))
        row = row_of(printed, table.shape, hand, random)
        tiles += _laid(table, row, place, askew)
    return tiles, []


def _lines(
    table: TableSpace, hand: LayingStyle, span: Vector, random: Random
) -> Iterator[tuple[list[Printed], tuple[float, float]]]:
    """Sets and their middles, from left to right, line by line, as far as there are tiles."""
    (left, lower), (right, upper) = span
    pitch = table.shape.length * between(random, 1.06, 1.7)
    needed = pitch * (1 + table.count / max(1.0, 0.75 * (right - left)))
    start = upper - between(random, 0, 1) * max(0.0, upper - lower - needed)
    count = 0
    for down in np.arange(start - pitch / 2, lower, -pitch):
        at = left + between(random, 0.2, 1.5)
        while at < right and count < table.count:
            printed = any_set(random)
            if happens(random, 0.88):
                yield printed, (at + len(printed) / 2, float(down))
                count += len(printed)
            at += len(printed) * (1 + hand.gap) + between(random, 0.3, 1.6)


def _laid(table: TableSpace, row: TileRow, middle: Vector, heading: float) -> list[TilePose]:
    """The row's tiles, or nothing where there is no room for them."""
    free = table.floor.takes([row.outline(middle, heading)])
    return row.lie(middle, heading) if free else []


def _scattered(table: TableSpace, random: Random) -> Laid:
    """Sets here and there, turned to their players or anyhow, some single tiles."""
    heading, _ = frame(table.lens)
    wild, hand, tiles = happens(random, 0.5), LayingStyle.of(random), list[TilePose]()
    for _ in range(_TRIES):
        if len(tiles) >= table.count:
            break
        turned = between(random, 0, 2 * np.pi) if wild else heading + float(random.normal(0, 0.12))
        row = row_of(any_set(random)[: table.count - len(tiles)], table.shape, hand, random)
        tiles += _laid(table, row, table.spot(), turned)
    left = max(0, min(6, table.count - len(tiles)))
    tiles += strew(left, table.shape, table.spot, table.floor, random)
    return tiles, []


def _strewn(table: TableSpace, random: Random) -> Laid:
    """Single tiles in all turns, face up."""
    return list(strew(table.count, table.shape, table.spot, table.floor, random)), []


def _pool(table: TableSpace, random: Random) -> Laid:
    """Single tiles in all turns, many of them face down."""
    tiles = strew(table.count, table.shape, table.spot, table.floor, random)
    share = between(random, 0.2, 0.9)
    return [_perhaps_over(tile, table.shape, share, random) for tile in tiles], []


def _perhaps_over(tile: TilePose, shape: Slab, share: float, random: Random) -> TilePose:
    level = abs(tile.turn[2, 2] - 1) < 1e-6  # noqa: PLR2004
    return overturned(tile, shape) if level and happens(random, share) else tile


def rack_before(table: TableSpace, random: Random, aside: float = 0.0, **changed: Any) -> Laid:
    """A rack before the camera, turned by `aside` (radians) and with these fields changed."""
    heading = float(np.radians(table.lens.azimuth_degrees + random.normal(0, 9)))
    middle = np.array(table.lens.target)[:2]
    rack = any_rack(random, middle, heading, places(table.count))
    rack = replace(rack, heading=heading + aside, **changed)
    _take(rack, table)
    return fill_rack(rack, table.shape, random, table.count), [rack]


def _three_steps(table: TableSpace, random: Random) -> Laid:
    """Each row covers 20 to 40 % of the one behind."""
    rise = between(random, 0.66, 0.84)
    table = replace(table, count=max(table.count, 24))
    return rack_before(table, random, tiers=3, rise=rise)


def rack_aside(table: TableSpace, random: Random) -> Laid:
    """A rack of three steps that the camera sees 30 to 60 degrees from the side."""
    turn = np.radians(between(random, 30, 60)) * random.choice([-1, 1])
    rise = between(random, 0.66, 0.84)
    return rack_before(table, random, turn, tiers=3, rise=rise)


def _rack_and_table(table: TableSpace, random: Random) -> Laid:
    """A rack before the player, sets beyond it."""
    low = table.lens.ground(np.array([[table.lens.width / 2, table.lens.height * 0.86]]))[0, :2]
    heading = float(np.radians(table.lens.azimuth_degrees + random.normal(0, 6)))
    rack = any_rack(random, low, heading, max(5, min(14, table.count // 2)))
    _take(rack, table)
    tiles = fill_rack(rack, table.shape, random, max(3, table.count // 2))
    hand = LayingStyle.of(random)
    for _ in range(_TRIES):
        if len(tiles) >= table.count:
            break
        turned = heading + float(random.normal(0, 0.1))
        row = row_of(any_set(random), table.shape, hand, random)
        tiles += _laid(table, row, table.spot(), turned)
    return tiles, [rack]


def places(count: int) -> int:
    """How many places a rack has for that many tiles."""
    return max(3, min(15, count // 2 + 2))


def _take(rack: Rack, table: TableSpace) -> None:
    """Keep the rack's place free of anything else."""
    deep = 1.2 * rack.tiers + 1.0
    behind = np.asarray(rack.middle) + axes(rack.heading)[1] * (deep / 2 - 0.6)
    table.floor.takes([rectangle(behind, rack.heading, rack.width + 0.4, deep)])


MANNERS: Final[dict[str, tuple[float, Callable[[TableSpace, Random], Laid]]]] = {
    "rows": (0.3, _rows),
    "scattered": (0.2, _scattered),
    "strewn": (0.17, _strewn),
    "pool": (0.09, _pool),
    "rack": (0.12, rack_before),
    "rack of three steps": (0.08, _three_steps),
    "rack and table": (0.09, _rack_and_table),
    "rack from aside": (0.18, rack_aside),
}
