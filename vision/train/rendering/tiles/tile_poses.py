"""Where tiles lie: in rows as players lay sets, strewn, leaning on each other, face down.

Lengths are in widths of a tile; the table is the plane z = 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.train.rendering.camera import Lens
from vision.train.rendering.chance import Random, between, happens, pick
from vision.train.rendering.geometry import Mesh, about, box_mesh, joined, moved, upright
from vision.train.rendering.slab import Slab
from vision.train.rendering.tiles.edition import JOKER, Printed

Vector = NDArray[np.float64]
NUMBERS: Final = 13
_TRIES: Final = 30
_OVER: Final = np.diag([-1.0, 1.0, -1.0])  # turned about y: the back is up
_FURTHEST_TURN: Final = 5.0
_FURTHEST_STEP: Final = 0.29  # a fifth of a tile's length


@dataclass(frozen=True, slots=True, eq=False)
class TilePose:
    """A tile at rest: what is printed on it, and where its own axes and its middle are.

    `turn` turns the slab's axes (x right, y to the number's side, z out of the top) into the
    table's; `place` is where the middle of its underside is. A blank has nothing printed in sight:
    it is face down.
    """

    printed: Printed
    turn: Vector
    place: Vector
    blank: bool = False

    def points(self, local: Vector) -> Vector:
        """Points of the slab (N x 3) in the table's coordinates."""
        return np.asarray(local @ self.turn.T + self.place)


class TakenArea:
    """What is already taken of the table, as turned rectangles seen from above."""

    def __init__(self, inside: Callable[[Vector], bool]) -> None:
        self._inside = inside
        self._taken: list[Vector] = []

    def takes(self, rectangles: Sequence[Vector]) -> bool:
        """Take the rectangles (4 x 2 each) if their middles are in sight and all are free."""
        if not all(self._inside(each.mean(axis=0)) for each in rectangles):
            return False
        if any(overlap(one, other) for one in rectangles for other in self._taken):
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


def overlap(one: Vector, other: Vector) -> bool:
    """Whether two rectangles overlap: no side of either keeps them apart."""
    for corners in (one, other):
        for axis in (corners[1] - corners[0], corners[2] - corners[1]):
            first, second = one @ axis, other @ axis
            slack = 1e-6 * float(axis @ axis)
            if first.max() <= second.min() + slack or second.max() <= first.min() + slack:
                return False
    return True


def flat(printed: Printed, middle: Vector, heading: float, *, blank: bool = False) -> TilePose:
    """A level tile, its number's side turned from +y by a heading in radians."""
    place = np.array([middle[0], middle[1], 0.0])
    return TilePose(printed, upright(heading), place, blank)


def overturned(lying: TilePose, shape: Slab) -> TilePose:
    """The same tile with its back up."""
    raised = lying.place + lying.turn[:, 2] * shape.thickness
    return TilePose(lying.printed, lying.turn @ _OVER, raised, blank=True)


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
class LayingStyle:
    """How somebody lays tiles side by side: the gap, how uneven the row, how turned its tiles."""

    gap: float
    step: float
    turn_degrees: float

    @classmethod
    def of(cls, random: Random) -> LayingStyle:
        """From neat to careless."""
        gap = 0.0 if happens(random, 0.4) else between(random, 0.01, 0.15)
        careless = float(random.choice([0.15, 1.0, 2.2], p=[0.3, 0.4, 0.3]))
        return cls(gap, 0.035 * careless, 0.9 * careless)


def row_of(tiles: Sequence[Printed], shape: Slab, hand: LayingStyle, random: Random) -> TileRow:
    """Tiles as somebody lays them side by side."""
    turns = np.radians(np.clip(random.normal(0, hand.turn_degrees, len(tiles)), *_TURNS))
    steps = np.clip(random.normal(0, hand.step, len(tiles)), -_FURTHEST_STEP, _FURTHEST_STEP)
    breadths = np.cos(turns) * shape.width + np.abs(np.sin(turns)) * shape.length
    gaps = np.abs(random.normal(hand.gap, 0.3 * hand.gap, len(tiles)))
    ends = np.cumsum(breadths + gaps)
    middles = ends - breadths / 2 - ends[-1] / 2
    places = [(np.array([x, y]), float(t)) for x, y, t in zip(middles, steps, turns, strict=True)]
    return TileRow(tiles, places, float(ends[-1]), shape.length + 4 * hand.step)


