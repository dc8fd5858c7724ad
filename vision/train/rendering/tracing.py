"""Scenes drawn by path tracing with mitsuba."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.train.rendering.die import Pose
from vision.train.rendering.hand import Hand, Rod
from vision.train.rendering.look import DieStyle, Ground, Light, Look
from vision.train.rendering.material import Colour
from vision.train.rendering.mesh import DieShape, ball_mesh, die_mesh
from vision.train.rendering.paint import paint_die, paint_surface
from vision.train.rendering.scene import TRAY, Scene
from vision.train.rendering.viewpoint import HEIGHT_PIXELS, WIDTH_PIXELS, Viewpoint

_LLVM: Final = "llvm_ad_rgb"
_SCALAR: Final = "scalar_rgb"
_LAMP_DISTANCE: Final = 32.0
_GROUND_HALF: Final = 12.0
_TRAY_HEIGHT: Final = 0.5
_RIM_WIDTH: Final = 0.42
_TABLE: Final[Colour] = (128, 96, 70)
_PROBE: Final = """
import mitsuba
mitsuba.set_variant("llvm_ad_rgb")
mitsuba.render(mitsuba.load_dict({"type": "scene", "sensor": {"type": "perspective", "film":
{"type": "hdrfilm", "width": 8, "height": 8}}, "light": {"type": "constant"}, "ball": {"type":
"sphere"}, "integrator": {"type": "path"}}), spp=1).numpy()
"""


def fastest_variant() -> str:
    """The mitsuba variant that works here; sets DRJIT_LIBLLVM_PATH where that is what it needs.

    The compiled variant aborts the whole process with some versions of LLVM, so each is tried
    in a child process; without a good one the interpreter (`scalar_rgb`) draws, 2.5 times slower.
    """
    for library in (os.environ.get("DRJIT_LIBLLVM_PATH"), *_llvm_libraries()):
        if library is not None and _draws_with(library):
            os.environ["DRJIT_LIBLLVM_PATH"] = library
            return _LLVM
    return _SCALAR


def _llvm_libraries() -> list[str]:
    found = [
        path for number in (19, 18, 17) for path in Path("/usr/lib").glob(f"*/libLLVM*{number}*")
    ]
    return [str(path) for path in found]


def _draws_with(library: str) -> bool:
    environment = os.environ | {"DRJIT_LIBLLVM_PATH": library}
    child = subprocess.run(  # noqa: S603  our own interpreter with a fixed text
        [sys.executable, "-c", _PROBE], env=environment, capture_output=True, check=False
    )
    return child.returncode == 0


class Tracer:
    """Draws scenes; the same scene gives the same picture on the same machine."""

    def __init__(self, mitsuba: Any, meshes: Path) -> None:
        self._mitsuba = mitsuba
        self._meshes = meshes

    def draw(self, scene: Scene) -> Image:
        """The scene's picture, 480 x 640 x 3, blue-green-red."""
        loaded = self._mitsuba.load_dict(self._describe(scene))
        light = np.asarray(self._mitsuba.render(loaded, spp=scene.samples, seed=scene.seed))
        return develop(light)

    def _describe(self, scene: Scene) -> dict[str, Any]:
        described: dict[str, Any] = {
            "type": "scene",
            "integrator": {"type": "path", "max_depth": 5},
        }
        described |= self._lights(scene.look.light)
        described |= self._ground(scene.look.ground)
        described |= self._dice(scene.look.dice, scene.dice)
        described |= self._hand(scene.look, scene.hand)
        described["sensor"] = self._camera(scene.look.viewpoint, scene.samples)
        return described

    def _camera(self, viewpoint: Viewpoint, samples: int) -> dict[str, Any]:
        transform = self._mitsuba.ScalarTransform4f
        place = transform().look_at(
            origin=viewpoint.eye.tolist(), target=[0, 0, 0], up=viewpoint.up.tolist()
        )
        film = {"type": "hdrfilm", "width": WIDTH_PIXELS, "height": HEIGHT_PIXELS}
        return {
            "type": "perspective",
            "fov": viewpoint.field_degrees,
            "fov_axis": "x",
            "to_world": place,
            "film": film | {"rfilter": {"type": "gaussian"}, "pixel_format": "rgb"},
            "sampler": {"type": "multijitter", "sample_count": samples},
        }

    def _lights(self, light: Light) -> dict[str, Any]:
        elevation, azimuth = np.radians([light.elevation_degrees, light.azimuth_degrees])
        level = np.cos(elevation) * np.array([np.sin(azimuth), -np.cos(azimuth)])
        place = _LAMP_DISTANCE * np.array([*level, np.sin(elevation)])
        transform = self._mitsuba.ScalarTransform4f
        stand = transform().look_at(origin=place.tolist(), target=[0, 0, 0], up=[0.1, 0.2, 1])
        bright = light.key * np.pi * _LAMP_DISTANCE**2 / (light.size**2 * np.sin(elevation))
        lamp = {"type": "rectangle", "to_world": stand @ transform().scale(light.size / 2)}
        lamp["emitter"] = {"type": "area", "radiance": _linear(bright * np.array(light.lamp_tint))}
        room = {"type": "constant", "radiance": _linear(light.fill * np.array(light.room_tint))}
        return {"lamp": lamp, "room": room}

    def _ground(self, ground: Ground) -> dict[str, Any]:
        transform = self._mitsuba.ScalarTransform4f
        half = np.array([_GROUND_HALF, _GROUND_HALF])
        parts: dict[str, Any] = {}
        if ground.rim is not None:
            half = np.array([TRAY.half_width, TRAY.half_depth])
            parts |= self._rim(ground.rim)
        material = {"type": "diffuse", "reflectance": self._surface(ground, half / _GROUND_HALF)}
        parts["ground"] = {
            "type": "rectangle",
            "to_world": transform().scale([*half.tolist(), 1.0]),
            "bsdf": material,
        }
        return parts

    def _surface(self, ground: Ground, share: NDArray[np.float64]) -> dict[str, Any]:
        # The grain belongs to the table, so that it stays from picture to picture.
        painted = paint_surface(ground.kind, ground.colour, seed=sum(ground.colour))
        scale = self._mitsuba.ScalarTransform3f().scale(share.tolist())
        return {"type": "bitmap", "bitmap": self._mitsuba.Bitmap(painted), "to_uv": scale}

    def _rim(self, colour: Colour) -> dict[str, Any]:
        transform = self._mitsuba.ScalarTransform4f
        width, depth, half = TRAY.half_width, TRAY.half_depth, _RIM_WIDTH / 2
        bars = [((sign * (width + half), 0.0), (half, depth + 2 * half)) for sign in (-1, 1)]
        bars += [((0.0, sign * (depth + half)), (width, half)) for sign in (-1, 1)]
        wood = {"type": "roughplastic", "alpha": 0.3, "diffuse_reflectance": _rgb(colour)}
        table = transform().translate([0, 0, -_TRAY_HEIGHT]).scale(_GROUND_HALF * 2)
        parts: dict[str, Any] = {
            f"rim{index}": {
                "type": "cube",
                "to_world": transform().translate([x, y, 0]).scale([w, d, _TRAY_HEIGHT]),
                "bsdf": wood,
            }
            for index, ((x, y), (w, d)) in enumerate(bars)
        }
        flat = {"type": "diffuse", "reflectance": _rgb(_TABLE)}
        return parts | {"table": {"type": "rectangle", "to_world": table, "bsdf": flat}}

    def _dice(self, style: DieStyle, poses: tuple[Pose, ...]) -> dict[str, Any]:
        painted = paint_die(style.shape, style.body, style.pip, style.lone_pip)
        material = {
            "type": "roughplastic",
            "alpha": style.roughness,
            "nonlinear": True,
            "diffuse_reflectance": {"type": "bitmap", "bitmap": self._mitsuba.Bitmap(painted)},
        }
        transform = self._mitsuba.ScalarTransform4f
        return {
            f"die{index}": {
                "type": "ply",
                "filename": str(self._mesh(style.shape)),
                "to_world": transform(_matrix(pose)),
                "bsdf": material,
            }
            for index, pose in enumerate(poses)
        }

    def _mesh(self, shape: DieShape) -> Path:
        path = self._meshes / f"{shape.edge_radius}-{shape.pip_radius}-{shape.pip_depth}.ply"
        if not path.exists():
            die_mesh(shape).save_ply(path)
        return path

    def _ball(self) -> Path:
        path = self._meshes / "ball.ply"
        if not path.exists():
            ball_mesh().save_ply(path)
        return path

    def _hand(self, look: Look, hand: Hand | None) -> dict[str, Any]:
        if hand is None:
            return {}
        transform = self._mitsuba.ScalarTransform4f
        middle, radii = hand.back()
        turn = transform().rotate([0, 0, 1], hand.heading_degrees)
        place = transform().translate(middle.tolist()) @ turn @ transform().scale(radii.tolist())
        skin = {"type": "diffuse", "reflectance": _rgb(look.skin)}
        parts: dict[str, Any] = {
            "back": {"type": "ply", "filename": str(self._ball()), "to_world": place, "bsdf": skin}
        }
        for index, rod in enumerate(hand.rods()):
            parts |= _rod(str(index), rod, look.skin if rod.part == "skin" else look.sleeve)
        return parts


