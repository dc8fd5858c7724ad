"""Drawn dice with pips, of many makes."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.train.augmentation import ANY_WAY_UP, STEEP_DEGREES, UPRIGHT, Chance, PlacedDie
from vision.train.rendering.geometry import PIPS
from vision.train.surfaces import Colour, any_colour, cloud, disc

# How far pips differ from the body: in lightness, or in one of the colours.
_TELLING: Final = (20.0, 55.0)
_DIM: Final = 0.1  # of all styles: pips that a dark body hides in all but their hue
_CLOSEST: Final = 0.46  # of the pips' distance: a larger radius would let them touch


@dataclass(frozen=True, slots=True)
class Style:
    """One maker's dice; lengths are shares of a die's side, `marbling` and `coverage` from 0 to 1.

    `graded` dice have the larger pips the fewer a face has, `rows` those whose two and three lie in
    a row; `big_one` has a large red one, `ornate_one` a picture in its stead.
    """

    body: Colour
    pips: Colour
    second: Colour
    marbling: float
    rounding: float
    face_rounding: float
    pip_radius: float
    pip_spread: float
    big_one: bool
    graded: bool
    rows: bool
    ornate_one: bool
    drilled: bool
    coverage: float


def any_style(chance: Chance) -> Style:
    """Some style, by chance."""
    body = any_colour(chance)
    if chance.happens(_DIM):
        return _dim(chance)
    if chance.happens(0.3):
        body = (chance.between(200, 255), chance.between(215, 255), chance.between(220, 255))
    return _style_of(body, _pip_colour(body, chance), chance)


def _style_of(body: Colour, pips: Colour, chance: Chance) -> Style:
    rounding, spread = chance.between(0.03, 0.2), chance.between(0.2, 0.28)
    return Style(
        body=body,
        pips=pips,
        second=any_colour(chance),
        marbling=chance.between(0.1, 1.0) if chance.happens(0.45) else 0.0,
        rounding=rounding,
        face_rounding=chance.between(rounding, 0.5) if chance.happens(0.4) else rounding,
        pip_radius=min(chance.between(0.06, 0.13), _CLOSEST * spread),
        pip_spread=spread,
        big_one=chance.happens(0.15),
        graded=chance.happens(0.15),
        rows=chance.happens(0.06),
        ornate_one=chance.happens(0.12),
        drilled=chance.happens(0.5),
        coverage=chance.between(0.7, 0.95) if chance.happens(0.15) else 1.0,
    )


def _dim(chance: Chance) -> Style:
    """Dark marbled dice with pips of one strong colour that is hardly lighter."""
    dark = chance.between(15, 90)
    body: Colour = (dark, dark * chance.between(0.8, 1.1), dark * chance.between(0.8, 1.1))
    strong = [dark * 0.6] * 3
    strong[chance.pick((0, 2, 2))] = dark + chance.between(60, 140)
    return replace(
        _style_of(body, (strong[0], strong[1], strong[2]), chance),
        marbling=chance.between(0.1, 0.6) if chance.happens(0.6) else 0.0,
        second=(dark * 1.6, dark * 1.6, dark * 1.6),
    )


def _pip_colour(body: Colour, chance: Chance) -> Colour:
    """A colour that stands out from the body: black, white, gold, or anything far enough."""
    for _ in range(20):
        plain: tuple[Colour, ...] = ((15, 15, 15), (245, 245, 245), (60, 160, 200), (30, 30, 200))
        colour = chance.pick(plain) if chance.happens(0.75) else any_colour(chance)
        weights = np.array([0.15, 0.55, 0.3])
        apart = np.array(colour) - np.array(body)
        if abs(float(apart @ weights)) > _TELLING[0] or np.abs(apart).max() > _TELLING[1]:
            return colour
    return (15, 15, 15) if sum(body) > 380 else (245, 245, 245)  # noqa: PLR2004


Face = NDArray[np.float32]

_RED_IN_ASIA: Final = (1, 4)
# Some makers put two and three in a row, and some give the fewer pips the more room each.
_IN_A_ROW: Final = {2: ((0, -1), (0, 1)), 3: ((0, -1), (0, 0), (0, 1))}
_GRADED: Final = {1: 1.8, 2: 1.5, 3: 1.25}


def draw_pips(face: Face, value: int, style: Style, chance: Chance) -> None:
    """Draw the pips of that value upon a square face, N x N x 3, in levels of 255."""
    if value == 1 and style.ornate_one:
        _ornament(face, style, chance)
        return
    turned = chance.happens(0.5)
    enlarged = 1.7 if value == 1 and style.big_one else 1.0
    radius = style.pip_radius * (_GRADED.get(value, 1.0) if style.graded else enlarged)
    red = style.big_one and value in _RED_IN_ASIA
    colour = (40.0, 40.0, 210.0) if red else style.pips
    layout = _IN_A_ROW.get(value, PIPS[value]) if style.rows else PIPS[value]
    for x, y in layout:
        across, down = (y, -x) if turned else (x, y)
        middle = (0.5 + across * style.pip_spread, 0.5 + down * style.pip_spread)
        _disc(face, middle, radius, colour)
        if style.drilled:
            # A drilled pip catches light on one side of its hollow
            lit: Colour = (colour[0] + 35, colour[1] + 35, colour[2] + 35)
            _disc(face, (middle[0] + radius * 0.3, middle[1] + radius * 0.3), radius * 0.5, lit)


def _ornament(face: Face, style: Style, chance: Chance) -> None:
    """Print what some makers print instead of the lone pip: rings, a star, a swirl."""
    kind, reach, turn = chance.below(3), chance.between(0.12, 0.3), chance.between(0, 2 * np.pi)
    if kind == 0:
        for radius, colour in ((reach, style.pips), (reach * 0.65, style.body), (0.06, style.pips)):
            _disc(face, (0.5, 0.5), radius, colour)
        return
    along = np.linspace(0, 4 * np.pi, 120) if kind == 1 else np.arange(11) * 2 * np.pi / 10
    away = along / (4 * np.pi) if kind == 1 else 1 - 0.6 * (np.arange(11) % 2)
    spots = 0.5 + reach * away[:, None] * np.stack([np.cos(along + turn), np.sin(along + turn)], 1)
    line = np.round(spots * face.shape[0] * 16).astype(np.int32)
    if kind == 1:
        cv2.polylines(face, [line], False, style.pips, 3, cv2.LINE_AA, 4)  # noqa: FBT003
    else:
        cv2.fillPoly(face, [line], style.pips, cv2.LINE_AA, 4)


def _disc(face: Face, at: tuple[float, float], radius: float, colour: Colour) -> None:
    side = face.shape[0]
    disc(face, (at[0] * side, at[1] * side), radius * side, colour)


SIDE: Final = 112
_FACE: Final = 64
_COVERED: Final = 100
_LEANING: Final = 0.08
_GLARING: Final = 0.22
_SEEN_THROUGH: Final = 0.7  # of the see-through dice: their far face shows


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """A single die: 112 x 112 x 4 (blue-green-red and coverage), and its place there.

    Laid larger than `finest` pixels, it would show that it was enlarged.
    """

    picture: Image
    die: PlacedDie
    finest: float = math.inf


def draw_die(chance: Chance) -> Sprite:
    """Draw a die of some style, mostly lying flat, seen from 38 to 90 degrees above."""
    style = any_style(chance)
    value = 1 + chance.below(6)
    lean = chance.between(8, 44) if chance.happens(_LEANING) else 0.0
    place = _camera(chance, lean)
    light = np.array([chance.near(0, 0.6), chance.near(0, 0.6), 1.0])
    light /= np.linalg.norm(light)
    canvas, mask = _silhouette(style, place, chance)
    for normal, face in _faces(value, chance):
        corners = place(_square(normal, style.rounding * 0.35))
        if cv2.contourArea(corners.astype(np.float32), oriented=True) < -8:  # noqa: PLR2004 - seen
            shade = 0.55 + 0.45 * max(0.0, float(normal @ light))
            canvas = _painted(canvas, corners, _face(face, style, shade, chance))
    soft = cv2.GaussianBlur(mask, (0, 0), 0.7).astype(np.float32)
    mask = (soft * style.coverage).astype(np.uint8)
    top = place(_square(np.array([0, 0, 1.0]), 0.0)).astype(np.float32)
    left, upper, width, height = cv2.boundingRect((mask > _COVERED).astype(np.uint8))
    middle = (left + width / 2, upper + height / 2)
    die = PlacedDie(*middle, width, height, value, corners=top, lean_degrees=lean)
    return Sprite(np.dstack([canvas, mask]), die)


class _Camera:
    """Projects points of the die (its side is 1, its middle the origin, z up) into the sprite.

    The die leans by `lean` about a level axis before it is seen.
    """

    def __init__(
        self, yaw: float, elevation: float, roll: float, distance: float, lean: tuple[float, float]
    ) -> None:
        angle, axis = lean
        leaning = _about_z(axis) @ _about_x(angle) @ _about_z(-axis)
        self.turn = _about_x(elevation - np.pi / 2) @ leaning @ _about_z(yaw)
        self.roll = _about_z(roll)[:2, :2]
        self.distance = distance
        self.scale = SIDE * 0.53

    def __call__(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        seen = points @ self.turn.T
        flat = seen[:, :2] * (self.distance / (self.distance - seen[:, 2]))[:, None]
        flat = flat * np.array([1.0, -1.0])
        placed: NDArray[np.float64] = flat @ self.roll.T * self.scale + SIDE / 2
        return placed


def _about_x(angle: float) -> NDArray[np.float64]:
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([[1, 0, 0], [0, cos, sin], [0, -sin, cos]]).T


def _about_z(angle: float) -> NDArray[np.float64]:
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])


def _camera(chance: Chance, lean_degrees: float) -> _Camera:
    elevation = 90 - abs(chance.near(0, 22)) if chance.happens(0.6) else chance.between(38, 75)
    roll = np.radians(chance.turn(UPRIGHT if elevation < STEEP_DEGREES else ANY_WAY_UP))
    yaw = chance.between(0, 2 * np.pi)
    lean = (float(np.radians(lean_degrees)), chance.between(0, 2 * np.pi))
    return _Camera(yaw, np.radians(max(38.0, elevation)), float(roll), chance.scale(5, 30), lean)


def _square(normal: NDArray[np.float64], inset: float) -> NDArray[np.float64]:
    """The corners of the face with that normal, all faces turning the same way."""
    first = np.roll(normal, 1) if normal.sum() > 0 else -np.roll(normal, 2)
    second = np.cross(normal, first)
    half = 0.5 - inset
    return np.array(
        [
            0.5 * normal + half * (x * first + y * second)
            for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]
    )


def _faces(value: int, chance: Chance) -> list[tuple[NDArray[np.float64], int]]:
    """The five faces that can be seen, with their values; opposite faces add up to seven."""
    sides = [face for face in range(1, 7) if face not in (value, 7 - value)]
    first = chance.pick(sides)
    second = chance.pick([face for face in sides if face not in (first, 7 - first)])
    x, y, z = np.eye(3)
    return [(x, first), (-x, 7 - first), (y, second), (-y, 7 - second), (z, value)]


def _silhouette(style: Style, place: _Camera, chance: Chance) -> tuple[Image, Image]:
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    hull = cv2.convexHull(place(corners * (0.5 - style.rounding)).astype(np.float32))
    mask = np.zeros((SIDE, SIDE), np.uint8)
    outline = [np.round(hull * 16).astype(np.int32)]
    cv2.fillPoly(mask, outline, 255, cv2.LINE_AA, 4)
    thickness = max(1, round(2 * style.rounding * place.scale))
    cv2.polylines(
        mask, outline, isClosed=True, color=255, thickness=thickness, lineType=16, shift=4
    )
    body = np.array(style.body) * chance.between(0.6, 1.05)
    canvas = np.broadcast_to(np.clip(body, 0, 255), (SIDE, SIDE, 3)).astype(np.uint8)
    return canvas, mask


def _face(value: int, style: Style, shade: float, chance: Chance) -> Image:
    """Draw one face, 64 x 64 x 4: its colour with pips, and where it covers the die."""
    face = np.full((_FACE, _FACE, 3), style.body, np.float32)
    if style.marbling:
        blots = _blots(chance) * style.marbling
        face = face * (1 - blots) + np.array(style.second, np.float32) * blots
    face = np.asarray(face + cloud(_FACE, _FACE, 40, chance)[:, :, None] * 6, np.float32)
    if style.coverage < 1 and chance.happens(_SEEN_THROUGH):
        face = _with_ghosts(face, 7 - value, style, chance)
    draw_pips(face, value, style, chance)
    lit = face * shade
    if chance.happens(_GLARING):
        lit = lit + _glare(chance)
    picture = np.clip(lit, 0, 255).astype(np.uint8)
    radius = int(style.face_rounding * _FACE * 0.98)
    mask = np.zeros((_FACE, _FACE), np.uint8)
    low, high = radius, _FACE - 1 - radius
    square = np.array([[low, low], [high, low], [high, high], [low, high]], np.int32)
    cv2.fillConvexPoly(mask, square, 255)
    cv2.polylines(mask, [square], isClosed=True, color=255, thickness=max(1, 2 * radius))
    return np.dstack([picture, np.asarray(cv2.GaussianBlur(mask, (0, 0), 1.2), np.uint8)])


def _with_ghosts(face: Face, opposite: int, style: Style, chance: Chance) -> Face:
    """Let the pips of the far face shine through a see-through die, faint, small and displaced."""
    behind = face.copy()
    draw_pips(behind, opposite, replace(style, ornate_one=False, drilled=False), chance)
    share = chance.between(0.6, 0.95)
    shift = (_FACE * (0.5 - share / 2 + chance.near(0, 0.08)) for _ in "xy")
    shrink = np.array([[share, 0, next(shift)], [0, share, next(shift)]])
    placed = cv2.warpAffine(behind, shrink, (_FACE, _FACE), borderMode=cv2.BORDER_REPLICATE)
    strength = chance.between(0.15, 0.5)
    return np.asarray(face * (1 - strength) + placed * strength, np.float32)


def _blots(chance: Chance) -> NDArray[np.float32]:
    """Where the second colour shows, 64 x 64 x 1: soft clouds, sharp patches or swirls."""
    blots = cloud(_FACE, _FACE, chance.scale(6, 24), chance)
    if chance.happens(0.5):
        # Stir it, as poured resin is: what is at each place flowed there from another
        down, across = np.mgrid[0:_FACE, 0:_FACE].astype(np.float32)
        reach, grain = chance.between(4, 14), chance.scale(12, 40)
        rows, columns = (cloud(_FACE, _FACE, grain, chance) * reach for _ in "xy")
        stirred = cv2.remap(
            blots, across + columns, down + rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
        )
        blots = np.asarray(stirred, np.float32)
    if chance.happens(0.5):
        blots = np.asarray(np.tanh(blots * chance.between(2, 8)), np.float32)
    return np.clip(blots, 0, 1)[:, :, None]


def _glare(chance: Chance) -> NDArray[np.float32]:
    """A lamp's mirror image: a bar, a bow or a spot somewhere on the face, soft or sharp."""
    down, across = np.mgrid[-1 : 1 : _FACE * 1j, -1 : 1 : _FACE * 1j].astype(np.float32)
    turn = chance.between(0, np.pi)
    along = np.cos(turn) * across + np.sin(turn) * down - chance.between(-0.7, 0.7)
    athwart = np.cos(turn) * down - np.sin(turn) * across - chance.between(-0.7, 0.7)
    athwart = athwart - along**2 * (chance.near(0, 0.8) if chance.happens(0.5) else 0.0)
    length, width = chance.between(0.2, 2.0), chance.scale(0.05, 0.3)
    bar = np.exp(-((along / length) ** 4) - np.abs(athwart / width) ** chance.pick((2, 2, 6)))
    return np.asarray(bar[:, :, None] * chance.between(60, 230), np.float32)


def _painted(canvas: Image, corners: NDArray[np.float64], face: Image) -> Image:
    whole = np.array([[0, 0], [_FACE, 0], [_FACE, _FACE], [0, _FACE]], np.float32)
    warp = cv2.getPerspectiveTransform(whole, corners.astype(np.float32))
    placed = cv2.warpPerspective(face, warp, (SIDE, SIDE), flags=cv2.INTER_LINEAR)
    share = placed[:, :, 3:].astype(np.float32) / 255
    return np.asarray(placed[:, :, :3] * share + canvas * (1 - share), np.uint8)
