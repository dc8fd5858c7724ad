"""Where somebody holds the phone that photographs tiles: a lens by chance, and what it sees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.train.rendering.chance import Random, between, happens, pick
from vision.train.rendering.lens import Lens

Vector = NDArray[np.float64]
_SIZES: Final = ((1024, 768), (768, 1024), (1280, 960), (960, 1280), (960, 720), (960, 540))
_SIZE_SHARES: Final = (0.34, 0.22, 0.08, 0.06, 0.18, 0.12)
_BELOW_HORIZON: Final = 8.0
_NEAREST: Final = 5.0


def any_view(random: Random, share: float, *, rack: bool) -> Lens:
    """A phone's camera over a table, or lower before a rack.

    `share` is a tile's width as a share of the picture's longer side.
    """
    width, height = _SIZES[int(random.choice(len(_SIZES), p=_SIZE_SHARES))]
    longer = max(width, height)
    elevation, roll = _elevation(random, rack=rack), _roll(random, rack=rack)
    upward = abs(np.cos(np.radians(roll))) * height + abs(np.sin(np.radians(roll))) * width
    field = _field(random, elevation, float(upward / longer), share)
    distance = float(0.5 / np.tan(np.radians(field) / 2) / share)
    target = (0.0, 0.0, 1.2 if rack else 0.2)
    blur = float(random.choice([0.1, random.exponential(0.8)], p=[0.6, 0.4]))
    focal = longer / 2 / np.tan(np.radians(field) / 2)
    aperture = float(min(blur, 3.0) / 0.1 * distance / focal / 2 + 1e-4)
    focus = distance * float(random.choice([1.0, random.normal(1, 0.06)], p=[0.6, 0.4]))
    azimuth = between(random, -180, 180)
    return Lens(width, height, target, elevation, azimuth, roll, distance, field, aperture, focus)


def _elevation(random: Random, *, rack: bool) -> float:
    if rack:
        return between(random, 16, 52)
    steep = happens(random, 0.45)
    return between(random, 72, 90) if steep else between(random, 35, 76)


def _roll(random: Random, *, rack: bool) -> float:
    """Mostly upright; the phone turned on its side, or anyhow."""
    if rack:
        return float(random.normal(0, 5))
    turned = float(random.choice([-90.0, 90.0, 180.0])) + float(random.normal(0, 4))
    anyhow = between(random, -180, 180)
    return pick(random, ((0.68, float(random.normal(0, 5))), (0.17, turned), (0.15, anyhow)))


def _field(random: Random, elevation: float, upward: float, share: float) -> float:
    """The longer side's angle: a phone's, less where it would see the horizon or come too near."""
    field = pick(random, ((0.6, between(random, 52, 72)), (0.4, between(random, 28, 52))))
    to_horizon = np.tan(np.radians(max(elevation - _BELOW_HORIZON, 6.0))) / upward
    to_tiles = 0.5 / (_NEAREST * share)
    return float(min(field, 2 * np.degrees(np.arctan(min(to_horizon, to_tiles)))))


def in_sight(lens: Lens, margin: float) -> Callable[[Vector], bool]:
    """Whether a place of the table (x, y) falls into the picture, so many pixels from its edge."""
    size = np.array([lens.width, lens.height])

    def sees(place: Vector) -> bool:
        point = np.array([[place[0], place[1], 0.0]])
        if float((point[0] - lens.eye) @ lens.axes[2]) <= 0:
            return False
        pixel = lens.pixels(point)[0]
        return bool((pixel > margin).all() and (pixel < size - margin).all())

    return sees


def spots(random: Random, lens: Lens, margin: float) -> Callable[[], Vector]:
    """Draws places of the table (x, y) in the picture, so many pixels from its edge."""
    low = np.full(2, margin)
    high = np.maximum(np.array([lens.width, lens.height]) - margin, low + 1)

    def spot() -> Vector:
        pixel = random.uniform(low, high)
        return np.asarray(lens.ground(pixel[None])[0, :2])

    return spot


def frame(lens: Lens) -> tuple[float, Vector]:
    """The heading (radians) that reads upright in the picture's middle, and its span (2 x 2).

    The span is the least and the greatest place that the picture sees along and across that
    heading, a row each, from the target; of a slanted view the nearer half's breadth counts.
    """
    heading = float(np.radians(lens.azimuth_degrees - lens.roll_degrees))
    size = np.array([lens.width, lens.height], dtype=np.float64)
    sides = np.array([(0, 0.5), (1, 0.5), (0.5, 0), (0.5, 1)]) * size
    away = lens.ground(sides)[:, :2] - np.asarray(lens.target)[:2]
    sine, cosine = np.sin(heading), np.cos(heading)
    turned = away @ np.array([[cosine, -sine], [sine, cosine]])
    return heading, np.array([turned.min(axis=0), turned.max(axis=0)])
