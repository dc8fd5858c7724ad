"""Where dice lie in a picture: strewn, heaped, in rows, and now and then leaning on something."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.train.rendering.chance import Random, between, happens, pick
from vision.train.rendering.clutter import Thing, thing
from vision.train.rendering.geometry import (
    Mesh,
    Pose,
    about,
    any_upright,
    anyhow,
    box_mesh,
    heading_turn,
    joined,
    moved,
    prism_mesh,
    quaternion,
    sheet_mesh,
    upright,
)

_STEPS_PER_SECOND: Final = 600
_LONGEST_SECONDS: Final = 1.5
_LOOK_EVERY_STEPS: Final = 30
GRAVITY: Final = 9.81 / 0.016
_STILL_SPEED: Final = 0.6
BOX: Final = 3  # pybullet.GEOM_BOX, named here because the module may be absent
_CYLINDER: Final = 4  # pybullet.GEOM_CYLINDER


@dataclass(frozen=True, slots=True)
class Block:
    """Something that doesn't move: a box by its half lengths, or a disc of radius half[0]."""

    middle: tuple[float, float, float]
    half: tuple[float, float, float]
    heading: float = 0.0
    round: bool = False


@dataclass(frozen=True, slots=True)
class Falling:
    """A die of some size (its side), where and how it is let go; `fixed` ones stay there."""

    pose: Pose
    size: float = 1.0
    velocity: tuple[float, float, float] = (0.0, 0.0, 0.0)
    spin: tuple[float, float, float] = (0.0, 0.0, 0.0)
    fixed: bool = False


class World:
    """One physics world: calls a function of the engine's module by name, in this world."""

    def __init__(self, engine: Any, number: int) -> None:
        self._engine = engine
        self._number = number

    def do(self, act: str, *arguments: Any, **named: Any) -> Any:
        return getattr(self._engine, act)(*arguments, physicsClientId=self._number, **named)

    def add(self, mass: float, form: Mapping[str, Any], pose: Pose, **dynamics: float) -> int:
        """A new body of a form, and how it rubs and bounces."""
        shape = int(self.do("createCollisionShape", **form))
        body = int(self.do("createMultiBody", mass, shape, -1, pose.position, pose.quaternion))
        self.do("changeDynamics", body, -1, **dynamics)
        return body

    def poses(self, bodies: Sequence[int]) -> list[Pose]:
        states = (self.do("getBasePositionAndOrientation", body) for body in bodies)
        return [Pose(tuple(place), tuple(turn)) for place, turn in states]

    def are_slower(self, bodies: Sequence[int], speed: float) -> bool:
        velocities = (each for body in bodies for each in self.do("getBaseVelocity", body))
        return all(float(np.linalg.norm(velocity)) < speed for velocity in velocities)


@contextmanager
def physics() -> Iterator[World]:
    """An empty world."""
    import pybullet  # noqa: PLC0415  the training extra: everything else here works without it

    number = pybullet.connect(pybullet.DIRECT)
    try:
        yield World(pybullet, number)
    finally:
        pybullet.disconnect(number)


def settle(dice: Sequence[Falling], blocks: Sequence[Block], friction: float) -> list[Falling]:
    """The same dice at rest on the plane z = 0."""
    dynamics = {"restitution": 0.3, "rollingFriction": 0.002, "spinningFriction": 0.01}
    dynamics["lateralFriction"] = friction
    with physics() as world:
        world.do("setGravity", 0, 0, -GRAVITY)
        world.do("setTimeStep", 1 / _STEPS_PER_SECOND)
        for block in (Block((0.0, 0.0, -5.0), (500.0, 500.0, 5.0)), *blocks):
            turn = (0.0, 0.0, float(np.sin(block.heading / 2)), float(np.cos(block.heading / 2)))
            form: dict[str, Any] = {"shapeType": BOX, "halfExtents": block.half}
            if block.round:
                radius, _, half = block.half
                form = {"shapeType": _CYLINDER, "radius": radius, "height": 2 * half}
            world.add(0, form, Pose(block.middle, turn), **dynamics)
        bodies = []
        for die in dice:
            form = {"shapeType": BOX, "halfExtents": [die.size / 2] * 3}
            mass = 0.0 if die.fixed else die.size**3
            bodies.append(world.add(mass, form, die.pose, **dynamics))
            if not die.fixed:
                world.do("resetBaseVelocity", bodies[-1], die.velocity, die.spin)
        for _ in range(round(_LONGEST_SECONDS * _STEPS_PER_SECOND / _LOOK_EVERY_STEPS)):
            for _ in range(_LOOK_EVERY_STEPS):
                world.do("stepSimulation")
            if world.are_slower(bodies, _STILL_SPEED):
                break
        rest = world.poses(bodies)
    return [replace(die, pose=pose) for die, pose in zip(dice, rest, strict=True)]


