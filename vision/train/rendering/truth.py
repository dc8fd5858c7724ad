"""What a picture shows, by geometry: each die's box, top face, value, lean and visible share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.train.rendering.die import edges, normal
from vision.train.rendering.mesh import DieShape, die_mesh
from vision.train.rendering.stage import Stage, StagedDie

Vector = NDArray[np.float64]
LEANING_DEGREES: Final = 5.0
_HULL_CELLS: Final = 8
_INNER: Final = 0.8
_FLAT: Final = 40
_SKIN: Final = 0.006
_LEAST_VISIBLE: Final = 0.02


@dataclass(frozen=True, slots=True)
class LabelledDie:
    """A die in a picture; places are pixels from left and top and may lie outside.

    `box` is left, top, right, bottom of its whole outline; `quad` the four corners of the face
    that looks up most, in order around it; `visible` and `top_visible` are the shares of the
    outline and of that face that nothing hides and the picture's edge doesn't cut off.
    """

    box: tuple[float, float, float, float]
    quad: tuple[tuple[float, float], ...]
    value: int
    lean_degrees: float
    visible: float
    top_visible: float
    style: str

    @property
    def side_pixels(self) -> float:
        """The box's shorter side."""
        left, top, right, bottom = self.box
        return min(right - left, bottom - top)

    def as_json(self) -> dict[str, Any]:
        """The label as it is written, rounded to a hundredth."""
        return {
            "box": _rounded(self.box),
            "quad": [[round(x, 2), round(y, 2)] for x, y in self.quad],
            "value": self.value,
            "lean_degrees": round(self.lean_degrees, 2),
            "leaning": self.lean_degrees >= LEANING_DEGREES,
            "visible": round(self.visible, 3),
            "top_visible": round(self.top_visible, 3),
            "side_px": round(self.side_pixels, 2),
            "style": self.style,
        }


def label_dice(stage: Stage, seen: NDArray[np.float32]) -> list[LabelledDie]:
    """The dice of which something can be seen.

    `seen` is the point of the table (H x W x 3) that each pixel shows.
    """
    hulls = [_hull_points(one.shape) for one in stage.sets]
    labelled = [_label(stage, die, hulls[die.dressed], seen) for die in stage.dice]
    return [one for one in labelled if one.visible > _LEAST_VISIBLE]


def label_picture(
    stage: Stage, seen: NDArray[np.float32], image: Image, seed: int, camera: Mapping[str, Any]
) -> dict[str, Any]:
    """All that is known about a picture (blue-green-red), ready to be written as JSON."""
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    return {
        "width": stage.lens.width,
        "height": stage.lens.height,
        "seed": seed,
        "dice": [
            one.as_json() | {"top_contrast": round(top_contrast(grey, one.quad), 1)}
            for one in label_dice(stage, seen)
        ],
        "clutter": [
            {
                "box": _rounded(_box(stage.lens.pixels(one.mesh.points.astype(np.float64)))),
                "kind": one.kind,
            }
            for one in stage.things
        ],
        "ground": stage.ground.kind,
        "manner": stage.manner,
        "tray": stage.rim is not None,
        "hand": stage.hand is not None,
        "camera": {
            "elevation_degrees": round(stage.lens.elevation_degrees, 1),
            "field_degrees": round(stage.lens.field_degrees, 1),
            **camera,
        },
    }


def top_contrast(grey: NDArray[np.uint8], quad: Sequence[tuple[float, float]]) -> float:
    """How far apart the dark and the light parts of a top face are, 0 to 255.

    Where it is near nothing, glare, darkness or blur has taken the pips away.
    """
    corners = np.array(quad, dtype=np.float32)
    inner = corners.mean(axis=0) + _INNER * (corners - corners.mean(axis=0))
    square = np.array([(0, 0), (_FLAT, 0), (_FLAT, _FLAT), (0, _FLAT)], dtype=np.float32)
    turn = cv2.getPerspectiveTransform(inner.astype(np.float32), square)
    face = cv2.warpPerspective(grey, turn, (_FLAT, _FLAT), borderMode=cv2.BORDER_REPLICATE)
    dark, light = np.percentile(cv2.blur(face, (3, 3)), (1.5, 98.5))
    return float(light - dark)


def _label(stage: Stage, die: StagedDie, hull: Vector, seen: NDArray[np.float32]) -> LabelledDie:
    outline = stage.lens.pixels(die.points(hull))
    mine = _on_die(die, seen, _box(outline))
    place = die.die.pose.top
    quad = stage.lens.pixels(die.points(_face(place)))
    dressed = stage.sets[die.dressed]
    return LabelledDie(
        box=_box(outline),
        quad=tuple((float(x), float(y)) for x, y in quad),
        value=dressed.shape.layout.number(place),
        lean_degrees=die.die.pose.lean_degrees,
        visible=_share(int(mine.sum()), _area(outline)),
        top_visible=_top_visible(quad, mine),
        style=dressed.name,
    )


def _rounded(box: tuple[float, float, float, float]) -> list[float]:
    return [round(place, 2) for place in box]


def _on_die(
    die: StagedDie, seen: NDArray[np.float32], box: tuple[float, float, float, float]
) -> NDArray[np.bool_]:
    """Which pixels show a point of the die's surface, H x W."""
    mine = np.zeros(seen.shape[:2], dtype=np.bool_)
    left, top, right, bottom = (max(int(place), 0) for place in box)
    part = (slice(top, bottom + 1), slice(left, right + 1))
    local = (seen[part] - np.asarray(die.die.pose.position)) @ die.die.pose.rotation
    mine[part] = np.abs(local).max(axis=2, initial=0) < (0.5 + _SKIN) * die.die.size
    return mine


def _hull_points(shape: DieShape) -> Vector:
    smooth = DieShape(
        shape.edge_radius, ball_radius=shape.ball_radius, cells=_HULL_CELLS, pip_depth=0
    )
    return np.asarray(die_mesh(smooth).points, dtype=np.float64)


def _face(place: int) -> Vector:
    across, up = (edge / 2 for edge in edges(place))
    middle = normal(place) / 2
    return np.array(
        [middle - across - up, middle + across - up, middle + across + up, middle - across + up]
    )


def _box(points: Vector) -> tuple[float, float, float, float]:
    (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
    return float(left), float(top), float(right), float(bottom)


def _area(points: Vector) -> float:
    return float(cv2.contourArea(cv2.convexHull(points.astype(np.float32))))


def _share(pixels: int, area: float) -> float:
    return float(np.clip(pixels / max(area, 1e-9), 0, 1))


def _top_visible(quad: Vector, mine: NDArray[np.bool_]) -> float:
    """The share of the face's inner part that is in the picture and shows this die."""
    inner = quad.mean(axis=0) + _INNER * (quad - quad.mean(axis=0))
    mask = np.zeros(mine.shape, dtype=np.uint8)
    corners = np.clip((inner - 0.5) * 16, -1e6, 1e6).round().astype(np.int32)
    cv2.fillConvexPoly(mask, corners, 1, cv2.LINE_8, 4)
    shown = _share(int((mine & (mask > 0)).sum()), int(mask.sum()))
    height, width = mine.shape
    picture = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float32)
    inside, _ = cv2.intersectConvexConvex(inner.astype(np.float32), picture)
    return shown * float(np.clip(inside / _area(inner), 0, 1))
