"""A set of dice as somebody might own it: colours, stuff, shape and pips, drawn by chance."""

from __future__ import annotations

import colorsys
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.train.rendering.chance import Random, between, happens, pick, pick_name
from vision.train.rendering.geometry import (
    LEFT_HANDED,
    Colour,
    DieShape,
    Layout,
    Material,
    Picture,
    Share,
    atlas_place,
    edges,
    normal,
)

_GOLD: Final[Colour] = (222, 176, 72)
_SILVER: Final[Colour] = (200, 202, 206)
_LIGHT_BODY: Final = 140.0
_DARK_METAL: Final = 100.0
_APART: Final = 60.0
_FAR: Final = 90


@dataclass(frozen=True, slots=True)
class DiceSet:
    """What a set of dice looks like; colours are red, green, blue as a display shows them.

    `pattern` is `plain`, `swirl`, `pearl`, `speckle`, `halves`, `medal`, `framed` or `wood`, made
    of `body` and `second`; `clear` is the share of light that passes, `metal` and `pip_metal` are
    shares too; `ring` is the inner radius of a ring pip, a share of its outer one (0: a disc).
    """

    name: str
    body: Colour
    second: Colour
    pip: Colour
    lone: Colour
    four: Colour
    shape: DieShape
    pattern: str = "plain"
    roughness: float = 0.2
    clear: float = 0.0
    metal: float = 0.0
    pip_metal: float = 0.0
    ring: float = 0.0


def any_set(random: Random) -> DiceSet:
    """A set of dice, common ones more often."""
    name = pick_name(random, _RECIPES)
    drawn = _RECIPES[name][1](random, any_shape(random))
    drawn = replace(drawn, name=name)
    if drawn.ring > 0 or not happens(random, _ASIAN.get(name, 0.06)):
        return drawn
    # The same with a large red one and mostly a red four, unless red wouldn't show
    red = vivid(random, hue=float(random.normal(0.99, 0.012)))
    if any(
        max(abs(a - b) for a, b in zip(red, under, strict=True)) < _FAR
        for under in (drawn.body, drawn.second)
    ):
        return drawn
    scale = between(random, 1.5, 2.3)
    shape = replace(drawn.shape, lone_scale=scale, pip_depth=max(drawn.shape.pip_depth, 0.015))
    four = red if happens(random, 0.7) else drawn.pip
    return replace(drawn, name=f"{drawn.name} red one", lone=red, four=four, shape=shape)


def any_shape(random: Random) -> DieShape:
    """How a die is cut: sharp, rounded or nearly a ball; pips of any usual size and place."""
    edge = float(random.choice([random.uniform(0.02, 0.06), random.uniform(0.06, 0.2)]))
    ball = 1.0 if happens(random, 0.6) else between(random, 0.66, 0.78)
    room = min(0.5 - 0.55 * edge, float(np.sqrt(ball**2 - 0.25)) / 2**0.5 + 0.06)
    radius = between(random, 0.062, 0.125)
    spread = float(np.clip(random.uniform(0.2, 0.3), 1.25 * radius, room - radius - 0.01))
    depth = float(random.choice([0.0, random.uniform(0.01, 0.05)], p=[0.3, 0.7]))
    layout = Layout(
        LEFT_HANDED if happens(random, 0.4) else Layout().numbers,
        frozenset(number for number in (2, 3, 6) if happens(random, 0.5)),
        spread,
    )
    lone = float(random.choice([1.0, random.uniform(1.0, 1.7)], p=[0.6, 0.4]))
    return DieShape(edge, min(radius, spread * 0.78), depth, ball, lone, layout=layout)


def from_hue(hue: float, saturation: float, value: float) -> Colour:
    """A colour by hue, saturation and value, each 0 to 1 (the hue wraps around)."""
    red, green, blue = colorsys.hsv_to_rgb(hue % 1, saturation, value)
    return round(red * 255), round(green * 255), round(blue * 255)


def vivid(random: Random, hue: float | None = None) -> Colour:
    """A saturated colour."""
    chosen = random.random() if hue is None else hue
    return from_hue(float(chosen), between(random, 0.7, 1), between(random, 0.4, 0.95))