Vector = NDArray[np.float64]
_GRACE: Final = 1.5
_LEANING: Final = 0.11
_A_STACK: Final = 2


@dataclass(frozen=True, slots=True, eq=False)
class Space:
    """The places for dice: `spot` draws a place (x, y), `clear` is whether nothing is that near."""

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
    # A flat die, and one of the same size cocked against its side
    size = sizes[0]
    heading = between(random, 0, 2 * np.pi)
    flat = Falling(_flat(random, heading, at, size), size, fixed=True)
    return [flat, _against(random, heading, np.asarray(at), size)], []


def _on_coin(random: Random, size: float, at: Vector) -> tuple[list[Falling], list[Thing]]:
    coin = thing("coin", random, at, 0.0)
    away = between(random, 0.35, 0.95) * size
    lean = float(np.arctan(2 * coin.half[2] / away))
    heading = between(random, 0, 2 * np.pi)
    # The die's lower edge is `away` in front of the coin's rim and turns up over it.
    middle = np.array([np.cos(lean) - np.sin(lean), np.cos(lean) + np.sin(lean)]) * size / 2
    level = np.asarray(at) - _way(heading) * (coin.half[0] + away - middle[0])
    pose = _tilted(random, heading, lean, (*level, middle[1]))
    return [Falling(pose, size, fixed=True)], [coin]


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
    square = upright(heading) @ any_upright(random)
    axis = np.array([np.sin(heading), -np.cos(heading), 0.0])
    turned = about(axis, lean) @ square
    return Pose((float(at[0]), float(at[1]), float(at[2])), quaternion(turned))


def _flat(random: Random, heading: float, at: Vector, size: float) -> Pose:
    turned = upright(heading) @ any_upright(random)
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
    turned = upright(between(random, 0, 6)) @ any_upright(random)
    on_top = Falling(Pose(over, quaternion(turned)), dice[1].size)
    return [under, on_top, *dice[2:]]


_MANNERS: Final = {"strewn": _strewn, "heaped": _heaped, "rows": _in_rows, "stacked": _stacked}


def unsettle(random: Random, die: Falling, bumpiness_degrees: float) -> Falling:
    """A die at rest on a ground that isn't quite level under it."""
    tilt = float(np.radians(random.normal(0, bumpiness_degrees)))
    angle = between(random, 0, 2 * np.pi)
    axis = np.array([np.cos(angle), np.sin(angle), 0.0])
    turned = about(axis, tilt) @ die.pose.rotation
    x, y, z = die.pose.position
    sunk = (x, y, z - 0.4 * abs(tilt) * die.size)
    return replace(die, pose=Pose(sunk, quaternion(turned)))


DROP: Final = 0.3
_FRAME: Final = 4
_ROUND: Final = 28
_WALL_HEIGHT: Final = 30.0
_AWAY: Final = 0.8  # of the rim's thickness: so far out stand the walls


