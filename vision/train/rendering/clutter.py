"""Things that lie about on tables and resemble dice: coins, buttons, tiles, blank cubes, beads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.train.rendering.backgrounds import (
    print_button,
    print_card,
    print_chip,
    print_coin,
    print_domino,
    print_tile,
)
from vision.train.rendering.chance import Random, between, happens, pick_name
from vision.train.rendering.dice_set import greyish, pastel, vivid
from vision.train.rendering.geometry import (
    Colour,
    DieShape,
    Material,
    Mesh,
    Picture,
    atlas_place,
    ball_mesh,
    die_mesh,
    disc_mesh,
    heading_turn,
    moved,
    plain,
    prism_mesh,
)

Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """A thing on the table, in the table's coordinates.

    `half` are the half lengths of the box that physics takes it for, `middle` that box's middle and
    `heading` its turn about the upright axis, in radians; `round`: a disc of radius half[0] is
    closer to the truth.
    """

    kind: str
    mesh: Mesh
    material: Material
    middle: tuple[float, float, float]
    half: tuple[float, float, float]
    heading: float
    round: bool = False

    @property
    def reach(self) -> float:
        """How far from its middle it extends, seen from above."""
        return self.half[0] if self.round else float(np.hypot(self.half[0], self.half[1]))


@dataclass(frozen=True, slots=True, eq=False)
class _Form:
    mesh: Mesh
    material: Material
    half: tuple[float, float, float]
    round: bool = False


def any_thing(random: Random, place: Vector) -> Thing:
    """Some thing at a place of the table (x, y), turned anyhow."""
    return thing(pick_name(random, _FORMS), random, place, between(random, 0, 2 * np.pi))


def thing(kind: str, random: Random, place: Vector, heading: float) -> Thing:
    """A thing of a kind at a place of the table (x, y).

    Raises:
        KeyError: there is no such kind.
    """
    form = _FORMS[kind][1](random)
    middle = (float(place[0]), float(place[1]), form.half[2])
    mesh = moved(form.mesh, heading_turn(heading), np.array([*place[:2], 0.0]))
    return Thing(kind, mesh, form.material, middle, form.half, heading, form.round)


def _disc(radius: float, height: float, material: Material) -> _Form:
    return _Form(disc_mesh(radius, height), material, (radius, radius, height / 2), round=True)


def _box(half: tuple[float, float, float], material: Material, edge: float = 0.06) -> _Form:
    mesh = die_mesh(DieShape(edge, 0.05, 0.0, cells=10))
    points = (mesh.points * 2 * np.array(half, dtype=np.float32)).astype(np.float32)
    points[:, 2] += half[2]
    slanted = mesh.normals / np.array(half)
    slanted /= np.linalg.norm(slanted, axis=1, keepdims=True)
    return _Form(Mesh.of(points, slanted, mesh.atlas, mesh.triangles), material, half)


def _faced(face: Picture, body: Colour) -> Picture:
    """The atlas of a box whose upper side shows a picture and whose other sides are plain."""
    height, width = face.shape[:2]
    atlas = np.full((2 * height, 3 * width, 3), body, dtype=np.uint8)
    column, row = atlas_place(1)
    atlas[row * height : (row + 1) * height, column * width : (column + 1) * width] = face[::-1]
    return atlas


_METALS: Final = ((206, 172, 96), (196, 198, 202), (178, 110, 74), (150, 140, 110))


def _coin(random: Random) -> _Form:
    metal = _METALS[int(random.integers(len(_METALS)))]
    material = Material(print_coin(random, metal), between(random, 0.25, 0.5), 0.85)
    return _disc(between(random, 0.5, 0.85), between(random, 0.09, 0.16), material)


def _button(random: Random) -> _Form:
    colour = vivid(random) if happens(random, 0.5) else greyish(random, 0.1, 0.95)
    material = Material(print_button(random, colour), 0.25)
    return _disc(between(random, 0.35, 0.8), between(random, 0.1, 0.2), material)


def _chip(random: Random) -> _Form:
    return _disc(between(random, 1.0, 1.4), 0.2, Material(print_chip(random), 0.45))


def _domino(random: Random) -> _Form:
    dark = happens(random, 0.4)
    body = greyish(random, 0.05, 0.2) if dark else greyish(random, 0.8, 0.97)
    ink = greyish(random, 0.85, 0.97) if dark else greyish(random, 0.03, 0.15)
    width = between(random, 0.6, 0.85)
    atlas = _faced(print_domino(random, body, ink), body)
    return _box((2 * width, width, between(random, 0.2, 0.3)), Material(atlas, 0.3))


def _tile(random: Random) -> _Form:
    atlas = _faced(print_tile(random), (236, 228, 208))
    return _box((0.8, 1.15, between(random, 0.15, 0.3)), Material(atlas, 0.25), 0.08)


def _card(random: Random) -> _Form:
    atlas = _faced(print_card(random), (245, 244, 240))
    return _box((1.9, 2.7, 0.012), Material(atlas, 0.45), 0.01)


def _cube(random: Random) -> _Form:
    """A cube without any pips, of sugar, wood or plastic."""
    colour = _any_colour(random)
    half = between(random, 0.3, 0.6)
    return _box((half, half, half), plain(colour, between(random, 0.2, 0.9)), 0.08)


def _block(
    low: Sequence[float], high: Sequence[float], roughest: tuple[float, float], edge: float
) -> Callable[[Random], _Form]:
    """A box of any proportions between two, by half lengths."""

    def block(random: Random) -> _Form:
        x, y, z = random.uniform(low, high)
        material = plain(_any_colour(random), between(random, *roughest))
        return _box((float(x), float(y), float(z)), material, edge)

    return block


def _any_colour(random: Random) -> Colour:
    choice = int(random.integers(4))
    if choice == 0:
        return pastel(random)
    return vivid(random) if choice == 1 else greyish(random, 0.05, 0.97)


def _bead(random: Random) -> _Form:
    radius = between(random, 0.18, 0.5)
    ball = ball_mesh(cells=20)
    points = ball.points * radius + np.array([0, 0, radius], dtype=np.float32)
    mesh = Mesh.of(points, ball.normals, ball.atlas, ball.triangles)
    clear = 0.85 if happens(random, 0.4) else 0.0
    paint = plain(_any_colour(random), 0.12).paint
    return _Form(mesh, Material(paint, 0.12, clear=clear), (radius, radius, radius), round=True)


def _meeple(random: Random) -> _Form:
    outline = np.array(_MEEPLE) * between(random, 0.8, 1.1)
    half = (0.6, 0.6, 0.25)
    return _Form(prism_mesh(outline, 0.5), plain(vivid(random), 0.5), half)


def _pencil(random: Random) -> _Form:
    """A six-sided pencil, lying."""
    angle = np.arange(6) * np.pi / 3
    hexagon = np.stack([np.cos(angle), np.sin(angle)], axis=1) * 0.24
    turn = np.array([[0, 0, 1.0], [0, 1, 0], [-1, 0, 0]])
    mesh = moved(prism_mesh(hexagon, 10.0), turn, np.array([-5.0, 0, 0.22]))
    return _Form(mesh, plain(_any_colour(random), 0.35), (5.0, 0.24, 0.22))


def _gem(random: Random) -> _Form:
    """A many-sided die of a role-playing set, seen as an eight-sided gem."""
    sides = int(random.integers(5, 9))
    angle = np.arange(sides) * 2 * np.pi / sides
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1) * between(random, 0.5, 0.75)
    height = between(random, 0.6, 1.0)
    mesh = prism_mesh(circle, height, bevel=height * 0.55)
    return _Form(mesh, plain(_any_colour(random), 0.2), (0.6, 0.6, height / 2), round=True)


_MEEPLE: Final = (
    (0.55, -0.6), (0.35, -0.05), (0.6, 0.12), (0.55, 0.25), (0.2, 0.3), (0.22, 0.52),
    (0.0, 0.65), (-0.22, 0.52), (-0.2, 0.3), (-0.55, 0.25), (-0.6, 0.12), (-0.35, -0.05),
    (-0.55, -0.6), (0.0, -0.35),
)  # fmt: skip
_FORMS: Final[dict[str, tuple[float, Callable[[Random], _Form]]]] = {
    "coin": (0.2, _coin),
    "button": (0.1, _button),
    "chip": (0.06, _chip),
    "domino": (0.11, _domino),
    "tile": (0.11, _tile),
    "card": (0.07, _card),
    "cube": (0.1, _cube),
    # A small box or rubber
    "brick": (0.06, _block((0.4, 0.3, 0.15), (2.2, 1.4, 0.9), (0.2, 0.9), 0.03)),
    # A dice tower, a game's box or a cup's crate: large, with an edge to lean on
    "tower": (0.04, _block((1.2, 0.8, 0.8), (3.2, 2.2, 2.2), (0.3, 0.9), 0.01)),
    "bead": (0.07, _bead),
    "meeple": (0.05, _meeple),
    "pencil": (0.03, _pencil),
    "gem": (0.04, _gem),
}
