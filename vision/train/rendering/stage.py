"""Everything in one training picture, drawn by chance from its seed and number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.train.rendering.arrangement import Space, arrange, unsettle
from vision.train.rendering.backgrounds import PIXELS, Ground, any_ground
from vision.train.rendering.chance import Random, between, by_scale, happens, pick
from vision.train.rendering.clutter import Thing, any_thing
from vision.train.rendering.dice_set import DiceSet, any_set
from vision.train.rendering.hand import Hand
from vision.train.rendering.lens import Lens, any_lens
from vision.train.rendering.material import Colour, Material
from vision.train.rendering.room import WIDE, Light, any_room
from vision.train.rendering.settled import Block, Falling
from vision.train.rendering.texturing import dress, face_pixels
from vision.train.rendering.tray import Rim, any_rim

Vector = NDArray[np.float64]
_SMALLEST_SHARE: Final = 0.019
_LARGEST_SHARE: Final = 0.34
_SHARE_OF_NONE: Final = 0.04
_A_FEW: Final = 4
_TALL: Final = 0.7
_HAND_SHARE: Final = 0.13
_SKINS: Final[tuple[Colour, ...]] = (
    (214, 164, 134),
    (170, 118, 86),
    (116, 78, 58),
    (232, 192, 168),
)


@dataclass(frozen=True, slots=True, eq=False)
class StagedDie:
    """A die at rest, and which of the stage's sets it belongs to."""

    die: Falling
    dressed: int

    def points(self, local: Vector) -> Vector:
        """Points of the die of side one (N x 3), in the table's coordinates."""
        pose = self.die.pose
        return np.asarray(np.asarray(pose.position) + self.die.size * local @ pose.rotation.T)


@dataclass(frozen=True, slots=True, eq=False)
class Stage:
    """A table with dice and clutter, its light and the camera over it.

    `dressings` are the paints of `sets`, one each; `repeats_over` says after how many sides of
    a die the ground's paint repeats.
    """

    lens: Lens
    room: Light
    sets: tuple[DiceSet, ...]
    dressings: tuple[Material, ...]
    dice: tuple[StagedDie, ...]
    things: tuple[Thing, ...]
    ground: Ground
    beyond: Ground | None
    rim: Rim | None
    rim_material: Material
    repeats_over: float
    hand: Hand | None
    skin: Colour
    sleeve: Colour
    manner: str


def any_stage(random: Random) -> Stage:
    """A stage; the same state of chance gives the same one."""
    count = _count(random)
    share = _share(random, count)
    lens = any_lens(random, share)
    rim = _rim(random, lens, count) if happens(random, 0.25) else None
    sets, dressings = _sets(random, share * max(lens.width, lens.height))
    things = _things(random, lens, rim, share)
    sizes, dressed = _sizes(random, count, len(sets))
    blocks = [*_blocks(things), *((*rim.bars(), *rim.walls()) if rim else ())]
    tall = _clear([one for one in things if one.half[2] > _TALL], None)
    free = Space(_spots(random, lens, rim, tall), _clear(things, rim))
    placed = arrange(random, sizes, free, blocks)
    repeats_over = 1.15 / share
    ground = any_ground(random, PIXELS / repeats_over)
    dice = [unsettle(random, die, ground.bumpiness_degrees) for die in placed.dice]
    beyond = any_ground(random, PIXELS / repeats_over) if rim else None
    return Stage(
        lens, _light(random, sets), sets, dressings,
        tuple(StagedDie(die, number) for die, number in zip(dice, dressed, strict=False)),
        (*things, *placed.things), ground, beyond, rim, _rim_material(random), repeats_over,
        _hand(random, lens, share), _skin(random), _sleeve(random), placed.manner,
    )  # fmt: skip


def _count(random: Random) -> int:
    if happens(random, _SHARE_OF_NONE):
        return 0
    low, high = pick(random, ((0.2, (1, 3)), (0.54, (3, 9)), (0.19, (9, 21)), (0.07, (21, 41))))
    return int(random.integers(low, high))


def _share(random: Random, count: int) -> float:
    """A die's side as a share of the picture's longer side: as many as there are must fit."""
    largest = min(_LARGEST_SHARE, (0.34 / max(count, 1)) ** 0.5)
    middle = random.triangular(np.log(_SMALLEST_SHARE), np.log(0.065), np.log(_LARGEST_SHARE))
    wanted = np.exp(middle) if happens(random, 0.7) else by_scale(random, _SMALLEST_SHARE, 0.12)
    if count < _A_FEW and happens(random, 0.3):
        wanted = random.uniform(0.12, _LARGEST_SHARE)
    return float(min(wanted, largest * random.uniform(0.6, 1)))


