"""Where dice lie in a picture: strewn, heaped, in rows, and now and then leaning on something."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.train.rendering.chance import Random, between, happens
from vision.train.rendering.clutter import Thing, thing
from vision.train.rendering.die import Pose
from vision.train.rendering.rotations import (
    about,
    any_upright,
    anyhow,
    product,
    quaternion,
    upright,
)
from vision.train.rendering.settled import Block, Falling, settle

Vector = NDArray[np.float64]
_GRACE: Final = 1.5
_LEANING: Final = 0.11
_A_STACK: Final = 2


@dataclass(frozen=True, slots=True, eq=False)
class Space:
    """Where dice may lie: `spot` draws a place (x, y), `clear` says whether nothing is so near."""

    spot: Callable[[], Vector]
    clear: Callable[[Vector, float], bool]

    def clear_spot(self, around: float) -> Vector | None:
        """A place with nothing so near, or none when none is found."""
        spots = (self.spot() for _ in range(30))
        return next((at for at in spots if self.clear(at, around)), None)


@dataclass(frozen=True, slots=True, eq=False)
class Arrangement:
    """Dice at rest and the things that came with them (coins that dice lean on)."""

    dice: tuple[Falling, ...]
    things: tuple[Thing, ...]
    manner: str


def arrange(
    random: Random, sizes: Sequence[float], room: Space, blocks: Sequence[Block]
) -> Arrangement:
    """Put dice of some sizes on the table, among blocks that don't move."""
    manner = str(random.choice(list(_MANNERS), p=[0.62, 0.2, 0.12, 0.06]))
    leaning, coins = _lean(random, sizes, room)
    placed = _MANNERS[manner](random, sizes[len(leaning) :], room, leaning)
    coin_blocks = [Block(coin.middle, coin.half, coin.heading, round=True) for coin in coins]
    friction = between(random, 0.3, 0.9)
    rest = settle([*leaning, *placed], [*blocks, *coin_blocks], friction)
    return Arrangement(tuple(rest), tuple(coins), manner)


def _lean(random: Random, sizes: Sequence[float], room: Space) -> tuple[list[Falling], list[Thing]]:
    """In one picture of ten a die leans on another one or on a coin."""
    at = room.clear_spot(2.2) if sizes and happens(random, _LEANING) else None
    if at is None:
        return [], []
    if len(sizes) == 1 or happens(random, 0.45):
        return _on_coin(random, sizes[0], at)
    return _on_die(random, sizes[0], at), []


def _on_coin(random: Random, size: float, at: Vector) -> tuple[list[Falling], list[Thing]]:
    coin = thing("coin", random, at, 0.0)
    away = between(random, 0.35, 0.95) * size
    lean = float(np.arctan(2 * coin.half[2] / away))
    heading = between(random, 0, 2 * np.pi)
    # The die's lower edge lies `away` in front of the coin's rim and turns up over it.
    middle = np.array([np.cos(lean) - np.sin(lean), np.cos(lean) + np.sin(lean)]) * size / 2
    level = np.asarray(at) - _way(heading) * (coin.half[0] + away - middle[0])
    pose = _tilted(random, heading, lean, (*level, middle[1]))
    return [Falling(pose, size, fixed=True)], [coin]


def _on_die(random: Random, size: float, at: Vector) -> list[Falling]:
    """A die that lies flat, and one of the same size cocked against its side."""
    heading = between(random, 0, 2 * np.pi)
    flat = Falling(_flat(random, heading, at, size), size, fixed=True)
    return [flat, _against(random, heading, np.asarray(at), size)]


def _against(random: Random, heading: float, at: Vector, size: float) -> Falling:
    lean = float(np.radians(random.uniform(12, 42))) * float(random.choice([-1, 1]))
    half = (np.cos(abs(lean)) + np.sin(abs(lean))) / 2 * size
    aside = _way(heading + np.pi / 2) * random.uniform(-0.4, 0.4) * size
    level = at + _way(heading) * (0.5 * size + half) + aside
    return Falling(_tilted(random, heading, lean, (*level, half)), size, fixed=True)


def _way(heading: float) -> Vector:
    return np.array([np.cos(heading), np.sin(heading)])


def _tilted(random: Random, heading: float, lean: float, at: Sequence[float]) -> Pose:
    """Any face up, squared to the heading, then its far side (along the heading) up by `lean`."""
    square = product(upright(heading), any_upright(random))
    axis = np.array([np.sin(heading), -np.cos(heading), 0.0])
    turned = product(about(axis, lean), square)
    return Pose((float(at[0]), float(at[1]), float(at[2])), quaternion(turned))


def _flat(random: Random, heading: float, at: Vector, size: float) -> Pose:
    turned = product(upright(heading), any_upright(random))
    return Pose((float(at[0]), float(at[1]), size / 2), quaternion(turned))


