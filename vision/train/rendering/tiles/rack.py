"""Racks of one to three tiers, on which tiles lean back; the lower row hides the upper one's foot.

Lengths are in widths of a tile. A rack's own axes: x to the right of who sits before it, `up`
along its tiles, `out` towards who looks at them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.train.rendering.chance import Random, between, happens, pick
from vision.train.rendering.mesh import Mesh
from vision.train.rendering.rotations import upright
from vision.train.rendering.slab import Slab
from vision.train.rendering.solids import box_mesh, joined, moved
from vision.train.rendering.tiles.tile_poses import Lying, any_tile

Vector = NDArray[np.float64]
_FOOT: Final = 0.12


@dataclass(frozen=True, slots=True)
class Rack:
    """A rack: its tiers, its places a tier, how steep it is and how its tiers follow each other.

    `steep_degrees` is how far its tiles stand up from the table; a tier begins `rise` tile
    lengths above the one before, along the tiles; `lip` is how far the ledges reach out before
    the tiles' tops, `ends` how thick the plates at both ends are (0: none).
    """

    tiers: int
    places: int
    steep_degrees: float
    rise: float
    lip: float
    ends: float
    middle: tuple[float, float]
    heading: float

    @property
    def width(self) -> float:
        """The length of its ledges."""
        return self.places * 1.02 + 0.3

    @property
    def axes(self) -> Vector:
        """Its right, up and out directions in the table's coordinates, 3 x 3, one a column."""
        steep = np.radians(self.steep_degrees)
        up = np.array([0.0, np.cos(steep), np.sin(steep)])
        out = np.array([0.0, -np.sin(steep), np.cos(steep)])
        return np.asarray(upright(self.heading) @ np.column_stack([[1.0, 0, 0], up, out]))

    def foot(self, tier: int, shape: Slab) -> Vector:
        """Where the middle of a tier's ledge meets its board."""
        steep = np.radians(self.steep_degrees)
        deep = self._deep(shape)
        height = _FOOT + deep * np.cos(steep)
        start = np.array([*self.middle, height])
        _, up, out = self.axes.T
        return np.asarray(start + tier * (up * shape.length * self.rise - out * deep))

    def _deep(self, shape: Slab) -> float:
        """How far a tier stands behind the one before."""
        return shape.thickness + self.lip + 0.04

    def mesh(self, shape: Slab) -> Mesh:
        """Boards, ledges and end plates."""
        boards = [self._tier(tier, shape) for tier in range(self.tiers)]
        return joined([*boards, self._ledge(shape), *self._plates(shape)])

    def _tier(self, tier: int, shape: Slab) -> Mesh:
        last = tier == self.tiers - 1
        tall = shape.length * (0.92 if last else self.rise)
        deep = 0.14 if last else self._deep(shape)
        return self._box(tier, shape, (0.0, 0.0, -deep), (self.width, tall, 0.0))

    def _ledge(self, shape: Slab) -> Mesh:
        deep = self._deep(shape)
        return self._box(0, shape, (0.0, -_FOOT, -deep), (self.width, 0.0, deep))

    def _plates(self, shape: Slab) -> list[Mesh]:
        if not self.ends:
            return []
        deep, tall = self._deep(shape), shape.length * (self.rise * (self.tiers - 1) + 0.6)
        aside = (self.width + self.ends) / 2
        low, high = (0.0, -_FOOT, -deep), (self.ends, tall, deep)
        plates = [self._box(0, shape, low, high, sign * aside) for sign in (-1, 1)]
        return [*plates]

    def _box(
        self, tier: int, shape: Slab, low: Sequence[float], high: Sequence[float],
        aside: float = 0.0,
    ) -> Mesh:  # fmt: skip
        """A box from its tier's foot: its width about x, from low to high along up and out."""
        half = (high[0] / 2, (high[1] - low[1]) / 2, (high[2] - low[2]) / 2)
        middle = np.array([aside, (high[1] + low[1]) / 2, (high[2] + low[2]) / 2])
        return moved(box_mesh(half), self.axes, self.foot(tier, shape) + self.axes @ middle)


def any_rack(random: Random, middle: Vector, heading: float, places: int) -> Rack:
    """A rack of a box of the game, or somebody's own."""
    tiers = pick(random, ((0.2, 1), (0.55, 2), (0.25, 3)))
    return Rack(
        tiers=tiers,
        places=places,
        steep_degrees=between(random, 58, 76),
        rise=between(random, 0.68, 1.06),
        lip=between(random, 0.0, 0.2),
        ends=between(random, 0.08, 0.3) if happens(random, 0.4) else 0.0,
        middle=(float(middle[0]), float(middle[1])),
        heading=heading,
    )


def fill_rack(rack: Rack, shape: Slab, random: Random, most: int) -> list[Lying]:
    """Tiles on a rack's tiers, some places empty, no more than so many."""
    tiles: list[Lying] = []
    for tier in range(rack.tiers):
        full = between(random, 0.4, 1.0) if happens(random, 0.6) else 1.0
        at = -rack.width / 2 + 0.15
        while at + shape.width <= rack.width / 2 - 0.1 and len(tiles) < most:
            if happens(random, full):
                tiles.append(_on_tier(rack, tier, at + shape.width / 2, shape, random))
            at += shape.width + (0.004 if happens(random, 0.7) else between(random, 0.01, 0.2))
    return tiles


def _on_tier(rack: Rack, tier: int, aside: float, shape: Slab, random: Random) -> Lying:
    axes = rack.axes
    lift = 0.004 + (between(random, 0, 0.03) if happens(random, 0.2) else 0.0)
    place = rack.foot(tier, shape) + axes @ np.array([aside, shape.length / 2 + lift, 0.004])
    turn = axes if happens(random, 0.985) else axes @ np.diag([-1.0, -1.0, 1.0])
    return Lying(any_tile(random), turn, place)