def _sets(random: Random, die_pixels: float) -> tuple[tuple[DiceSet, ...], tuple[Material, ...]]:
    """Mostly one set of dice, in one picture of three several."""
    count = 1 if happens(random, 0.66) else int(random.integers(2, 7))
    cells = int(np.clip(die_pixels / 3, 14, 44))
    drawn = [any_set(random) for _ in range(count)]
    sets = [replace(one, shape=replace(one.shape, cells=cells)) for one in drawn]
    return tuple(sets), tuple(dress(one, face_pixels(die_pixels), random) for one in sets)


def _sizes(random: Random, count: int, sets: int) -> tuple[list[float], list[int]]:
    """Each die's size, and the number of its set."""
    of_set = [1.0 if happens(random, 0.5) else between(random, 0.75, 1.3) for _ in range(sets)]
    of_set[0] = 1.0
    dressed = [int(number) for number in random.integers(0, sets, count)]
    return [of_set[number] for number in dressed], dressed


def _rim(random: Random, lens: Lens, count: int) -> Rim:
    """A tray about as large as what the camera sees, turned about as the camera is."""
    longer = max(lens.width, lens.height)
    seen = np.array([lens.width, lens.height]) / longer * (longer / lens.die_pixels())
    seen[1] /= np.sin(np.radians(lens.elevation_degrees))
    width, depth = seen * random.uniform(0.62, 1.15, 2)
    least = (2.6 * max(count, 1)) ** 0.5
    grow = max(1.0, least / float(min(width, depth)))
    heading = float(np.radians(lens.azimuth_degrees + lens.roll_degrees + random.normal(0, 7)))
    return any_rim(random, float(width * grow), float(depth * grow), heading)


def _light(random: Random, sets: Sequence[DiceSet]) -> Light:
    clear = any(one.clear > 0 for one in sets)
    return any_room(random, WIDE) if clear else any_room(random)


def _rim_material(random: Random) -> Material:
    ground = any_ground(random, between(random, 20, 90))
    return ground.material


def _spots(
    random: Random, lens: Lens, rim: Rim | None, clear: Callable[[Vector, float], bool]
) -> Callable[[], Vector]:
    """Places in the picture, inside the tray where there is one, and clear of something."""
    margin = 0.5 * lens.die_pixels() * random.uniform(0.2, 1.4)
    edge = np.array([min(margin, lens.width * 0.3), min(margin, lens.height * 0.3)])
    size = np.array([lens.width, lens.height])

    def spot() -> Vector:
        at = np.zeros(2)
        for _ in range(40):
            pixel = random.uniform(edge, size - edge)
            at = lens.ground(pixel[None], 0.5)[0, :2]
            if (rim is None or rim.inside(at, 0.8)) and clear(at, 0.9):
                return at
        return at * 0.1

    return spot


def _clear(things: Sequence[Thing], rim: Rim | None) -> Callable[[Vector, float], bool]:
    """Whether a place of the table has neither clutter nor a rim so near."""

    def clear(at: Vector, around: float) -> bool:
        free = all(np.hypot(*(at - one.middle[:2])) > one.reach + around for one in things)
        return free and (rim is None or rim.inside(at, around))

    return clear


def _things(random: Random, lens: Lens, rim: Rim | None, share: float) -> tuple[Thing, ...]:
    """Clutter in about half of the pictures, more where the table is wide."""
    most = 2 + int(0.35 / share)
    count = int(random.integers(1, min(most, 14) + 1)) if happens(random, 0.45) else 0
    spot = _spots(random, lens, rim, lambda _at, _around: True)
    things: list[Thing] = []
    for _ in range(count):
        one = any_thing(random, spot())
        clear = all(_apart(one, other) for other in things) and one.reach < 0.4 / share
        if clear and (rim is None or rim.inside(np.array(one.middle), one.reach)):
            things.append(one)
    return tuple(things)


def _apart(one: Thing, other: Thing) -> bool:
    away = np.hypot(one.middle[0] - other.middle[0], one.middle[1] - other.middle[1])
    return bool(away > one.reach + other.reach)


def _blocks(things: Sequence[Thing]) -> list[Block]:
    return [Block(one.middle, one.half, one.heading, one.round) for one in things]


def _hand(random: Random, lens: Lens, share: float) -> Hand | None:
    """A hand in a few of the pictures that are wide enough for one."""
    if share > _HAND_SHARE or not happens(random, 0.06):
        return None
    pixel = random.uniform([0, 0], [lens.width, lens.height])
    at = lens.ground(pixel[None], 2.0)[0]
    inward = np.degrees(np.arctan2(at[0], -at[1])) + random.normal(0, 35)
    height = between(random, 1.4, 4)
    return Hand((float(at[0]), float(at[1]), height), float(inward), between(random, 0.1, 0.9))


def _skin(random: Random) -> Colour:
    return _SKINS[int(random.integers(len(_SKINS)))]


def _sleeve(random: Random) -> Colour:
    red, green, blue = (int(part) for part in random.integers(20, 200, 3))
    return red, green, blue