def _strewn(
    random: Random, sizes: Sequence[float], room: Space, lying: Sequence[Falling]
) -> list[Falling]:
    """Let fall one by one, rolling a little."""
    taken = [np.array(die.pose.position[:2]) for die in lying]
    dice: list[Falling] = []
    for size in sizes:
        at, low = _free(room.spot, taken, 1.5)
        taken.append(at)
        height = between(random, 1.2, 2.0) + (0.0 if low else 1.6 * len(dice) ** 0.5)
        velocity = random.normal(0, [6, 6, 2])
        dice.append(_let_go(random, size, (*at, height), velocity))
    return dice


def _heaped(
    random: Random, sizes: Sequence[float], room: Space, _lying: Sequence[Falling]
) -> list[Falling]:
    """Poured onto one place: touching, some on top of each other."""
    middle, wide = 0.6 * room.spot(), 0.5 * len(sizes) ** 0.5 * between(random, 0.6, 1.1)
    dice = []
    for number, size in enumerate(sizes):
        at = middle + random.normal(0, wide, 2)
        height = 1.2 + 1.75 * (number // max(1, int(wide * wide)))
        dice.append(_let_go(random, size, (*at, height), random.normal(0, [1, 1, 4])))
    return dice


def _let_go(random: Random, size: float, at: Sequence[float], velocity: Vector) -> Falling:
    place = (float(at[0]), float(at[1]), float(at[2]) * size)
    speed = (float(velocity[0]), float(velocity[1]), float(velocity[2]))
    spin = random.normal(0, 9, 3)
    pose = Pose(place, quaternion(anyhow(random)))
    return Falling(pose, size, speed, (float(spin[0]), float(spin[1]), float(spin[2])))


def _free(spot: Callable[[], Vector], taken: Sequence[Vector], apart: float) -> tuple[Vector, bool]:
    """A place away from those taken, and whether there was one."""
    for _ in range(30):
        at = spot()
        if all(float(np.hypot(*(at - other))) > apart for other in taken):
            return at, True
    return at, False


def _in_rows(
    random: Random, sizes: Sequence[float], room: Space, lying: Sequence[Falling]
) -> list[Falling]:
    """Laid out by hand, side by side."""
    heading, start = between(random, 0, 2 * np.pi), 0.35 * room.spot()
    columns = int(np.ceil(len(sizes) ** 0.5 * random.uniform(1, 2)))
    gap = float(random.choice([0.0, random.uniform(0.02, 0.6)]))
    along, up = _way(heading), _way(heading + np.pi / 2)
    step = max(sizes, default=1.0) + gap
    dice = []
    for number, size in enumerate(sizes):
        column, row = number % columns - columns / 2, number // columns - len(sizes) / columns / 2
        at = start + (column * along + row * up) * step + random.normal(0, gap / 8 + 1e-4, 2)
        near = [np.hypot(*(at - np.array(die.pose.position[:2]))) for die in lying]
        if room.clear(at, 0.72 * size) and (not near or min(near) > _GRACE):
            askew = float(random.normal(0, 0.3 * gap))
            dice.append(Falling(_flat(random, heading + askew, at, size), size, fixed=True))
    return dice


def _stacked(
    random: Random, sizes: Sequence[float], room: Space, lying: Sequence[Falling]
) -> list[Falling]:
    """As strewn, but a few dice stand on others."""
    dice, at = _strewn(random, sizes, room, lying), room.clear_spot(0.8)
    if len(dice) < _A_STACK + 1 or at is None:
        return dice
    under = replace(dice[0], fixed=True)
    under = replace(under, pose=_flat(random, random.uniform(0, 6), at, under.size))
    place = under.pose.position
    over = (place[0] + random.normal(0, 0.1), place[1], under.size + dice[1].size / 2 + 0.002)
    turned = product(upright(between(random, 0, 6)), any_upright(random))
    on_top = Falling(Pose(over, quaternion(turned)), dice[1].size)
    return [under, on_top, *dice[2:]]


_MANNERS: Final = {"strewn": _strewn, "heaped": _heaped, "rows": _in_rows, "stacked": _stacked}


def unsettle(random: Random, die: Falling, bumpiness_degrees: float) -> Falling:
    """A die as it lies on a ground that isn't quite level under it."""
    tilt = float(np.radians(random.normal(0, bumpiness_degrees)))
    angle = between(random, 0, 2 * np.pi)
    axis = np.array([np.cos(angle), np.sin(angle), 0.0])
    turned = product(about(axis, tilt), die.pose.rotation)
    x, y, z = die.pose.position
    sunk = (x, y, z - 0.4 * abs(tilt) * die.size)
    return replace(die, pose=Pose(sunk, quaternion(turned)))