_TURNS: Final = (-_FURTHEST_TURN, _FURTHEST_TURN)


@dataclass(frozen=True, slots=True, eq=False)
class TileRow:
    """Tiles side by side: their middles (x, y) and turns about the row's middle, its two sides."""

    tiles: Sequence[Printed]
    places: Sequence[tuple[Vector, float]]
    length: float
    breadth: float

    def outline(self, middle: Vector, heading: float) -> Vector:
        return rectangle(middle, heading, self.length, self.breadth)

    def lie(self, middle: Vector, heading: float) -> list[TilePose]:
        """Its tiles, reading along the heading."""
        across, along = axes(heading)
        return [
            flat(tile, middle + x * across + y * along, heading + turn)
            for tile, ((x, y), turn) in zip(self.tiles, self.places, strict=True)
        ]


def strew(
    count: int, shape: Slab, spot: Callable[[], Vector], floor: TakenArea, random: Random
) -> Iterator[TilePose]:
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
    under: TilePose, heading: float, shape: Slab, floor: TakenArea, random: Random
) -> Iterator[TilePose]:
    """A tile that leans on a flat one, if there is room for its foot."""
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
    yield TilePose(any_tile(random), turn, np.array([*middle, height]))


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
        deep = self._deep(shape)
        start = np.array([*self.middle, _FOOT + deep * np.cos(np.radians(self.steep_degrees))])
        _, up, out = self.axes.T
        return np.asarray(start + tier * (up * shape.length * self.rise - out * deep))

    def _deep(self, shape: Slab) -> float:
        """The distance of a tier from the one before."""
        return shape.thickness + self.lip + 0.04

    def mesh(self, shape: Slab) -> Mesh:
        """Boards, ledges and end plates."""
        deep, parts = self._deep(shape), []
        for tier in range(self.tiers):
            last = tier == self.tiers - 1
            tall = shape.length * (0.92 if last else self.rise)
            back = -0.14 if last else -deep
            parts.append(self._box(tier, shape, (0.0, 0.0, back), (self.width, tall, 0.0)))
        parts.append(self._box(0, shape, (0.0, -_FOOT, -deep), (self.width, 0.0, deep)))
        if self.ends:
            tall = shape.length * (self.rise * (self.tiers - 1) + 0.6)
            low, high = (0.0, -_FOOT, -deep), (self.ends, tall, deep)
            aside = (self.width + self.ends) / 2
            parts += [self._box(0, shape, low, high, sign * aside) for sign in (-1, 1)]
        return joined(parts)

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


def fill_rack(rack: Rack, shape: Slab, random: Random, most: int) -> list[TilePose]:
    """Tiles on a rack's tiers, some places empty, no more than that many."""
    tiles: list[TilePose] = []
    for tier in range(rack.tiers):
        full = between(random, 0.4, 1.0) if happens(random, 0.6) else 1.0
        at = -rack.width / 2 + 0.15
        while at + shape.width <= rack.width / 2 - 0.1 and len(tiles) < most:
            if happens(random, full):
                axes = rack.axes
                lift = 0.004 + (between(random, 0, 0.03) if happens(random, 0.2) else 0.0)
                way = np.array([at + shape.width / 2, shape.length / 2 + lift, 0.004])
                place = rack.foot(tier, shape) + axes @ way
                turn = axes if happens(random, 0.985) else axes @ np.diag([-1.0, -1.0, 1.0])
                tiles.append(TilePose(any_tile(random), turn, place))
            at += shape.width + (0.004 if happens(random, 0.7) else between(random, 0.01, 0.2))
    return tiles


_SIZES: Final = ((1024, 768), (768, 1024), (1280, 960), (960, 1280), (960, 720), (960, 540))
_SIZE_SHARES: Final = (0.34, 0.22, 0.08, 0.06, 0.18, 0.12)
_BELOW_HORIZON: Final = 8.0
_NEAREST: Final = 5.0


