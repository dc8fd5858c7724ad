"""Drawn table tops: felt, wood, cloth, carpet, printed paper, and clutter that resembles dice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.train.augmentation import Chance, PlacedDie

Colour = tuple[float, float, float]


def any_colour(chance: Chance) -> Colour:
    """A colour, blue-green-red, whose hue, strength and lightness are evenly spread."""
    hsv = np.array(
        [[[chance.below(180), int(255 * chance.between(0, 1) ** 1.3), 25 + chance.below(230)]]],
        np.uint8,
    )
    blue, green, red = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0]
    return float(blue), float(green), float(red)


_FINENESS: Final = 4  # bits behind the comma of a drawn coordinate
_DARK: Final = 0.6  # of all blocks: tools and plugs are mostly black
_NOTHING: Final = 0

_Points = NDArray[np.float64]


def lay_block(picture: Image, chance: Chance) -> PlacedDie:
    """Draw a block anywhere on a square picture, in place; returns its place."""
    side = picture.shape[0]
    middle = np.array([chance.between(0, side), chance.between(0, side)])
    size = chance.scale(0.05, 0.4) * side
    shape = (size, size * chance.between(0.6, 1.4))
    top = np.asarray(cv2.boxPoints(((0.0, 0.0), shape, chance.between(0, 90))), np.float64)
    down = np.array([chance.near(0, 0.2), chance.between(0.0, 0.6)]) * size
    tone = np.array(any_colour(chance)) * (chance.between(0.1, 0.4) if chance.happens(_DARK) else 1)
    rounding = max(1, int(size * chance.between(0.02, 0.2)))
    whole = cv2.convexHull(np.concatenate([top, top + down]).astype(np.float32))[:, 0]
    _fill(picture, middle + whole, tone * chance.between(0.4, 0.9), rounding)
    _fill(picture, middle + top, tone, rounding)
    for _ in range(chance.below(3)):
        _shine(picture, middle + top + down * chance.between(0, 0.8), tone, chance)
    return PlacedDie(float(middle[0]), float(middle[1]), size, size, _NOTHING)


def _shine(picture: Image, face: _Points, tone: _Points, chance: Chance) -> None:
    """Mirror a lamp or a window as a bar along an edge; never as a spot, which would be a pip."""
    light = np.minimum(255, tone + chance.between(60, 220))
    middle, bright = face.mean(axis=0), (float(light[0]), float(light[1]), float(light[2]))
    first = chance.below(4)
    ends = middle + (face[[first, (first + 1) % 4]] - middle) * chance.between(0.4, 0.9)
    length = float(np.hypot(*(ends[1] - ends[0])))
    start, end = _fixed(ends).tolist()
    width = max(1, int(length * chance.between(0.05, 0.2)))
    cv2.line(picture, start, end, bright, width, cv2.LINE_AA, _FINENESS)


def _fill(picture: Image, outline: _Points, tone: _Points, rounding: int) -> None:
    colour = (float(tone[0]), float(tone[1]), float(tone[2]))
    _fill_print(picture, outline, colour)
    _line(picture, outline, colour, rounding)


def _line(picture: Image, outline: _Points, colour: Colour, width: int) -> None:
    cv2.polylines(
        picture, [_fixed(outline)], isClosed=True, color=colour, thickness=width,
        lineType=cv2.LINE_AA, shift=_FINENESS,
    )  # fmt: skip


def _fixed(points: _Points) -> NDArray[np.int32]:
    return np.asarray(np.round(points * 2**_FINENESS), np.int32)


Place = tuple[float, float, float]

_KEYS: Final = (*"QWERTZUIOPASDFGHJKLYXCVBNM1234567890", "F1", "F6", "Alt", "..", ":", ";")
_MARKS: Final = ("2", "3", "4", "5", "6", "8", "9", "10", "11", "12", "A", "K", "Q", "?", "T")


def print_board(picture: Image, chance: Chance) -> list[PlacedDie]:
    """Print a board of fields with tokens on a square picture, in place; tell where they lie."""
    side = picture.shape[0]
    size = chance.scale(0.07, 0.4) * side
    corners, tones = chance.pick((4, 6, 6, 8)), [any_colour(chance) for _ in range(4)]
    turn, draw = chance.between(0, 360), chance.pick((_token, _sail, _badge))
    places: list[PlacedDie] = []
    for x, y in _lattice(side, size, chance):
        field = _polygon((x, y, size), corners, turn, 0.0, chance)
        _fill_print(picture, field, chance.pick(tones))
        _line(picture, field, tones[0], 1 + chance.below(3))
        small = (x, y, size * chance.between(0.25, 0.6))
        draw(picture, small, chance)
        places += [_placed((x, y, size)), _placed(small)]
    return places


def print_piece(picture: Image, chance: Chance) -> PlacedDie:
    """Print one thing anywhere, in place; returns its place."""
    side = picture.shape[0]
    place = (chance.between(0, side), chance.between(0, side), chance.scale(0.04, 0.4) * side)
    draw: Callable[[Image, Place, Chance], None] = chance.pick(
        (_token, _sail, _badge, _row_of_dots, _keys, _smudge, _embroidery, _lid)
    )
    draw(picture, place, chance)
    return _placed(place)


def _placed(place: Place) -> PlacedDie:
    return PlacedDie(place[0], place[1], place[2], place[2], _NOTHING)


def _lattice(side: int, size: float, chance: Chance) -> list[tuple[float, float]]:
    step, shift = size * chance.between(1.0, 1.4), chance.between(0, size)
    rows = np.arange(shift, side, step * 0.87)
    return [
        (float(x), float(y))
        for row, y in enumerate(rows)
        for x in np.arange(shift - (row % 2) * step / 2, side, step)
        if chance.happens(0.85)
    ]


def _token(picture: Image, place: Place, chance: Chance) -> None:
    """A disc with a number, and often dots beneath it."""
    x, y, size = place
    ink = any_colour(chance)
    disc(picture, (x, y), size / 2, any_colour(chance))
    _mark(picture, (x, y, size * 0.55), chance.pick(_MARKS), ink)
    dots = chance.below(6)
    for each in range(dots):
        across = (each - (dots - 1) / 2) * size * 0.12
        disc(picture, (x + across, y + size * 0.33), size * 0.045, ink)


def _sail(picture: Image, place: Place, chance: Chance) -> None:
    """A pale crooked patch next to a dark one, with a blot or two on it."""
    x, y, size = place
    hull = (x + size * chance.near(0, 0.15), y + size * chance.near(0.2, 0.2), size * 0.7)
    _fill_print(picture, _polygon(hull, 5, chance.between(0, 360), 0.3, chance), any_colour(chance))
    pale = tuple(chance.between(150, 255) for _ in range(3))
    body = _polygon((x, y, size), 4, chance.between(0, 90), 0.2, chance)
    _fill_print(picture, body, (pale[0], pale[1], pale[2]))
    for _ in range(chance.below(4)):
        spot = (x + size * chance.near(0, 0.12), y + size * chance.near(0, 0.12), size * 0.25)
        _fill_print(picture, _polygon(spot, 5, 0.0, 0.4, chance), any_colour(chance))
    if chance.happens(0.5):
        _mark(picture, (x, y, size * 0.3), chance.pick(("2:1", "3:1", "?", "12")), (40, 40, 40))


def _badge(picture: Image, place: Place, chance: Chance) -> None:
    """A rounded field in two tones with a letter or a number, as on letter tiles and cubes."""
    x, y, size = place
    outline = _polygon(place, 4, chance.between(0, 90), 0.05, chance)
    _fill_print(picture, outline, any_colour(chance))
    _line(picture, outline, any_colour(chance), 1 + int(size / 12))
    _mark(picture, (x, y, size * 0.6), chance.pick(_MARKS), any_colour(chance))


def _row_of_dots(picture: Image, place: Place, chance: Chance) -> None:
    """Dots in a row, round a ring, or strewn, without a die's body about them."""
    x, y, size = place
    ink, count, kind = any_colour(chance), 2 + chance.below(7), chance.below(3)
    turn, bend = chance.between(0, 2 * np.pi), 2 * np.pi / count
    for each in range(count):
        if kind == 0:
            away, angle = (each - count / 2) * size / 3, turn
        elif kind == 1:
            away, angle = size / 2, turn + each * bend
        else:
            away, angle = size * chance.between(0, 0.6), chance.between(0, 2 * np.pi)
        middle = (x + away * float(np.cos(angle)), y + away * float(np.sin(angle)))
        disc(picture, middle, max(0.6, size * 0.08), ink)


