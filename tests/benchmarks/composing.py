"""Photographs with any number of dice, composed from the demo evening's pictures.

The dice of the evening's rolls are cut out with their shadows and placed, at the requested
size, on the evening's empty tray. This needs only the repository.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.cameras.demo import demo_pictures
from vision.capture.frame import Image
from vision.capture.photo import open_photo

WIDTH: Final = 1280
HEIGHT: Final = 960
EVENING: Final = Path(str(demo_pictures()))
TRUTH: Final = Path(__file__).parents[1] / "hardware" / "cameras" / "demo_evening_truth.json"
FIVE: Final = 5
LEAST_SIDE: Final = 60.0
MOST_SIDE: Final = 200.0
CROWDED_SIDES: Final = (60.0, 95.0)
_FELT: Final = (0.11, 0.13, 0.89, 0.89)  # of the empty tray's picture: left, top, right, bottom
_LEAST_BRIGHTNESS: Final = 105
_LEAST_SIDE: Final = 50  # beyond these limits it is two dice, or a part of one
_MOST_SIDE: Final = 105
_SAME_COLOUR: Final = 12
_MARGIN: Final = 0.22
_TRIES: Final = 4000
_ROOM: Final = 0.72  # between centres, in sums of two sides: turned squares stay apart


@dataclass(frozen=True, slots=True, eq=False)
class Cutout:
    """A die cut out with its shadow: its picture, the opacity of each pixel, its value.

    `side` is the longer side of the whole die in pixels.
    """

    image: Image
    cover: NDArray[np.float32]
    value: int
    side: float


@dataclass(frozen=True, slots=True, eq=False)
class Composed:
    """A picture and the values of the dice on it, ascending."""

    image: Image
    values: tuple[int, ...]


def compose(sides: Sequence[float], seed: int) -> Composed:
    """Place one die per side length (pixels) on the tray; the same seed gives the same picture.

    Raises:
        ValueError: the dice don't fit on the tray without touching.
    """
    random = np.random.default_rng(seed)
    image = np.asarray(
        cv2.resize(_tray(), (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC), np.uint8
    )
    places = _places(sorted(sides, reverse=True), random)
    values = []
    for x, y, side in places:
        die = _some(int(random.integers(1, 7)), random)
        _lay(image, die, x, y, side / die.side)
        values.append(die.value)
    return Composed(image, tuple(sorted(values)))


def five_dice(count: int) -> list[Composed]:
    """Photos of 1280x960 with five dice of 60 to 200 pixels, by the longer side."""
    sides = [
        np.random.default_rng(seed).uniform(LEAST_SIDE, MOST_SIDE, FIVE) for seed in range(count)
    ]
    return [compose(list(each), seed) for seed, each in enumerate(sides)]


def crowd(count: int) -> Composed:
    """A photo of 1280x960 with this many dice, small enough not to touch."""
    sides = np.random.default_rng(count).uniform(*CROWDED_SIDES, count)
    return compose(list(sides), count)


def _some(value: int, random: np.random.Generator) -> Cutout:
    shown = [die for die in cutouts() if die.value == value]
    return shown[int(random.integers(len(shown)))]


def _places(
    sides: Sequence[float], random: np.random.Generator
) -> list[tuple[float, float, float]]:
    """A centre and a side for every die, so that none touch; the largest first."""
    placed: list[tuple[float, float, float]] = []
    for side in sides:
        for _ in range(_TRIES):
            x, y = _somewhere(side, random)
            if all(_apart(x, y, side, other) for other in placed):
                placed.append((x, y, side))
                break
        else:
            raise ValueError(f"{len(sides)} dice don't fit on the tray; ask for smaller ones.")
    return placed


def _somewhere(side: float, random: np.random.Generator) -> tuple[float, float]:
    left, top, right, bottom = (
        edge * length for edge, length in zip(_FELT, (WIDTH, HEIGHT) * 2, strict=True)
    )
    half = side / 2
    return (
        float(random.uniform(left + half, right - half)),
        float(random.uniform(top + half, bottom - half)),
    )


def _apart(x: float, y: float, side: float, other: tuple[float, float, float]) -> bool:
    return float(np.hypot(x - other[0], y - other[1])) > _ROOM * (side + other[2])


def _lay(image: Image, die: Cutout, x: float, y: float, factor: float) -> None:
    """Blend one die into the picture in place."""
    shape = (round(die.image.shape[1] * factor), round(die.image.shape[0] * factor))
    method = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    picture = cv2.resize(die.image, shape, interpolation=method)
    cover = cv2.resize(die.cover, shape, interpolation=cv2.INTER_LINEAR)
    left, top = round(x - shape[0] / 2), round(y - shape[1] / 2)
    cut_left, cut_top = max(0, -left), max(0, -top)
    ground = image[top + cut_top : top + shape[1], left + cut_left : left + shape[0]]
    rows, columns = ground.shape[:2]
    part = (slice(cut_top, cut_top + rows), slice(cut_left, cut_left + columns))
    share = cover[part][..., None]
    ground[:] = np.rint(ground * (1 - share) + picture[part] * share).astype(np.uint8)


@cache
def _tray() -> Image:
    return open_photo(EVENING / "empty.webp")


@cache
def cutouts() -> tuple[Cutout, ...]:
    """Every die of the evening's rolls on this felt that is apart from the others."""
    turns = json.loads(TRUTH.read_text(encoding="utf-8"))["turns"]
    return tuple(
        die
        for turn, throws in enumerate(turns)
        for number, throw in enumerate(throws)
        for die in _cut_throw(EVENING / f"turn{turn:02}" / f"throw{number}", throw)
        if _LEAST_SIDE <= die.side <= _MOST_SIDE
    )


