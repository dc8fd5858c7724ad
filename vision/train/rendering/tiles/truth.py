"""What a picture of tiles shows, by geometry: corners of the tops in sight, and what is on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.train.rendering.slab import Slab
from vision.train.rendering.tiles.stage import TileStage
from vision.train.rendering.tiles.tile_poses import Lying
from vision.train.rendering.tiles.top import JOKER, Top

Vector = NDArray[np.float64]
COLOURS: Final = ("black", "red", "blue", "orange")
_SKIN: Final = 0.012
_LEAST_VISIBLE: Final = 0.04
_CLEARLY_VISIBLE: Final = 0.75
_INK_VISIBLE: Final = 0.85
_WHOLE: Final = 0.97
_LEAST_CONTRAST: Final = 22.0
_LEAST_SIDE: Final = 9.0
_EDGE: Final = 0.05


@dataclass(frozen=True, slots=True, eq=False)
class LabelledTile:
    """A tile's top in a picture.

    `quad` are its four corners in pixels, 4 x 2, clockwise from the left one of the number's
    side; they may lie outside. `inside` is the share of it within the picture, `visible` that of
    the whole top which nothing hides, `ink_visible` the same of the box around the ink;
    `contrast` is how far apart light and dark are in that box, 0 to 255.
    """

    tile: Lying
    quad: Vector
    inside: float
    visible: float
    ink_visible: float
    contrast: float

    @property
    def difficult(self) -> bool:
        """Whether too much is hidden, too small or too faint to be asked for."""
        sides = np.linalg.norm(self.quad - np.roll(self.quad, 1, axis=0), axis=1)
        hidden = self.visible < _CLEARLY_VISIBLE or self.ink_visible < _INK_VISIBLE
        return bool(hidden or self.contrast < _LEAST_CONTRAST or sides.min() < _LEAST_SIDE)

    def as_json(self) -> dict[str, Any]:
        """The label as the photographs' labels are written."""
        (left, top), (right, bottom) = self.quad.min(axis=0), self.quad.max(axis=0)
        printed = self.tile.printed
        told: dict[str, Any] = {
            "x": round(float(left), 1),
            "y": round(float(top), 1),
            "w": round(float(right - left), 1),
            "h": round(float(bottom - top), 1),
            "quad": [[round(float(x), 2), round(float(y), 2)] for x, y in self.quad],
            "colour": COLOURS[printed.colour],
            "visible": round(self.visible, 3),
        }
        told |= {"joker": True} if printed.kind == JOKER else {"number": printed.kind}
        told |= {"truncated": True} if self.inside < _WHOLE else {}
        return told | ({"difficult": True} if self.difficult else {})


def label_tiles(stage: TileStage, seen: NDArray[np.float32], image: Image) -> list[LabelledTile]:
    """The face-up tiles of whose tops something can be seen.

    `seen` is the point of the table (H x W x 3) that each pixel of the image shows.
    """
    # Every ink takes away at least one of red, green and blue.
    darkest = np.asarray(image.min(axis=2), np.uint8)
    placed = zip(stage.tiles, stage.tops, strict=True)
    labelled = [_label(stage, tile, top, seen, darkest) for tile, top in placed if not tile.blank]
    return [one for one in labelled if one is not None and one.visible > _LEAST_VISIBLE]


def label_picture(
    stage: TileStage, seen: NDArray[np.float32], image: Image, name: str
) -> dict[str, Any]:
    """All that is known about a picture (blue-green-red), ready to be written as one line."""
    return {
        "file": name,
        "width": stage.lens.width,
        "height": stage.lens.height,
        "split": "train",
        "scene": "rendered",
        "layout": stage.manner,
        "oriented": True,
        "ground": stage.ground.kind,
        "elevation_degrees": round(stage.lens.elevation_degrees, 1),
        "tiles": [one.as_json() for one in label_tiles(stage, seen, image)],
    }


def _label(
    stage: TileStage, tile: Lying, top: Top, seen: NDArray[np.float32], grey: NDArray[np.uint8]
) -> LabelledTile | None:
    shape, lens = stage.edition.shape, stage.lens
    corners = tile.points(shape.corners())
    if ((corners - lens.eye) @ tile.turn[:, 2]).max() >= 0:
        return None  # seen from behind
    quad = lens.pixels(corners)
    window = _window(quad, grey.shape)
    if window is None:
        return None
    mine = _on_top(tile, shape, seen[window])
    offset = np.array([window[1].start, window[0].start], dtype=np.float64)
    ink = lens.pixels(tile.points(_ink_corners(shape, top)))
    return LabelledTile(
        tile,
        quad,
        _inside(quad, grey.shape),
        _shown(quad - offset, mine),
        _shown(ink - offset, mine),
        _contrast(ink - offset, mine, grey[window]),
    )


def _window(quad: Vector, shape: tuple[int, ...]) -> tuple[slice, slice] | None:
    """The part of the picture around a quadrangle, if any."""
    height, width = shape
    low = np.floor(quad.min(axis=0)).astype(int) - 1
    high = np.ceil(quad.max(axis=0)).astype(int) + 1
    left, right = max(0, int(low[0])), min(width, int(high[0]))
    top, bottom = max(0, int(low[1])), min(height, int(high[1]))
    return (slice(top, bottom), slice(left, right)) if left < right and top < bottom else None


def _on_top(tile: Lying, shape: Slab, seen: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which pixels show this tile's top, its chamfer included."""
    x, y, z = np.moveaxis((seen - tile.place) @ tile.turn, -1, 0)
    level = (z > shape.thickness - shape.drop - _EDGE) & (z < shape.thickness + _SKIN)
    beside = (np.abs(x) <= shape.width / 2 + 1e-3) & (np.abs(y) <= shape.length / 2 + 1e-3)
    return np.asarray(level & beside)


def _ink_corners(shape: Slab, top: Top) -> Vector:
    left, upper, right, lower = top.ink_box
    spots = ((left, upper), (right, upper), (right, lower), (left, lower))
    return np.array([shape.local(u, v) for u, v in spots])


def _area(quad: Vector) -> float:
    return max(float(cv2.contourArea(quad.astype(np.float32))), 1e-9)


def _mask(quad: Vector, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    mask = np.zeros(shape, dtype=np.uint8)
    corners = np.clip((quad - 0.5) * 16, -1e6, 1e6).round().astype(np.int32)
    cv2.fillConvexPoly(mask, corners, 1, cv2.LINE_8, 4)
    return np.asarray(mask > 0)


def _shown(quad: Vector, mine: NDArray[np.bool_]) -> float:
    """The share of a quadrangle that shows the tile."""
    return float(min(1.0, (mine & _mask(quad, mine.shape)).sum() / _area(quad)))


def _contrast(quad: Vector, mine: NDArray[np.bool_], grey: NDArray[np.uint8]) -> float:
    """How far apart light and dark are where the ink is."""
    part = grey[mine & _mask(quad, mine.shape)]
    if not part.size:
        return 0.0
    dark, light = np.percentile(part, (4, 96))
    return float(light - dark)


def _inside(quad: Vector, shape: tuple[int, ...]) -> float:
    """The share of a quadrangle that is within the picture."""
    height, width = shape
    picture = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float32)
    shared, _ = cv2.intersectConvexConvex(quad.astype(np.float32), picture)
    return float(min(1.0, shared / _area(quad)))
