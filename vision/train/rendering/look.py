"""How an evening's table looks: dice, surface, light and viewpoint. The literal list of looks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from vision.train.rendering.material import Colour
from vision.train.rendering.mesh import DieShape
from vision.train.rendering.viewpoint import Viewpoint


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
    """A lamp beside the table and the room's light.

    The lamp is a square of `size` sides of a die; `key` and `fill` are the shares of full
    white that the lamp and the room give to a white sheet on the table.
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
        _IVORY,
        Ground("felt", (112, 30, 36), _WALNUT_RIM),
        _EVENING,
        Viewpoint(82, 0, 60),
        (170, 118, 86),
        (150, 148, 140),
    ),
    Look(_BLUE, Ground("linen", (206, 196, 178)), _LAMP_BEHIND, Viewpoint(66, -6, 61)),
    Look(
        _BLACK,
        Ground("felt", (92, 112, 138), _OAK_RIM),
        _CEILING,
        Viewpoint(75, 4, 60),
        (116, 78, 58),
        (150, 60, 56),
    ),
    Look(
        _WHITE_RED_ONE,
        Ground("leather", (104, 64, 42), _BLACK_RIM),
        _LAMP_LEFT,
        Viewpoint(80, 0, 61),
    ),
    Look(_GREEN, Ground("wood", (214, 184, 142)), _CEILING, Viewpoint(72, 6, 60)),
    Look(
        _YELLOW,
        Ground("felt", (58, 60, 68), _BLACK_RIM),
        _WINDOW,
        Viewpoint(84, 0, 60),
        (226, 184, 158),
        (70, 96, 70),
    ),
    Look(_WHITE_BLUE, Ground("wood", (120, 76, 48)), _EVENING, Viewpoint(68, -4, 60)),
)