def _keys(picture: Image, place: Place, chance: Chance) -> None:
    """Nine keys of a keyboard, the middle one at the place."""
    x, y, size = place
    size *= 0.75
    tone, ink = np.array(any_colour(chance)), any_colour(chance)
    step, turn = size * chance.between(1.04, 1.15), np.radians(chance.near(0, 15))
    right = np.array([np.cos(turn), np.sin(turn)]) * step
    down = np.array([-right[1], right[0]])
    for row in range(-1, 2):
        for column in range(-1, 2):
            middle = np.array([x, y]) + right * (column + 0.2 * row) + down * row
            outline = cv2.boxPoints(
                ((float(middle[0]), float(middle[1])), (size, size), np.degrees(turn))
            )
            _fill(picture, outline.astype(np.float64), tone * 0.7, max(1, int(size * 0.12)))
            cap = middle + (outline - middle) * chance.between(0.7, 0.85)
            _fill(picture, cap.astype(np.float64), tone, max(1, int(size * 0.1)))
            if chance.happens(0.9):
                _mark(picture, (*middle.tolist(), size * 0.35), chance.pick(_KEYS), ink)


def _smudge(picture: Image, place: Place, chance: Chance) -> None:
    """A soft stain, lighter or darker than its ground, sometimes with a rim."""
    x, y, size = place
    stain = np.zeros(picture.shape[:2], np.float32)
    shape = (size * chance.between(0.5, 1.0), size * chance.between(0.2, 1.0))
    cv2.ellipse(stain, ((x, y), shape, chance.between(0, 180)), 1.0, chance.pick((-1, -1, 2)))
    soft = cv2.GaussianBlur(stain, (0, 0), max(0.6, size * chance.between(0.02, 0.2)))
    light = soft[:, :, None] * chance.between(15, 90) * chance.pick((-1, 1))
    picture[:] = np.clip(picture + light, 0, 255).astype(np.uint8)


