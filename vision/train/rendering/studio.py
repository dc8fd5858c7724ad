"""Stages drawn by path tracing with mitsuba: light as it falls into the camera, and what it saw.

Every surface has the same kind of material with the same kinds of textures, so that mitsuba's
compiled variant compiles a handful of kernels once, and not one a picture.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.train.rendering.arrangement import (
    DROP,
    Block,
    Falling,
    Rim,
    Space,
    any_rim,
    arrange,
    unsettle,
)
from vision.train.rendering.backgrounds import PIXELS, PaintedGround, any_ground
from vision.train.rendering.camera import (
    WIDE,
    Lens,
    Light,
    any_lens,
    any_room,
    denoise,
    without_grain,
)
from vision.train.rendering.chance import Random, between, by_scale, happens, pick
from vision.train.rendering.clutter import Thing, any_thing
from vision.train.rendering.dice_set import DiceSet, any_set, dress, face_pixels
from vision.train.rendering.geometry import (
    Colour,
    Material,
    Mesh,
    Share,
    ball_mesh,
    die_mesh,
    joined,
    moved,
    plain,
    rod_mesh,
    sheet_mesh,
    upright,
)
from vision.train.rendering.tracing import Hand, fastest_variant

Vector = NDArray[np.float64]
Part = tuple[Mesh, Material]
_SMALLEST_SHARE: Final = 0.019
_LARGEST_SHARE: Final = 0.34
_FILLING_SHARE: Final = 0.8  # one die from so near that it fills the picture
_SHARE_OF_NONE: Final = 0.04
_A_FEW: Final = 4
_TALL: Final = 0.7
_HAND_SHARE: Final = 0.13
SKINS: Final[tuple[Colour, ...]] = (
    (214, 164, 134), (170, 118, 86), (116, 78, 58), (232, 192, 168),
)  # fmt: skip


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
class DiceStage:
    """A table with dice and clutter, its light and the camera over it.

    `dressings` are the paints of `sets`, one each; the ground's paint repeats after `repeats_over`
    sides of a die.
    """

    lens: Lens
    room: Light
    sets: tuple[DiceSet, ...]
    dressings: tuple[Material, ...]
    dice: tuple[StagedDie, ...]
    things: tuple[Thing, ...]
    ground: PaintedGround
    beyond: PaintedGround | None
    rim: Rim | None
    rim_material: Material
    repeats_over: float
    hand: Hand | None
    skin: Colour
    sleeve: Colour
    manner: str


def any_stage(random: Random) -> DiceStage:
    """A stage; the same state of chance gives the same one."""
    count = _count(random)
    share = _share(random, count)
    lens = any_lens(random, share)
    rim = _rim(random, lens, count) if happens(random, 0.25) else None
    sets, dressings = _sets(random, share * max(lens.width, lens.height))
    things = _things(random, lens, rim, share)
    sizes, dressed = _sizes(random, count, len(sets))
    blocks = [
        *[Block(one.middle, one.half, one.heading, one.round) for one in things],
        *((*rim.bars(), *rim.walls()) if rim else ()),
    ]
    tall = _clear([one for one in things if one.half[2] > _TALL], None)
    free = Space(_spots(random, lens, rim, tall), _clear(things, rim))
    placed = arrange(random, sizes, free, blocks)
    repeats_over = 1.15 / share
    ground = any_ground(random, PIXELS / repeats_over)
    dice = [unsettle(random, die, ground.bumpiness_degrees) for die in placed.dice]
    beyond = any_ground(random, PIXELS / repeats_over) if rim else None
    room = any_room(random, WIDE) if any(one.clear > 0 for one in sets) else any_room(random)
    rim_material = any_ground(random, between(random, 20, 90)).material
    hand = _any_hand(random, lens, share)
    skin = SKINS[int(random.integers(len(SKINS)))]
    red, green, blue = (int(part) for part in random.integers(20, 200, 3))
    return DiceStage(
        lens, room, sets, dressings,
        tuple(StagedDie(die, number) for die, number in zip(dice, dressed, strict=False)),
        (*things, *placed.things), ground, beyond, rim, rim_material, repeats_over,
        hand, skin, (red, green, blue), placed.manner,
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
    if count == 1 and happens(random, 0.25):
        return between(random, _LARGEST_SHARE, _FILLING_SHARE)
    if count < _A_FEW and happens(random, 0.3):
        wanted = random.uniform(0.12, _LARGEST_SHARE)
    return float(min(wanted, largest * random.uniform(0.6, 1)))


def _sets(random: Random, die_pixels: float) -> tuple[tuple[DiceSet, ...], tuple[Material, ...]]:
    count = 1 if happens(random, 0.66) else int(random.integers(2, 7))
    cells = int(np.clip(die_pixels / 3, 14, 44))
    drawn = [any_set(random) for _ in range(count)]
    sets = [replace(one, shape=replace(one.shape, cells=cells)) for one in drawn]
    return tuple(sets), tuple(dress(one, face_pixels(die_pixels), random) for one in sets)


def _sizes(random: Random, count: int, sets: int) -> tuple[list[float], list[int]]:
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
        apart = all(
            np.hypot(*np.subtract(one.middle, other.middle)[:2]) > one.reach + other.reach
            for other in things
        )
        inside = rim is None or rim.inside(np.array(one.middle), one.reach)
        if apart and inside and one.reach < 0.4 / share:
            things.append(one)
    return tuple(things)


def _any_hand(random: Random, lens: Lens, share: float) -> Hand | None:
    """A hand in a few of the pictures that are wide enough for one."""
    if share > _HAND_SHARE or not happens(random, 0.06):
        return None
    pixel = random.uniform([0, 0], [lens.width, lens.height])
    at = lens.ground(pixel[None], 2.0)[0]
    inward = np.degrees(np.arctan2(at[0], -at[1])) + random.normal(0, 35)
    height = between(random, 1.4, 4)
    return Hand((float(at[0]), float(at[1]), height), float(inward), between(random, 0.1, 0.9))


_SAMPLES: Final = 8
_BARE_SAMPLES: Final = 8
_MATERIALS: Final = 8
_BEYOND: Final = 40.0
_SHALLOW: Final = 4
_DEEP: Final = 7


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """What came into the camera.

    `light` is linear, H x W x 3 (red, green, blue); `seen` is the point, in the table's
    coordinates, that each pixel shows, H x W x 3. `paint` is the bare colour there without any
    light, linear, H x W x 3, where it was asked for.
    """

    light: NDArray[np.float32]
    seen: NDArray[np.float32]
    paint: NDArray[np.float32] | None = None

    def without_grain(self) -> Light:
        return without_grain(self.light) if self.paint is None else denoise(self.light, self.paint)


@dataclass(frozen=True, slots=True, eq=False)
class Scenery:
    """What is to be drawn: the camera, the light from all around, and painted surfaces.

    `deep` follows the light farther, as clear things need it; `samples` are light paths a pixel.
    With `painted` the bare paint is returned too, and each pixel is the mean of its own square.
    """

    lens: Lens
    room: Light
    parts: Sequence[Part]
    deep: bool = False
    samples: int = _SAMPLES
    painted: bool = False


class Studio:
    """Draws stages; the same stage and seed give the same shot, but for rounding."""

    def __init__(self, mitsuba: Any, folder: Path) -> None:
        self._mitsuba = mitsuba
        self._compiles = mitsuba.variant().startswith("llvm")
        self._folder = folder

    def shoot(self, stage: DiceStage, seed: int) -> Shot:
        return self.trace(scenery(stage), seed)

    def trace(self, shown: Scenery, seed: int) -> Shot:
        scene = self._mitsuba.load_dict(self._describe(shown))
        self._loosen(scene)
        traced = self._mitsuba.render(scene, spp=shown.samples, seed=seed)
        light = np.nan_to_num(np.array(traced, dtype=np.float32), posinf=0.0)
        paint = None
        if shown.painted:  # through the same lens
            paint = np.nan_to_num(self._look(scene, "what:albedo", spp=_BARE_SAMPLES))
        # Once through every pixel, through a lens that blurs nothing
        sensor = self._mitsuba.load_dict(self._camera(shown.lens, sharp=True))
        shot = Shot(light, self._look(scene, "where:position", sensor=sensor, spp=1), paint)
        del scene, sensor
        # The next scene's kernels are the same only if nothing of this one is left.
        gc.collect()
        return shot

    def _loosen(self, scene: Any) -> None:
        """Keep the lens's figures out of the compiled kernels, which then serve every lens."""
        if not self._compiles:
            return
        import drjit  # noqa: PLC0415  comes with mitsuba, of the training extra

        figures = self._mitsuba.traverse(scene)
        for name in ("sensor.aperture_radius", "sensor.focus_distance"):
            loose = self._mitsuba.Float(figures[name])
            drjit.make_opaque(loose)
            figures[name] = loose
        figures.update()

    def _look(self, scene: Any, what: str, **how: Any) -> NDArray[np.float32]:
        """Something else than light in every pixel, H x W x 3."""
        looker = self._mitsuba.load_dict({"type": "aov", "aovs": what})
        seen = np.array(self._mitsuba.render(scene, integrator=looker, **how))
        return np.asarray(seen[..., -3:], dtype=np.float32)

    def _describe(self, shown: Scenery) -> dict[str, Any]:
        around = self._mitsuba.Bitmap(np.ascontiguousarray(shown.room))
        turned = self._mitsuba.ScalarTransform4f().rotate([1, 0, 0], 90)
        depth = _DEEP if shown.deep else _SHALLOW
        described: dict[str, Any] = {
            "type": "scene",
            "integrator": {"type": "path", "max_depth": depth, "rr_depth": 3},
            "sensor": self._camera(shown.lens, boxed=shown.painted),
            "room": {"type": "envmap", "bitmap": around, "to_world": turned},
        }
        for number, (mesh, material) in enumerate([*shown.parts, *_hidden(len(shown.parts))]):
            path = self._folder / f"part{number}.ply"
            mesh.save_ply(path)
            surface = self._surface(material)
            described[path.stem] = {"type": "ply", "filename": str(path), "bsdf": surface}
        return described

    def _camera(self, lens: Lens, *, sharp: bool = False, boxed: bool = False) -> dict[str, Any]:
        transform = self._mitsuba.ScalarTransform4f
        (_, down, forward), eye = lens.axes, lens.eye
        place = transform().look_at(
            origin=eye.tolist(), target=(eye + forward).tolist(), up=(-down).tolist()
        )
        film = {"type": "hdrfilm", "width": lens.width, "height": lens.height}
        filtering = {"type": "box"} if sharp or boxed else {"type": "gaussian", "stddev": 0.42}
        return {
            "type": "thinlens",
            "fov": lens.field_degrees,
            "fov_axis": "larger",
            "aperture_radius": 1e-5 if sharp else lens.aperture,
            "focus_distance": 10.0 if sharp else lens.focus,
            "to_world": place,
            "film": film | {"rfilter": filtering, "pixel_format": "rgb"},
            "sampler": {"type": "independent"},
        }

    def _surface(self, material: Material) -> dict[str, Any]:
        scale = self._mitsuba.ScalarTransform3f().scale(list(material.repeats))
        bitmap = self._mitsuba.Bitmap(np.ascontiguousarray(material.paint))
        paint = {"type": "bitmap", "bitmap": bitmap, "to_uv": scale, "wrap_mode": "mirror"}
        return {
            "type": "principled",
            "base_color": paint,
            "roughness": self._share(material.roughness),
            "metallic": self._share(material.metal),
            "spec_trans": self._share(material.clear),
            "eta": 1.49,
        }

    def _share(self, share: Share | float) -> dict[str, Any]:
        plane = np.full((2, 2), share) if isinstance(share, float) else share
        bitmap = self._mitsuba.Bitmap(np.ascontiguousarray(plane[..., None], dtype=np.float32))
        return {"type": "bitmap", "bitmap": bitmap, "raw": True}


