"""Tiles seen aslant: the photo is read again as if the camera were higher or in front.

A tile far from the lens's axis, or on a table seen from low down, looks flat and slanting, which
the finder measures only roughly: the reader's crop is askew. A camera tilted back by the right
angle sees every tile of the table undistorted. For a rack seen from the side, it is a camera turned
until it sees the rows level: the growth of tiles along a row shows how far the row runs away.

Okey's tiles have a heart in a dish below the number, which is painted over.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from scoreboard.games.rummikub.tiles import JOKER
from vision.capture.frame import Image, Pyramid
from vision.read.detection import Candidate
from vision.read.tile_readings import IsPiece, TileReading, contested, once_each

_FOCAL: Final = 0.8  # of the longer side: a phone's main lens, and most webcams, within a tenth
_TILTS: Final = (25.0, 42.0)  # degrees, the first one first
_FLATTEST: Final = 0.2  # the farthest place seen is enlarged no more than five times as the nearest
_LARGEST: Final = 1600  # pixels
_AROUND: Final = 2.0  # lengths of a tile
_FEWEST: Final = 3  # tiles: fewer do not show the view
_WELL: Final = 0.975  # the mean likelihood of well read tiles: nothing is gained above it
_ALIGNED: Final = 0.93  # the cosine of how far a tile is turned from the others of its row
_MOSTLY: Final = 0.7  # of the tiles are in rows
_ALONG: Final = 0.05  # of the longer spread: less is a single row
_ASIDE: Final = 0.2  # the sine of how far the rows run away from the camera: less is level
_EVEN: Final = 0.5  # a likelihood without information
_GAIN: Final = 0.01  # in the mean likelihood, for a steeper view to be worth it

Points = NDArray[np.float64]
Look = Callable[[Pyramid], list[TileReading]]


@dataclass(frozen=True, slots=True, eq=False)
class PhotoOverview:
    """A photo as seen from higher up, and the 3 x 3 warp of its points from the photo's own."""

    image: Image
    warp: Points

    def placed(self, tile: Candidate) -> Candidate:
        """The tile's place in the photo itself."""
        quad = tile.quad[None].astype(np.float64)
        corners = cv2.perspectiveTransform(quad, np.linalg.inv(self.warp))[0]
        return Candidate.of_corners(corners, tile.score)


def overview_of(image: Image, tiles: Sequence[Candidate], turn: Points) -> PhotoOverview | None:
    """The tiles' surroundings, seen by a camera turned this way; None if that gets too flat."""
    height, width = image.shape[:2]
    focal = _FOCAL * max(height, width)
    lens = np.array([(focal, 0, width / 2), (0, focal, height / 2), (0, 0, 1)])
    tilted = lens @ turn @ np.linalg.inv(lens)
    corners = np.concatenate([each.quad for each in tiles]).astype(np.float64)
    margin = _AROUND * float(np.median([each.height for each in tiles]))
    left, top = np.maximum(corners.min(axis=0) - margin, 0)
    right, bottom = np.minimum(corners.max(axis=0) + margin, (width, height))
    box = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
    depths = box @ tilted[2, :2] + tilted[2, 2]
    if depths.min() < _FLATTEST * depths.max():
        return None
    seen = cv2.perspectiveTransform(box[None], tilted)[0]
    low, high = seen.min(axis=0), seen.max(axis=0)
    # The middle of the tiles keeps its breadth
    middle = box.mean(axis=0)
    step = cv2.perspectiveTransform(np.array([[middle, middle + np.array([1.0, 0.0])]]), tilted)[0]
    factor = min(1 / float(np.hypot(*(step[1] - step[0]))), _LARGEST / float((high - low).max()))
    moved = np.array([(factor, 0, -factor * low[0]), (0, factor, -factor * low[1]), (0, 0, 1)])
    columns, rows = (max(64, math.ceil(side)) for side in factor * (high - low))
    warp = moved @ tilted
    edge = cv2.BORDER_REPLICATE
    warped = cv2.warpPerspective(image, warp, (columns, rows), borderMode=edge)
    return PhotoOverview(np.asarray(warped, np.uint8), warp)


def turned(axis: Points) -> Points:
    """The rotation of a camera around that axis, by its length; to the right it tilts back."""
    return np.asarray(cv2.Rodrigues(axis)[0], np.float64)


def from_the_front(shape: tuple[int, ...], tiles: Sequence[TileReading]) -> Points | None:
    """The rotation of a camera that sees level the tile rows that this one sees from the side.

    None if it hardly does, or the tiles are in no rows.
    """
    height, width = shape[:2]
    # Checks of a cloth pass for jokers: these are in no row
    places = [each.candidate for each in tiles if each.piece != JOKER]
    figures = [(e.x, e.y, e.width * e.height, math.radians(e.turn)) for e in places]
    x, y, area, turns = np.array(figures, np.float64).reshape(-1, 4).T
    way = complex(np.median(np.cos(turns)), np.median(np.sin(turns))) if figures else 0j
    in_rows = np.cos(turns - cmath.phase(way)) > _ALIGNED
    if in_rows.sum() < max(_FEWEST, _MOSTLY * len(figures)):
        return None
    middles = np.column_stack([x - width / 2, y - height / 2])[in_rows]
    middles /= _FOCAL * max(height, width)
    along = np.array([way.real, way.imag]) / abs(way)
    off = middles - middles.mean(axis=0)
    terms = np.column_stack([np.ones(len(off)), off @ along, off @ (-along[1], along[0])])
    # The cube root of a tile's area is the inverse of its distance, however it is turned. Across
    # the rows hidden feet make it smaller, too
    near = np.cbrt(area[in_rows])
    (size, growth, _), *_ = np.linalg.lstsq(terms, near, rcond=_ALONG)
    growth /= size
    row = np.array([*(along - growth * middles.mean(axis=0)), -growth])
    row /= np.linalg.norm(row)
    if abs(row[2]) < _ASIDE:
        return None
    axis = np.cross(row, (1.0, 0.0, 0.0))
    return turned(axis * (math.acos(row[0]) / float(np.linalg.norm(axis))))