def _embroidery(picture: Image, place: Place, chance: Chance) -> None:
    """Stitched flowers and rings: short strokes around a middle, in one or two threads."""
    x, y, size = place
    threads = (any_colour(chance), any_colour(chance))
    for ring in range(1 + chance.below(3)):
        radius, count = size * (0.12 + 0.16 * ring), 5 + chance.below(10)
        for each in range(count):
            angle = 2 * np.pi * each / count + ring
            along = np.array([np.cos(angle), np.sin(angle)])
            ends = np.array([x, y]) + np.outer((radius, radius + size * 0.12), along)
            start, end = _fixed(ends).tolist()
            width = max(1, int(size * chance.between(0.02, 0.08)))
            cv2.line(picture, start, end, threads[ring % 2], width, cv2.LINE_AA, _FINENESS)
    if chance.happens(0.5):
        disc(picture, (x, y), size * 0.06, threads[0])


def _lid(picture: Image, place: Place, chance: Chance) -> None:
    """A box's lid of pale board, printed with a die's dots in a row, and rounded squares."""
    x, y, size = place
    board = tuple(chance.between(120, 255) for _ in range(3))
    turn = chance.between(0, 90)
    for shrink, tone in ((1.0, (board[0], board[1], board[2])), (0.5, any_colour(chance))):
        wide, high = size * shrink, size * shrink * chance.between(0.6, 1.0)
        outline = cv2.boxPoints(((x, y), (wide, high), turn)).astype(np.float64)
        _fill(picture, outline, np.array(tone), max(1, int(size * 0.06)))
    for _ in range(chance.below(4)):
        at = (x + size * chance.near(0, 0.25), y + size * chance.near(0, 0.25))
        disc(picture, at, size * chance.between(0.02, 0.05), any_colour(chance))


def _polygon(place: Place, corners: int, turn: float, crooked: float, chance: Chance) -> _Points:
    x, y, size = place
    angles = np.radians(turn) + np.arange(corners) * 2 * np.pi / corners
    radii = size / 2 * (1 + crooked * chance.numbers.standard_normal(corners))
    return np.stack([x + radii * np.cos(angles), y + radii * np.sin(angles)], axis=1)


def _fill_print(picture: Image, outline: _Points, colour: Colour) -> None:
    cv2.fillPoly(picture, [_fixed(outline)], colour, cv2.LINE_AA, _FINENESS)


def disc(picture: NDArray[Any], middle: tuple[float, float], radius: float, colour: Colour) -> None:
    """Draw a filled circle at a place between pixels."""
    x, y = (round(each * 2**_FINENESS) for each in middle)
    cv2.circle(picture, (x, y), round(radius * 2**_FINENESS), colour, -1, cv2.LINE_AA, _FINENESS)


