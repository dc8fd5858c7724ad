"""The light of a room: windows, lamps and walls as a picture all around the table."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.train.rendering.chance import Random, between, by_scale, happens

Light = NDArray[np.float32]
Tint = tuple[float, float, float]
_CEILING_FROM: Final = 0.6  # radians above the horizon
_HEIGHT: Final = 128
_POINT: Final = 0.6
WIDE: Final = 6.0
_WIDTH: Final = 256


def any_room(random: Random, smallest: float = _POINT) -> Light:
    """A room by day or by lamplight: the light from all around, 128 x 256 x 3.

    The rows run from the zenith to the nadir; a white sheet on the table gives back 1 of it.
    `smallest` is the least radius of a lamp, in rows: light that passed through clear dice
    stays grainy for long where lamps are small.
    """
    rise = np.linspace(np.pi / 2, -np.pi / 2, _HEIGHT)[:, None]
    ceiling, wall, floor = random.uniform([0.3, 0.1, 0.05], [1.0, 0.7, 0.3])
    level = np.where(rise > _CEILING_FROM, ceiling, np.where(rise > 0, wall, floor))
    light = np.repeat(level, _WIDTH, axis=1)[..., None] * np.array(any_tint(random))
    light *= 1 + 0.4 * cv2.resize(random.uniform(-1, 1, (6, 12, 1)), (_WIDTH, _HEIGHT))[..., None]
    for _ in range(int(random.choice([0, 1, 2, 3], p=[0.2, 0.4, 0.25, 0.15]))):
        _add_window(random, light)
    for _ in range(int(random.choice([0, 1, 2, 4], p=[0.3, 0.3, 0.25, 0.15]))):
        _add_bulb(random, light, by_scale(random, 15, 120), smallest)
    light /= max(float(_on_white_sheet(light).mean()), 1e-9)
    if happens(random, 0.7):
        light = _beside_lamps(random, light, smallest)
    return np.asarray(light + 1e-4, dtype=np.float32)


def _beside_lamps(
    random: Random, light: NDArray[np.float64], smallest: float
) -> NDArray[np.float64]:
    """The room's light dimmed, with one or two lamps that give most of what falls on the table."""
    lamps = np.zeros_like(light)
    for _ in range(int(random.choice([1, 2], p=[0.8, 0.2]))):
        _add_bulb(random, lamps, between(random, 0.3, 1), smallest)
    key = between(random, 0.2, 0.92)
    white = max(float(_on_white_sheet(lamps).mean()), 1e-9)
    return np.asarray(light * (1 - key) + lamps * (key / white))


def any_tint(random: Random) -> Tint:
    """White light, warm as a lamp's or cool as the sky's."""
    warmth = float(random.normal(0.05, 0.16))
    return 1 + warmth, 1.0, float(np.clip(1 - 1.3 * warmth, 0.35, 1.6))


def _add_window(random: Random, light: NDArray[np.float64]) -> None:
    top, tall = int(random.integers(16, 44)), int(random.integers(10, 24))
    left, wide = int(random.integers(0, _WIDTH)), int(random.integers(12, 52))
    columns = np.arange(left, left + wide) % _WIDTH
    glow = between(random, 4, 25) * np.array(any_tint(random))
    light[top : top + tall, columns] = glow
    if happens(random, 0.6):
        light[top : top + tall, columns[wide // 2 : wide // 2 + 2]] = 0.2


def _add_bulb(random: Random, light: NDArray[np.float64], bright: float, smallest: float) -> None:
    """A round lamp, from one that casts hard shadows to a wide soft one."""
    middle = int(random.integers(2, 50))
    radius = by_scale(random, smallest, 14)
    row, column = np.arange(_HEIGHT)[:, None], np.arange(_WIDTH)[None, :]
    around = (column - int(random.integers(0, _WIDTH)) + _WIDTH // 2) % _WIDTH - _WIDTH // 2
    across = around * np.maximum(np.sin(np.pi * (row + 0.5) / _HEIGHT), 0.02)
    light[np.hypot(row - middle, across) <= radius] = bright * np.array(any_tint(random))


def _on_white_sheet(light: NDArray[np.float64]) -> NDArray[np.float64]:
    """What a level white sheet sends back of it, red, green, blue."""
    angle = (np.arange(_HEIGHT) + 0.5) * np.pi / _HEIGHT
    weight = np.clip(np.cos(angle), 0, None) * np.sin(angle)
    area = (np.pi / _HEIGHT) * (2 * np.pi / _WIDTH)
    return np.asarray((light * weight[:, None, None]).sum(axis=(0, 1)) * area / np.pi)
