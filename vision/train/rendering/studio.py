"""Stages drawn by path tracing with mitsuba: light as it falls into the camera, and what it saw.

Every surface has the same kind of material with the same kinds of textures, so that mitsuba's
compiled variant compiles a handful of kernels once, and not one a picture.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.train.rendering.hand import Hand
from vision.train.rendering.lens import Lens
from vision.train.rendering.material import Colour, Material, Share, plain
from vision.train.rendering.mesh import Mesh, ball_mesh, die_mesh
from vision.train.rendering.room import Light
from vision.train.rendering.rotations import upright
from vision.train.rendering.solids import joined, moved, rod_mesh, sheet_mesh
from vision.train.rendering.stage import Stage, StagedDie
from vision.train.rendering.tracing import fastest_variant
from vision.train.rendering.tray import DROP

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


@dataclass(frozen=True, slots=True, eq=False)
class Scenery:
    """What is to be drawn: the camera, the light from all around, and painted surfaces.

    `deep` follows the light farther, as clear things need it; `samples` are light paths a pixel.
    With `painted` the bare paint is told too, and each pixel is the mean of its own square.
    """

    lens: Lens
    room: Light
    parts: Sequence[tuple[Mesh, Material]]
    deep: bool = False
    samples: int = _SAMPLES
    painted: bool = False


class Studio:
    """Draws stages; the same stage and seed give the same shot, but for rounding."""

    def __init__(self, mitsuba: Any, folder: Path) -> None:
        self._mitsuba = mitsuba
        self._compiles = mitsuba.variant().startswith("llvm")
        self._folder = folder

    def shoot(self, stage: Stage, seed: int) -> Shot:
        """Trace the stage."""
        return self.trace(scenery(stage), seed)

    def trace(self, shown: Scenery, seed: int) -> Shot:
        """Trace anything that is made of painted surfaces."""
        scene = self._mitsuba.load_dict(self._describe(shown))
        self._loosen(scene)
        traced = self._mitsuba.render(scene, spp=shown.samples, seed=seed)
        light = np.nan_to_num(np.array(traced, dtype=np.float32), posinf=0.0)
        paint = self._bare(scene) if shown.painted else None
        shot = Shot(light, self._seen(scene, shown.lens), paint)
        del scene
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

    def _seen(self, scene: Any, lens: Lens) -> NDArray[np.float32]:
        """Look once through every pixel, through a lens that blurs nothing."""
        looker = self._mitsuba.load_dict({"type": "aov", "aovs": "where:position"})
        sensor = self._mitsuba.load_dict(self._camera(lens, sharp=True))
        seen = np.array(self._mitsuba.render(scene, integrator=looker, sensor=sensor, spp=1))
        return np.asarray(seen[..., -3:], dtype=np.float32)

    def _bare(self, scene: Any) -> NDArray[np.float32]:
        """The paint through the same lens."""
        looker = self._mitsuba.load_dict({"type": "aov", "aovs": "what:albedo"})
        bare = np.array(self._mitsuba.render(scene, integrator=looker, spp=_BARE_SAMPLES))
        return np.nan_to_num(np.asarray(bare[..., -3:], dtype=np.float32))

    def _describe(self, shown: Scenery) -> dict[str, Any]:
        depth = _DEEP if shown.deep else _SHALLOW
        described: dict[str, Any] = {
            "type": "scene",
            "integrator": {"type": "path", "max_depth": depth, "rr_depth": 3},
            "sensor": self._camera(shown.lens, boxed=shown.painted),
        }
        described["room"] = self._light(shown.room)
        parts = [*shown.parts, *_hidden(len(shown.parts))]
        for number, (mesh, material) in enumerate(parts):
            described[f"part{number}"] = self._shape(f"part{number}", mesh, material)
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

    def _light(self, room: Light) -> dict[str, Any]:
        around = self._mitsuba.Bitmap(np.ascontiguousarray(room))
        turned = self._mitsuba.ScalarTransform4f().rotate([1, 0, 0], 90)
        return {"type": "envmap", "bitmap": around, "to_world": turned}

    def _shape(self, name: str, mesh: Mesh, material: Material) -> dict[str, Any]:
        return {
            "type": "ply",
            "filename": self._file(name, mesh),
            "bsdf": self._surface(material),
        }

    def _file(self, name: str, mesh: Mesh) -> str:
        path = self._folder / f"{name}.ply"
        mesh.save_ply(path)
        return str(path)

    def _surface(self, material: Material) -> dict[str, Any]:
        return {
            "type": "principled",
            "base_color": self._paint(material),
            "roughness": self._share(material.roughness),
            "metallic": self._share(material.metal),
            "spec_trans": self._share(material.clear),
            "eta": 1.49,
        }

    def _paint(self, material: Material) -> dict[str, Any]:
        scale = self._mitsuba.ScalarTransform3f().scale(list(material.repeats))
        bitmap = self._mitsuba.Bitmap(np.ascontiguousarray(material.paint))
        return {"type": "bitmap", "bitmap": bitmap, "to_uv": scale, "wrap_mode": "mirror"}

    def _share(self, share: Share | float) -> dict[str, Any]:
        plane = np.full((2, 2), share) if isinstance(share, float) else share
        bitmap = self._mitsuba.Bitmap(np.ascontiguousarray(plane[..., None], dtype=np.float32))
        return {"type": "bitmap", "bitmap": bitmap, "raw": True}


@contextmanager
def open_studio(threads: int | None = None) -> Iterator[Studio]:
    """A studio with the fastest variant that works here, on so many threads (all by default)."""
    variant = fastest_variant()
    import drjit  # noqa: PLC0415  loads LLVM, and only after the probe knows which
    import mitsuba  # noqa: PLC0415

    mitsuba.set_variant(variant)
    mitsuba.set_log_level(mitsuba.LogLevel.Error)
    if threads is not None and variant.startswith("llvm"):
        drjit.set_thread_count(threads)
    with TemporaryDirectory() as folder:
        yield Studio(mitsuba, Path(folder))


def scenery(stage: Stage) -> Scenery:
    """A stage as painted surfaces."""
    deep = any(one.clear > 0 for one in stage.sets)
    parts = [*_dice(stage), *_ground(stage), *_clutter(stage), *_hand(stage)]
    return Scenery(stage.lens, stage.room, parts, deep)


def _dice(stage: Stage) -> Iterator[tuple[Mesh, Material]]:
    """The dice of each set as one mesh: mitsuba's kernels change with the number of meshes."""
    for number, (one, material) in enumerate(zip(stage.sets, stage.dressings, strict=True)):
        mesh = die_mesh(one.shape)
        dice = [_placed(mesh, die) for die in stage.dice if die.dressed == number]
        if dice:
            yield joined(dice), material