@contextmanager
def open_tracer() -> Iterator[Tracer]:
    """A tracer with the fastest variant that works here."""
    variant = fastest_variant()
    import mitsuba  # noqa: PLC0415  loads LLVM, and only after the probe knows which

    mitsuba.set_variant(variant)
    with TemporaryDirectory() as meshes:
        yield Tracer(mitsuba, Path(meshes))


def develop(light: NDArray[np.floating[Any]]) -> Image:
    """Linear red-green-blue light as a display's 8 bits, blue-green-red, without its grain."""
    shown = np.clip(light, 0, 1).astype(np.float64)
    shown = np.where(shown < 0.0031308, 12.92 * shown, 1.055 * shown ** (1 / 2.4) - 0.055)  # noqa: PLR2004
    noisy = (shown[..., ::-1] * 255).round().astype(np.uint8)
    return np.asarray(cv2.fastNlMeansDenoisingColored(noisy, None, 3, 6, 3, 9), dtype=np.uint8)


def _rod(name: str, rod: Rod, colour: Colour) -> dict[str, Any]:
    material = {"type": "diffuse", "reflectance": _rgb(colour)}
    shape = {"radius": rod.radius, "bsdf": material}
    return {
        f"rod{name}": {"type": "cylinder", "p0": list(rod.start), "p1": list(rod.end)} | shape,
        f"start{name}": {"type": "sphere", "center": list(rod.start)} | shape,
        f"end{name}": {"type": "sphere", "center": list(rod.end)} | shape,
    }


def _matrix(pose: Pose) -> NDArray[np.float64]:
    matrix = np.eye(4)
    matrix[:3, :3] = pose.rotation
    matrix[:3, 3] = pose.position
    return matrix


def _rgb(colour: Colour) -> dict[str, Any]:
    shown = np.array(colour) / 255
    dark = shown <= 0.04045  # noqa: PLR2004
    return _linear(np.where(dark, shown / 12.92, ((shown + 0.055) / 1.055) ** 2.4))


def _linear(value: NDArray[np.float64]) -> dict[str, Any]:
    return {"type": "rgb", "value": value.tolist()}