def _mark(picture: Image, place: Place, text: str, colour: Colour) -> None:
    x, y, high = place
    scale, width = max(0.2, high / 24), max(1, round(high / 9))
    (across, up), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, width)
    corner = (round(x - across / 2), round(y + up / 2))
    cv2.putText(picture, text, corner, cv2.FONT_HERSHEY_SIMPLEX, scale, colour, width, cv2.LINE_AA)


_BOARD: Final = 0.25


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """A square table top, and where on it there are things that resemble dice."""

    image: Image
    clutter: tuple[PlacedDie, ...]


def cloud(height: int, width: int, grain: float, chance: Chance) -> NDArray[np.float32]:
    """Soft noise of -1 to 1 or so, H x W, whose blots are about `grain` pixels wide."""
    rows, columns = max(2, int(height / grain)), max(2, int(width / grain))
    seeds = chance.numbers.standard_normal((rows, columns), np.float32)
    return np.asarray(cv2.resize(seeds, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)


def surface(side: int, chance: Chance) -> Surface:
    """Draw a square table top of some material, often with prints and clutter on it."""
    texture = cloud(side, side, chance.scale(20, 200), chance)[:, :, None] * chance.between(0, 12)
    for _ in range(1 + chance.below(2)):
        texture = texture + _material(side, chance) * np.array(any_colour(chance)) / 128
    toned = np.clip(texture + np.array(any_colour(chance)), 0, 255)
    picture = np.ascontiguousarray(toned, np.uint8)
    places = print_board(picture, chance) if chance.happens(_BOARD) else []
    for _ in range(chance.below(5) if chance.happens(0.6) else 0):
        kind = chance.below(5)
        if kind < 2:  # noqa: PLR2004 - two of five kinds
            places.append(print_piece(picture, chance))
        elif kind == 2:  # noqa: PLR2004
            places.append(lay_block(picture, chance))
        else:
            _clutter(picture, chance)
    return Surface(
        picture, tuple(each for each in places if (0 <= each.x < side and 0 <= each.y < side))
    )


def _material(side: int, chance: Chance) -> NDArray[np.float32]:
    kind = chance.below(4)
    if kind == 0:
        stripes = cloud(side, max(2, side // 12), chance.scale(1, 6), chance)
        grain = cv2.resize(stripes, (side, side))
        grain = grain if chance.happens(0.5) else grain.T
    elif kind == 1:
        down, across = np.mgrid[0:side, 0:side].astype(np.float32)
        period, turn = chance.scale(3, 40), chance.between(0, np.pi)
        along = np.cos(turn) * across + np.sin(turn) * down
        athwart = np.cos(turn) * down - np.sin(turn) * across
        waves = np.sin(along * 2 * np.pi / period) + np.sin(athwart * 2 * np.pi / period)
        grain = np.asarray(waves, np.float32)
    else:
        grain = cloud(side, side, chance.scale(1, 12), chance)
    return np.asarray(grain[:, :, None] * chance.scale(1, 30), np.float32)


def _clutter(picture: Image, chance: Chance) -> None:
    """Draw coins, buttons, printed circles, domino-like tiles and lines; none of them a die."""
    side = picture.shape[0]
    x, y = chance.below(side), chance.below(side)
    size = int(chance.scale(4, side / 3))
    colour, other = any_colour(chance), any_colour(chance)
    kind = chance.below(4)
    if kind == 0:
        cv2.circle(picture, (x, y), size // 2, colour, -1, cv2.LINE_AA)
        cv2.circle(picture, (x, y), size // 3, other, 1 + size // 20, cv2.LINE_AA)
    elif kind == 1:
        middle = (x, y)
        shape = (size, size * chance.between(0.4, 2.5))
        corners = cv2.boxPoints((middle, shape, chance.between(0, 90))).astype(np.int32)
        cv2.fillConvexPoly(picture, corners, any_colour(chance), cv2.LINE_AA)
        if chance.happens(0.5):
            text = chance.pick(("7", "12", "A", "K", "OK", "8", "tea", "2024"))
            cv2.putText(picture, text, middle, 0, max(0.3, size / 60), any_colour(chance), 1)
    elif kind == 2:  # noqa: PLR2004 - one of four kinds
        end = (chance.below(side), chance.below(side))
        cv2.line(picture, (x, y), end, colour, 1 + size // 8, cv2.LINE_AA)
    else:
        for step in range(2 + chance.below(8)):
            spot = (x + step * size // 3, y + (step % 2) * size // 4)
            cv2.circle(picture, spot, max(1, size // 12), colour, -1, cv2.LINE_AA)