@contextmanager
def open_studio(threads: int | None = None) -> Iterator[Studio]:
    """A studio with the fastest variant that works here, on that many threads (all by default)."""
    variant = fastest_variant()
    import drjit  # noqa: PLC0415  loads LLVM, and only after the probe knows which
    import mitsuba  # noqa: PLC0415

    mitsuba.set_variant(variant)
    mitsuba.set_log_level(mitsuba.LogLevel.Error)
    if threads is not None and variant.startswith("llvm"):
        drjit.set_thread_count(threads)
    with TemporaryDirectory() as folder:
        yield Studio(mitsuba, Path(folder))


def scenery(stage: DiceStage) -> Scenery:
    """A stage as painted surfaces."""
    low = 0.0 if stage.rim is None else -DROP
    table = table_mesh(stage.lens, stage.repeats_over, low)
    parts = [*_dice(stage), (table, (stage.beyond or stage.ground).material)]
    if stage.rim is not None:
        parts.append((stage.rim.floor(stage.repeats_over), stage.ground.material))
        parts.append((stage.rim.mesh(), stage.rim_material))
    parts += [(thing.mesh, thing.material) for thing in stage.things]
    if stage.hand is not None:
        parts += hand_parts(stage.hand, stage.skin, stage.sleeve)
    return Scenery(stage.lens, stage.room, parts, deep=any(one.clear > 0 for one in stage.sets))