@dataclass(frozen=True, slots=True)
class Rim:
    """A tray's rim: half its inner width and depth, height, thickness, turned by `heading`.

    One of more than four `sides` has the inner radius `half_width`; 28 look round.
    """

    half_width: float
    half_depth: float
    height: float
    thickness: float
    heading: float
    sides: int = 4

    @property
    def many_sided(self) -> bool:
        """Whether it is round or nearly, rather than a frame."""
        return self.sides > _FRAME

    def bars(self) -> list[Block]:
        """The straight pieces that the rim is made of, from below the floor to its top."""
        return self._ring() if self.many_sided else self._frame()

    def walls(self) -> list[Block]:
        """Walls without height's end that keep falling dice over the tray or its rim."""
        walls = []
        for bar in self.bars():
            # Moved outward from the table's middle
            level = np.array(bar.middle[:2])
            way = level / max(float(np.linalg.norm(level)), 1e-9)
            x, y = level + way * (self.thickness * _AWAY)
            middle = (float(x), float(y), bar.middle[2] + _WALL_HEIGHT)
            half = (bar.half[0] * 1.5, bar.half[1], _WALL_HEIGHT)
            walls.append(Block(middle, half, bar.heading))
        return walls

    def mesh(self) -> Mesh:
        boxes = ((box_mesh(bar.half), heading_turn(bar.heading), bar.middle) for bar in self.bars())
        return joined([moved(box, turn, np.asarray(middle)) for box, turn, middle in boxes])

    def floor(self, repeats_over: float) -> Mesh:
        """The floor at z = 0; its paint repeats after that many sides."""
        width, depth = self.half_width + 0.05, self.half_depth + 0.05
        if self.many_sided:
            return self._plate(width, repeats_over)
        square = np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)])
        flat = sheet_mesh(square * [width, depth, 0], repeats_over)
        return moved(flat, heading_turn(self.heading), np.zeros(3))

    def inside(self, point: Vector, margin: float) -> bool:
        sine, cosine = np.sin(self.heading), np.cos(self.heading)
        across, along = cosine * point[0] + sine * point[1], cosine * point[1] - sine * point[0]
        if self.many_sided:
            return bool(np.hypot(across, along) < self.half_width - margin)
        return bool(
            abs(across) < self.half_width - margin and abs(along) < self.half_depth - margin
        )

    def _plate(self, radius: float, repeats_over: float) -> Mesh:
        """A floor of as many sides as the rim has, of that inner radius."""
        half = np.pi / self.sides
        angles = self.heading + half + 2 * half * np.arange(self.sides)
        outline = np.stack([np.cos(angles), np.sin(angles)], axis=1) * radius / np.cos(half)
        plate = prism_mesh(outline, DROP)
        atlas = (plate.points[:, :2] * [1, -1] / repeats_over).astype(np.float32)
        low = plate.points - np.array([0, 0, DROP], dtype=np.float32)
        return Mesh(low, plate.normals, atlas, plate.triangles)

    def _frame(self) -> list[Block]:
        width, depth, half = self.half_width, self.half_depth, self.thickness / 2
        bars = [((0.0, sign * (depth + half)), (width + 2 * half, half), 0.0) for sign in (-1, 1)]
        bars += [((sign * (width + half), 0.0), (depth, half), np.pi / 2) for sign in (-1, 1)]
        turn = heading_turn(self.heading)[:2, :2]
        return [self._bar(turn @ np.array(at), size, self.heading + a) for at, size, a in bars]

    def _ring(self) -> list[Block]:
        radius, half = self.half_width + self.thickness / 2, self.thickness / 2
        length = (self.half_width + self.thickness) * np.tan(np.pi / self.sides)
        angles = self.heading + np.arange(self.sides) * 2 * np.pi / self.sides
        return [
            self._bar(radius * np.array([np.cos(a), np.sin(a)]), (length, half), a + np.pi / 2)
            for a in angles
        ]

    def _bar(self, at: Vector, size: tuple[float, float], heading: float) -> Block:
        half = (float(size[0]), float(size[1]), (self.height + DROP) / 2)
        middle = (float(at[0]), float(at[1]), (self.height - DROP) / 2)
        return Block(middle, half, float(heading))


def any_rim(random: np.random.Generator, width: float, depth: float, heading: float) -> Rim:
    """A tray of about that inner width and depth."""
    height = float(random.choice([random.uniform(0.25, 0.8), random.uniform(0.8, 2.2)]))
    thickness = float(random.choice([random.uniform(0.08, 0.2), random.uniform(0.2, 0.8)]))
    sides = pick(random, ((0.68, _FRAME), (0.1, 6), (0.04, 8), (0.18, _ROUND)))
    half_width = width / 2 if sides == _FRAME else (width + depth) / 4
    return Rim(half_width, depth / 2, height, thickness, heading, sides)