def _placed(mesh: Mesh, one: StagedDie) -> Mesh:
    sized = Mesh(mesh.points * np.float32(one.die.size), mesh.normals, mesh.atlas, mesh.triangles)
    return moved(sized, one.die.pose.rotation, np.asarray(one.die.pose.position))


def _ground(stage: Stage) -> Iterator[tuple[Mesh, Material]]:
    low = 0.0 if stage.rim is None else -DROP
    sheet = table_mesh(stage.lens, stage.repeats_over, low)
    yield sheet, (stage.beyond or stage.ground).material
    if stage.rim is not None:
        yield stage.rim.floor(stage.repeats_over), stage.ground.material
        yield stage.rim.mesh(), stage.rim_material


def table_mesh(lens: Lens, repeats_over: float, height: float = 0.0) -> Mesh:
    """A level ground at some height, as far as the camera sees and farther."""
    corners = [(0, 0), (lens.width, 0), (lens.width, lens.height), (0, lens.height)]
    seen = np.abs(lens.ground(np.array(corners, dtype=np.float64))).max() + _BEYOND
    square = np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)]) * seen
    return sheet_mesh(square + np.array([0, 0, height]), repeats_over)


def _hidden(materials: int) -> list[tuple[Mesh, Material]]:
    """Specks far below the table that make up a round number of materials."""
    speck = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]) * 1e-3
    low = np.array([0, 0, -900.0])
    return [
        (sheet_mesh(speck + low - [0, 0, number], 1.0), plain((number, 0, 0), 0.5))
        for number in range(-materials % _MATERIALS)
    ]


def _clutter(stage: Stage) -> Iterator[tuple[Mesh, Material]]:
    for thing in stage.things:
        yield thing.mesh, thing.material


def _hand(stage: Stage) -> Iterator[tuple[Mesh, Material]]:
    if stage.hand is not None:
        yield from hand_parts(stage.hand, stage.skin, stage.sleeve)


def hand_parts(hand: Hand, skin: Colour, sleeve: Colour) -> Iterator[tuple[Mesh, Material]]:
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
    points = (ball.points * radii * 0.9).astype(np.float32)
    stretched = Mesh(points, ball.normals, ball.atlas, ball.triangles)
    back = moved(stretched, upright(np.radians(hand.heading_degrees)), middle)
    yield joined([back, *rods["skin"]]), plain(skin, 0.55)
    yield joined(rods["sleeve"]), plain(sleeve, 0.9)