def seen_from_above(
    look: Look, image: Image, readings: Sequence[TileReading], is_piece: IsPiece
) -> list[TileReading]:
    """The readings, and those of raised or turned views, with their places in the photo itself.

    Surely read tiles are not read again. Of two readings of one tile the likelier stays.
    """
    found = list(readings)
    before = 0.0
    for tilt in _TILTS:
        tiles = [each for each in found if is_piece(each)]
        mean = mean_likelihood(tiles)
        if not are_doubtful(tiles) or mean < before + _GAIN:
            break
        before = mean
        turn = from_the_front(image.shape, tiles)
        if turn is None:
            turn = turned(np.radians([tilt, 0.0, 0.0]))
        view = overview_of(image, [each.candidate for each in tiles], turn)
        if view is None:
            break
        raised = [
            replace(each, candidate=view.placed(each.candidate))
            for each in look(Pyramid(view.image))
        ]
        before_it = [_agreed(each, raised) for each in found]
        found = once_each([*before_it, *(_agreed(each, found) for each in raised)])
    return found


def mean_likelihood(tiles: Sequence[TileReading]) -> float:
    """The mean certainty of the tiles."""
    return sum(each.likelihood for each in tiles) / max(1, len(tiles))


def legible(tiles: Sequence[TileReading]) -> float:
    """The sum of certain readings: another doubtful tile takes nothing away."""
    return sum(max(0.0, each.likelihood - _EVEN) for each in tiles)


def are_doubtful(tiles: Sequence[TileReading]) -> bool:
    """Whether several tiles are read so badly that all should be read in another view."""
    return len(tiles) >= _FEWEST and mean_likelihood(tiles) < _WELL


def _agreed(reading: TileReading, others: Sequence[TileReading]) -> TileReading:
    """The reading, less sure if another view saw another face in the same place."""
    place = reading.candidate
    for other in others:
        if math.hypot(other.candidate.x - place.x, other.candidate.y - place.y) < place.width / 2:
            reading = contested(reading, other)
    return reading


Edition = Literal["rummikub", "okey", "auto"]

_INK: Final = 0.22  # darker than the face by so much of it
_LEAST: Final = 0.1  # of a tile's width: a heart's longer side
_MOST: Final = 0.34
_THINNEST: Final = 0.06  # its shorter side
_FILLED: Final = 0.42  # of its box
_CLOSING: Final = 0.55  # of a tile's width: wider than any stroke and heart
_BEYOND: Final = 2  # pixels around it
_FINE: Final = 48.0  # pixels of a tile's width: enough to see its heart
_REACH: Final = 0.75  # of a tile's length from its middle


def without_hearts(pyramid: Pyramid, tiles: Sequence[Candidate]) -> tuple[Image, float]:
    """The photo with blots of a heart's size painted over, and the share of tiles that had one.

    There is at least one tile.
    """
    width = float(np.median([each.width for each in tiles]))
    level = pyramid.above(width / _FINE)
    image, scale = pyramid.levels[level], 2**level
    width /= scale
    side = round(_CLOSING * width) | 1
    closed = cv2.morphologyEx(image, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8))
    lighter = cv2.subtract(closed, image).max(axis=2)
    ink = (lighter > _INK * closed.max(axis=2)).astype(np.uint8)
    _, blots, found, middles = cv2.connectedComponentsWithStats(ink, connectivity=8)
    across, down, area = found[:, 2:].T
    longer, shorter = np.maximum(across, down), np.minimum(across, down)
    is_heart = (longer >= _LEAST * width) & (longer <= _MOST * width)
    is_heart &= (shorter >= _THINNEST * width) & (area >= _FILLED * across * down)
    is_heart[0] = False  # what is no blot
    hearts = middles[is_heart] * scale
    reach = _REACH * np.array([each.height for each in tiles])
    away = [np.hypot(*(hearts - (each.x, each.y)).T).min(initial=np.inf) for each in tiles]
    over = cv2.dilate(is_heart[blots].astype(np.uint8), np.ones((2 * _BEYOND + 1,) * 2, np.uint8))
    size = pyramid.image.shape[1::-1]
    paint, mask = (cv2.resize(each, size) for each in (cv2.blur(closed, (5, 5)), over))
    painted = cv2.copyTo(paint, mask, pyramid.image.copy())
    return np.asarray(painted, np.uint8), float(np.mean(np.array(away) < reach))