def _dice(stage: DiceStage) -> Iterator[Part]:
    """The dice of each set as one mesh: mitsuba's kernels change with the number of meshes."""
    for number, (one, material) in enumerate(zip(stage.sets, stage.dressings, strict=True)):
        mesh = die_mesh(one.shape)
        dice = [
            moved(mesh.sized(die.size), die.pose.rotation, np.asarray(die.pose.position))
            for die in (each.die for each in stage.dice if each.dressed == number)
        ]
        if dice:
            yield joined(dice), material


def table_mesh(lens: Lens, repeats_over: float, height: float = 0.0) -> Mesh:
    """A level ground at some height, as far as the camera sees and farther."""
    corners = [(0, 0), (lens.width, 0), (lens.width, lens.height), (0, lens.height)]
    seen = np.abs(lens.ground(np.array(corners, dtype=np.float64))).max() + _BEYOND
    square = np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)]) * seen
    return sheet_mesh(square + np.array([0, 0, height]), repeats_over)


def _hidden(materials: int) -> list[Part]:
    """Specks far below the table that make up a round number of materials."""
    speck = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]) * 1e-3
    low = np.array([0, 0, -900.0])
    return [
        (sheet_mesh(speck + low - [0, 0, number], 1.0), plain((number, 0, 0), 0.5))
        for number in range(-materials % _MATERIALS)
    ]


def hand_parts(hand: Hand, skin: Colour, sleeve: Colour) -> Iterator[Part]:
    """The hand's skin and its sleeve."""
    rods = {
        part: [
            rod_mesh(np.array(r.start), np.array(r.end), r.radius)
            for r in hand.rods()
            if r.part == part
        ]
        for part in ("skin", "sleeve")
    }
    middle, radii = hand.back()
    ball = ball_mesh(cells=24)
    stretched = Mesh.of(ball.points * radii * 0.9, ball.normals, ball.atlas, ball.triangles)
    back = moved(stretched, upright(np.radians(hand.heading_degrees)), middle)
    yield joined([back, *rods["skin"]]), plain(skin, 0.55)
    yield joined(rods["sleeve"]), plain(sleeve, 0.9)
