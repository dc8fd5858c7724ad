"""Where tiles lie: in rows as players lay sets, strewn, leaning on each other, face down.

Lengths are in widths of a tile; the table is the plane z = 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.train.rendering.chance import Random, between, happens
from vision.train.rendering.rotations import about, upright
from vision.train.rendering.slab import Slab
from vision.train.rendering.tiles.top import JOKER, Printed

Vector = NDArray[np.float64]
NUMBERS: Final = 13
_TRIES: Final = 30
_OVER: Final = np.diag([-1.0, 1.0, -1.0])  # turned about y: the back is up
_FURTHEST_TURN: Final = 5.0
_FURTHEST_STEP: Final = 0.29  # a fifth of a tile's length


@dataclass(frozen=True, slots=True, eq=False)
class Lying:
    """A tile at rest: what is printed on it, and where its own axes and its middle are.

    `turn` turns the slab's axes (x right, y to the number's side, z out of the top) into the
    table's; `place` is where the middle of its underside is. A blank has nothing printed in
    sight: it lies face down.
    """

    printed: Printed
    turn: Vector
    place: Vector
    blank: bool = False

    def points(self, local: Vector) -> Vector:
        """Points of the slab (N x 3) in the table's coordinates."""
        return np.asarray(local @ self.turn.T + self.place)


class Floor:
    """What is already taken of the table, as turned rectangles seen from above."""

    def __init__(self, inside: Callable[[Vector], bool]) -> None:
        self._inside = inside
        self._taken: list[Vector] = []

    def takes(self, rectangles: Sequence[Vector]) -> bool:
        """Take the rectangles (4 x 2 each) if their middles are in sight and all are free."""
        if not all(self._inside(each.mean(axis=0)) for each in rectangles):
            return False
        if any(_cross(one, other) for one in rectangles for other in self._taken):
            return False
        self._taken.extend(rectangles)
        return True


def rectangle(middle: Vector, heading: float, width: float, length: float) -> Vector:
    """The corners, 4 x 2, of a rectangle turned by a heading in radians."""
    across, along = axes(heading)
    return np.array([middle + a * width / 2 * across + b * length / 2 * along for a, b in _CORNERS])


def axes(heading: float) -> tuple[Vector, Vector]:
    """Along a heading in radians, and to its left."""
    sine, cosine = np.sin(heading), np.cos(heading)
    return np.array([cosine, sine]), np.array([-sine, cosine])


_CORNERS: Final = ((-1, -1), (1, -1), (1, 1), (-1, 1))


def _cross(one: Vector, other: Vector) -> bool:
    """Whether two rectangles overlap: no side of either keeps them apart."""
    for corners in (one, other):
        for axis in (corners[1] - corners[0], corners[2] - corners[1]):
            first, second = one @ axis, other @ axis
            slack = 1e-6 * float(axis @ axis)
            if first.max() <= second.min() + slack or second.max() <= first.min() + slack:
                return False
    return True


def flat(printed: Printed, middle: Vector, heading: float, *, blank: bool = False) -> Lying:
    """A tile that lies level, its number's side turned from +y by a heading in radians."""
    place = np.array([middle[0], middle[1], 0.0])
    return Lying(printed, upright(heading), place, blank)


def overturned(lying: Lying, shape: Slab) -> Lying:
    """The same tile with its back up."""
    raised = lying.place + lying.turn[:, 2] * shape.thickness
    return Lying(lying.printed, lying.turn @ _OVER, raised, blank=True)


def any_set(random: Random) -> list[Printed]:
    """A run or a group, sometimes with a joker, sometimes one that the rules refuse."""
    if happens(random, 0.2):
        return [any_tile(random) for _ in range(int(random.integers(2, 8)))]
    tiles = _run(random) if happens(random, 0.6) else _group(random)
    if happens(random, 0.12):
        tiles[int(random.integers(len(tiles)))] = any_joker(random)
    if happens(random, 0.1):
        tiles[int(random.integers(len(tiles)))] = any_tile(random)
    return tiles


def _run(random: Random) -> list[Printed]:
    count = int(random.integers(3, 8)) if happens(random, 0.85) else int(random.integers(8, 14))
    first, colour = int(random.integers(1, NUMBERS + 2 - count)), int(random.integers(4))
    return [Printed(number, colour) for number in range(first, first + count)]


def _group(random: Random) -> list[Printed]:
    number = int(random.integers(1, NUMBERS + 1))
    colours = random.permutation(4)[: int(random.integers(3, 5))]
    return [Printed(number, int(colour)) for colour in colours]