def pastel(random: Random) -> Colour:
    """A pale colour."""
    saturation, value = between(random, 0.12, 0.4), between(random, 0.75, 0.98)
    return from_hue(float(random.random()), saturation, value)


def greyish(random: Random, dark: float, bright: float) -> Colour:
    """Nearly a grey between two values, 0 to 1."""
    value = between(random, dark, bright)
    return from_hue(float(random.random()), between(random, 0, 0.05), value)


def _ink(random: Random, body: Colour) -> Colour:
    """A pip's colour that differs clearly from the body."""
    white, black = greyish(random, 0.88, 0.98), greyish(random, 0.03, 0.14)
    coloured = vivid(random)
    if lightness(body) > _LIGHT_BODY:
        dark = (coloured[0] // 2, coloured[1] // 2, coloured[2] // 2)
        return pick(random, [(0.72, black), (0.28, dark)])
    bright = from_hue(float(random.choice([0.13, 0.16, 0.33, 0.5])), 0.7, 0.95)
    return pick(random, [(0.74, white), (0.14, _GOLD), (0.06, _SILVER), (0.06, bright)])


def lightness(colour: Colour) -> float:
    """How light a colour looks, 0 to 255."""
    return 0.3 * colour[0] + 0.59 * colour[1] + 0.11 * colour[2]


def _made(random: Random, shape: DieShape, body: Colour, pip: Colour | None = None) -> DiceSet:
    ink = _ink(random, body) if pip is None else pip
    lone = ink if happens(random, 0.92) else vivid(random)
    ring = between(random, 0.45, 0.7) if happens(random, 0.03) else 0.0
    metal = 0.9 if ink in (_GOLD, _SILVER) and happens(random, 0.6) else 0.0
    rough = float(random.choice([random.uniform(0.08, 0.25), random.uniform(0.25, 0.6)]))
    if abs(lightness(lone) - lightness(body)) < _APART:
        lone = ink
    return DiceSet(
        "", body, body, ink, lone, ink, shape, roughness=rough, pip_metal=metal, ring=ring
    )


def _white(random: Random, shape: DieShape) -> DiceSet:
    body = greyish(random, 0.86, 0.97)
    pips = [(0.7, greyish(random, 0.03, 0.14)), (0.12, from_hue(0.62, 0.85, 0.5))]
    pips += [(0.1, vivid(random, float(random.normal(0.99, 0.01)))), (0.08, vivid(random))]
    pip = pick(random, pips)
    return _made(random, shape, body, pip if lightness(pip) < _LIGHT_BODY else (20, 20, 22))


def _ivory(random: Random, shape: DieShape) -> DiceSet:
    hue, saturation = between(random, 0.09, 0.14), between(random, 0.12, 0.35)
    body = from_hue(hue, saturation, between(random, 0.8, 0.95))
    pips = [(0.7, greyish(random, 0.03, 0.14)), (0.3, from_hue(0.05, 0.6, 0.25))]
    return _made(random, shape, body, pick(random, pips))


def _saturated(random: Random, shape: DieShape) -> DiceSet:
    hue = float(random.choice([0.0, 0.6, 0.35, 0.13, random.random()]) + random.normal(0, 0.015))
    return _made(random, shape, vivid(random, hue))


def _translucent(random: Random, shape: DieShape) -> DiceSet:
    hue = float(random.choice([0.0, 0.6, 0.4, 0.08, 0.78, random.random()]))
    body = from_hue(hue, between(random, 0.45, 0.95), between(random, 0.75, 1))
    pip = greyish(random, 0.85, 0.97) if happens(random, 0.75) else greyish(random, 0.02, 0.1)
    made = _made(random, shape, body, pip)
    clear, rough = between(random, 0.45, 0.92), between(random, 0.06, 0.3)
    return replace(made, lone=pip, four=pip, clear=clear, roughness=rough, ring=0.0)


def _glass(random: Random, shape: DieShape) -> DiceSet:
    """Clear glass or acrylic: the pips of its underside show between those of its top."""
    body = from_hue(float(random.random()), between(random, 0, 0.15), between(random, 0.92, 1))
    pip = pick(random, [(0.5, greyish(random, 0.9, 1)), (0.3, greyish(random, 0.02, 0.1))])
    pip = vivid(random) if happens(random, 0.25) else pip
    made = _made(random, shape, body, pip)
    clear, rough = between(random, 0.85, 0.97), between(random, 0.03, 0.15)
    return replace(made, lone=pip, four=pip, clear=clear, roughness=rough, ring=0.0)


def _casino(random: Random, shape: DieShape) -> DiceSet:
    """Clear and coloured, sharp-edged, its white pips flush with the face."""
    hue = float(random.choice([0.0, 0.6, 0.36, 0.78, 0.1]) + random.normal(0, 0.01))
    body = from_hue(hue, between(random, 0.75, 1), between(random, 0.6, 0.95))
    cut = replace(
        shape, edge_radius=between(random, 0.01, 0.03), pip_depth=0.0, ball_radius=1.0,
        lone_scale=1.0,
    )  # fmt: skip
    made = _made(random, cut, body, greyish(random, 0.9, 0.98))
    clear, rough = between(random, 0.5, 0.85), between(random, 0.03, 0.12)
    return replace(made, lone=made.pip, four=made.pip, clear=clear, roughness=rough, ring=0.0)


def _unpainted(random: Random, shape: DieShape) -> DiceSet:
    """Engraved pips of the body's own colour: only their shade tells them."""
    bodies = [(0.35, greyish(random, 0.02, 0.15)), (0.25, greyish(random, 0.8, 0.97))]
    body = pick(random, [*bodies, (0.4, vivid(random))])
    engraved = replace(shape, pip_depth=between(random, 0.035, 0.07))
    return replace(_made(random, engraved, body, body), roughness=between(random, 0.15, 0.5))


def _faint(random: Random, shape: DieShape) -> DiceSet:
    """Pips hardly lighter or darker than the body, as black on black."""
    body = pick(random, [(0.6, greyish(random, 0.02, 0.14)), (0.4, vivid(random))])
    pip = _blend(body, (255, 255, 255), between(random, 0.12, 0.3))
    carved = replace(shape, pip_depth=max(shape.pip_depth, 0.02))
    made = _made(random, carved, body, pip)
    return replace(made, lone=pip, four=pip, ring=0.0)


def _two_inks(random: Random, shape: DieShape) -> DiceSet:
    """White with blue pips, and a red one or four, as many come from China."""
    body = greyish(random, 0.85, 0.97)
    blue = from_hue(between(random, 0.56, 0.68), between(random, 0.6, 1), between(random, 0.3, 0.8))
    red = vivid(random, hue=float(random.normal(0.99, 0.012)))
    scaled = replace(shape, lone_scale=between(random, 1.2, 2.6))
    made = _made(random, scaled, body, blue)
    return replace(made, lone=red, four=red if happens(random, 0.6) else blue, ring=0.0)


def _swirled(random: Random, shape: DieShape) -> DiceSet:
    body, second = vivid(random), pick(random, [(0.6, vivid(random)), (0.4, pastel(random))])
    dark = max(lightness(body), lightness(second)) < _LIGHT_BODY
    inks = [(0.6, greyish(random, 0.02, 0.1)), (0.4, _GOLD)]
    pip = greyish(random, 0.88, 0.98) if dark else pick(random, inks)
    pattern = str(random.choice(["swirl", "halves", "swirl"]))
    return replace(_made(random, shape, body, pip), second=second, pattern=pattern)


def _two_coloured(random: Random, shape: DieShape) -> DiceSet:
    """Faces of one colour, corners and edges of another."""
    face = pick(random, [(0.4, greyish(random, 0.05, 0.95)), (0.6, vivid(random))])
    body = pick(random, [(0.5, greyish(random, 0.8, 0.97)), (0.5, vivid(random))])
    made = _made(random, shape, face)
    if happens(random, 0.3) and abs(lightness(body) - lightness(face)) > _APART:
        made = replace(made, pip=body, lone=body, four=body)
    pattern = "medal" if shape.ball_radius < 1 or happens(random, 0.3) else "framed"
    return replace(made, body=body, second=face, pattern=pattern)


def _pearled(random: Random, shape: DieShape) -> DiceSet:
    body = pastel(random) if happens(random, 0.5) else vivid(random)
    second = _blend(body, (255, 255, 255), between(random, 0.25, 0.7))
    made = replace(_made(random, shape, body), second=second, pattern="pearl", roughness=0.22)
    return replace(made, metal=between(random, 0, 0.35))


def _speckled(random: Random, shape: DieShape) -> DiceSet:
    bodies = [(0.4, vivid(random)), (0.3, greyish(random, 0.1, 0.4)), (0.3, pastel(random))]
    body = pick(random, bodies)
    second = _blend(body, pick(random, [(0.5, (250, 250, 250)), (0.5, vivid(random))]), 0.6)
    return replace(_made(random, shape, body), second=second, pattern="speckle")


def _wooden(random: Random, shape: DieShape) -> DiceSet:
    hue, saturation = between(random, 0.05, 0.11), between(random, 0.3, 0.65)
    body = from_hue(hue, saturation, between(random, 0.35, 0.88))
    made = replace(_made(random, shape, body), second=_blend(body, (40, 20, 8), 0.35))
    return replace(made, pattern="wood", roughness=between(random, 0.35, 0.8))


def _metallic(random: Random, shape: DieShape) -> DiceSet:
    bodies = [(0.5, (188, 190, 194)), (0.2, (206, 166, 88)), (0.15, (188, 122, 88))]
    body = pick(random, [*bodies, (0.15, (70, 72, 78))])
    shades = (0.02, 0.12) if lightness(body) > _DARK_METAL else (0.85, 0.97)
    pip = greyish(random, *shades)
    made = replace(_made(random, shape, body, pip), metal=1.0, pip_metal=0.0, lone=pip)
    return replace(made, roughness=between(random, 0.22, 0.5))


def _blend(one: Colour, other: Colour, share: float) -> Colour:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


_ASIAN: Final = {"white": 0.3, "ivory": 0.25}
_RECIPES: Final[dict[str, tuple[float, Callable[[Random, DieShape], DiceSet]]]] = {
    "white": (0.27, _white),
    "ivory": (0.08, _ivory),
    "saturated": (0.22, _saturated),
    "black": (0.07, lambda random, shape: _made(random, shape, greyish(random, 0.04, 0.2))),
    "pastel": (0.05, lambda random, shape: _made(random, shape, pastel(random))),
    "translucent": (0.12, _translucent),
    "swirled": (0.06, _swirled),
    "two-coloured": (0.05, _two_coloured),
    "pearl": (0.06, _pearled),
    "speckled": (0.02, _speckled),
    "wooden": (0.03, _wooden),
    "metal": (0.02, _metallic),
    "glass": (0.05, _glass),
    "casino": (0.04, _casino),
    "unpainted": (0.06, _unpainted),
    "faint": (0.04, _faint),
    "two inks": (0.05, _two_inks),
}


Grid = NDArray[np.float64]
_FINEST_PIXELS: Final = 224
_COARSEST_PIXELS: Final = 64


def face_pixels(die_pixels: float) -> int:
    """How many pixels to paint a face with, for dice that are so large in the picture."""
    return int(np.clip(1.5 * die_pixels, _COARSEST_PIXELS, _FINEST_PIXELS))


def dress(dice: DiceSet, pixels: int, random: np.random.Generator) -> Material:
    """The atlas of a set's six faces, each that many pixels wide; chance draws the swirls."""
    # The point of the cube under each of the atlas's pixels, H x W x 3
    u, v = _grid(pixels)
    points = np.zeros((2 * pixels, 3 * pixels, 3))
    for place in range(1, 7):
        across, up = edges(place)
        flat = normal(place) * 0.5 + u[..., None] * across + v[..., None] * up
        points[_part(place, pixels)] = flat
    share = _PATTERNS[dice.pattern](points, random)[..., None]
    body = np.array(dice.body) * (1 - share) + np.array(dice.second) * share
    ink, colour = _inks(dice, pixels)
    paint = body * (1 - ink[..., None]) + colour * ink[..., None]
    metal = _mixed(dice.metal, dice.pip_metal, ink)
    clear = _mixed(dice.clear, 0.0, ink)
    return Material(np.clip(paint, 0, 255).round().astype(np.uint8), dice.roughness, metal, clear)


def _mixed(body: float, pip: float, ink: Grid) -> Share | float:
    if body == pip:
        return body
    return np.asarray(body + (pip - body) * ink, dtype=np.float32)


def _inks(dice: DiceSet, pixels: int) -> tuple[Grid, Grid]:
    """How much of each point is pip, H x W, and the pips' colour there, H x W x 3."""
    ink, colour = np.zeros((2 * pixels, 3 * pixels)), np.zeros((2 * pixels, 3 * pixels, 3))
    u, v = _grid(pixels)
    for place in range(1, 7):
        part = _part(place, pixels)
        number = dice.shape.layout.number(place)
        radius = dice.shape.pip_radius_of(place)
        away = np.min([np.hypot(u - x, v - y) for x, y in dice.shape.layout.pips(place)], axis=0)
        disc = np.clip((radius - away) * pixels + 0.5, 0, 1)
        hole = np.clip((radius * dice.ring - away) * pixels + 0.5, 0, 1)
        ink[part] = np.asarray(disc - hole)
        colour[part] = {1: dice.lone, 4: dice.four}.get(number, dice.pip)
    return ink, colour


def _grid(pixels: int) -> tuple[Grid, Grid]:
    """How far each pixel of a face is from its middle, in sides, along both edges."""
    along = (np.arange(pixels) + 0.5) / pixels - 0.5
    u, v = np.meshgrid(along, along)
    return u, v


def _part(place: int, pixels: int) -> tuple[slice, slice]:
    column, row = (each * pixels for each in atlas_place(place))
    return slice(row, row + pixels), slice(column, column + pixels)


def _waves(points: Grid, random: np.random.Generator, coarse: float, fine: float) -> Grid:
    """Smooth noise in space, about -1 to 1: a few waves, bent by each other."""
    bent = points + 0.25 * np.sin(points @ random.normal(0, 4, (3, 3)) + random.uniform(0, 6, 3))
    heights = [
        np.sin(bent @ random.normal(0, frequency, 3) + random.uniform(0, 2 * np.pi))
        for frequency in np.linspace(coarse, fine, 5)
    ]
    return np.asarray(np.mean(heights, axis=0) * 1.8)


def _plain(points: Grid, _random: np.random.Generator) -> Grid:
    return np.zeros(points.shape[:2])


def _swirl(points: Grid, random: np.random.Generator) -> Grid:
    return np.asarray(np.clip(0.5 + 1.6 * _waves(points, random, 2, 7), 0, 1))


def _pearl(points: Grid, random: np.random.Generator) -> Grid:
    veins = 1 - np.abs(_waves(points, random, 4, 16))
    return np.asarray(np.clip(veins, 0, 1) ** 2)


def _halves(points: Grid, random: np.random.Generator) -> Grid:
    axis = random.normal(size=3)
    ragged = points @ (axis / np.linalg.norm(axis)) + 0.12 * _waves(points, random, 4, 12)
    return np.asarray(np.clip(0.5 + 7 * ragged, 0, 1))


def _speckle(points: Grid, random: np.random.Generator) -> Grid:
    return np.asarray(_waves(points, random, 40, 70) > random.uniform(0.3, 0.8), dtype=np.float64)


def _medal(points: Grid, random: np.random.Generator) -> Grid:
    """A disc on every face, the corners around it in the body's colour."""
    return _inside(np.linalg.norm(points, axis=2), (0.25 + random.uniform(0.3, 0.42) ** 2) ** 0.5)


def _framed(points: Grid, random: np.random.Generator) -> Grid:
    """A square on every face, the edges around it in the body's colour."""
    return _inside(np.sort(np.abs(points), axis=2)[..., 1], random.uniform(0.34, 0.45))


def _inside(away: Grid, border: float) -> Grid:
    return np.asarray(np.clip((border - away) * 60 + 0.5, 0, 1))


def _wood(points: Grid, random: np.random.Generator) -> Grid:
    across = points[..., :2] + random.uniform(-2, 2, 2)
    rings = np.hypot(across[..., 0], across[..., 1]) * random.uniform(5, 11)
    grain = np.sin(2 * np.pi * rings + _waves(points, random, 3, 9))
    pores = _waves(points * np.array([1, 1, 0.08]), random, 90, 140)
    return np.asarray(np.clip(0.4 + 0.35 * grain + 0.25 * pores, 0, 1))


_PATTERNS: Final[dict[str, Callable[[Grid, np.random.Generator], Grid]]] = {
    "plain": _plain,
    "swirl": _swirl,
    "pearl": _pearl,
    "halves": _halves,
    "medal": _medal,
    "framed": _framed,
    "speckle": _speckle,
    "wood": _wood,
}


_FACE_PIXELS: Final = 192
_SURFACE_PIXELS: Final = 1024


def paint_die(shape: DieShape, body: Colour, pip: Colour, lone_pip: Colour) -> Picture:
    """The atlas of a die's six faces; `lone_pip` colours the one, which is larger."""
    larger = replace(shape, lone_scale=1.35)
    dice = DiceSet("", body, body, pip, lone_pip, pip, larger)
    return dress(dice, _FACE_PIXELS, np.random.default_rng(0)).paint


def paint_surface(kind: str, colour: Colour, seed: int) -> Picture:
    """A square piece of a table's top: `felt`, `wood`, `leather` or `linen`.

    Raises:
        KeyError: there is no such kind.
    """
    relief = _RELIEFS[kind](np.random.default_rng(seed))
    shaded = np.array(colour) * (1 + relief[..., None])
    return np.clip(shaded, 0, 255).round().astype(np.uint8)


def _noise(random: np.random.Generator, across: int, down: int) -> NDArray[np.float64]:
    """Smooth noise of standard deviation 1 with that many bumps across and down."""
    coarse = random.normal(size=(down, across))
    size = (_SURFACE_PIXELS, _SURFACE_PIXELS)
    fine = np.asarray(cv2.resize(coarse, size, interpolation=cv2.INTER_CUBIC), dtype=np.float64)
    return np.asarray(fine / fine.std())


def _felt(random: np.random.Generator) -> NDArray[np.float64]:
    return 0.035 * _noise(random, 512, 512) + 0.02 * _noise(random, 24, 24)


def _leather(random: np.random.Generator) -> NDArray[np.float64]:
    creases = np.abs(_noise(random, 140, 140))
    return 0.06 * np.clip(creases - 0.8, -0.6, 1) + 0.05 * _noise(random, 9, 9)


def _linen(random: np.random.Generator) -> NDArray[np.float64]:
    place = np.arange(_SURFACE_PIXELS) * (2 * np.pi / 8)
    weave = np.sin(place)[:, None] * np.sin(place)[None, :]
    threads = _noise(random, 12, 256) + _noise(random, 256, 12)
    return np.asarray(0.035 * weave + 0.02 * threads + 0.015 * _noise(random, 6, 6))


def _wood_paint(random: np.random.Generator) -> NDArray[np.float64]:
    down = np.linspace(0, 1, _SURFACE_PIXELS)[:, None]
    rings = np.sin(2 * np.pi * (9 * down + 0.55 * _noise(random, 5, 7)))
    pores = _noise(random, 24, 640)
    boards = np.repeat(random.normal(size=5), -(-_SURFACE_PIXELS // 5))[:_SURFACE_PIXELS, None]
    seams = np.where((np.arange(_SURFACE_PIXELS) % 205) < 3, -0.35, 0.0)[:, None]  # noqa: PLR2004
    return 0.07 * rings + 0.05 * pores + 0.06 * boards + seams


_RELIEFS: Final[dict[str, Callable[[np.random.Generator], NDArray[np.float64]]]] = {
    "felt": _felt,
    "leather": _leather,
    "linen": _linen,
    "wood": _wood_paint,
}
