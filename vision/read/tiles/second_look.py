"""A second look of the finder at doubtful tiles, one at a time and turned as they seem to lie.

The first look is made at one scale for all tiles, and tells the turn of a loose one to ten degrees
or so: the reader wants better. Seen at the size and turn that the finder was trained on most, and
once more half a right angle on, it is told to a few.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from vision.capture.frame import Image
from vision.capture.image_pyramid import Pyramid
from vision.read.networks import Network
from vision.read.tiles.face_reader import TileReading, read
from vision.read.tiles.spots import Maps, Spot, distinct, spots

_SIDE: Final = 96  # of a window, in pixels
_LENGTH: Final = 44.0  # of the tile in it
_TURNS: Final = (0.0, 45.0)  # degrees
_FAINTEST: Final = 0.05  # the finder's score in a window
_OFF: Final = 0.4  # of the tile's width: farther from the middle it is another tile
_DOUBTED: Final = 0.97  # less likely readings are looked at again
_HALF: Final = 0.5  # of the smaller tile: two that share so much are one
_THERE: Final = 0.3  # the least presence that is worth it


@dataclass(frozen=True, slots=True)
class _Window:
    """A square part of a picture around a point, turned; `factor` is the side of its pixels."""

    x: float
    y: float
    angle: float
    factor: float

    @property
    def _turn(self) -> complex:
        return cmath.rect(self.factor, math.radians(self.angle))

    def cut(self, pyramid: Pyramid) -> Image:
        """What is seen in it, 96 x 96 x 3; beyond the picture its edge goes on."""
        level = pyramid.above(self.factor)
        middle = complex(self.x + 0.5, self.y + 0.5) / 2**level - (0.5 + 0.5j)
        turn = self._turn / 2**level
        corner = middle - turn * complex(_SIDE - 1, _SIDE - 1) / 2
        warp = np.array([(turn.real, -turn.imag, corner.real), (turn.imag, turn.real, corner.imag)])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        size, edge = (_SIDE, _SIDE), cv2.BORDER_REPLICATE
        cut = cv2.warpAffine(pyramid.levels[level], warp, size, flags=flags, borderMode=edge)
        return np.asarray(cut, np.uint8)

    def found(self, maps: Maps) -> Spot | None:
        """What the finder names nearest its middle, in pixels of the picture; None if too far."""
        near = min(spots(maps, _FAINTEST), key=_off_middle, default=None)
        if near is None or _off_middle(near) > _OFF * near.width:
            return None
        away = self._turn * complex(near.x - _SIDE / 2, near.y - _SIDE / 2)
        placed = replace(near.scaled(self.factor), x=self.x + away.real, y=self.y + away.imag)
        return replace(placed, angle=near.angle + self.angle)


def _off_middle(spot: Spot) -> float:
    return math.hypot(spot.x - _SIDE / 2, spot.y - _SIDE / 2)


def reconsidered(
    finder: Network, reader: Network, pyramid: Pyramid, readings: Sequence[TileReading]
) -> list[TileReading]:
    """The same readings; doubtful ones as they are read after a second look, where likelier.

    Two that turn out to be of one tile are one: the likelier.
    """
    doubted = [at for at, each in enumerate(readings) if _is_doubtful(each)]
    again = read(reader, pyramid, aimed(finder, pyramid, [readings[at].spot for at in doubted]))
    better = {
        at: reading
        for at, reading in zip(doubted, again, strict=True)
        if reading.likelihood > readings[at].likelihood
    }
    return _once_each([better.get(at, each) for at, each in enumerate(readings)])


def _once_each(readings: Sequence[TileReading]) -> list[TileReading]:
    likeliest = sorted(readings, key=lambda each: -each.present * each.likelihood)
    by_spot = {each.spot: each for each in reversed(likeliest)}
    kept = set(_apart(distinct([each.spot for each in likeliest])))
    return [each for each in readings if each.spot in kept and by_spot[each.spot] is each]


def _apart(found: Sequence[Spot]) -> list[Spot]:
    """Drop what lies half under a better one; `found` comes best first."""
    kept: list[Spot] = []
    for spot in found:
        if not any(_is_half_under(spot, better) for better in kept):
            kept.append(spot)
    return kept


def _is_half_under(spot: Spot, better: Spot) -> bool:
    if math.hypot(spot.x - better.x, spot.y - better.y) > (spot.length + better.length) / 2:
        return False
    shared, _ = cv2.intersectConvexConvex(spot.quad, better.quad)
    return shared > _HALF * min(spot.width * spot.length, better.width * better.length)


def _is_doubtful(reading: TileReading) -> bool:
    return reading.present >= _THERE and reading.likelihood < _DOUBTED


def aimed(finder: Network, pyramid: Pyramid, places: Sequence[Spot]) -> list[Spot]:
    """The places as a second look tells them; as they were where it sees nothing there."""
    if not places:
        return []
    windows = [
        _Window(place.x, place.y, place.angle + turn, place.length / _LENGTH)
        for place in places
        for turn in _TURNS
    ]
    maps = finder(np.stack([window.cut(pyramid) for window in windows]))
    looks = [window.found(seen) for window, seen in zip(windows, maps, strict=True)]
    each = len(_TURNS)
    return [
        _mean(place, [look for look in looks[each * at : each * (at + 1)] if look is not None])
        for at, place in enumerate(places)
    ]


def _mean(place: Spot, looks: Sequence[Spot]) -> Spot:
    """The mean of several looks by their scores, with that end up that was up before."""
    if not looks:
        return place
    weights = np.array([look.score for look in looks])
    told = np.array([(look.x, look.y, look.width, look.length) for look in looks])
    x, y, width, length = (weights @ told / weights.sum()).tolist()
    turns = (cmath.rect(look.score, math.radians(2 * look.angle)) for look in looks)
    angle = math.degrees(cmath.phase(sum(turns))) / 2
    over = 180.0 * round((place.angle - angle) / 180)
    return Spot(place.score, x, y, width, length, (angle + over) % 360)