def any_tile(random: Random) -> Printed:
    """Any tile of the set; a joker somewhat oftener than in the box, for there is much to learn."""
    if happens(random, 0.05):
        return any_joker(random)
    return Printed(int(random.integers(1, NUMBERS + 1)), int(random.integers(4)))


def any_joker(random: Random) -> Printed:
    """A black or a red one."""
    return Printed(JOKER, int(random.integers(2)))


@dataclass(frozen=True, slots=True)
class Manner:
    """How somebody lays tiles side by side: the gap, how uneven the row, how turned its tiles."""

    gap: float
    step: float
    turn_degrees: float

    @classmethod
    def of(cls, random: Random) -> Manner:
        """From neat to careless."""
        gap = 0.0 if happens(random, 0.4) else between(random, 0.01, 0.15)
        careless = float(random.choice([0.15, 1.0, 2.2], p=[0.3, 0.4, 0.3]))
        return cls(gap, 0.035 * careless, 0.9 * careless)


def row_of(tiles: Sequence[Printed], shape: Slab, hand: Manner, random: Random) -> Row:
    """Tiles as somebody lays them side by side."""
    turns = np.radians(np.clip(random.normal(0, hand.turn_degrees, len(tiles)), *_TURNS))
    steps = np.clip(random.normal(0, hand.step, len(tiles)), -_FURTHEST_STEP, _FURTHEST_STEP)
    breadths = np.cos(turns) * shape.width + np.abs(np.sin(turns)) * shape.length
    gaps = np.abs(random.normal(hand.gap, 0.3 * hand.gap, len(tiles)))
    ends = np.cumsum(breadths + gaps)
    middles = ends - breadths / 2 - ends[-1] / 2
    places = [(np.array([x, y]), float(t)) for x, y, t in zip(middles, steps, turns, strict=True)]
    return Row(tiles, places, float(ends[-1]), shape.length + 4 * hand.step)


_TURNS: Final = (-_FURTHEST_TURN, _FURTHEST_TURN)


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """Tiles side by side: their middles (x, y) and turns about the row's middle, its two sides."""

    tiles: Sequence[Printed]
    places: Sequence[tuple[Vector, float]]
    length: float
    breadth: float

    def outline(self, middle: Vector, heading: float) -> Vector:
        """The rectangle that it covers."""
        return rectangle(middle, heading, self.length, self.breadth)

    def lie(self, middle: Vector, heading: float) -> list[Lying]:
        """Its tiles, reading along the heading."""
        across, along = axes(heading)
        return [
            flat(tile, middle + x * across + y * along, heading + turn)
            for tile, ((x, y), turn) in zip(self.tiles, self.places, strict=True)
        ]


def strew(
    count: int, shape: Slab, spot: Callable[[], Vector], floor: Floor, random: Random
) -> Iterator[Lying]:
    """Single tiles turned anyhow, none through another; a few lean on one or lie upon it."""
    turned = between(random, 0, 2 * np.pi)
    wild = happens(random, 0.75)
    for _ in range(count):
        for _ in range(_TRIES):
            heading = between(random, 0, 2 * np.pi) if wild else float(random.normal(turned, 0.15))
            one = flat(any_tile(random), spot(), heading)
            if floor.takes([rectangle(one.place[:2], heading, shape.width, shape.length)]):
                yield one
                if happens(random, 0.06):
                    yield from _upon(one, heading, shape, floor, random)
                break


def _upon(
    under: Lying, heading: float, shape: Slab, floor: Floor, random: Random
) -> Iterator[Lying]:
    """A tile that leans on one that lies flat, where there is room for its foot."""
    side = int(random.integers(4))
    way_heading = heading + side * np.pi / 2 + float(random.normal(0, 0.08))
    way = axes(way_heading)[0]
    near = (shape.width, shape.length)[side % 2] / 2
    overlap = between(random, 0.08, 0.4)
    foot = shape.length - overlap
    lean = float(np.arctan(shape.thickness / foot))
    middle = under.place[:2] + way * (near + foot - np.cos(lean) * shape.length / 2)
    free = under.place[:2] + way * (near + foot / 2 + 0.02)
    if not floor.takes([rectangle(free, way_heading, foot, shape.width)]):
        return
    quarter = upright(np.pi / 2 * float(random.choice([-1, 1])))
    # Its near end is up: it turns about the level axis across the way.
    turn = upright(way_heading) @ about(np.array([0.0, 1.0, 0.0]), lean) @ quarter
    height = np.sin(lean) * shape.length / 2
    yield Lying(any_tile(random), turn, np.array([*middle, height]))
