"""The Rummikub evening as pictures to be taken: one table, one camera, a hand that comes and goes.

Lengths are in widths of a tile.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scoreboard.games.rummikub.sets import Laid
from scoreboard.games.rummikub.tiles import Piece
from vision.train.rendering.chance import Random
from vision.train.rendering.hand import Hand
from vision.train.rendering.lens import Lens
from vision.train.rendering.material import Colour
from vision.train.rendering.slab import Slab
from vision.train.rendering.solids import moved
from vision.train.rendering.studio import hand_parts
from vision.train.rendering.tiles.beside import DIE, Part, sized
from vision.train.rendering.tiles.evening import Step
from vision.train.rendering.tiles.positions import Table, laid_anew, printed
from vision.train.rendering.tiles.rack import Rack
from vision.train.rendering.tiles.tile_poses import Lying

Vector = NDArray[np.float64]
_SEED: Final = 41
_ABOVE: Final = Lens(1280, 960, (0.0, -0.1, 0.2), 66.0, 0.0, 0.7, 20.5, 50.0, 1e-3, 20.5)
_BEFORE_RACK: Final = Lens(1280, 960, (0.1, -0.2, 1.3), 33.0, 5.0, -1.0, 14.5, 46.0, 1e-3, 14.5)
_RACK: Final = Rack(2, 8, 66.0, 0.92, 0.08, 0.2, (0.0, -0.8), 0.02)
_LOWER_TIER: Final = 4
_ON_RACK: Final = (-2.1, 1.05)  # where a tier's first tile stands, and how far apart they are
_REST_SAMPLES: Final = 20
_MOVING_SAMPLES: Final = 6
_SKINS: Final[tuple[Colour, Colour]] = ((214, 164, 134), (126, 86, 62))
_SLEEVES: Final[tuple[Colour, Colour]] = ((52, 84, 120), (150, 62, 58))
_OVER: Final = 1.6  # so high over the table is a palm
_AWAY: Final = 3.0  # so far has a hand drawn back when the tiles lie


@dataclass(frozen=True, slots=True, eq=False)
class Take:
    """One picture: what lies there in which sets, the camera, and light paths a pixel.

    `hand` is over the table while it moves, `rack` is there where the tiles stand on one.
    """

    lens: Lens
    sets: tuple[tuple[Lying, ...], ...]
    samples: int
    hand: tuple[Part, ...] = ()
    rack: Rack | None = None

    @property
    def tiles(self) -> tuple[Lying, ...]:
        """All tiles, set by set."""
        return tuple(tile for row in self.sets for tile in row)


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """What lies before the camera for a while: its pictures, the last one at rest.

    `folder` is the step's name and which of its tables it is; `told` is what lies there.
    """

    folder: str
    told: Laid
    takes: tuple[Take, ...]


def film(steps: Sequence[Step], shape: Slab) -> Iterator[Shown]:
    """The evening's pictures in order, with tiles of that shape."""
    random = np.random.default_rng(_SEED)
    table: Table = ()
    last = empty_table()
    for step in steps:
        for number, told in enumerate(step.seen):
            now = laid_anew(table, told, random)
            rest = _on_rack(told, shape, random) if step.rack else _at_rest(now)
            takes = (*_moving(last, rest, step.seat, random), rest)
            yield Shown(f"{step.name}/throw{number}", told, takes)
            last, table = rest, now if step.stays else table


def empty_table() -> Take:
    """The table before anything lies on it."""
    return _at_rest(())


def _at_rest(table: Table) -> Take:
    return Take(_ABOVE, tuple(tuple(each.lie()) for each in table), _REST_SAMPLES)


def _on_rack(told: Laid, shape: Slab, random: Random) -> Take:
    """What is left on a rack: most of it on the lower tier."""
    pieces = told.tiles.pieces
    tiers = (pieces[:_LOWER_TIER], pieces[_LOWER_TIER:])
    rows = (tuple(_on_tier(row, tier, shape, random)) for tier, row in enumerate(tiers))
    return Take(_BEFORE_RACK, tuple(rows), _REST_SAMPLES, rack=_RACK)


def _on_tier(row: Sequence[Piece], tier: int, shape: Slab, random: Random) -> Iterator[Lying]:
    axes, foot = _RACK.axes, _RACK.foot(tier, shape)
    first, apart = _ON_RACK
    for at, piece in enumerate(row):
        aside = first + at * apart + float(random.normal(0, 0.015))
        place = foot + axes @ np.array([aside, shape.length / 2 + 0.004, 0.004])
        yield Lying(printed(piece), axes, place)


def _moving(before: Take, after: Take, seat: int, random: Random) -> Iterator[Take]:
    """A hand reaches for the tiles, and draws back from where they lie then."""
    spot = _touched(before, after)
    heading = float(random.normal(180 * (1 - seat), 14))
    back = np.radians(heading)
    outwards = _AWAY * np.array([np.sin(back), -np.cos(back)])
    if after.lens == before.lens:
        yield _under(before, spot, heading, seat)
        yield _under(after, spot + outwards, heading, seat)
    else:
        yield _under(after, np.array([2.4, -4.0]), 15.0, seat)


def _under(take: Take, spot: Vector, heading: float, seat: int) -> Take:
    hand = Hand((0.0, 0.0, _OVER / DIE), heading, 0.45)
    parts = hand_parts(hand, _SKINS[seat], _SLEEVES[seat])
    there = np.array([spot[0], spot[1], 0.0])
    placed = tuple((moved(sized(mesh, DIE), np.eye(3), there), paint) for mesh, paint in parts)
    return replace(take, hand=placed, samples=_MOVING_SAMPLES)


def _touched(before: Take, after: Take) -> Vector:
    """The middle of what lies elsewhere than before (x, y)."""
    old = {_key(tile) for tile in before.tiles}
    fresh = [tile.place[:2] for tile in after.tiles if _key(tile) not in old]
    return np.asarray(np.mean(fresh, axis=0)) if fresh else np.zeros(2)


def _key(tile: Lying) -> tuple[object, ...]:
    return tile.printed, *tile.place.round(3).tolist()