def _cut_throw(folder: Path, throw: Mapping[str, Sequence[Any]]) -> Iterator[Cutout]:
    picture = open_photo(max(folder.iterdir()))
    if not _same_felt(picture):
        return
    light = picture.min(axis=2) > _LEAST_BRIGHTNESS
    _, parts, figures, _ = cv2.connectedComponentsWithStats(light.astype(np.uint8))
    for value, (x, y) in zip(throw["values"], throw["centres"], strict=True):
        part = _part_around(figures, x, y)
        left, top, width, height = (int(each) for each in figures[part][:4])
        die = _cut(picture, parts == part, (left, top, width, height), int(value))
        if die is not None:
            yield die


def _same_felt(picture: Image) -> bool:
    """Whether the felt has the empty tray's colour; another colour would show as a rim."""
    ours, theirs = (np.median(each, axis=(0, 1)) for each in (_tray(), picture))
    return float(np.abs(ours - theirs).max()) < _SAME_COLOUR


def _part_around(figures: NDArray[np.int32], x: float, y: float) -> int:
    """The largest lit part whose box contains that place; the centre itself may be a pip."""
    left, top, width, height, area = figures.T
    holds = (left <= x) & (x < left + width) & (top <= y) & (y < top + height)
    holds[0] = False  # the ground
    return int(np.argmax(np.where(holds, area, 0)))


def _cut(
    picture: Image, lit: NDArray[np.bool_], box: tuple[int, int, int, int], value: int
) -> Cutout | None:
    """One die cut out of its picture; None if its shadow would be cut off."""
    left, top, width, height = box
    side = max(width, height)
    margin = round(_MARGIN * side)
    rows = slice(top - margin, top + height + margin)
    columns = slice(left - margin, left + width + margin)
    image = picture[rows, columns]
    if min(rows.start, columns.start) < 0 or image.shape[:2] != (
        height + 2 * margin,
        width + 2 * margin,
    ):
        return None
    return Cutout(image, _cover(lit[rows, columns], margin), value, float(side))


def _cover(lit: NDArray[np.bool_], margin: int) -> NDArray[np.float32]:
    """Opacity: one on the die, falling to zero at the cut, which takes the shadow along."""
    points = np.argwhere(lit)[:, ::-1].astype(np.int32)
    body = np.zeros(lit.shape, np.uint8)
    cv2.fillConvexPoly(body, cv2.convexHull(points), 1)
    distance = cv2.distanceTransform(1 - body, cv2.DIST_L2, 3)
    return np.clip(1 - np.maximum(distance - 2, 0) / margin, 0, 1).astype(np.float32)
