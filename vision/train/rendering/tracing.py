"""Scenes drawn by path tracing with mitsuba."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.train.rendering.camera import HEIGHT_PIXELS, WIDTH_PIXELS, Viewpoint
from vision.train.rendering.dice_set import paint_die, paint_surface
from vision.train.rendering.geometry import (
    Colour,
    DieShape,
    Mesh,
    Pose,
    ball_mesh,
    die_mesh,
    heading_turn,
)

Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Rod:
    """A round-ended rod between two points; `part` is `skin` or `sleeve`."""

    start: tuple[float, float, float]
    end: tuple[float, float, float]
    radius: float
    part: str


@dataclass(frozen=True, slots=True)
class Hand:
    """A right hand, palm down.

    `palm` is the middle of the palm in sides of a die, `heading_degrees` turns it to the left
    (0 reaches straight in from the player's side), `curl` bends the fingers, 0 flat to 1 closed.
    """

    palm: tuple[float, float, float]
    heading_degrees: float
    curl: float

    def back(self) -> tuple[Vector, Vector]:
        """The back of the hand, an ellipsoid turned as the hand is: its middle and its radii."""
        return np.asarray(self._placed(np.array([0.0, -0.4, 0.05]))), np.array([2.5, 3.0, 0.85])

    def rods(self) -> list[Rod]:
        """The hand, wrist and forearm in the table's coordinates."""
        return [
            Rod(self._placed(start), self._placed(end), radius, part)
            for start, end, radius, part in self._bones()
        ]

    def _placed(self, point: Vector) -> tuple[float, float, float]:
        x, y, z = np.asarray(self.palm) + heading_turn(np.radians(self.heading_degrees)) @ point
        return float(x), float(y), float(z)

    def _bones(self) -> Iterator[tuple[Vector, Vector, float, str]]:
        for side, reach in _FINGERS:
            knuckle = np.array([side, 1.5 + 0.4 * reach, -0.05 * side**2])
            yield from self._finger(knuckle, reach)
            heel = np.array([side * 0.62, -2.6, -0.1])
            yield heel, knuckle, 0.66, "skin"
        thumb = [np.array(joint) for joint in ((-1.4, -1.9, -0.3), (-3.2, -0.2, -0.9))]
        thumb.append(thumb[-1] + np.array([0.5 + self.curl, 1.7, -0.6 - 0.5 * self.curl]))
        for start, end in pairwise(thumb):
            yield start, end, 0.62, "skin"
        yield np.array([0.0, -2.4, 0.0]), np.array([0.0, -4.6, 0.5]), 1.2, "skin"
        yield np.array([0.0, -4.9, 0.6]), np.array([0.0, -16.0, 3.0]), 1.9, "sleeve"

    def _finger(self, knuckle: Vector, reach: float) -> Iterator[tuple[Vector, Vector, float, str]]:
        joint, bend = knuckle, 0.0
        for length, share, radius in _BONES:
            bend += np.radians(share) * (0.25 + self.curl)
            tip = joint + length * reach * np.array([0.0, np.cos(bend), -np.sin(bend)])
            yield joint, tip, radius, "skin"
            joint = tip


_FINGERS: Final = ((-1.75, 0.95), (-0.6, 1.05), (0.6, 1.0), (1.7, 0.8))
_BONES: Final = ((2.2, 25.0, 0.58), (1.4, 45.0, 0.53), (1.1, 35.0, 0.47))


@dataclass(frozen=True, slots=True)
class DieStyle:
    """What a set of dice looks like; colours are red, green, blue as a display shows them."""

    body: Colour
    pip: Colour
    lone_pip: Colour
    shape: DieShape
    roughness: float = 0.12


@dataclass(frozen=True, slots=True)
class Ground:
    """What the dice lie on: a kind of surface, its colour, and a tray's rim around it or none."""

    kind: str
    colour: Colour
    rim: Colour | None = None


@dataclass(frozen=True, slots=True)
class Light:
    """A lamp next to the table and the room's light.

    The lamp is a square of `size` sides of a die; `key` and `fill` are the shares of full white
    that the lamp and the room give to a white sheet on the table.
    """

    azimuth_degrees: float
    elevation_degrees: float
    size: float
    key: float
    fill: float
    lamp_tint: tuple[float, float, float] = (1.0, 0.95, 0.87)
    room_tint: tuple[float, float, float] = (0.95, 0.98, 1.0)


@dataclass(frozen=True, slots=True)
class Look:
    """One table: its dice, ground, light, viewpoint, and the skin and sleeve of who plays."""

    dice: DieStyle
    ground: Ground
    light: Light
    viewpoint: Viewpoint
    skin: Colour = (214, 164, 134)
    sleeve: Colour = (60, 74, 104)


_DRILLED: Final = DieShape(edge_radius=0.1, pip_radius=0.088, pip_depth=0.035)
_FLAT: Final = DieShape(edge_radius=0.07, pip_radius=0.092, pip_depth=0.0)
_CASINO: Final = DieShape(edge_radius=0.035, pip_radius=0.1, pip_depth=0.0)

_WHITE: Final = DieStyle((236, 235, 230), (22, 22, 24), (22, 22, 24), _DRILLED)
_WHITE_RED_ONE: Final = DieStyle((238, 236, 230), (26, 26, 28), (186, 28, 30), _DRILLED)
_IVORY: Final = DieStyle((234, 217, 178), (52, 30, 20), (52, 30, 20), _DRILLED, 0.2)
_RED: Final = DieStyle((178, 22, 28), (242, 240, 236), (242, 240, 236), _CASINO, 0.08)
_BLUE: Final = DieStyle((28, 62, 150), (240, 241, 244), (240, 241, 244), _FLAT)
_BLACK: Final = DieStyle((30, 30, 33), (238, 237, 232), (238, 237, 232), _DRILLED, 0.18)
_GREEN: Final = DieStyle((18, 104, 62), (243, 241, 232), (243, 241, 232), _FLAT)
_YELLOW: Final = DieStyle((238, 190, 40), (24, 22, 22), (24, 22, 22), _FLAT, 0.15)
_WHITE_BLUE: Final = DieStyle((233, 236, 240), (24, 48, 132), (24, 48, 132), _DRILLED)

_WALNUT_RIM: Final = (92, 58, 38)
_OAK_RIM: Final = (168, 122, 78)
_BLACK_RIM: Final = (44, 40, 40)

_LAMP_LEFT: Final = Light(-70, 52, 9, 0.72, 0.3)
_LAMP_BEHIND: Final = Light(125, 55, 11, 0.66, 0.34)
_WINDOW: Final = Light(95, 42, 16, 0.66, 0.34, (0.96, 0.98, 1.0), (1.0, 0.98, 0.95))
_CEILING: Final = Light(120, 74, 14, 0.7, 0.3, (1.0, 0.97, 0.92))
_EVENING: Final = Light(-120, 48, 7, 0.74, 0.22, (1.0, 0.9, 0.76), (0.9, 0.94, 1.0))

LOOKS: Final = (
    Look(_WHITE, Ground("felt", (34, 104, 66), _WALNUT_RIM), _LAMP_LEFT, Viewpoint(78, 0, 61)),
    Look(_RED, Ground("wood", (196, 156, 110)), _WINDOW, Viewpoint(70, 0, 60)),
    Look(
        _IVORY, Ground("felt", (112, 30, 36), _WALNUT_RIM), _EVENING, Viewpoint(82, 0, 60),
        (170, 118, 86), (150, 148, 140),
    ),
    Look(_BLUE, Ground("linen", (206, 196, 178)), _LAMP_BEHIND, Viewpoint(66, -6, 61)),
    Look(
        _BLACK, Ground("felt", (92, 112, 138), _OAK_RIM), _CEILING, Viewpoint(75, 4, 60),
        (116, 78, 58), (150, 60, 56),
    ),
    Look(
        _WHITE_RED_ONE, Ground("leather", (104, 64, 42), _BLACK_RIM), _LAMP_LEFT,
        Viewpoint(80, 0, 61),
    ),
    Look(_GREEN, Ground("wood", (214, 184, 142)), _CEILING, Viewpoint(72, 6, 60)),
    Look(
        _YELLOW, Ground("felt", (58, 60, 68), _BLACK_RIM), _WINDOW, Viewpoint(84, 0, 60),
        (226, 184, 158), (70, 96, 70),
    ),
    Look(_WHITE_BLUE, Ground("wood", (120, 76, 48)), _EVENING, Viewpoint(68, -4, 60)),
)  # fmt: skip


# A die that moved by less could look the same to a coarse eye.
_A_MOVE: Final = 0.8
_LET_GO: Final = 3
_MOMENTS: Final = 4


@dataclass(frozen=True, slots=True)
class Tray:
    """The inside of a tray around the table's origin: half its width and half its depth."""

    half_width: float
    half_depth: float


@dataclass(frozen=True, slots=True)
class DiceRoll:
    """Dice on their way and at rest.

    `flight` holds the poses of all dice every hundredth of a second from the hand on, the last are
    at rest; `kept` are the dice that were on the table all along.
    """

    flight: tuple[tuple[Pose, ...], ...]
    kept: tuple[bool, ...]

    @property
    def rest(self) -> tuple[Pose, ...]:
        return self.flight[-1]

    @property
    def faces(self) -> tuple[int, ...]:
        return tuple(pose.top for pose in self.rest)

    def underway(self) -> list[tuple[Pose, ...]]:
        """Four states of the dice tumbling, spread evenly along the way they travel."""
        steps = [apart(one, other) for one, other in pairwise(self.flight)]
        way = np.concatenate([[0.0], np.cumsum(steps)])
        away = [apart(poses, self.rest) for poses in self.flight]
        last = max(step for step, each in enumerate(away) if each > _A_MOVE)
        wanted = np.linspace(way[_LET_GO], way[last], _MOMENTS)
        return [self.flight[int(np.searchsorted(way, at))] for at in wanted]

    @property
    def lively(self) -> bool:
        """Whether its states underway and its rest are each clearly apart from the one before."""
        shown = [*self.underway(), self.rest]
        return all(apart(one, other) > _A_MOVE for one, other in pairwise(shown))


def apart(some: Sequence[Pose], others: Sequence[Pose]) -> float:
    """How far the die that moved most is from where it was, its corners counted."""
    return max(
        float(np.linalg.norm(one.corners() - other.corners(), axis=1).max())
        for one, other in zip(some, others, strict=True)
    )


TRAY: Final = Tray(half_width=4.7, half_depth=3.5)
# Raised whenever the tracer draws the same scene differently, so that old pictures aren't reused.
_TRACER_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Scene:
    """A table with dice on it or over it, perhaps a hand, and how carefully to draw it.

    `samples` are light paths a pixel; `seed` is that of the light paths.
    """

    look: Look
    dice: tuple[Pose, ...]
    hand: Hand | None
    samples: int
    seed: int

    @property
    def digest(self) -> str:
        """A name for the picture that changes with anything that is drawn."""
        return sha256(f"{_TRACER_VERSION} {self!r}".encode()).hexdigest()[:24]


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
    found = (Path("/usr/lib").glob(f"*/libLLVM*{number}*") for number in (19, 18, 17))
    libraries = [str(path) for paths in found for path in paths]
    for library in (os.environ.get("DRJIT_LIBLLVM_PATH"), *libraries):
        if library is not None and _draws_with(library):
            os.environ["DRJIT_LIBLLVM_PATH"] = library
            return _LLVM
    return _SCALAR


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
        look = scene.look
        return {
            "type": "scene",
            "integrator": {"type": "path", "max_depth": 5},
            **self._lights(look.light),
            **self._ground(look.ground),
            **self._dice(look.dice, scene.dice),
            **self._hand(look, scene.hand),
            "sensor": self._camera(look.viewpoint, scene.samples),
        }

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
        shape = style.shape
        name = f"{shape.edge_radius}-{shape.pip_radius}-{shape.pip_depth}"
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
                "filename": self._written(name, lambda: die_mesh(shape)),
                "to_world": transform(pose.matrix),
                "bsdf": material,
            }
            for index, pose in enumerate(poses)
        }

    def _written(self, name: str, mesh: Callable[[], Mesh]) -> str:
        """The file of a mesh, which is made once."""
        path = self._meshes / f"{name}.ply"
        if not path.exists():
            mesh().save_ply(path)
        return str(path)

    def _hand(self, look: Look, hand: Hand | None) -> dict[str, Any]:
        if hand is None:
            return {}
        transform = self._mitsuba.ScalarTransform4f
        middle, radii = hand.back()
        turn = transform().rotate([0, 0, 1], hand.heading_degrees)
        place = transform().translate(middle.tolist()) @ turn @ transform().scale(radii.tolist())
        skin = {"type": "diffuse", "reflectance": _rgb(look.skin)}
        parts: dict[str, Any] = {
            "back": {
                "type": "ply",
                "filename": self._written("ball", ball_mesh),
                "to_world": place,
                "bsdf": skin,
            }
        }
        for index, rod in enumerate(hand.rods()):
            name = str(index)
            colour = look.skin if rod.part == "skin" else look.sleeve
            material = {"type": "diffuse", "reflectance": _rgb(colour)}
            shape = {"radius": rod.radius, "bsdf": material}
            parts |= {
                f"rod{name}": {"type": "cylinder", "p0": list(rod.start), "p1": list(rod.end)}
                | shape,
                f"start{name}": {"type": "sphere", "center": list(rod.start)} | shape,
                f"end{name}": {"type": "sphere", "center": list(rod.end)} | shape,
            }
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


def _rgb(colour: Colour) -> dict[str, Any]:
    shown = np.array(colour) / 255
    dark = shown <= 0.04045  # noqa: PLR2004
    return _linear(np.where(dark, shown / 12.92, ((shown + 0.055) / 1.055) ** 2.4))


def _linear(value: NDArray[np.float64]) -> dict[str, Any]:
    return {"type": "rgb", "value": value.tolist()}
