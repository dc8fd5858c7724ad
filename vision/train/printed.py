"""Drawn prints that resemble dice and are none: game boards, tokens, sails, cards, dotted rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.train.chance import Chance
from vision.train.colours import Colour, any_colour
from vision.train.placed import PlacedDie

Place = tuple[float, float, float]
_Outline = NDArray[np.float64]

_FINENESS: Final = 4  # bits behind the comma of a drawn coordinate
_MARKS: Final = ("2", "3", "4", "5", "6", "8", "9", "10", "11", "12", "A", "K", "Q", "?", "T")
_NOTHING: Final = 0


def print_board(picture: Image, chance: Chance) -> list[PlacedDie]:
    """Print a board of fields with tokens on a square picture, in place; tell where they lie."""
    side = picture.shape[0]
    size = chance.scale(0.07, 0.4) * side
    corners, tones = chance.pick((4, 6, 6, 8)), [any_colour(chance) for _ in range(4)]
    turn, draw = chance.between(0, 360), chance.pick((_token, _sail, _badge))
    places: list[PlacedDie] = []
    for x, y in _lattice(side, size, chance):
        field = _polygon((x, y, size), corners, turn, 0.0, chance)
        _fill(picture, field, chance.pick(tones))
        _line(picture, field, tones[0], 1 + chance.below(3))
        small = (x, y, size * chance.between(0.25, 0.6))
        draw(picture, small, chance)
        places += [_placed((x, y, size)), _placed(small)]
    return places


def print_piece(picture: Image, chance: Chance) -> PlacedDie:
    """Print one thing anywhere, in place; tell where it lies."""
    side = picture.shape[0]
    place = (chance.between(0, side), chance.between(0, side), chance.scale(0.04, 0.4) * side)
    draw: Callable[[Image, Place, Chance], None] = chance.pick(
        (_token, _sail, _badge, _row_of_dots)
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
    _disc(picture, (x, y), size / 2, any_colour(chance))
    _mark(picture, (x, y, size * 0.55), chance.pick(_MARKS), ink)
    dots = chance.below(6)
    for each in range(dots):
        across = (each - (dots - 1) / 2) * size * 0.12
        _disc(picture, (x + across, y + size * 0.33), size * 0.045, ink)


def _sail(picture: Image, place: Place, chance: Chance) -> None:
    """A pale crooked patch with a dark one beside it and a blot or two on it."""
    x, y, size = place
    hull = (x + size * chance.near(0, 0.15), y + size * chance.near(0.2, 0.2), size * 0.7)
    _fill(picture, _polygon(hull, 5, chance.between(0, 360), 0.3, chance), any_colour(chance))
    pale = tuple(chance.between(150, 255) for _ in range(3))
    body = _polygon((x, y, size), 4, chance.between(0, 90), 0.2, chance)
    _fill(picture, body, (pale[0], pale[1], pale[2]))
    for _ in range(chance.below(4)):
        spot = (x + size * chance.near(0, 0.12), y + size * chance.near(0, 0.12), size * 0.25)
        _fill(picture, _polygon(spot, 5, 0.0, 0.4, chance), any_colour(chance))
    if chance.happens(0.5):
        _mark(picture, (x, y, size * 0.3), chance.pick(("2:1", "3:1", "?", "12")), (40, 40, 40))


def _badge(picture: Image, place: Place, chance: Chance) -> None:
    """A rounded field in two tones with a letter or a number, as on letter tiles and cubes."""
    x, y, size = place
    outline = _polygon(place, 4, chance.between(0, 90), 0.05, chance)
    _fill(picture, outline, any_colour(chance))
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
        _disc(picture, middle, max(0.6, size * 0.08), ink)


def _polygon(place: Place, corners: int, turn: float, crooked: float, chance: Chance) -> _Outline:
    x, y, size = place
    angles = np.radians(turn) + np.arange(corners) * 2 * np.pi / corners
    radii = size / 2 * (1 + crooked * chance.numbers.standard_normal(corners))
    return np.stack([x + radii * np.cos(angles), y + radii * np.sin(angles)], axis=1)


def _fixed(points: _Outline) -> NDArray[np.int32]:
    return np.asarray(np.round(points * 2**_FINENESS), np.int32)


def _fill(picture: Image, outline: _Outline, colour: Colour) -> None:
    cv2.fillPoly(picture, [_fixed(outline)], colour, cv2.LINE_AA, _FINENESS)


def _line(picture: Image, outline: _Outline, colour: Colour, width: int) -> None:
    fixed = [_fixed(outline)]
    cv2.polylines(
        picture,
        fixed,
        isClosed=True,
        color=colour,
        thickness=width,
        lineType=cv2.LINE_AA,
        shift=_FINENESS,
    )


def _disc(picture: Image, middle: tuple[float, float], radius: float, colour: Colour) -> None:
    x, y = (round(each * 2**_FINENESS) for each in middle)
    cv2.circle(picture, (x, y), round(radius * 2**_FINENESS), colour, -1, cv2.LINE_AA, _FINENESS)


def _mark(picture: Image, place: Place, text: str, colour: Colour) -> None:
    x, y, high = place
    scale, width = max(0.2, high / 24), max(1, round(high / 9))
    (across, up), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, width)
    corner = (round(x - across / 2), round(y + up / 2))
    cv2.putText(picture, text, corner, cv2.FONT_HERSHEY_SIMPLEX, scale, colour, width, cv2.LINE_AA)