def any_view(random: Random, share: float, *, rack: bool) -> Lens:
    """A phone's camera over a table, or lower before a rack.

    `share` is a tile's width as a share of the picture's longer side.
    """
    width, height = _SIZES[int(random.choice(len(_SIZES), p=_SIZE_SHARES))]
    longer = max(width, height)
    elevation, roll = _elevation(random, rack=rack), _roll(random, rack=rack)
    upward = abs(np.cos(np.radians(roll))) * height + abs(np.sin(np.radians(roll))) * width
    field = _field(random, elevation, float(upward / longer), share)
    distance = float(0.5 / np.tan(np.radians(field) / 2) / share)
    target = (0.0, 0.0, 1.2 if rack else 0.2)
    blur = float(random.choice([0.1, random.exponential(0.8)], p=[0.6, 0.4]))
    focal = longer / 2 / np.tan(np.radians(field) / 2)
    aperture = float(min(blur, 3.0) / 0.1 * distance / focal / 2 + 1e-4)
    focus = distance * float(random.choice([1.0, random.normal(1, 0.06)], p=[0.6, 0.4]))
    azimuth = between(random, -180, 180)
    return Lens(width, height, target, elevation, azimuth, roll, distance, field, aperture, focus)


def _elevation(random: Random, *, rack: bool) -> float:
    if rack:
        return between(random, 16, 52)
    steep = happens(random, 0.45)
    return between(random, 72, 90) if steep else between(random, 35, 76)


def _roll(random: Random, *, rack: bool) -> float:
    """Mostly upright; the phone turned on its side, or anyhow."""
    if rack:
        return float(random.normal(0, 5))
    turned = float(random.choice([-90.0, 90.0, 180.0])) + float(random.normal(0, 4))
    anyhow = between(random, -180, 180)
    return pick(random, ((0.68, float(random.normal(0, 5))), (0.17, turned), (0.15, anyhow)))


def _field(random: Random, elevation: float, upward: float, share: float) -> float:
    """The longer side's angle: a phone's, less where it would see the horizon or come too near."""
    field = pick(random, ((0.6, between(random, 52, 72)), (0.4, between(random, 28, 52))))
    to_horizon = np.tan(np.radians(max(elevation - _BELOW_HORIZON, 6.0))) / upward
    to_tiles = 0.5 / (_NEAREST * share)
    return float(min(field, 2 * np.degrees(np.arctan(min(to_horizon, to_tiles)))))


def in_sight(lens: Lens, margin: float) -> Callable[[Vector], bool]:
    """Whether a place of the table (x, y) is in the picture, that many pixels from its edge."""
    size = np.array([lens.width, lens.height])

    def sees(place: Vector) -> bool:
        point = np.array([[place[0], place[1], 0.0]])
        if float((point[0] - lens.eye) @ lens.axes[2]) <= 0:
            return False
        pixel = lens.pixels(point)[0]
        return bool((pixel > margin).all() and (pixel < size - margin).all())

    return sees


def spots(random: Random, lens: Lens, margin: float) -> Callable[[], Vector]:
    """Draws places of the table (x, y) in the picture, that many pixels from its edge."""
    low = np.full(2, margin)
    high = np.maximum(np.array([lens.width, lens.height]) - margin, low + 1)

    def spot() -> Vector:
        pixel = random.uniform(low, high)
        return np.asarray(lens.ground(pixel[None])[0, :2])

    return spot


def frame(lens: Lens) -> tuple[float, Vector]:
    """The heading (radians) that reads upright in the picture's middle, and its span (2 x 2).

    The span is the least and the greatest place that the picture sees along and across that
    heading, a row each, from the target; of a slanted view the nearer half's breadth counts.
    """
    heading = float(np.radians(lens.azimuth_degrees - lens.roll_degrees))
    size = np.array([lens.width, lens.height], dtype=np.float64)
    sides = np.array([(0, 0.5), (1, 0.5), (0.5, 0), (0.5, 1)]) * size
    away = lens.ground(sides)[:, :2] - np.asarray(lens.target)[:2]
    sine, cosine = np.sin(heading), np.cos(heading)
    turned = away @ np.array([[cosine, -sine], [sine, cosine]])
    return heading, np.array([turned.min(axis=0), turned.max(axis=0)])
